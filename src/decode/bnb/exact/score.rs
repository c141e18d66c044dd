//! The score of a tree in an instance.

use super::instance::Instance;
use super::sides::ChildSide;
use crate::graph::{ArcId, TreeArcs, Word};

/// The score of `tree`, scaled.
pub(super) fn score(instance: &Instance, tree: &TreeArcs) -> f64 {
    let space = &instance.space;
    let mut total = instance.constant;
    for &a in tree.arcs() {
        total += instance.local.arc[a.ix()];
        let previous = tree.previous_sibling(space, a);
        let part = previous.map_or_else(|| space.first_modifier_part(a), |b| space.sibling_part(a, b));
        total += instance.local.sibling[part];
        if !instance.grand.siblings.is_empty() && !space.head(a).is_root() {
            let above = tree.arcs()[space.head(a).ix() - 1];
            total += instance.grand.siblings.get(space.grandchild_part(above, a), part).unwrap_or(0.0);
        }
        for side in ChildSide::both(space, a) {
            let mut outermost = true;
            for rank in (0..side.len()).rev() {
                let (b, part) = side.get(rank);
                if tree.has(b) {
                    total += instance.grand.any[part];
                    if outermost {
                        total += instance.local.grandchild[part];
                        outermost = false;
                    }
                }
            }
        }
        for b in space.inner_siblings(a) {
            if tree.has(ArcId::new(b)) {
                total += instance.chain[space.sibling_part(a, ArcId::new(b))];
            }
        }
    }
    for h in (0..=space.words()).map(Word::new) {
        for l in space.left_arcs_of(h).map(ArcId::new).filter(|&l| tree.has(l)) {
            for r in space.right_arcs_of(h).map(ArcId::new).filter(|&r| tree.has(r)) {
                total += instance.cross[instance.cross_place(l, r)];
            }
        }
    }
    for &a in tree.arcs() {
        for &c in instance.incidence.of(a) {
            // Each factor counts at the first of its arcs.
            let arcs = instance.other.arcs(c);
            if arcs[0] == a && tree.has_all(arcs) {
                total += instance.other.score(c) as f64;
            }
        }
    }
    total
}
