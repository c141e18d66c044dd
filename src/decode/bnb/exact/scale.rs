//! The fixed point of this search: like [`Scale::of`], for the sums that the lifted relaxation forms.

use crate::decode::bnb::problem::Scale;
use crate::graph::FactorGraph;

/// The finest scale in which no sum that the search forms can lose a bit.
///
/// A part of the relaxation carries shares of all factors on one head: of its pairs of modifiers (each at most twice, as
/// a surcharge on steps and as an allowance on arcs) and of the stars of its children (score and multiplier). A factor of r
/// arcs puts at most r - 1 times its score on an arc, and its score once on a step and once on a grandchild part. A tree
/// has one such part a word on each side of it. Where pairs are bounded by arc, an arc carries those of its modifier's
/// modifiers beside those of its head's, and there are no stars.
pub(super) fn scale(graph: &FactorGraph) -> Scale {
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
