//! The arcs of a head: on one side of it, under an arc above it, in a tree.
//!
//! Arcs on a side are counted outward: rank 0 is the nearest.
//!
//! Pairs of modifiers on both sides of a head have multipliers, and something must own these: the head, or each arc into
//! it. Exactly one arc into a head is in a tree, so the relaxation may bound a pair under each of them apart, if the program
//! sees which one it is. Carreras's does not; the third-order program does: what falls to a modifier falls to its
//! grandchild part. A bound that wavers between trees that differ in what is above the head is then no longer loose there.

use std::ops::Range;

use super::counted::largest_lift;
use super::crossings::begins_projective;
use super::instance::Instance;
use super::patterns::each_pattern;
use crate::decode::bnb::Scale;
use crate::graph::{ArcId, ArcSpace, FactorGraph, TreeArcs, Trees, Word};

/// One side of a head.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    start: usize,
    len: usize,
    right: bool,
}

impl Side {
    #[inline(always)]
    pub fn left(space: &ArcSpace, h: Word) -> Self {
        let arcs = space.left_arcs_of(h);
        Self { start: arcs.start, len: arcs.len(), right: false }
    }

    #[inline(always)]
    pub fn right(space: &ArcSpace, h: Word) -> Self {
        let arcs = space.right_arcs_of(h);
        Self { start: arcs.start, len: arcs.len(), right: true }
    }

    /// Arcs on the side.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// The arc of a rank.
    #[inline(always)]
    pub fn arc(self, rank: usize) -> ArcId {
        ArcId::new(if self.right { self.start + rank } else { self.start + self.len - 1 - rank })
    }

    /// The sibling part of the arcs of two ranks, `inner < outer`.
    #[inline(always)]
    pub fn part(self, space: &ArcSpace, inner: usize, outer: usize) -> usize {
        let first = space.first_modifier_part(self.arc(outer));
        // Inner siblings are listed by arc number: nearest first on the right, nearest last... counted from the outer arc
        // on the left.
        if self.right { first + 1 + inner } else { first + outer - inner }
    }
}

/// Where the right arcs begin among the children of `a`.
#[inline(always)]
fn split_of(space: &ArcSpace, a: ArcId) -> usize {
    let all = space.children(a);
    space.right_arcs_of(space.modifier(a)).start.clamp(all.start, all.end)
}

/// The children of an arc on one side of its modifier, counted outward, as offsets into its list of children.
#[derive(Clone, Copy, Debug)]
pub struct ChildSide {
    arcs: usize,
    parts: usize,
    len: usize,
    right: bool,
}

impl ChildSide {
    /// Both sides of `a`'s modifier.
    #[inline(always)]
    pub fn both(space: &ArcSpace, a: ArcId) -> [Self; 2] {
        let all = space.children(a);
        let parts = space.grandchild_parts_of(a).start;
        let split = split_of(space, a);
        [
            Self { arcs: all.start, parts, len: split - all.start, right: false },
            Self { arcs: split, parts: parts + split - all.start, len: all.end - split, right: true },
        ]
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// The child's arc and the grandchild part, by rank.
    #[inline(always)]
    pub fn get(self, rank: usize) -> (ArcId, usize) {
        let offset = if self.right { rank } else { self.len - 1 - rank };
        (ArcId::new(self.arcs + offset), self.parts + offset)
    }
}

/// The left and the right arcs of a head, all of them or those that can stand under one arc into it.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The arc into the head; none if all of them share the multipliers.
    pub above: Option<ArcId>,
    pub left: Range<usize>,
    pub right: Range<usize>,
}

impl Owner {
    /// A head.
    #[inline(always)]
    pub fn head(space: &ArcSpace, h: Word) -> Self {
        Self { above: None, left: space.left_arcs_of(h), right: space.right_arcs_of(h) }
    }

    /// An arc into a head.
    #[inline(always)]
    pub fn arc(space: &ArcSpace, a: ArcId) -> Self {
        let (children, split) = (space.children(a), split_of(space, a));
        Self { above: Some(a), left: children.start..split, right: split..children.end }
    }

    /// Pairs, in the order of the left arcs, then of the right ones.
    pub fn pairs(&self) -> usize {
        self.left.len() * self.right.len()
    }

    /// Where what falls to a modifier goes: its grandchild part, or its arc if there is no arc above.
    pub fn modifier(&self, space: &ArcSpace, b: ArcId) -> usize {
        self.above.map_or(b.ix(), |a| space.grandchild_part(a, b))
    }

    /// The number of a pair.
    pub fn pair(&self, l: ArcId, r: ArcId) -> usize {
        (l.ix() - self.left.start) * self.right.len() + r.ix() - self.right.start
    }
}

/// The arcs of a tree by their head, ascending; memory to be reused. What a score or a bound says of siblings and
/// grandchildren, it says of those of one head.
#[derive(Clone, Debug, Default)]
pub struct ByHead(Vec<ArcId>);

