//! Drawing: a legend on top, then panels of a plot over a small histogram of the lengths, then notes.
//!
//! Everything is placed in whole pixels of a grid finer than the size meant, so that nothing depends on how a machine
//! rounds.

use plotters::coord::Shift;
use plotters::element::Rectangle;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{ShapeStyle, WHITE};

use super::axis::{Axis, is_skewed, is_wide};
use super::by_length::ByLength;
use super::dash::Pixel;
use super::frame::{Frame, axes};
use super::layout::{
    ACROSS, APART, BOTTOM, GAP, HISTOGRAM, LEFT, LEGEND_LINE, MARGIN, NOTE_CHARACTERS, NOTE_LINE, PANEL_WIDTH, PLOT,
    RIGHT, TITLE_CHARACTERS, TITLE_LINE, width,
};
use super::legend::{Looks, draw_legend, legend_lines};
use super::paint::{Backend, Canvas, Outcome, SCALE, line, marker, text, upright};
use super::style::{BARS, INK};
use crate::statistics::bins::{Bin, ENOUGH, WIDEST};
use crate::statistics::curves::{Panel, Series};
use crate::tables::block::{Block, other_backbone, set_label, several_templates};
use crate::tables::wrap::{wrap_features, wrap_note};

/// A figure with what its panels share.
struct Plan<'a> {
    figure: &'a ByLength,
    looks: Looks,
    /// Whether the panels differ in their templates.
    several_templates: bool,
    /// Lines of the titles: as many as the longest has.
    title_lines: i32,
    /// Whether the panels have logarithmic axes; all or none, so that they compare.
    logarithmic: bool,
}

impl<'a> Plan<'a> {
    fn of(figure: &'a ByLength) -> Self {
        let looks = Looks::of(figure);
        let settings = figure.panels.iter().flat_map(|panel| &panel.series).map(|series| &series.setting);
        let several_templates = several_templates(settings);
        let title_lines =
            figure.panels.iter().map(|panel| title(panel, &looks, several_templates).len()).max().unwrap_or(0) as i32;
        let values = |panel: &Panel| -> Vec<f64> {
            panel.series.iter().flat_map(|series| dots(panel, series, 1.0)).map(|dot| dot.value).collect()
        };
        // As in the paper, axes are linear; but the paper has one decoder, and no sentence much harder than the rest.
        let several = looks.decoders.len() > 1;
        let logarithmic = figure.panels.iter().map(values).any(|v| is_skewed(&v) || several && is_wide(&v));
        Self { figure, looks, several_templates, title_lines, logarithmic }
    }

    /// Height of the titles.
    fn title(&self) -> i32 {
        self.title_lines * TITLE_LINE + 8
    }

    fn panel_height(&self) -> i32 {
        self.title() + PLOT + GAP + HISTOGRAM + BOTTOM
    }
}

/// What a panel shows, for people.
fn title(panel: &Panel, looks: &Looks, several_templates: bool) -> Vec<String> {
    let Some(series) = panel.series.first() else { return Vec::new() };
    let setting = &series.setting;
    let mut first = Block::of(setting).words(several_templates);
    if let Some(backbone) = other_backbone(setting) {
        first.push_str(&format!(", {backbone}"));
    }
    // The legend names the decoders if there are several.
    if let (1, Some(decoder)) = (looks.decoders.len(), setting.decoder()) {
        first.push_str(&format!(", decoder {decoder}"));
    }
    let features = set_label(setting.features.as_ref());
    if first.chars().count() + features.chars().count() + 2 <= TITLE_CHARACTERS {
        return vec![format!("{first}, {features}")];
    }
    let features = wrap_features(&features, TITLE_CHARACTERS);
    std::iter::once(first).chain(features.lines().map(str::to_owned)).collect()
}

/// Size of a figure in pixels of the grid.
pub fn size(figure: &ByLength) -> (u32, u32) {
    let plan = Plan::of(figure);
    let down = figure.panels.len().div_ceil(ACROSS) as i32;
    let legend = legend_lines(figure, &plan.looks).len() as i32 * LEGEND_LINE;
    let notes = notes(figure).len() as i32 * NOTE_LINE;
    let height = 2 * MARGIN + legend + down * plan.panel_height() + notes;
    ((SCALE * width(figure.panels.len())) as u32, (SCALE * height) as u32)
}

