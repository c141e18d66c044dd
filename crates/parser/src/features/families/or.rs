//! `or`: a head has a modifier of a class on one side, or several (Qian & Liu 2013, section 5.1: a factor that is an OR of arcs).
//! Words with one coarse tag are a class.
//!
//! The part gives the role `m` to the first word of the sentence with the tag, wherever it stands, so templates see nothing of it
//! but the tag.

use super::{Facts, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts = Facts { name: "or", roles: "hm", directions: 1, growth: None, shape: Shape::Any };

/// A head, the first word of the sentence that is of the modifiers' class, and their side.
#[inline(always)]
fn part(h: Word, class: Word, rightward: bool) -> Part {
    Part::new([h, class, Word::ROOT, Word::ROOT], Geometry::new(&[rightward], 0, 1))
}

pub(super) fn factors(space: &ArcSpace, _: Trees, sites: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    let mut arcs: Vec<ArcId> = Vec::new();
    for h in (0..=space.words()).map(Word::new) {
        for (side, rightward) in [(space.left_arcs_of(h), false), (space.right_arcs_of(h), true)] {
            let class = |a: usize| sites.first_alike(space.modifier(ArcId::new(a)));
            for first in side.clone().filter(|&a| (side.start..a).all(|b| class(b) != class(a))) {
                arcs.clear();
                arcs.extend((first..side.end).filter(|&a| class(a) == class(first)).map(ArcId::new));
                visit(&arcs, part(h, class(first), rightward));
            }
        }
    }
}

pub(super) fn parts_in(tree: &Tree, sites: &Sites, mut visit: impl FnMut(Part)) {
    for m in (1..=tree.len()).map(Word::new) {
        let (h, class) = (tree.head(m), sites.first_alike(m));
        let is_same = |&k: &Word| tree.head(k) == h && (h < k) == (h < m) && sites.first_alike(k) == class;
        if !(1..m.ix()).map(Word::new).any(|k| is_same(&k)) {
            visit(part(h, class, h < m));
        }
    }
}
