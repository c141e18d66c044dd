//! The texts of an SVG and the room that they take.

/// A text with the room it takes, in pixels of the grid.
#[derive(Clone, Debug)]
pub struct Label {
    pub text: String,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// Width of a character as a share of its size; DejaVu Sans, a wide font, has about as much.
const CHARACTER: f64 = 0.56;

impl Label {
    /// True if the texts have more than a touch in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        let apart = self.right <= other.left || other.right <= self.left;
        !(apart || self.bottom <= other.top || other.bottom <= self.top)
    }
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split_once(&format!(" {name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).and_then(|value| value.parse().ok()).expect("a number")
}

/// Width and height of the grid.
pub fn size(svg: &str) -> (f64, f64) {
    let corners = attribute(svg, "viewBox").expect("a view box");
    let corners: Vec<f64> = corners.split(' ').filter_map(|corner| corner.parse().ok()).collect();
    (corners[2], corners[3])
}

/// All texts.
pub fn labels(svg: &str) -> Vec<Label> {
    svg.split("<text").skip(1).map(label).collect()
}

fn label(element: &str) -> Label {
    let (attributes, rest) = element.split_once('>').expect("a text");
    let text = rest.split_once("</text>").expect("an end").0.trim().to_owned();
    let (x, y, size) = (number(attributes, "x"), number(attributes, "y"), number(attributes, "font-size"));
    let length = CHARACTER * size * text.chars().count() as f64;
    let before = match attribute(attributes, "text-anchor") {
        Some("middle") => length / 2.0,
        Some("end") => length,
        _ => 0.0,
    };
    // Texts begin at `y` or are centred on it; upright ones are.
    let height = 0.7 * size;
    let above = if attribute(attributes, "dy") == Some("0.5ex") { height / 2.0 } else { 0.0 };
    if attribute(attributes, "transform").is_some() {
        return Label { text, left: x - height / 2.0, right: x + height / 2.0, top: y - before, bottom: y + before };
    }
    Label { text, left: x - before, right: x - before + length, top: y - above, bottom: y - above + height }
}
