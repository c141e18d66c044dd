//! Rows of plots that share one legend, for what is no average against sentence length.

use std::collections::{BTreeMap, BTreeSet};

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::WHITE;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::Axis;
use super::dash::Pixel;
use super::frame::{Frame, axes};
use super::layout::{BOTTOM, LEFT, LEGEND_LINE, MARGIN, NOTE_LINE, PLOT, RIGHT, TITLE_LINE};
use super::legend::{Entry, draw_legend, flow};
use super::paint::{Backend, Canvas, Outcome, SCALE, line, marker, text, upright};
use super::style::{self, INK, Look};
use crate::tables::wrap::wrap_note;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::number::counted;

/// Rows of plots.
#[derive(Clone, Debug)]
pub(super) struct Plots {
    /// Names of the lines; a line's place here gives its look.
    pub lines: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// What stands under the plots.
    pub note: String,
}

/// How many training seeds lines are sums over, for a note; not all lines need have as many.
pub(super) fn seeds_together<'c>(cells: impl IntoIterator<Item = &'c CellKey>) -> String {
    let mut seeds: BTreeMap<&Setting, BTreeSet<u64>> = BTreeMap::new();
    for cell in cells {
        seeds.entry(&cell.setting).or_default().insert(cell.seed);
    }
    let counts: BTreeSet<u64> = seeds.values().map(|seeds| seeds.len() as u64).collect();
    match (counts.first(), counts.last()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most} training seeds together"),
        (_, most) => counted(most.copied().unwrap_or(0), "training seed", "training seeds together"),
    }
}

/// Plots side by side, under one heading.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub heading: String,
    pub plots: Vec<Plot>,
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub x: Axis,
    pub x_label: String,
    pub y: Axis,
    pub y_label: String,
    /// The places of each line's points, by the line's place in the legend.
    pub lines: Vec<(usize, Vec<(f64, f64)>)>,
}

/// Width of a plot with its labels.
const WIDTH: i32 = 520;
/// Between rows.
const BETWEEN: i32 = 14;
/// Characters of a line of notes that fit under one plot.
const NOTE_CHARACTERS: usize = 68;

impl Plots {
    fn across(&self) -> i32 {
        self.rows.iter().map(|row| row.plots.len()).max().unwrap_or(0).max(1) as i32
    }

    fn width(&self) -> i32 {
        2 * MARGIN + self.across() * WIDTH
    }

    fn legend(&self) -> Vec<Vec<Entry>> {
        let names: Vec<(&str, Look)> =
            self.lines.iter().enumerate().map(|(i, name)| (name.as_str(), look(i))).collect();
        flow(&names, MARGIN + LEFT, self.width() - MARGIN - RIGHT)
    }

    fn notes(&self) -> Vec<String> {
        let lines = wrap_note(&self.note, NOTE_CHARACTERS * self.across() as usize);
        lines.lines().map(|line| line.trim_start().to_owned()).collect()
    }
}

/// The look of the n-th line: colour, shape and dashes each tell some lines apart, so that no colour is needed for 15.
fn look(n: usize) -> Look {
    let (color, marker) = style::pruning(n);
    Look { color, marker, dashes: style::dashes(n) }
}

/// Height of a row.
const ROW: i32 = TITLE_LINE + 8 + PLOT + BOTTOM + BETWEEN;

impl Plots {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.plots).flat_map(|plot| &plot.lines).all(|(_, points)| points.is_empty())
    }

    /// Size in pixels of the grid.
    pub fn size(&self) -> (u32, u32) {
        let legend = self.legend().len() as i32 * LEGEND_LINE;
        let height = 2 * MARGIN + legend + self.rows.len() as i32 * ROW + self.notes().len() as i32 * NOTE_LINE;
        ((SCALE * self.width()) as u32, (SCALE * height) as u32)
    }

    /// Draws them on an area of their size.
    pub fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
        area.fill(&WHITE)?;
        let canvas = &Canvas { area, backend };
        let legend = self.legend();
        draw_legend(canvas, &legend, MARGIN)?;
        let mut top = MARGIN + legend.len() as i32 * LEGEND_LINE;
        for row in &self.rows {
            let middle = top + TITLE_LINE / 2 + 4;
            text(canvas, &row.heading, 16, INK, (MARGIN + LEFT, middle), (HPos::Left, VPos::Center))?;
            for (i, plot) in row.plots.iter().enumerate() {
                draw_plot(canvas, plot, (MARGIN + i as i32 * WIDTH, top + TITLE_LINE + 8))?;
            }
            top += ROW;
        }
        for note in self.notes() {
            text(canvas, &note, 13, INK, (MARGIN + LEFT, top), (HPos::Left, VPos::Top))?;
            top += NOTE_LINE;
        }
        Ok(())
    }
}

fn draw_plot<DB: DrawingBackend>(canvas: &Canvas<DB>, plot: &Plot, (left, top): Pixel) -> Outcome<DB> {
    let Plot { x, x_label, y, y_label, lines } = plot;
    let frame = Frame { x, y, left: left + LEFT, top, width: WIDTH - LEFT - RIGHT, height: PLOT };
    axes(canvas, &frame)?;
    let label = if y.is_logarithmic() { format!("{y_label}, log scale") } else { y_label.clone() };
    upright(canvas, &label, (left + 14, top + PLOT / 2))?;
    for (value, label) in &x.ticks {
        let place = (frame.x(*value) / SCALE, top + PLOT + 6);
        text(canvas, label, 14, INK, place, (HPos::Center, VPos::Top))?;
    }
    let middle = frame.left + frame.width / 2;
    text(canvas, x_label, 16, INK, (middle, top + PLOT + 24), (HPos::Center, VPos::Top))?;
    for (name, points) in lines {
        let places: Vec<Pixel> = points.iter().map(|&(x, y)| (frame.x(x), frame.y(y))).collect();
        line(canvas, &places, look(*name))?;
        for place in places {
            marker(canvas, place, look(*name), false)?;
        }
    }
    Ok(())
}
