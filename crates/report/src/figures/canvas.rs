//! What is drawn: text, lines, markers and bars in order, and how SVG and PNG are made of them.
//!
//! Everything is placed in whole pixels of a grid finer than the size meant, so that nothing depends on how a machine
//! rounds.

use std::fmt::Display;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::{
    BitMapBackend, DrawingArea, DrawingAreaErrorKind, DrawingBackend, IntoDrawingArea, SVGBackend,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle, WHITE, register_font,
};

use super::axis::Axis;

/// A place in pixels.
pub type Pixel = (i32, i32);

/// Pixels of the grid in one pixel meant.
pub const SCALE: i32 = 2;

/// Text and axes.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Lines at ticks.
pub const GRID: RGBColor = RGBColor(222, 222, 222);
/// Lines between ticks.
const FAINT: RGBColor = RGBColor(240, 240, 240);
/// Bars, in turn, so that the lengths of one point are seen together.
const BARS: [RGBColor; 2] = [RGBColor(120, 120, 120), RGBColor(175, 175, 175)];

/// The font family: registered for measuring and for the PNG, and generic where the SVG is shown.
const FAMILY: &str = "sans-serif";

/// How a line looks: colour, shape of its markers and dashes each tell some lines apart, so that no colour is needed for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    color: RGBColor,
    marker: Marker,
    /// Lengths of line and gap; none for a solid line.
    dashes: Option<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Circle,
    Square,
    Up,
    Diamond,
    Down,
}

impl Look {
    /// The n-th colour and shape with the m-th dashes. Colours are those of Okabe and Ito, which colour-blind people can tell
    /// apart. Colours and shapes begin again at different times, so 35 looks differ.
    pub fn new(n: usize, m: usize) -> Self {
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
        let dashes = [None, Some((7.0, 4.0)), Some((2.0, 3.0))];
        Self { color: colors[n % colors.len()], marker: markers[n % markers.len()], dashes: dashes[m % 3] }
    }
}

/// Where the point lies at which text is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its left end, half way up.
    Left,
    /// At its right end, half way up.
    Right,
    /// In its middle.
    Middle,
    /// At its upper left corner.
    TopLeft,
    /// In the middle of its upper edge.
    Top,
}

impl Anchor {
    fn sides(self) -> (HPos, VPos) {
        match self {
            Self::Left => (HPos::Left, VPos::Center),
            Self::Right => (HPos::Right, VPos::Center),
            Self::Middle => (HPos::Center, VPos::Center),
            Self::TopLeft => (HPos::Left, VPos::Top),
            Self::Top => (HPos::Center, VPos::Top),
        }
    }
}

/// Something drawn, in pixels of the grid.
#[derive(Clone, Debug)]
enum Item {
    Path { places: Vec<Pixel>, color: RGBColor, width: u32 },
    Disc { place: Pixel, radius: i32, color: RGBColor },
    Polygon { corners: Vec<Pixel>, color: RGBColor },
    Bar { corners: [Pixel; 2], color: RGBColor },
    Text { words: String, size: i32, place: Pixel, anchor: Anchor, upright: bool },
}

/// A drawing: what is on it, in order, and its size.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    items: Vec<Item>,
    /// Size in pixels meant.
    size: Pixel,
    /// Whether there are measurements on it.
    has_measurements: bool,
}

impl Canvas {
    /// Sets the size, in pixels meant.
    pub fn set_size(&mut self, size: Pixel) {
        self.size = size;
    }

    /// Whether there are no measurements on it.
    pub fn is_empty(&self) -> bool {
        !self.has_measurements
    }

    /// Draws text at a place in pixels meant.
    pub fn text(&mut self, words: &str, size: i32, place: Pixel, anchor: Anchor) {
        let item = Item::Text { words: words.to_owned(), size, place: grid(place), anchor, upright: false };
        self.items.push(item);
    }

    /// Draws text from bottom to top, centred at a place in pixels meant.
    pub fn upright(&mut self, words: &str, place: Pixel) {
        let (words, place) = (words.to_owned(), grid(place));
        self.items.push(Item::Text { words, size: 16, place, anchor: Anchor::Middle, upright: true });
    }

    /// Draws a thin straight line.
    pub fn rule(&mut self, from: Pixel, to: Pixel, color: RGBColor) {
        self.items.push(Item::Path { places: vec![from, to], color, width: 2 });
    }

