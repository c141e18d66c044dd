//! What the lines of a figure look like.

use std::sync::OnceLock;

use plotters::style::{FontStyle, RGBColor, register_font};

/// The font family: registered here for measuring and for the PNG, and generic where the SVG is shown.
pub const FAMILY: &str = "sans-serif";

/// Registers the font once for the process; false if it cannot be.
pub fn register() -> bool {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let font = || register_font(FAMILY, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok();
    *REGISTERED.get_or_init(font)
}

/// A shape that tells a line from the others where colours do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A triangle on its base.
    Up,
    /// A square on its corner.
    Diamond,
    /// A triangle on its tip.
    Down,
}

/// How a series looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colour of line and markers.
    pub color: RGBColor,
    /// Shape of the markers.
    pub marker: Marker,
    /// Lengths of line and gap; none for a solid line.
    pub dashes: Option<(f64, f64)>,
}

/// The look of the n-th pruning: colours by Okabe and Ito, which colour-blind people can tell apart. Colours and shapes
/// begin again at different times, so 35 looks differ.
pub fn pruning(n: usize) -> (RGBColor, Marker) {
    let colors = [
        RGBColor(0, 0, 0),
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(86, 180, 233),
        RGBColor(230, 159, 0),
    ];
    let markers = [Marker::Circle, Marker::Square, Marker::Up, Marker::Diamond, Marker::Down];
    (colors[n % colors.len()], markers[n % markers.len()])
}

/// The dashes of the n-th decoder: lengths of line and gap; none for a solid line.
pub fn dashes(n: usize) -> Option<(f64, f64)> {
    [None, Some((7.0, 4.0)), Some((2.0, 3.0))][n % 3]
}

/// Text and axes.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Lines at ticks.
pub const GRID: RGBColor = RGBColor(222, 222, 222);
/// Lines between ticks.
pub const FAINT: RGBColor = RGBColor(240, 240, 240);
/// Bars, in turn, so that the lengths of one point are seen together.
pub const BARS: [RGBColor; 2] = [RGBColor(120, 120, 120), RGBColor(175, 175, 175)];
