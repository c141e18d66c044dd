//! The score of a tree in an instance.

use super::families::{Families, Family};
use super::instance::Instance;
use crate::graph::{ArcId, TreeArcs};

/// The score of `tree`, scaled.
pub(super) fn score(instance: &Instance, tree: &TreeArcs, families: &mut Families) -> f64 {
    let mut total = instance.constant;
    for family in families.of(&instance.space, tree) {
        let Family { above, left, right, .. } = family;
        total += side(instance, above, left.iter().rev().copied());
        total += side(instance, above, right.iter().copied());
        for &l in left {
            total += right.iter().map(|&r| instance.cross[instance.cross_place(l, r)]).sum::<f64>();
        }
    }
    if instance.other.is_empty() {
        return total;
    }
    for &a in tree.arcs() {
        instance.pairs_of_factors.for_each_in(a, tree, |c| {
            if tree.has_all(instance.other.arcs(c)) {
                total += instance.other.score(c) as f64;
            }
        });
    }
    total
}

/// What the arcs of a head on one side, counted outward, are worth: each alone, with those inside it, and with the arc above.
fn side(instance: &Instance, above: Option<ArcId>, outward: impl Iterator<Item = ArcId> + Clone) -> f64 {
    let space = &instance.space;
    let mut total = 0.0;
    let mut previous: Option<ArcId> = None;
    for (rank, a) in outward.clone().enumerate() {
        total += instance.local.arc[a.ix()];
        let part = previous.map_or_else(|| space.first_modifier_part(a), |b| space.sibling_part(a, b));
        total += instance.local.sibling[part];
        total += outward.clone().take(rank).map(|b| instance.chain[space.sibling_part(a, b)]).sum::<f64>();
        if let Some(above) = above {
            let grandchild = space.grandchild_part(above, a);
            total += instance.grand.any[grandchild];
            if !instance.grand.siblings.is_empty() {
                total += instance.grand.siblings.get(grandchild, part).unwrap_or(0.0);
            }
        }
        previous = Some(a);
    }
    if let (Some(above), Some(outermost)) = (above, previous) {
        total += instance.local.grandchild[space.grandchild_part(above, outermost)];
    }
    total
}
