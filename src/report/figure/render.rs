//! A drawn figure as SVG or PNG.

use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};

use super::paint::{Backend, SCALE};
use super::{Figure, draw, style};
use crate::report::error::ReportError;

impl Figure {
    /// The figure as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Result<String, ReportError> {
        self.prepare()?;
        let (width, height) = draw::size(self);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            draw::draw(self, &area, Backend::Svg).map_err(|e| self.error(&e))?;
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
        self.prepare()?;
        // The library writes PNG to files only.
        let folder = tempfile::tempdir().map_err(|e| self.error(&e))?;
        let path = folder.path().join("figure.png");
        {
            let area = BitMapBackend::new(&path, draw::size(self)).into_drawing_area();
            draw::draw(self, &area, Backend::Png).map_err(|e| self.error(&e))?;
            area.present().map_err(|e| self.error(&e))?;
        }
        std::fs::read(&path).map_err(|e| self.error(&e))
    }

    fn prepare(&self) -> Result<(), ReportError> {
        self.check()?;
        if style::register() { Ok(()) } else { Err(self.error(&"the font that is compiled in cannot be read")) }
    }
}
