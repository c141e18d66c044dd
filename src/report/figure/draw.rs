//! Drawing: a legend on top, then panels of a plot over a small histogram of the lengths, then notes.
//!
//! Everything is placed in whole pixels of a grid finer than the size meant, so that nothing depends on how a machine
//! rounds.

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle, WHITE};

use super::axis::Axis;
use super::bins::{ENOUGH, WIDEST};
use super::dash::{self, Pixel};
use super::style::{self, BARS, FAINT, FAMILY, GRID, INK, Marker};
use super::{Bin, Figure, Panel, Series};
use crate::report::grid::wrap_note;
use crate::report::order::{PruneOrder, decoder_order, prune_label};

/// Pixels of the grid in one pixel meant.
pub const SCALE: i32 = 2;

/// Panels side by side.
const ACROSS: usize = 2;
/// Width of a panel.
const PANEL_WIDTH: i32 = 700;
/// Left edge of a panel to its axes: ticks and label.
const LEFT: i32 = 78;
/// Right end of the axes to the edge of a panel.
const RIGHT: i32 = 18;
/// Height of a panel's title.
const TITLE: i32 = 30;
/// Height of a plot.
const PLOT: i32 = 340;
/// Between a plot and its histogram.
const GAP: i32 = 20;
/// Height of a histogram.
const HISTOGRAM: i32 = 64;
/// Ticks and label under a histogram.
const BOTTOM: i32 = 48;
/// Height of a line of the legend.
const LEGEND_LINE: i32 = 24;
/// Height of a line of notes.
const NOTE_LINE: i32 = 18;
/// Characters of a line of notes that fit under one panel.
const NOTE_CHARACTERS: usize = 100;
/// Between the middles of two markers of a series.
const APART: i32 = 24;
/// Free space around all.
const MARGIN: i32 = 8;

/// What is drawn with. The two place text differently about the point that they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Text is placed by whoever shows the file, by the height of its small letters.
    Svg,
    /// Text is placed by the library, a little high.
    Png,
}

impl Backend {
    /// How far text must go down, as a share of its size, so that its capitals are centred or begin at the point.
    fn drop(self, anchor: VPos) -> f64 {
        match (self, anchor) {
            (Self::Svg, VPos::Center) => 0.06,
            (Self::Png, VPos::Center) => 0.20,
            (Self::Svg, _) => 0.0,
            (Self::Png, _) => 0.11,
        }
    }
}

/// Where to draw, and with what.
struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    backend: Backend,
}

type Outcome<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Prunings and decoders of all panels, each in order: which look a series has.
struct Looks {
    prunings: Vec<String>,
    decoders: Vec<String>,
}

