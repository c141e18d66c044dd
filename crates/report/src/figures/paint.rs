//! The brushes: text, lines and markers on a grid finer than the size meant.

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Polygon};
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle, WHITE};

use super::dash::{self, Pixel};
use super::style::{FAMILY, INK, Look, Marker};

/// Pixels of the grid in one pixel meant.
pub const SCALE: i32 = 2;

/// What is drawn with. The two place text differently about the point that they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Text is placed by whoever shows the file, by the height of its small letters.
    Svg,
    /// Text is placed by the library, a little high.
    Png,
}

impl Backend {
    /// How far text must go down, as a share of its size, so that its capitals are centred or begin at the point.
    fn drop(self, anchor: VPos) -> f64 {
        match (self, anchor) {
            (Self::Svg, VPos::Center) => 0.06,
            (Self::Png, VPos::Center) => 0.20,
            (Self::Svg, _) => 0.0,
            (Self::Png, _) => 0.11,
        }
    }
}

/// Where to draw, and with what.
pub struct Canvas<'a, DB: DrawingBackend> {
    /// The area, in pixels of the grid.
    pub area: &'a DrawingArea<DB, Shift>,
    /// What draws on it.
    pub backend: Backend,
}

/// What drawing comes to.
pub type Outcome<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A line through the places, dashed if its look says so.
pub fn line<DB: DrawingBackend>(canvas: &Canvas<DB>, places: &[Pixel], look: Look) -> Outcome<DB> {
    let style = ShapeStyle { color: look.color.into(), filled: false, stroke_width: 3 };
    let parts = match look.dashes {
        None => vec![places.to_vec()],
        Some((on, off)) => dash::dashes(places, on * f64::from(SCALE), off * f64::from(SCALE)),
    };
    // A path of fewer than two places cannot be drawn.
    for part in parts.into_iter().filter(|part| part.len() > 1) {
        canvas.area.draw(&PathElement::new(part, style))?;
    }
    Ok(())
}

/// A marker with a white rim; white inside too if it is hollow.
pub fn marker<DB: DrawingBackend>(canvas: &Canvas<DB>, place: Pixel, look: Look, hollow: bool) -> Outcome<DB> {
    shape(canvas, place, look.marker, 9, WHITE)?;
    shape(canvas, place, look.marker, 7, look.color)?;
    if hollow { shape(canvas, place, look.marker, 4, WHITE) } else { Ok(()) }
}

fn shape<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    (x, y): Pixel,
    marker: Marker,
    r: i32,
    color: RGBColor,
) -> Outcome<DB> {
    let style = ShapeStyle { color: color.into(), filled: true, stroke_width: 0 };
    let corners = match marker {
        Marker::Circle => return canvas.area.draw(&Circle::new((x, y), r, style)),
        Marker::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        Marker::Up => vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)],
        Marker::Diamond => vec![(x, y - r - 2), (x + r + 2, y), (x, y + r + 2), (x - r - 2, y)],
        Marker::Down => vec![(x, y + r + 1), (x + r + 1, y - r), (x - r - 1, y - r)],
    };
    canvas.area.draw(&Polygon::new(corners, style))
}

/// From pixels meant to pixels of the grid.
pub fn grid((x, y): Pixel) -> Pixel {
    (SCALE * x, SCALE * y)
}

/// Text at a place.
pub fn text<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    words: &str,
    size: i32,
    color: RGBColor,
    place: Pixel,
    (h, v): (HPos, VPos),
) -> Outcome<DB> {
    let size = SCALE * size;
    let style = TextStyle::from(font(size)).color(&color).pos(Pos::new(h, v));
    let (x, y) = grid(place);
    canvas.area.draw_text(words, &style, (x, y + canvas.drop(v, size)))
}

/// Text from bottom to top, centred at a place.
pub fn upright<DB: DrawingBackend>(canvas: &Canvas<DB>, words: &str, place: Pixel) -> Outcome<DB> {
    let size = SCALE * 16;
    let font = font(size).transform(FontTransform::Rotate270);
    let style = TextStyle::from(font).color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    let (x, y) = grid(place);
    canvas.area.draw_text(words, &style, (x + canvas.drop(VPos::Center, size), y))
}

fn font(size: i32) -> FontDesc<'static> {
    FontDesc::new(FontFamily::Name(FAMILY), f64::from(size), FontStyle::Normal)
}

impl<DB: DrawingBackend> Canvas<'_, DB> {
    fn drop(&self, anchor: VPos, size: i32) -> i32 {
        libm::round(self.backend.drop(anchor) * f64::from(size)) as i32
    }
}
