//! Trees of one sentence drawn as arcs: the first above the words, the others below them, each with a look of its own.
//!
//! Arcs below are drawn only where they are not those of the first tree, so that what is told apart is what differs.

use std::fmt::Write;

use treebound_core::tree::{Tree, Word};

/// A tree with its name in the legend.
#[derive(Clone, Copy, Debug)]
pub struct Arcs<'a> {
    /// The name.
    pub name: &'a str,
    /// The tree.
    pub tree: &'a Tree,
}

/// Colour and dashes of the n-th tree: told apart without colour too.
const LOOKS: [(&str, &str); 3] = [("#1b4f8a", "none"), ("#b3400f", "7 4"), ("#5b5b5b", "2 4")];

/// Width of a character, of the gap between words, and of what stands around the drawing, in pixels.
const CHARACTER: f64 = 8.5;
const GAP: f64 = 18.0;
const MARGIN: f64 = 20.0;
/// Height of an arc of neighbours, and of each word more.
const LOWEST: f64 = 22.0;
const STEP: f64 = 9.0;
/// Arcs are no higher, however long.
const HIGHEST: f64 = 220.0;

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An SVG of trees over the same words.
pub fn drawing(words: &[&str], trees: &[Arcs]) -> String {
    // Place 0 is the root symbol.
    let names: Vec<&str> = std::iter::once("root").chain(words.iter().copied()).collect();
    let mut places = Vec::new();
    let mut right = MARGIN;
    for name in &names {
        let width = CHARACTER * name.chars().count().max(1) as f64;
        places.push(right + width / 2.0);
        right += width + GAP;
    }
    let first = trees.first().map(|arcs| arcs.tree);
    let differs =
        |tree: usize, m: Word| tree == 0 || first.is_none_or(|first| first.head(m) != trees[tree].tree.head(m));
    let mut arcs: Vec<(usize, usize, usize)> = Vec::new();
    for (i, tree) in trees.iter().enumerate() {
        let own = (1..=words.len()).map(Word::new).filter(|&m| differs(i, m));
        arcs.extend(own.map(|m| (i, tree.tree.head(m).ix(), m.ix())));
    }
    let height = |(_, h, m): &(usize, usize, usize)| (LOWEST + STEP * (h.abs_diff(*m) - 1) as f64).min(HIGHEST);
    // A curve of the third degree comes three quarters of the way to its inner points.
    let highest = |above: bool| 0.75 * arcs.iter().filter(|arc| (arc.0 == 0) == above).map(height).fold(0.0, f64::max);
    let legend = 22.0;
    let baseline = MARGIN + legend + highest(true) + 22.0;
    let bottom = baseline + 16.0 + highest(false) + MARGIN;
    let width = (right - GAP + MARGIN).max(420.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {bottom:.0}\" width=\"{width:.0}\" \
         height=\"{bottom:.0}\" font-family=\"sans-serif\" font-size=\"14\" role=\"img\">\n<rect width=\"100%\" \
         height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let mut left = MARGIN;
    for (tree, (color, dashes)) in trees.iter().zip(LOOKS) {
        // Writing into a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {y:.1} h30\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/><text x=\"{x:.1}\" y=\"{t:.1}\">{name}</text>",
            y = MARGIN,
            x = left + 36.0,
            t = MARGIN + 5.0,
            name = escape(tree.name)
        );
        left += 36.0 + CHARACTER * tree.name.chars().count() as f64 + 24.0;
    }
    for arc @ &(tree, h, m) in &arcs {
        let (color, dashes) = LOOKS[tree % LOOKS.len()];
        let high = height(arc);
        let (from, to) = (places[h], places[m]);
        let (y, top, tip) = if tree == 0 {
            (baseline - 16.0, baseline - 16.0 - high, -6.0)
        } else {
            (baseline + 8.0, baseline + 8.0 + high, 6.0)
        };
        let _ = writeln!(
            svg,
            "<path class=\"arc\" d=\"M{from:.1} {y:.1} C{from:.1} {top:.1} {to:.1} {top:.1} {to:.1} {y:.1}\" fill=\"none\" \
             stroke=\"{color}\" stroke-width=\"1.6\" stroke-dasharray=\"{dashes}\"/><path d=\"M{to:.1} {y:.1} l-3.5 {tip} \
             h7 z\" fill=\"{color}\"/>"
        );
    }
    for (name, place) in names.iter().zip(&places) {
        let _ =
            writeln!(svg, "<text x=\"{place:.1}\" y=\"{baseline:.1}\" text-anchor=\"middle\">{}</text>", escape(name));
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tree_has_its_arcs_and_only_those_that_differ_are_drawn_twice() {
        let tree = |heads: &[usize]| Tree::new(heads.iter().map(|&h| Word::new(h)).collect()).expect("a tree");
        let (chosen, gold) = (tree(&[2, 0, 2]), tree(&[2, 0, 1]));
        let arcs = [Arcs { name: "chosen", tree: &chosen }, Arcs { name: "gold", tree: &gold }];
        let svg = drawing(&["a", "<b>", "c"], &arcs);
        assert_eq!(svg.matches("class=\"arc\"").count(), 3 + 1);
        assert!(svg.contains("&lt;b&gt;") && svg.contains(">chosen<") && svg.contains(">gold<"));
        assert!(!svg.contains("NaN"));
        assert_eq!(drawing(&[], &[]).matches("class=\"arc\"").count(), 0);
    }
}
