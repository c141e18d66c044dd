//! The frame of a plot: places, axes and ticks.

use plotters::element::PathElement;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{RGBColor, ShapeStyle};

use super::axis::Axis;
use super::dash::Pixel;
use super::paint::{Canvas, Outcome, SCALE, text};
use super::style::{FAINT, GRID, INK};

/// The places of a plot: from values to pixels of the grid.
pub struct Frame<'a> {
    /// The axis from left to right.
    pub x: &'a Axis,
    /// The axis from bottom to top.
    pub y: &'a Axis,
    /// Left edge, in pixels meant.
    pub left: i32,
    /// Upper edge, in pixels meant.
    pub top: i32,
    /// Width, in pixels meant.
    pub width: i32,
    /// Height, in pixels meant.
    pub height: i32,
}

impl Frame<'_> {
    /// Where a value of x is, in pixels of the grid.
    pub fn x(&self, value: f64) -> i32 {
        SCALE * self.left + libm::round(self.x.place(value) * f64::from(SCALE * self.width)) as i32
    }

    /// Where a value of y is, in pixels of the grid.
    pub fn y(&self, value: f64) -> i32 {
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

    /// The lower edge, in pixels of the grid.
    pub fn bottom(&self) -> i32 {
        SCALE * (self.top + self.height)
    }
}

/// Lines at the ticks, labels of the y axis, and the axes themselves.
pub fn axes<DB: DrawingBackend>(canvas: &Canvas<DB>, frame: &Frame) -> Outcome<DB> {
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