/// The arcs of a tree from one head.
#[derive(Clone, Copy)]
pub struct HeadArcs<'a> {
    pub head: Word,
    /// The arc into the head; none into the root.
    pub above: Option<ArcId>,
    /// The arcs to the left, the farthest first.
    pub left: &'a [ArcId],
    /// The arcs to the right, the nearest first.
    pub right: &'a [ArcId],
}

impl ByHead {
    /// The arcs of `tree` by head, one entry a head that has modifiers.
    pub fn heads<'a>(&'a mut self, space: &'a ArcSpace, tree: &'a TreeArcs) -> impl Iterator<Item = HeadArcs<'a>> {
        self.0.clear();
        self.0.extend_from_slice(tree.arcs());
        self.0.sort_unstable();
        self.0.chunk_by(|a, b| space.head(*a) == space.head(*b)).map(|arcs| {
            let head = space.head(arcs[0]);
            let first_right = space.right_arcs_of(head).start;
            let (left, right) = arcs.split_at(arcs.partition_point(|a| a.ix() < first_right));
            let above = head.ix().checked_sub(1).map(|place| tree.arcs()[place]);
            HeadArcs { head, above, left, right }
        })
    }
}

/// The score of `tree`, scaled.
pub fn score_tree(instance: &Instance, tree: &TreeArcs, by_head: &mut ByHead) -> f64 {
    let mut total = instance.constant;
    if instance.backbone.is_projective() {
        total += score_local(instance, tree, by_head);
    } else {
        total += tree.arcs().iter().map(|a| instance.local.arc[a.ix()]).sum::<f64>();
    }
    if !instance.other.is_empty() {
        instance.index.for_each_begun(tree, |c| {
            if instance.other.holds(c, tree) {
                total += instance.other.score(c) as f64;
            }
        });
    }
    total + instance.counted.score(tree) - instance.charges.charged(&instance.space, tree)
}

/// What a projective tree has beside patterns and counts.
fn score_local(instance: &Instance, tree: &TreeArcs, by_head: &mut ByHead) -> f64 {
    let mut total = 0.0;
    for head_arcs in by_head.heads(&instance.space, tree) {
        let HeadArcs { above, left, right, .. } = head_arcs;
        total += side(instance, above, left.iter().rev().copied());
        total += side(instance, above, right.iter().copied());
        for &l in left {
            total += right.iter().map(|&r| instance.cross[instance.cross_place(l, r)]).sum::<f64>();
        }
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

/// The finest scale in which no sum that the search forms can lose a bit: like [`Scale::finest`], for the sums of the lifted
/// relaxation.
///
/// A part of the relaxation carries shares of all factors on one head: of its pairs of modifiers (each at most twice, as
/// a surcharge on steps and as an allowance on arcs) and of the stars of its children (score and multiplier). A factor of r
/// arcs puts at most r - 1 times its score on an arc, and its score once on a step and once on a grandchild part. A tree
/// has one such part a word on each side of it. Where pairs are bounded by arc, an arc carries those of its modifier's
/// modifiers beside those of its head's, and there are no stars.
///
/// Over arborescences each literal of a pattern may put its score on an arc, and trees of n words are compared in whole numbers of
/// 64 bits, as sums of n and more ([`arborescence`](crate::decode::arborescence)).
pub fn scale(graph: &FactorGraph) -> Scale {
    let sums = match graph.trees {
        Trees::Projective => sums_over_projective(graph),
        Trees::NonProjective if begins_projective(graph) => {
            sums_over_arborescences(graph).max(sums_over_projective(graph))
        }
        Trees::NonProjective => sums_over_arborescences(graph),
    };
    Scale::for_sums(sums)
}

fn sums_over_arborescences(graph: &FactorGraph) -> u128 {
    let (space, counts) = (&graph.space, largest_lift(graph));
    let arc = u128::from(graph.local.arc.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0));
    let mut all = arc * space.words() as u128 + counts;
    let size = |arcs: usize, score: i64| u128::from(score.unsigned_abs()) * arcs.max(1) as u128;
    graph.factors.iter().for_each(|(_, arcs, score)| all += size(arcs.len(), score));
    each_pattern(graph, |arcs, _, score| all += size(arcs.len(), score));
    // Of a piece of evidence a tree has at most one arc a word; multipliers on one charge add up to it.
    graph.non_projective.iter().for_each(|&score| all += size(2 * space.words(), score));
    let sums = 2 * all + 1;
    sums.max((sums * (space.words() as u128 + 2)) >> 9)
}

fn sums_over_projective(graph: &FactorGraph) -> u128 {
    let (space, counts) = (&graph.space, largest_lift(graph));
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
    // What counts put on arcs may fall on those of one head.
    by_head.iter_mut().for_each(|of_head| *of_head += counts);
    let word = local + 4 * by_head.iter().max().copied().unwrap_or(0);
    // Differences of sums are formed too: leave a bit for the sign of each.
    2 * (word * space.words() as u128 + all) + 1
}
