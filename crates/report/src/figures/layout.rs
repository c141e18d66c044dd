//! How figures are laid out, in pixels meant.

/// Panels side by side.
pub const ACROSS: usize = 2;
/// Width of a panel.
pub const PANEL_WIDTH: i32 = 700;
/// Left edge of a panel to its axes: ticks and label.
pub const LEFT: i32 = 78;
/// Right end of the axes to the edge of a panel.
pub const RIGHT: i32 = 18;
/// Height of a line of a panel's title.
pub const TITLE_LINE: i32 = 22;
/// Characters of such a line.
pub const TITLE_CHARACTERS: usize = 72;
/// Height of a plot.
pub const PLOT: i32 = 340;
/// Between a plot and its histogram.
pub const GAP: i32 = 20;
/// Height of a histogram.
pub const HISTOGRAM: i32 = 64;
/// Ticks and label under a histogram.
pub const BOTTOM: i32 = 48;
/// Height of a line of the legend.
pub const LEGEND_LINE: i32 = 24;
/// Height of a line of notes.
pub const NOTE_LINE: i32 = 18;
/// Characters of a line of notes that fit under one panel.
pub const NOTE_CHARACTERS: usize = 100;
/// Between the middles of two markers of a series.
pub const APART: i32 = 24;
/// Free space around all.
pub const MARGIN: i32 = 8;

/// Width of a figure in pixels meant.
pub fn width(panels: usize) -> i32 {
    2 * MARGIN + panels.clamp(1, ACROSS) as i32 * PANEL_WIDTH
}
