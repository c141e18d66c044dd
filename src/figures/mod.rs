//! Figures: a measure against sentence length, one line a pruning, and plots of all else, as SVG, PNG and CSV.
//!
//! A [`Figure`] has a name, its points as a sheet, and what is drawn of them. No font of the system is used: the PNG is drawn
//! with a font that is compiled in, and the SVG, whose layout is measured with that font too, names only the generic family.
//! Both are the same bytes on every machine.

mod axis;
pub mod budget;
mod by_length;
pub mod choice;
mod dash;
mod draw;
mod frame;
pub mod growth;
mod layout;
mod legend;
mod paint;
mod plots;
mod quantity;
mod render;
mod style;

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

use self::by_length::ByLength;
use self::paint::{Backend, Outcome};
use self::plots::Plots;
use crate::records::sheet::Sheet;
use crate::records::{ReportError, file};

pub use by_length::{figure4, figure5};

/// A figure with its data.
#[derive(Clone, Debug)]
pub struct Figure {
    name: &'static str,
    sheet: Sheet,
    drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, Debug)]
enum Drawing {
    /// Panels of a plot over a histogram of the lengths.
    ByLength(ByLength),
    /// Rows of plots that share one legend.
    Plots(Plots),
}

impl Figure {
    /// The name of its files.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The figure as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Result<String, ReportError> {
        render::svg(self)
    }

    /// The figure as the bytes of a PNG file.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, ReportError> {
        render::png(self)
    }

    /// Its points as the bytes of a CSV file.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        self.sheet.clone().csv()
    }

    /// Writes `NAME.svg`, `NAME.png` and `NAME.csv` into a folder.
    ///
    /// # Errors
    /// If there is nothing to draw, it cannot be drawn or the system refuses.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        self.check()?;
        let path = |extension: &str| folder.join(format!("{}.{extension}", self.name));
        file::write(&path("csv"), &self.csv()?)?;
        file::write(&path("svg"), self.svg()?.as_bytes())?;
        file::write(&path("png"), &self.png()?)
    }

    /// Refuses to draw nothing.
    fn check(&self) -> Result<(), ReportError> {
        let is_empty = match &self.drawing {
            Drawing::ByLength(panels) => panels.is_empty(),
            Drawing::Plots(plots) => plots.is_empty(),
        };
        if is_empty { Err(self.error(&"there are no measurements to plot")) } else { Ok(()) }
    }

    /// Why it cannot be drawn.
    fn error(&self, reason: &dyn std::fmt::Display) -> ReportError {
        ReportError::Draw { figure: self.name.to_owned(), reason: reason.to_string() }
    }

    /// Size in pixels of the grid.
    fn size(&self) -> (u32, u32) {
        match &self.drawing {
            Drawing::ByLength(panels) => draw::size(panels),
            Drawing::Plots(plots) => plots.size(),
        }
    }

    /// Draws it on an area of its size.
    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
        match &self.drawing {
            Drawing::ByLength(panels) => draw::draw(panels, area, backend),
            Drawing::Plots(plots) => plots.draw(area, backend),
        }
    }
}
