//! A figure: its name, its points as a sheet, and what is drawn of them.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

use super::by_length::ByLength;
use super::draw;
use super::intervals::Intervals;
use super::paint::{Backend, Outcome};
use super::plots::Plots;
use treebound_records::ReportError;
use treebound_records::sheet::Sheet;

/// A figure with its data.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of its files.
    pub(super) name: &'static str,
    /// Its points.
    pub(super) sheet: Sheet,
    /// What is drawn of them.
    pub(super) drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub(super) enum Drawing {
    /// Panels of a plot over a histogram of the lengths.
    ByLength(ByLength),
    /// Rows of plots that share one legend.
    Plots(Plots),
    /// Values with intervals.
    Intervals(Intervals),
}

impl Figure {
    /// Rows of plots with their points.
    pub(super) fn of_plots(name: &'static str, sheet: Sheet, plots: Plots) -> Self {
        Self { name, sheet, drawing: Drawing::Plots(plots) }
    }

    /// Values with intervals, and their points.
    pub(super) fn of_intervals(name: &'static str, sheet: Sheet, intervals: Intervals) -> Self {
        Self { name, sheet, drawing: Drawing::Intervals(intervals) }
    }

    /// The name of its files.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its points as the bytes of a CSV file.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        self.sheet.clone().csv()
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match &self.drawing {
            Drawing::ByLength(panels) => panels.is_empty(),
            Drawing::Plots(plots) => plots.is_empty(),
            Drawing::Intervals(intervals) => intervals.is_empty(),
        }
    }

    /// Refuses to draw nothing.
    pub(super) fn check(&self) -> Result<(), ReportError> {
        if self.is_empty() { Err(self.error(&"there are no measurements to plot")) } else { Ok(()) }
    }

    /// Why it cannot be drawn.
    pub(super) fn error(&self, reason: &dyn std::fmt::Display) -> ReportError {
        ReportError::Draw { figure: self.name.to_owned(), reason: reason.to_string() }
    }

    /// Size in pixels of the grid.
    pub(super) fn size(&self) -> (u32, u32) {
        match &self.drawing {
            Drawing::ByLength(panels) => draw::size(panels),
            Drawing::Plots(plots) => plots.size(),
            Drawing::Intervals(intervals) => intervals.size(),
        }
    }

    /// Draws it on an area of its size.
    pub(super) fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
        match &self.drawing {
            Drawing::ByLength(panels) => draw::draw(panels, area, backend),
            Drawing::Plots(plots) => plots.draw(area, backend),
            Drawing::Intervals(intervals) => intervals.draw(area, backend),
        }
    }
}
