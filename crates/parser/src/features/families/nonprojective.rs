//! `nonprojective`: arcs that are not projective (Martins et al. 2009, section 3.5): some word between the ends does not descend
//! from the head.
//!
//! Among projective trees it has no factor.

use super::{Facts, Shape};
use crate::features::hand::Sites;
use crate::features::parts::{Part, arc};
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "nonprojective", roles: "hm", directions: 1, growth: None, shape: Shape::NonProjective };

pub(super) fn factors(space: &ArcSpace, trees: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    // All words descend from the root.
    let arcs = (0..space.arcs()).map(ArcId::new).filter(|&a| !space.head(a).is_root());
    for a in arcs.filter(|_| trees == Trees::NonProjective) {
        visit(&[a], arc(space.head(a), space.modifier(a)));
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for m in (1..=tree.len()).map(Word::new).filter(|&m| !tree.is_projective_arc(m)) {
        visit(arc(tree.head(m), m));
    }
}
