//! What is drawn, as SVG or PNG.

use plotters::coord::Shift;
use plotters::prelude::{BitMapBackend, DrawingArea, DrawingBackend, IntoDrawingArea, SVGBackend};

use super::paint::{Backend, Outcome, SCALE};
use super::style;
use crate::records::ReportError;

/// Something that can be drawn.
pub trait Drawing {
    /// Name of its files.
    fn name(&self) -> &str;

    /// True if there is nothing to draw.
    fn is_empty(&self) -> bool;

    /// Size in pixels of the grid.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area of its size.
    ///
    /// # Errors
    /// What the library says.
    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB>;

    /// Refuses to draw nothing.
    ///
    /// # Errors
    /// If there is nothing to draw.
    fn check(&self) -> Result<(), ReportError> {
        if self.is_empty() { Err(self.error(&"there are no measurements to plot")) } else { Ok(()) }
    }

    /// Why it cannot be drawn.
    fn error(&self, reason: &dyn std::fmt::Display) -> ReportError {
        ReportError::Draw { figure: self.name().to_owned(), reason: reason.to_string() }
    }
}

/// A drawing as SVG text.
///
/// # Errors
/// If there is nothing to draw, or it cannot be drawn.
pub fn svg(drawing: &impl Drawing) -> Result<String, ReportError> {
    prepare(drawing)?;
    let (width, height) = drawing.size();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        drawing.draw(&area, Backend::Svg).map_err(|e| drawing.error(&e))?;
        area.present().map_err(|e| drawing.error(&e))?;
    }
    // Drawn on a fine grid of whole numbers, shown at the size that was meant.
    let fine = format!("<svg width=\"{width}\" height=\"{height}\"");
    let shown = format!("<svg width=\"{}\" height=\"{}\"", width / SCALE as u32, height / SCALE as u32);
    Ok(svg.replacen(&fine, &shown, 1))
}

/// A drawing as the bytes of a PNG file.
///
/// # Errors
/// If there is nothing to draw, or it cannot be drawn.
pub fn png(drawing: &impl Drawing) -> Result<Vec<u8>, ReportError> {
    prepare(drawing)?;
    // The library writes PNG to files only.
    let folder = tempfile::tempdir().map_err(|e| drawing.error(&e))?;
    let path = folder.path().join("figure.png");
    {
        let area = BitMapBackend::new(&path, drawing.size()).into_drawing_area();
        drawing.draw(&area, Backend::Png).map_err(|e| drawing.error(&e))?;
        area.present().map_err(|e| drawing.error(&e))?;
    }
    std::fs::read(&path).map_err(|e| drawing.error(&e))
}

fn prepare(drawing: &impl Drawing) -> Result<(), ReportError> {
    drawing.check()?;
    if style::register() { Ok(()) } else { Err(drawing.error(&"the font that is compiled in cannot be read")) }
}
