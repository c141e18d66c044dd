//! What is drawn, as SVG or PNG.

use std::path::Path;

use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};

use super::figure::Figure;
use super::paint::{Backend, SCALE};
use super::style;
use treebound_records::{ReportError, file};

impl Figure {
    /// The figure as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Result<String, ReportError> {
        prepare(self)?;
        let (width, height) = self.size();
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            self.draw(&area, Backend::Svg).map_err(|e| self.error(&e))?;
            area.present().map_err(|e| self.error(&e))?;
        }
        // Drawn on a fine grid of whole numbers, shown at the size that was meant.
        let fine = format!("<svg width=\"{width}\" height=\"{height}\"");
        let shown = format!("<svg width=\"{}\" height=\"{}\"", width / SCALE as u32, height / SCALE as u32);
        Ok(svg.replacen(&fine, &shown, 1))
    }

    /// The figure as the bytes of a PNG file.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, ReportError> {
        prepare(self)?;
        // The library writes PNG to files only.
        let folder = tempfile::tempdir().map_err(|e| self.error(&e))?;
        let path = folder.path().join("figure.png");
        {
            let area = BitMapBackend::new(&path, self.size()).into_drawing_area();
            self.draw(&area, Backend::Png).map_err(|e| self.error(&e))?;
            area.present().map_err(|e| self.error(&e))?;
        }
        std::fs::read(&path).map_err(|e| self.error(&e))
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
}

fn prepare(figure: &Figure) -> Result<(), ReportError> {
    figure.check()?;
    if style::register() { Ok(()) } else { Err(figure.error(&"the font that is compiled in cannot be read")) }
}
