//! Values with intervals, one under the other, on one axis: names stand on the left.

use plotters::coord::Shift;
use plotters::element::PathElement;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{RGBColor, ShapeStyle, WHITE};

use super::axis::Axis;
use super::dash::Pixel;
use super::layout::{MARGIN, NOTE_LINE, TITLE_LINE};
use super::paint::{Backend, Canvas, Outcome, SCALE, grid, line, marker, text};
use super::style::{self, GRID, INK, Look};
use crate::tables::wrap::wrap_note;

/// Panels, one under the other, on one axis.
#[derive(Clone, Debug)]
pub(super) struct Intervals {
    pub panels: Vec<Panel>,
    /// The axis from left to right; 0 is on it.
    pub axis: Axis,
    pub label: String,
    /// What stands under the panels.
    pub note: String,
}

/// Values that belong together.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub title: String,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A value with its interval.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    pub name: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Width of the names.
const NAMES: i32 = 230;
/// Width of the axis.
const AXIS: i32 = 560;
/// Height of a value.
const LINE: i32 = 24;
/// Ticks and label under a panel, and the space to the next one.
const BELOW: i32 = 52;
/// Characters of a line of notes or of a title.
const CHARACTERS: usize = 116;

impl Intervals {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.bars.is_empty())
    }

    fn notes(&self) -> Vec<String> {
        wrap_note(&self.note, CHARACTERS).lines().map(|line| line.trim_start().to_owned()).collect()
    }

    /// Size in pixels of the grid.
    pub fn size(&self) -> (u32, u32) {
        let panels: i32 = self.panels.iter().map(Panel::height).sum();
        let height = 2 * MARGIN + panels + self.notes().len() as i32 * NOTE_LINE;
        let width = 3 * MARGIN + NAMES + AXIS;
        ((SCALE * width) as u32, (SCALE * height) as u32)
    }

    /// Draws them on an area of their size.
    pub fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
        area.fill(&WHITE)?;
        let canvas = &Canvas { area, backend };
        let mut top = MARGIN;
        for panel in &self.panels {
            self.draw_panel(canvas, panel, top)?;
            top += panel.height();
        }
        for note in self.notes() {
            text(canvas, &note, 13, INK, (MARGIN, top), (HPos::Left, VPos::Top))?;
            top += NOTE_LINE;
        }
        Ok(())
    }

    /// Where a value is, in pixels of the grid.
    fn x(&self, value: f64) -> i32 {
        SCALE * (MARGIN + NAMES) + libm::round(self.axis.place(value) * f64::from(SCALE * AXIS)) as i32
    }

    fn draw_panel<DB: DrawingBackend>(&self, canvas: &Canvas<DB>, panel: &Panel, mut top: i32) -> Outcome<DB> {
        for title in panel.title_lines() {
            text(canvas, &title, 15, INK, (MARGIN, top + TITLE_LINE / 2), (HPos::Left, VPos::Center))?;
            top += TITLE_LINE;
        }
        let bottom = top + panel.bars.len() as i32 * LINE;
        for (value, label) in &self.axis.ticks {
            let color = if *value == 0.0 { INK } else { GRID };
            rule(canvas, [(self.x(*value), SCALE * top), (self.x(*value), SCALE * bottom)], color)?;
            let place = (self.x(*value) / SCALE, bottom + 4);
            text(canvas, label, 13, INK, place, (HPos::Center, VPos::Top))?;
        }
        let middle = MARGIN + NAMES + AXIS / 2;
        text(canvas, &self.label, 14, INK, (middle, bottom + 20), (HPos::Center, VPos::Top))?;
        let (color, shape) = style::pruning(1);
        let look = Look { color, marker: shape, dashes: None };
        for (i, bar) in panel.bars.iter().enumerate() {
            let y = top + i as i32 * LINE + LINE / 2;
            text(canvas, &bar.name, 14, INK, (MARGIN + NAMES - 12, y), (HPos::Right, VPos::Center))?;
            let (_, middle) = grid((0, y));
            line(canvas, &[(self.x(bar.low), middle), (self.x(bar.high), middle)], look)?;
            marker(canvas, (self.x(bar.value), middle), look, false)?;
        }
        Ok(())
    }
}

fn rule<DB: DrawingBackend>(canvas: &Canvas<DB>, ends: [Pixel; 2], color: RGBColor) -> Outcome<DB> {
    let style = ShapeStyle { color: color.into(), filled: false, stroke_width: 2 };
    canvas.area.draw(&PathElement::new(ends, style))
}

impl Panel {
    fn title_lines(&self) -> Vec<String> {
        wrap_note(&self.title, CHARACTERS).lines().map(|line| line.trim_start().to_owned()).collect()
    }

    fn height(&self) -> i32 {
        self.title_lines().len() as i32 * TITLE_LINE + self.bars.len() as i32 * LINE + BELOW
    }
}
