//! The engine of figures: rows of panels under one legend, then notes. A panel is a plot of lines, and under it perhaps a small
//! histogram.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Frame, Look, Pixel, SCALE, grid};
use crate::tables::wrap::wrap_note;

/// Free space around all, in pixels meant, as all lengths here.
pub const MARGIN: i32 = 8;
/// Height of a line of notes.
pub const NOTE_LINE: i32 = 18;
/// Height of a line of a title.
pub const TITLE_LINE: i32 = 22;
/// Left edge of a panel to its axes: ticks and label.
const LEFT: i32 = 78;
/// Right end of the axes to the edge of a panel.
const RIGHT: i32 = 18;
/// Height of a plot.
const PLOT: i32 = 340;
/// Between a plot and its histogram.
const GAP: i32 = 20;
/// Height of a histogram.
const HISTOGRAM: i32 = 64;
/// Ticks and label under the axes.
const BOTTOM: i32 = 48;
/// Height of a line of the legend.
const LEGEND_LINE: i32 = 24;
/// Width of a sample of a line in the legend, with the space after it.
const SAMPLE: i32 = 42;
/// Pixels that a character takes at most, on average; viewers of the SVG may have a wider font than ours.
const CHARACTER: i32 = 9;

/// How large panels are.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Width of a panel.
    pub width: i32,
    /// Between rows.
    pub between: i32,
    /// Characters of a line of notes that fit under one panel.
    pub note_characters: usize,
    /// Between the middles of two markers of a line: where points are dense the line has them all and a marker now and then.
    pub apart: i32,
}

impl Layout {
    /// Panels that each have a title and a histogram.
    pub const WIDE: Self = Self { width: 700, between: 0, note_characters: 100, apart: 24 };
    /// Panels side by side under one heading.
    pub const NARROW: Self = Self { width: 520, between: 14, note_characters: 68, apart: 0 };
}

/// All that is drawn of a figure.
#[derive(Clone, Debug)]
pub struct Panels {
    pub layout: Layout,
    pub legend: Vec<LegendGroup>,
    pub rows: Vec<Row>,
    /// What stands under the panels.
    pub note: String,
}

/// Entries of a legend that begin on a line of their own.
#[derive(Clone, Debug)]
pub struct LegendGroup {
    /// What leads the line, if groups are named.
    pub name: Option<String>,
    /// Names of lines. A place is kept for those without a look, so that the columns of groups agree.
    pub entries: Vec<(String, Option<Look>)>,
}

/// Panels side by side.
#[derive(Clone, Debug)]
pub struct Row {
    /// What stands over all of them.
    pub heading: Option<String>,
    pub panels: Vec<Panel>,
}

/// A plot of lines.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands over it, line by line.
    pub title: Vec<String>,
    pub x: Axis,
    pub x_label: String,
    pub y: Axis,
    pub y_label: String,
    pub lines: Vec<Line>,
    pub histogram: Option<Histogram>,
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    pub look: Look,
    pub points: Vec<Dot>,
}

/// A point of a line, in the units of the axes.
#[derive(Clone, Copy, Debug)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    /// Whether it stands for few sentences.
    pub is_thin: bool,
}

impl From<(f64, f64)> for Dot {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y, is_thin: false }
    }
}

/// How many sentences each length has.
#[derive(Clone, Debug)]
pub struct Histogram {
    pub y: Axis,
    pub y_label: &'static str,
    /// Length, sentences, and number of the shade.
    pub bars: Vec<(u64, u64, usize)>,
}

/// An entry of a legend with its place: of a line, or the name of a group.
struct Entry<'p> {
    left: i32,
    label: &'p str,
    look: Option<Look>,
}

impl Panels {
    /// Draws them.
    pub fn draw(&self) -> Canvas {
        let mut canvas = Canvas::default();
        let across = self.rows.iter().map(|row| row.panels.len()).max().unwrap_or(0).max(1);
        let width = 2 * MARGIN + across as i32 * self.layout.width;
        let mut top = MARGIN;
        for entries in self.legend_lines(width) {
            draw_entries(&mut canvas, &entries, top + LEGEND_LINE / 2);
            top += LEGEND_LINE;
        }
        let titles = |row: &Row| row.panels.iter().map(|panel| panel.title.len()).max().unwrap_or(0);
        let title_lines = self.rows.iter().map(|row| titles(row).max(usize::from(row.heading.is_some()))).max();
        let head = title_lines.unwrap_or(0) as i32 * TITLE_LINE + 8;
        for row in &self.rows {
            let line = top + TITLE_LINE / 2 + 4;
            if let Some(heading) = &row.heading {
                canvas.text(heading, 16, (MARGIN + LEFT, line), Anchor::Left);
            }
            for (i, panel) in row.panels.iter().enumerate() {
                let left = MARGIN + i as i32 * self.layout.width;
                let middle = left + LEFT + (self.layout.width - LEFT - RIGHT) / 2;
                for (i, title) in panel.title.iter().enumerate() {
                    canvas.text(title, 16, (middle, line + i as i32 * TITLE_LINE), Anchor::Middle);
                }
                panel.draw(&mut canvas, self.layout, (left, top + head));
            }
            let histogram = row.panels.iter().any(|panel| panel.histogram.is_some());
            let height = PLOT + if histogram { GAP + HISTOGRAM } else { 0 };
            top += head + height + BOTTOM + self.layout.between;
        }
        let note_width = self.layout.note_characters * across;
        top = draw_notes(&mut canvas, &self.note, note_width, (MARGIN + LEFT, top));
        canvas.set_size((width, top + MARGIN));
        canvas
    }

