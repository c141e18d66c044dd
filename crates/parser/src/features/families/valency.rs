//! `valency`: how many modifiers a word has (Martins et al. 2009, section 3.4, equation 17), on both sides together.
//!
//! The number is that of the part, which [`MOST_COUNTED`] and all beyond share. How many words hang on the root is no choice of
//! a parser with one there, and is not scored.

use super::{Facts, MOST_COUNTED, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

/// The numbers use the geometries of a part without directions.
pub(super) const FAMILY: Facts =
    Facts { name: "valency", roles: "h", directions: 0, growth: None, shape: Shape::Number };

#[inline(always)]
fn part(h: Word, modifiers: usize) -> Part {
    Part::new([h, Word::ROOT, Word::ROOT, Word::ROOT], Geometry::from_code(modifiers.min(MOST_COUNTED)))
}

pub(super) fn factors(space: &ArcSpace, _: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    let all: Vec<ArcId> = (0..space.arcs()).map(ArcId::new).collect();
    for h in (1..=space.words()).map(Word::new) {
        let arcs = &all[space.arcs_of(h)];
        for modifiers in 0..=arcs.len().min(MOST_COUNTED) {
            visit(arcs, part(h, modifiers));
        }
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for h in (1..=tree.len()).map(Word::new) {
        visit(part(h, tree.heads().iter().filter(|&&head| head == h).count()));
    }
}