/// The lines under the panels.
fn notes(figure: &ByLength) -> Vec<String> {
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
pub fn draw<DB: DrawingBackend>(figure: &ByLength, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
    area.fill(&WHITE)?;
    let canvas = &Canvas { area, backend };
    let plan = Plan::of(figure);
    let legend = legend_lines(figure, &plan.looks);
    draw_legend(canvas, &legend, MARGIN)?;
    let mut top = MARGIN + legend.len() as i32 * LEGEND_LINE;
    for (i, panel) in figure.panels.iter().enumerate() {
        let left = MARGIN + (i % ACROSS) as i32 * PANEL_WIDTH;
        draw_panel(canvas, &plan, panel, (left, top + (i / ACROSS) as i32 * plan.panel_height()))?;
    }
    top += figure.panels.len().div_ceil(ACROSS) as i32 * plan.panel_height();
    for note in notes(figure) {
        text(canvas, &note, 13, INK, (MARGIN + LEFT, top), (HPos::Left, VPos::Top))?;
        top += NOTE_LINE;
    }
    Ok(())
}

fn draw_panel<DB: DrawingBackend>(canvas: &Canvas<DB>, plan: &Plan, panel: &Panel, (left, top): Pixel) -> Outcome<DB> {
    let Plan { figure, looks, .. } = plan;
    let width = PANEL_WIDTH - LEFT - RIGHT;
    let middle = left + LEFT + width / 2;
    for (i, words) in title(panel, looks, plan.several_templates).iter().enumerate() {
        let place = (middle, top + i as i32 * TITLE_LINE + TITLE_LINE / 2 + 4);
        text(canvas, words, 16, INK, place, (HPos::Center, VPos::Center))?;
    }
    let top = top + plan.title();

    let longest = panel.lengths.last().map_or(0, |(length, _)| *length);
    // One more, so that the last bar is whole.
    let x = Axis::whole(longest.saturating_add(1), 10);
    let unit = figure.quantity.unit();
    let lines: Vec<(&Series, Vec<Dot>)> = panel.series.iter().map(|s| (s, dots(panel, s, unit))).collect();
    let values: Vec<f64> = lines.iter().flat_map(|(_, dots)| dots).map(|dot| dot.value).collect();
    let y = Axis::of(&values, plan.logarithmic);
    let plot = Frame { x: &x, y: &y, left: left + LEFT, top, width, height: PLOT };
    axes(canvas, &plot)?;
    let label = if y.is_logarithmic() {
        format!("{}, log scale", figure.quantity.label())
    } else {
        figure.quantity.label().to_owned()
    };
    upright(canvas, &label, (left + 14, top + PLOT / 2))?;
    for (series, dots) in &lines {
        let look = looks.look(series);
        let places: Vec<Pixel> = dots.iter().map(|dot| (plot.x(dot.length), plot.y(dot.value))).collect();
        line(canvas, &places, look)?;
        let mut last: Option<Pixel> = None;
        for (&place, dot) in places.iter().zip(dots) {
            // Where points are dense the line has them all and a marker now and then.
            if dot.thin || last.is_none_or(|last| is_apart(last, place)) {
                marker(canvas, place, look, dot.thin)?;
                last = Some(place);
            }
        }
    }

    let most = panel.lengths.iter().map(|(_, sentences)| *sentences).max().unwrap_or(0);
    let sentences = Axis::whole(most, 3);
    let top = top + PLOT + GAP;
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

/// A point of a line, in the units of the axes.
struct Dot {
    length: f64,
    value: f64,
    /// It stands for few sentences.
    thin: bool,
}

/// The points of a line.
fn dots(panel: &Panel, series: &Series, unit: f64) -> Vec<Dot> {
    let dot = |bin: &Bin| {
        let plotted = series.mean(*bin)?;
        Some(Dot { length: plotted.length, value: plotted.average / unit, thin: bin.is_thin() })
    };
    panel.bins.iter().filter_map(dot).collect()
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
