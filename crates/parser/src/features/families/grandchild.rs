//! `grandchild`: all chains of two arcs, whether or not the lower one is outermost (paper, section 4.3).

use super::Facts;
use crate::features::hand::Sites;
use crate::features::parts::{Part, grandchild};
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Word};

pub(super) const FAMILY: Facts = Facts { name: "grandchild", roles: "ghm", directions: 2, growth: 2 };

pub(super) fn factors(space: &ArcSpace, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    for a in (0..space.arcs()).map(ArcId::new) {
        for b in space.children(a).map(ArcId::new) {
            visit(&[a, b], grandchild(space.head(a), space.modifier(a), space.modifier(b)));
        }
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for m in (1..=tree.len()).map(Word::new) {
        let h = tree.head(m);
        if !h.is_root() {
            visit(grandchild(tree.head(h), h, m));
        }
    }
}