    /// Draws a line through some places, dashed if its look says so.
    pub fn line(&mut self, places: &[Pixel], look: Look) {
        let scale = f64::from(SCALE);
        let parts = match look.dashes {
            None => vec![places.to_vec()],
            Some((on, off)) => dashes(places, on * scale, off * scale),
        };
        // A path of fewer than two places cannot be drawn.
        let parts = parts.into_iter().filter(|part| part.len() > 1);
        self.items.extend(parts.map(|places| Item::Path { places, color: look.color, width: 3 }));
    }

    /// Draws the marker of a measurement, with a white rim; white inside too if it is hollow.
    pub fn marker(&mut self, place: Pixel, look: Look, is_hollow: bool) {
        self.has_measurements = true;
        self.sample(place, look);
        if is_hollow {
            self.shape(place, look.marker, 4, WHITE);
        }
    }

    /// Draws a marker that no measurement has, for a legend.
    pub fn sample(&mut self, place: Pixel, look: Look) {
        self.shape(place, look.marker, 9, WHITE);
        self.shape(place, look.marker, 7, look.color);
    }

    fn shape(&mut self, (x, y): Pixel, marker: Marker, r: i32, color: RGBColor) {
        let corners = match marker {
            Marker::Circle => return self.items.push(Item::Disc { place: (x, y), radius: r, color }),
            Marker::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
            Marker::Up => vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)],
            Marker::Diamond => vec![(x, y - r - 2), (x + r + 2, y), (x, y + r + 2), (x - r - 2, y)],
            Marker::Down => vec![(x, y + r + 1), (x + r + 1, y - r), (x - r - 1, y - r)],
        };
        self.items.push(Item::Polygon { corners, color });
    }

    /// Draws a bar of the n-th shade.
    pub fn bar(&mut self, corners: [Pixel; 2], n: usize) {
        self.items.push(Item::Bar { corners, color: BARS[n % BARS.len()] });
    }

    /// Draws lines at the ticks of a frame, labels of its y axis, and the axes themselves.
    pub fn axes(&mut self, frame: &Frame) {
        let (left, right) = (SCALE * frame.left, SCALE * (frame.left + frame.width));
        let (top, bottom) = (SCALE * frame.top, frame.bottom());
        for value in &frame.y.minor {
            self.rule((left, frame.y(*value)), (right, frame.y(*value)), FAINT);
        }
        for (value, label) in &frame.y.ticks {
            let y = frame.y(*value);
            self.rule((left, y), (right, y), GRID);
            self.rule((left - 8, y), (left, y), INK);
            self.text(label, 14, (frame.left - 8, y / SCALE), Anchor::Right);
        }
        for (value, _) in &frame.x.ticks {
            let x = frame.x(*value);
            self.rule((x, top), (x, bottom), GRID);
            self.rule((x, bottom), (x, bottom + 8), INK);
        }
        self.rule((left, top), (left, bottom), INK);
        self.rule((left, bottom), (right, bottom), INK);
    }

    fn fine_size(&self) -> (u32, u32) {
        let (width, height) = grid(self.size);
        (width.unsigned_abs(), height.unsigned_abs())
    }

    /// The drawing as SVG text.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn svg(&self) -> Result<String, String> {
        let (width, height) = self.fine_size();
        let mut svg = String::new();
        self.draw(&SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area(), Backend::Svg)?;
        // Drawn on a fine grid of whole numbers, shown at the size that was meant.
        let fine = format!("<svg width=\"{width}\" height=\"{height}\"");
        let shown = format!("<svg width=\"{}\" height=\"{}\"", self.size.0, self.size.1);
        Ok(svg.replacen(&fine, &shown, 1))
    }

    /// The drawing as the bytes of a PNG file.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        // The library writes PNG to files only.
        let folder = tempfile::tempdir().map_err(words)?;
        let path = folder.path().join("figure.png");
        self.draw(&BitMapBackend::new(&path, self.fine_size()).into_drawing_area(), Backend::Png)?;
        std::fs::read(&path).map_err(words)
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Result<(), String> {
        static REGISTERED: OnceLock<bool> = OnceLock::new();
        let font = || register_font(FAMILY, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok();
        if !REGISTERED.get_or_init(font) {
            return Err("the font that is compiled in cannot be read".to_owned());
        }
        area.fill(&WHITE).map_err(words)?;
        self.items.iter().try_for_each(|item| draw_item(area, backend, item)).map_err(words)?;
        area.present().map_err(words)
    }
}

fn words(error: impl Display) -> String {
    error.to_string()
}

/// What draws. The two place text differently about the point that they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    /// Text is placed by whoever shows the file, by the height of its small letters.
    Svg,
    /// Text is placed by the library, a little high.
    Png,
}

