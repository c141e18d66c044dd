//! What is drawn, as SVG or PNG.

use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};

use super::paint::{Backend, SCALE};
use super::{Figure, style};
use crate::records::ReportError;

/// A figure as SVG text.
///
/// # Errors
/// If there is nothing to draw, or it cannot be drawn.
pub fn svg(figure: &Figure) -> Result<String, ReportError> {
    prepare(figure)?;
    let (width, height) = figure.size();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        figure.draw(&area, Backend::Svg).map_err(|e| figure.error(&e))?;
        area.present().map_err(|e| figure.error(&e))?;
    }
    // Drawn on a fine grid of whole numbers, shown at the size that was meant.
    let fine = format!("<svg width=\"{width}\" height=\"{height}\"");
    let shown = format!("<svg width=\"{}\" height=\"{}\"", width / SCALE as u32, height / SCALE as u32);
    Ok(svg.replacen(&fine, &shown, 1))
}

/// A figure as the bytes of a PNG file.
///
/// # Errors
/// If there is nothing to draw, or it cannot be drawn.
pub fn png(figure: &Figure) -> Result<Vec<u8>, ReportError> {
    prepare(figure)?;
    // The library writes PNG to files only.
    let folder = tempfile::tempdir().map_err(|e| figure.error(&e))?;
    let path = folder.path().join("figure.png");
    {
        let area = BitMapBackend::new(&path, figure.size()).into_drawing_area();
        figure.draw(&area, Backend::Png).map_err(|e| figure.error(&e))?;
        area.present().map_err(|e| figure.error(&e))?;
    }
    std::fs::read(&path).map_err(|e| figure.error(&e))
}

fn prepare(figure: &Figure) -> Result<(), ReportError> {
    figure.check()?;
    if style::register() { Ok(()) } else { Err(figure.error(&"the font that is compiled in cannot be read")) }
}
