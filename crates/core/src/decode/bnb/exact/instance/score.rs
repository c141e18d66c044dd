//! The score of a tree in an instance, and the fixed point in which it is counted.

use super::Instance;
use super::sides::{ByHead, HeadArcs};
use crate::decode::bnb::problem::Scale;
use crate::graph::{ArcId, FactorGraph, TreeArcs};

/// The score of `tree`, scaled.
pub fn score_tree(instance: &Instance, tree: &TreeArcs, by_head: &mut ByHead) -> f64 {
    let mut total = instance.constant;
    for head_arcs in by_head.of(&instance.space, tree) {
        let HeadArcs { above, left, right, .. } = head_arcs;
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

/// The finest scale in which no sum that the search forms can lose a bit: like [`Scale::of`], for the sums of the lifted
/// relaxation.
///
/// A part of the relaxation carries shares of all factors on one head: of its pairs of modifiers (each at most twice, as
/// a surcharge on steps and as an allowance on arcs) and of the stars of its children (score and multiplier). A factor of r
/// arcs puts at most r - 1 times its score on an arc, and its score once on a step and once on a grandchild part. A tree
/// has one such part a word on each side of it. Where pairs are bounded by arc, an arc carries those of its modifier's
/// modifiers beside those of its head's, and there are no stars.
pub fn scale(graph: &FactorGraph) -> Scale {
    let space = &graph.space;
    let mut by_head = vec![0u128; space.words() + 1];
    let mut all = 0u128;
    for (_, arcs, score) in graph.factors.iter() {
        let size = u128::from(score.unsigned_abs()) * arcs.len().max(1) as u128;
        all += size;
        // A factor is charged to every head among its arcs.
        for (i, a) in arcs.iter().enumerate() {
            let head = space.head(*a);
            if arcs[..i].iter().all(|b| space.head(*b) != head) {
                by_head[head.ix()] += size;
            }
        }
    }
    let largest = |scores: &[i64]| u128::from(scores.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0));
    let local = largest(&graph.local.arc)
        + 2 * largest(&graph.local.sibling)
        + 2 * largest(&graph.local.grandchild)
        + largest(graph.grand_siblings.scores());
    let word = local + 4 * by_head.iter().max().copied().unwrap_or(0);
    // Differences of sums are formed too: leave a bit for the sign of each.
    Scale::for_sums(2 * (word * space.words() as u128 + all) + 1)
}