    /// The lines of the legend, broken where they are full.
    fn legend_lines(&self, width: i32) -> Vec<Vec<Entry<'_>>> {
        let names = self.legend.iter().filter_map(|group| group.name.as_ref());
        let names = names.map(|name| text_width(name) + 16).max().unwrap_or(0);
        let (start, end) = (MARGIN + LEFT + names, width - MARGIN - RIGHT);
        let mut lines = Vec::new();
        for group in &self.legend {
            let name = group.name.iter().map(|name| Entry { left: MARGIN + LEFT, label: name, look: None });
            let mut line: Vec<Entry> = name.collect();
            let mut left = start;
            for (label, look) in &group.entries {
                let width = SAMPLE + text_width(label) + 18;
                if left > start && left + width > end {
                    lines.push(std::mem::take(&mut line));
                    left = start;
                }
                line.extend(look.map(|look| Entry { left, label, look: Some(look) }));
                left += width;
            }
            lines.push(line);
        }
        lines
    }
}

fn text_width(text: &str) -> i32 {
    CHARACTER * text.chars().count() as i32
}

fn draw_entries(canvas: &mut Canvas, entries: &[Entry], middle: i32) {
    for Entry { left, label, look } in entries {
        let mut left = *left;
        if let Some(look) = *look {
            canvas.line(&[grid((left, middle)), grid((left + 34, middle))], look);
            canvas.sample(grid((left + 17, middle)), look);
            left += SAMPLE;
        }
        canvas.text(label, 16, (left, middle), Anchor::Left);
    }
}

/// Draws the lines of a note from a place down, and returns where they end.
pub fn draw_notes(canvas: &mut Canvas, note: &str, characters: usize, (left, mut top): Pixel) -> i32 {
    for line in wrap_note(note, characters).lines() {
        canvas.text(line.trim_start(), 13, (left, top), Anchor::TopLeft);
        top += NOTE_LINE;
    }
    top
}

impl Panel {
    fn draw(&self, canvas: &mut Canvas, layout: Layout, (left, top): Pixel) {
        let width = layout.width - LEFT - RIGHT;
        let plot = Frame { x: &self.x, y: &self.y, left: left + LEFT, top, width, height: PLOT };
        canvas.axes(&plot);
        canvas.upright(&axis_label(&self.y, &self.y_label), (left + 14, top + PLOT / 2));
        let Some(histogram) = &self.histogram else {
            self.draw_foot(canvas, &plot);
            return self.draw_lines(canvas, layout, &plot);
        };
        self.draw_lines(canvas, layout, &plot);
        let frame = Frame { y: &histogram.y, top: top + PLOT + GAP, height: HISTOGRAM, ..plot };
        canvas.axes(&frame);
        for (length, sentences, shade) in &histogram.bars {
            let (from, to) = (frame.x(*length as f64 - 0.4), frame.x(*length as f64 + 0.4));
            // A single sentence is still to be seen.
            let top = frame.y(*sentences as f64).min(frame.bottom() - 3);
            canvas.bar([(from, top), (to.max(from + 1), frame.bottom())], *shade);
        }
        canvas.upright(histogram.y_label, (left + 14, frame.top + HISTOGRAM / 2));
        self.draw_foot(canvas, &frame);
    }

    fn draw_lines(&self, canvas: &mut Canvas, layout: Layout, frame: &Frame) {
        for Line { look, points } in &self.lines {
            let places: Vec<Pixel> = points.iter().map(|dot| (frame.x(dot.x), frame.y(dot.y))).collect();
            canvas.line(&places, *look);
            let mut last: Option<Pixel> = None;
            for (&place, dot) in places.iter().zip(points) {
                if dot.is_thin || last.is_none_or(|last| are_apart(last, place, layout.apart)) {
                    canvas.marker(place, *look, dot.is_thin);
                    last = Some(place);
                }
            }
        }
    }

    /// Labels of the ticks of x, and of the axis, under the lowest frame.
    fn draw_foot(&self, canvas: &mut Canvas, frame: &Frame) {
        let bottom = frame.top + frame.height;
        for (value, label) in &self.x.ticks {
            canvas.text(label, 14, (frame.x(*value) / SCALE, bottom + 6), Anchor::Top);
        }
        let place = (frame.left + frame.width / 2, bottom + 24);
        canvas.text(&axis_label(&self.x, &self.x_label), 16, place, Anchor::Top);
    }
}

fn axis_label(axis: &Axis, label: &str) -> String {
    if axis.is_logarithmic() { format!("{label}, log scale") } else { label.to_owned() }
}

/// True if markers at both places leave the line between them to be seen.
fn are_apart(a: Pixel, b: Pixel, apart: i32) -> bool {
    let (dx, dy) = (i64::from(a.0 - b.0), i64::from(a.1 - b.1));
    dx * dx + dy * dy >= i64::from(apart * SCALE).pow(2)
}