impl Looks {
    fn of(figure: &Figure) -> Self {
        let mut looks = Self { prunings: Vec::new(), decoders: Vec::new() };
        for series in figure.panels.iter().flat_map(|panel| &panel.series) {
            let setting = &series.setting;
            for (all, name) in [(&mut looks.prunings, &setting.prune), (&mut looks.decoders, &setting.decoder)] {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
        }
        looks.prunings.sort_by_key(|prune| PruneOrder::of(prune));
        looks.decoders.sort_by(|a, b| decoder_order(a).cmp(&decoder_order(b)));
        looks
    }

    fn look(&self, series: &Series) -> Look {
        let place = |all: &[String], name: &str| all.iter().position(|n| n == name).unwrap_or(0);
        let (color, marker) = style::pruning(place(&self.prunings, &series.setting.prune));
        Look { color, marker, dashes: style::dashes(place(&self.decoders, &series.setting.decoder)) }
    }
}

/// How a series looks.
#[derive(Clone, Copy)]
struct Look {
    color: RGBColor,
    marker: Marker,
    dashes: Option<(f64, f64)>,
}

/// Size of a figure in pixels of the grid.
pub fn size(figure: &Figure) -> (u32, u32) {
    let across = figure.panels.len().clamp(1, ACROSS) as i32;
    let down = figure.panels.len().div_ceil(ACROSS) as i32;
    let legend = legend_lines(figure, &Looks::of(figure)).len() as i32 * LEGEND_LINE;
    let notes = notes(figure).len() as i32 * NOTE_LINE;
    let width = 2 * MARGIN + across * PANEL_WIDTH;
    let height = 2 * MARGIN + legend + down * panel_height() + notes;
    ((SCALE * width) as u32, (SCALE * height) as u32)
}

const fn panel_height() -> i32 {
    TITLE + PLOT + GAP + HISTOGRAM + BOTTOM
}

/// The lines under the panels.
fn notes(figure: &Figure) -> Vec<String> {
    if figure.panels.is_empty() {
        return vec!["There are no measurements to plot.".to_owned()];
    }
    let series: Vec<&Series> = figure.panels.iter().flat_map(|panel| &panel.series).collect();
    let mut note = figure.quantity.note(&series);
    note.push_str(&format!(
        " A point is one length with {ENOUGH} or more sentences, or neighbouring rarer lengths together (at most {WIDEST} \
         words apart; bars of one shade)."
    ));
    if figure.panels.iter().flat_map(|panel| &panel.bins).any(Bin::is_thin) {
        note.push_str(&format!(" Hollow: fewer than {ENOUGH} sentences."));
    }
    let width = NOTE_CHARACTERS * figure.panels.len().clamp(1, ACROSS);
    wrap_note(&note, width).lines().map(|line| line.trim_start().to_owned()).collect()
}

/// Draws a figure on an area of its size.
pub fn draw<DB: DrawingBackend>(figure: &Figure, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
    area.fill(&WHITE)?;
    let canvas = &Canvas { area, backend };
    let looks = Looks::of(figure);
    legend(canvas, figure, &looks, MARGIN)?;
    let mut top = MARGIN + legend_lines(figure, &looks).len() as i32 * LEGEND_LINE;
    for (i, panel) in figure.panels.iter().enumerate() {
        let left = MARGIN + (i % ACROSS) as i32 * PANEL_WIDTH;
        draw_panel(canvas, figure, panel, &looks, (left, top + (i / ACROSS) as i32 * panel_height()))?;
    }
    top += figure.panels.len().div_ceil(ACROSS) as i32 * panel_height();
    for note in notes(figure) {
        text(canvas, &note, 13, INK, (MARGIN + LEFT, top), (HPos::Left, VPos::Top))?;
        top += NOTE_LINE;
    }
    Ok(())
}

/// Draws the legend from `top` down.
fn legend<DB: DrawingBackend>(canvas: &Canvas<DB>, figure: &Figure, looks: &Looks, top: i32) -> Outcome<DB> {
    for (i, entries) in legend_lines(figure, looks).iter().enumerate() {
        let middle = top + i as i32 * LEGEND_LINE + LEGEND_LINE / 2;
        for Entry { left, label, look } in entries {
            let mut left = *left;
            if let Some(look) = *look {
                line(canvas, &[grid((left, middle)), grid((left + 34, middle))], look)?;
                marker(canvas, grid((left + 17, middle)), look, false)?;
                left += 42;
            }
            text(canvas, label, 16, INK, (left, middle), (HPos::Left, VPos::Center))?;
        }
    }
    Ok(())
}

/// A name in the legend: of a series, with its line and marker, or of a decoder.
struct Entry {
    left: i32,
    label: String,
    look: Option<Look>,
}

/// The lines of the legend: at least one a decoder, led by its name if there are several.
fn legend_lines(figure: &Figure, looks: &Looks) -> Vec<Vec<Entry>> {
    let start = MARGIN + LEFT + if looks.decoders.len() > 1 { 70 } else { 0 };
    let end = MARGIN + figure.panels.len().clamp(1, ACROSS) as i32 * PANEL_WIDTH - RIGHT;
    let mut lines = Vec::new();
    for decoder in &looks.decoders {
        let mut entries = Vec::new();
        if looks.decoders.len() > 1 {
            entries.push(Entry { left: MARGIN + LEFT, label: decoder.clone(), look: None });
        }
        let mut left = start;
        for prune in &looks.prunings {
            let label = prune_label(prune);
            let width = 42 + 22 + 8 * label.chars().count() as i32;
            if left > start && left + width > end {
                lines.push(std::mem::take(&mut entries));
                left = start;
            }
            let mut series = figure.panels.iter().flat_map(|panel| &panel.series);
            // A place is kept for what this decoder was not run with, so that the decoders' columns agree.
            if let Some(series) = series.find(|s| &s.setting.decoder == decoder && &s.setting.prune == prune) {
                entries.push(Entry { left, label, look: Some(looks.look(series)) });
            }
            left += width;
        }
        lines.push(entries);
    }
    lines
}

/// The places of a plot: from values to pixels of the grid.
struct Frame<'a> {
    x: &'a Axis,
    y: &'a Axis,
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

impl Frame<'_> {
    fn x(&self, value: f64) -> i32 {
        SCALE * self.left + libm::round(self.x.place(value) * f64::from(SCALE * self.width)) as i32
    }

    fn y(&self, value: f64) -> i32 {
        SCALE * (self.top + self.height) - libm::round(self.y.place(value) * f64::from(SCALE * self.height)) as i32
    }