impl Backend {
    /// How far text of a size must go down, so that its capitals are centred or begin at the point.
    fn drop(self, anchor: VPos, size: i32) -> i32 {
        let share = match (self, anchor) {
            (Self::Svg, VPos::Center) => 0.06,
            (Self::Png, VPos::Center) => 0.20,
            (Self::Svg, _) => 0.0,
            (Self::Png, _) => 0.11,
        };
        libm::round(share * f64::from(size)) as i32
    }
}

fn draw_item<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    backend: Backend,
    item: &Item,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let filled = |color: RGBColor| ShapeStyle { color: color.into(), filled: true, stroke_width: 0 };
    match item {
        Item::Path { places, color, width } => {
            let style = ShapeStyle { color: (*color).into(), filled: false, stroke_width: *width };
            area.draw(&PathElement::new(places.as_slice(), style))
        }
        Item::Disc { place, radius, color } => area.draw(&Circle::new(*place, *radius, filled(*color))),
        Item::Polygon { corners, color } => area.draw(&Polygon::new(corners.as_slice(), filled(*color))),
        Item::Bar { corners, color } => area.draw(&Rectangle::new(*corners, filled(*color))),
        Item::Text { words, size, place: (x, y), anchor, upright } => {
            let (h, v) = anchor.sides();
            let size = SCALE * size;
            let drop = backend.drop(v, size);
            let font = FontDesc::new(FontFamily::Name(FAMILY), f64::from(size), FontStyle::Normal);
            let (font, place) = match upright {
                true => (font.transform(FontTransform::Rotate270), (x + drop, *y)),
                false => (font, (*x, y + drop)),
            };
            area.draw_text(words, &TextStyle::from(font).color(&INK).pos(Pos::new(h, v)), place)
        }
    }
}

/// From pixels meant to pixels of the grid.
pub fn grid((x, y): Pixel) -> Pixel {
    (SCALE * x, SCALE * y)
}

/// The frame of a plot: its axes, and its place in pixels meant.
pub struct Frame<'a> {
    /// The axis from left to right.
    pub x: &'a Axis,
    /// The axis from bottom to top.
    pub y: &'a Axis,
    /// Left edge.
    pub left: i32,
    /// Upper edge.
    pub top: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Frame<'_> {
    /// Where a value of x is, in pixels of the grid.
    pub fn x(&self, value: f64) -> i32 {
        SCALE * self.left + libm::round(self.x.place(value) * f64::from(SCALE * self.width)) as i32
    }

    /// Where a value of y is, in pixels of the grid.
    pub fn y(&self, value: f64) -> i32 {
        self.bottom() - libm::round(self.y.place(value) * f64::from(SCALE * self.height)) as i32
    }

    /// The lower edge, in pixels of the grid.
    pub fn bottom(&self) -> i32 {
        SCALE * (self.top + self.height)
    }
}

/// Cuts a line into dashes of length `on` with gaps of length `off`, both more than 0. Corners within a dash are kept. Square
/// roots are exact everywhere, so the dashes are the same on every machine.
fn dashes(line: &[Pixel], on: f64, off: f64) -> Vec<Vec<Pixel>> {
    let round = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
    let mut all = Vec::new();
    let mut dash: Vec<Pixel> = line.first().copied().into_iter().collect();
    let mut left = on;
    let mut drawing = true;
    for (&from, &to) in line.iter().zip(line.iter().skip(1)) {
        let (dx, dy) = (f64::from(to.0) - f64::from(from.0), f64::from(to.1) - f64::from(from.1));
        let length = (dx * dx + dy * dy).sqrt();
        let mut done = 0.0;
        while length - done >= left {
            done += left;
            let place = round((f64::from(from.0) + dx * done / length, f64::from(from.1) + dy * done / length));
            if drawing {
                dash.push(place);
                all.push(std::mem::take(&mut dash));
            } else {
                dash = vec![place];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length - done;
        // A dash that begins at a corner has it already.
        if drawing && dash.last() != Some(&to) {
            dash.push(to);
        }
    }
    if drawing {
        all.push(dash);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0, 0), (10, 0), (10, 9)];
        let expected =
            vec![vec![(0, 0), (4, 0)], vec![(6, 0), (10, 0)], vec![(10, 2), (10, 6)], vec![(10, 8), (10, 9)]];
        assert_eq!(dashes(&line, 4.0, 2.0), expected);
        assert_eq!(dashes(&line, 100.0, 2.0), vec![line.to_vec()]);
        assert_eq!(dashes(&line, 12.0, 2.0), vec![vec![(0, 0), (10, 0), (10, 2)], vec![(10, 4), (10, 9)]]);
    }
}
