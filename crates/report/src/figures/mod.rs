//! Figures as SVG, PNG and CSV. Each is a recipe: which lines, axes and rows are made of which rows of results; one engine draws all.
//!
//! A [`Figure`] has a name, its points as a sheet, and its drawing. No font of the system is used: the PNG is drawn
//! with a font that is compiled in, and the SVG, whose layout is measured with that font too, names only the generic family.
//! Both are the same bytes on every machine.
//!
//! * `axis`, `canvas`, `panel`: the engine.
//! * `line`: which settings a figure shows and what its lines are called.
//! * `by_length` (Figures 4 and 5), `ablation`, `budget`, `growth`, `league`, `models` (breakdown and calibration), `states`,
//!   `templates`: recipes.
//! * `trees`: trees of one sentence.

mod ablation;
mod axis;
mod budget;
mod by_length;
mod canvas;
mod growth;
mod league;
mod line;
mod models;
mod panel;
mod states;
mod templates;
pub mod trees;

use std::path::Path;

use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, file};

use self::canvas::Canvas;

pub use self::ablation::ablation;
pub use self::budget::budget;
pub use self::by_length::{figure4, figure5};
pub use self::growth::growth;
pub use self::league::league;
pub use self::line::{lines_on_main_part, main_lines};
pub use self::models::{breakdown, calibration};
pub use self::states::states;
pub use self::templates::templates;

/// A figure with its data.
#[derive(Clone, Debug)]
pub struct Figure {
    name: String,
    sheet: Sheet,
    canvas: Canvas,
}

impl Figure {
    fn new(name: &'static str, sheet: Sheet, canvas: Canvas) -> Self {
        Self { name: name.to_owned(), sheet, canvas }
    }

    /// The name of its files.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.canvas.is_empty()
    }

    /// Its points as the bytes of a CSV file.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        self.sheet.clone().csv()
    }

    /// The figure as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Result<String, ReportError> {
        self.check()?;
        self.canvas.svg().map_err(|reason| self.error(reason))
    }

    /// The figure as the bytes of a PNG file.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, ReportError> {
        self.check()?;
        self.canvas.png().map_err(|reason| self.error(reason))
    }

    /// With something behind the name of its files.
    #[must_use]
    pub fn with_suffix(self, suffix: &str) -> Self {
        Self { name: format!("{}{suffix}", self.name), ..self }
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
        if self.is_empty() { Err(self.error("there are no measurements to plot".to_owned())) } else { Ok(()) }
    }

    fn error(&self, reason: String) -> ReportError {
        ReportError::Draw { figure: self.name.to_owned(), reason }
    }
}