    fn left(&self) -> i32 {
        SCALE * self.left
    }

    fn right(&self) -> i32 {
        SCALE * (self.left + self.width)
    }

    fn top(&self) -> i32 {
        SCALE * self.top
    }

    fn bottom(&self) -> i32 {
        SCALE * (self.top + self.height)
    }
}

fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    figure: &Figure,
    panel: &Panel,
    looks: &Looks,
    (left, top): Pixel,
) -> Outcome<DB> {
    let width = PANEL_WIDTH - LEFT - RIGHT;
    let middle = left + LEFT + width / 2;
    text(canvas, &panel.title(), 16, INK, (middle, top + TITLE / 2), (HPos::Center, VPos::Center))?;

    let longest = panel.lengths.last().map_or(0, |(length, _)| *length);
    let x = Axis::linear(longest as f64, 10);
    let unit = figure.quantity.unit();
    let lines: Vec<(&Series, Vec<(f64, f64, bool)>)> =
        panel.series.iter().map(|s| (s, plotted(panel, s, unit))).collect();
    let values: Vec<f64> = lines.iter().flat_map(|(_, points)| points).map(|(_, value, _)| *value).collect();
    let y = Axis::of(&values);
    let plot = Frame { x: &x, y: &y, left: left + LEFT, top: top + TITLE, width, height: PLOT };
    axes(canvas, &plot)?;
    let label = if y.is_logarithmic() {
        format!("{}, log scale", figure.quantity.label())
    } else {
        figure.quantity.label().to_owned()
    };
    upright(canvas, &label, (left + 14, top + TITLE + PLOT / 2))?;
    for (series, points) in &lines {
        let look = looks.look(series);
        let places: Vec<Pixel> = points.iter().map(|(length, value, _)| (plot.x(*length), plot.y(*value))).collect();
        line(canvas, &places, look)?;
        let mut last: Option<Pixel> = None;
        for (&place, &(_, _, thin)) in places.iter().zip(points) {
            // Where points are dense the line has them all and a marker now and then.
            if thin || last.is_none_or(|last| is_apart(last, place)) {
                marker(canvas, place, look, thin)?;
                last = Some(place);
            }
        }
    }

    let most = panel.lengths.iter().map(|(_, sentences)| *sentences).max().unwrap_or(0);
    let sentences = Axis::linear(most as f64, 3);
    let top = top + TITLE + PLOT + GAP;
    let histogram = Frame { x: &x, y: &sentences, left: left + LEFT, top, width, height: HISTOGRAM };
    axes(canvas, &histogram)?;
    bars(canvas, panel, &histogram)?;
    upright(canvas, "sentences", (left + 14, top + HISTOGRAM / 2))?;
    for (value, label) in &x.ticks {
        let place = (histogram.x(*value) / SCALE, top + HISTOGRAM + 6);
        text(canvas, label, 14, INK, place, (HPos::Center, VPos::Top))?;
    }
    let place = (middle, top + HISTOGRAM + 24);
    text(canvas, "sentence length (words)", 16, INK, place, (HPos::Center, VPos::Top))
}

/// True if markers at both places leave the line between them to be seen.
fn is_apart(a: Pixel, b: Pixel) -> bool {
    let (dx, dy) = (i64::from(a.0 - b.0), i64::from(a.1 - b.1));
    dx * dx + dy * dy >= i64::from(APART * SCALE).pow(2)
}

/// A series as plotted: lengths, values, and whether the point is thin.
fn plotted(panel: &Panel, series: &Series, unit: f64) -> Vec<(f64, f64, bool)> {
    let point = |bin: &Bin| {
        let plotted = series.plotted(*bin)?;
        Some((plotted.length, plotted.average / unit, bin.is_thin()))
    };
    panel.bins.iter().filter_map(point).collect()
}

/// Lines at the ticks, labels of the y axis, and the axes themselves.
fn axes<DB: DrawingBackend>(canvas: &Canvas<DB>, frame: &Frame) -> Outcome<DB> {
    let rule = |from: Pixel, to: Pixel, color: RGBColor, width: u32| {
        canvas.area.draw(&PathElement::new(
            vec![from, to],
            ShapeStyle { color: color.into(), filled: false, stroke_width: width },
        ))
    };
    let (left, right, top, bottom) = (frame.left(), frame.right(), frame.top(), frame.bottom());
    for value in &frame.y.minor {
        rule((left, frame.y(*value)), (right, frame.y(*value)), FAINT, 2)?;
    }
    for (value, label) in &frame.y.ticks {
        let y = frame.y(*value);
        rule((left, y), (right, y), GRID, 2)?;
        rule((left - 8, y), (left, y), INK, 2)?;
        text(canvas, label, 14, INK, (frame.left - 8, y / SCALE), (HPos::Right, VPos::Center))?;
    }
    for (value, _) in &frame.x.ticks {
        let x = frame.x(*value);
        rule((x, top), (x, bottom), GRID, 2)?;
        rule((x, bottom), (x, bottom + 8), INK, 2)?;
    }
    rule((left, top), (left, bottom), INK, 2)?;
    rule((left, bottom), (right, bottom), INK, 2)
}

