//! From the chart, or from entries of it, back to a tree, from the top down.

use std::ops::Range;

use super::rows::{Rows, part_range};
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// An entry of the chart, to be taken apart.
pub(super) enum Entry {
    /// R or L of an arc, and a place.
    Row(ArcId, usize),
    /// O of an arc.
    Open(ArcId),
    /// An arc alone.
    Arc(ArcId),
}

/// Where `a` may be split.
pub(super) fn places(space: &ArcSpace, a: ArcId) -> Range<usize> {
    let (h, m) = (space.head(a).ix(), space.modifier(a).ix());
    h.min(m)..h.max(m)
}

impl<V: Value> Rows<V> {
    /// The outermost root arc of the best tree.
    pub(super) fn root_arc(&self, space: &ArcSpace) -> Option<ArcId> {
        let n = space.words();
        let mut best = None;
        let mut best_score = V::NEG_INF;
        for a in space.arcs_of(Word::ROOT) {
            let score = self.rows[a * self.stride + n];
            if score > best_score {
                (best, best_score) = (Some(ArcId::new(a)), score);
            }
        }
        best
    }

    #[inline(always)]
    pub(super) fn at(&self, b: usize, r: usize) -> V {
        self.rows[b * self.stride + r]
    }

    /// Fills `into` with the arcs of the best tree that consists of the entries `todo`.
    ///
    /// Choices are recomputed, not stored: a tree has n arcs, the chart thousands. Of equal choices the first is taken: the
    /// smallest split, then the unit row, then the lowest arc.
    pub(super) fn trace(&self, space: &ArcSpace, scores: &LocalScores<V>, mut todo: Vec<Entry>, into: &mut Vec<ArcId>) {
        into.clear();
        into.resize(space.words(), ArcId(0));
        while let Some(entry) = todo.pop() {
            match entry {
                Entry::Row(a, x) => {
                    let (child, _) = self.outside_child(space, scores, a, x);
                    todo.extend(child.map(|b| Entry::Row(b, x)));
                    todo.push(Entry::Open(a));
                }
                Entry::Open(a) => {
                    into[space.modifier(a).ix() - 1] = a;
                    let mut best = V::NEG_INF;
                    let mut chosen = [None, None];
                    for r in places(space, a) {
                        let (b, of_siblings) = self.sibling(space, scores, a, r);
                        let (c, of_children) = self.inside_child(space, scores, a, r);
                        let both = of_siblings + of_children;
                        if both > best {
                            best = both;
                            chosen = [b, c].map(|half| half.map(|b| Entry::Row(b, r)));
                        }
                    }
                    todo.extend(chosen.into_iter().flatten());
                }
                Entry::Arc(a) => into[space.modifier(a).ix() - 1] = a,
            }
        }
    }

    /// What place `x` of the row of `a` has beside O: the outermost child beyond its modifier, and what that is worth.
    pub(super) fn outside_child(
        &self,
        space: &ArcSpace,
        scores: &LocalScores<V>,
        a: ArcId,
        x: usize,
    ) -> (Option<ArcId>, V) {
        let outside = space.outside_children(a);
        let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
        let m = space.modifier(a).ix();
        let end = if space.head(a).ix() < m { m } else { m - 1 };
        self.choose(end, V::ZERO, outside, outside_scores, x)
    }

    /// S of the split of `a` after `r`: the sibling next to `a`, if it has one, and what that half is worth.
    pub(super) fn sibling(&self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId, r: usize) -> (Option<ArcId>, V) {
        let places = places(space, a);
        if !places.contains(&r) {
            return (None, V::NEG_INF);
        }
        let siblings = space.siblings_to_follow(a);
        let sibling_scores = &scores.sibling[space.sibling_parts_of(a)][..siblings.len()];
        let end = if space.head(a) < space.modifier(a) { places.start } else { places.end - 1 };
        self.choose(end, scores.sibling[space.first_modifier_part(a)], siblings, sibling_scores, r)
    }

    /// I of the split of `a` after `r`: the outermost child towards the head, if there is one, and what that half is worth.
    pub(super) fn inside_child(
        &self,
        space: &ArcSpace,
        scores: &LocalScores<V>,
        a: ArcId,
        r: usize,
    ) -> (Option<ArcId>, V) {
        let places = places(space, a);
        if !places.contains(&r) {
            return (None, V::NEG_INF);
        }
        let inside = space.inside_children(a);
        let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
        let end = if space.head(a) < space.modifier(a) { places.end - 1 } else { places.start };
        self.choose(end, V::ZERO, inside, inside_scores, r)
    }

    /// The best of the unit row of `end` (plus `none`) and the rows of `arcs` (plus their scores) at place `r`.
    fn choose(&self, end: usize, none: V, arcs: Range<usize>, scores: &[V], r: usize) -> (Option<ArcId>, V) {
        let mut best = if r == end { none } else { V::NEG_INF };
        let mut chosen = None;
        for (b, &score) in arcs.zip(scores) {
            let value = self.at(b, r) + score;
            if value > best {
                (chosen, best) = (Some(ArcId::new(b)), value);
            }
        }
        (chosen, best)
    }
}
