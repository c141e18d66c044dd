//! `grandchild`: all chains of two arcs, whether or not the lower one is outermost (paper, section 4.3).

use super::{Facts, Shape};
use crate::features::hand::Sites;
use crate::features::parts::{Part, grandchild};
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "grandchild", roles: "ghm", directions: 2, growth: Some(2), shape: Shape::All };

pub(super) fn factors(space: &ArcSpace, trees: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    for a in (0..space.arcs()).map(ArcId::new) {
        for b in below(space, trees, a) {
            visit(&[a, b], grandchild(space.head(a), space.modifier(a), space.modifier(b)));
        }
    }
}

/// The arcs that may hang on `a` in a tree.
pub(super) fn below(space: &ArcSpace, trees: Trees, a: ArcId) -> impl Iterator<Item = ArcId> {
    let all = match trees {
        Trees::Projective => space.children(a),
        Trees::NonProjective => space.arcs_of(space.modifier(a)),
    };
    all.map(ArcId::new).filter(move |&b| space.modifier(b) != space.head(a))
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for m in (1..=tree.len()).map(Word::new) {
        let h = tree.head(m);
        if !h.is_root() {
            visit(grandchild(tree.head(h), h, m));
        }
    }
}