/// One bar a length.
fn bars<DB: DrawingBackend>(canvas: &Canvas<DB>, panel: &Panel, frame: &Frame) -> Outcome<DB> {
    for (length, sentences) in &panel.lengths {
        let bin = panel.bins.iter().position(|bin| bin.holds(*length)).unwrap_or(0);
        let (from, to) = (frame.x(*length as f64 - 0.4), frame.x(*length as f64 + 0.4));
        // A single sentence is still to be seen.
        let top = frame.y(*sentences as f64).min(frame.bottom() - 3);
        let style = ShapeStyle { color: BARS[bin % BARS.len()].into(), filled: true, stroke_width: 0 };
        canvas.area.draw(&Rectangle::new([(from, top), (to.max(from + 1), frame.bottom())], style))?;
    }
    Ok(())
}

fn line<DB: DrawingBackend>(canvas: &Canvas<DB>, places: &[Pixel], look: Look) -> Outcome<DB> {
    let style = ShapeStyle { color: look.color.into(), filled: false, stroke_width: 3 };
    let parts = match look.dashes {
        None => vec![places.to_vec()],
        Some((on, off)) => dash::dashes(places, on * f64::from(SCALE), off * f64::from(SCALE)),
    };
    // A path of fewer than two places cannot be drawn.
    for part in parts.into_iter().filter(|part| part.len() > 1) {
        canvas.area.draw(&PathElement::new(part, style))?;
    }
    Ok(())
}

/// A marker with a white rim; white inside too if it is hollow.
fn marker<DB: DrawingBackend>(canvas: &Canvas<DB>, place: Pixel, look: Look, hollow: bool) -> Outcome<DB> {
    shape(canvas, place, look.marker, 9, WHITE)?;
    shape(canvas, place, look.marker, 7, look.color)?;
    if hollow { shape(canvas, place, look.marker, 4, WHITE) } else { Ok(()) }
}

fn shape<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    (x, y): Pixel,
    marker: Marker,
    r: i32,
    color: RGBColor,
) -> Outcome<DB> {
    let style = ShapeStyle { color: color.into(), filled: true, stroke_width: 0 };
    let corners = match marker {
        Marker::Circle => return canvas.area.draw(&Circle::new((x, y), r, style)),
        Marker::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        Marker::Up => vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)],
        Marker::Diamond => vec![(x, y - r - 2), (x + r + 2, y), (x, y + r + 2), (x - r - 2, y)],
        Marker::Down => vec![(x, y + r + 1), (x + r + 1, y - r), (x - r - 1, y - r)],
    };
    canvas.area.draw(&Polygon::new(corners, style))
}

/// From pixels meant to pixels of the grid.
fn grid((x, y): Pixel) -> Pixel {
    (SCALE * x, SCALE * y)
}

fn text<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    words: &str,
    size: i32,
    color: RGBColor,
    place: Pixel,
    (h, v): (HPos, VPos),
) -> Outcome<DB> {
    let size = SCALE * size;
    let style = TextStyle::from(font(size)).color(&color).pos(Pos::new(h, v));
    let (x, y) = grid(place);
    canvas.area.draw_text(words, &style, (x, y + canvas.drop(v, size)))
}

/// Text from bottom to top, centred at a place.
fn upright<DB: DrawingBackend>(canvas: &Canvas<DB>, words: &str, place: Pixel) -> Outcome<DB> {
    let size = SCALE * 16;
    let font = font(size).transform(FontTransform::Rotate270);
    let style = TextStyle::from(font).color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    let (x, y) = grid(place);
    canvas.area.draw_text(words, &style, (x + canvas.drop(VPos::Center, size), y))
}

fn font(size: i32) -> FontDesc<'static> {
    FontDesc::new(FontFamily::Name(FAMILY), f64::from(size), FontStyle::Normal)
}

impl<DB: DrawingBackend> Canvas<'_, DB> {
    fn drop(&self, anchor: VPos, size: i32) -> i32 {
        libm::round(self.backend.drop(anchor) * f64::from(size)) as i32
    }
}
