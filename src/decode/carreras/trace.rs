//! From the chart back to a tree.

use std::ops::Range;

use super::Carreras;
use super::parts::part_range;
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

impl<V: Value> Carreras<V> {
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
    fn at(&self, b: usize, r: usize) -> V {
        self.rows[b * self.stride + r]
    }

    /// Follows the best choices down from the root. Choices are recomputed, not stored: a tree has n arcs, the chart
    /// thousands. Of equal choices the first is taken: the smallest split, then the unit row, then the lowest arc.
    pub(super) fn trace(&mut self, space: &ArcSpace, scores: &LocalScores<V>) {
        let mut into = std::mem::take(&mut self.into);
        into.clear();
        into.resize(space.words(), ArcId(0));
        // Rows still to be expanded: an arc and the place of its row.
        let mut todo: Vec<(ArcId, usize)> = self.root_arc(space).map(|a| (a, space.words())).into_iter().collect();
        while let Some((a, x)) = todo.pop() {
            let (h, m) = (space.head(a), space.modifier(a));
            into[m.ix() - 1] = a;
            let right = h < m;
            let (s, t) = if right { (h.ix(), m.ix()) } else { (m.ix(), h.ix()) };

            let outside = space.outside_children(a);
            let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
            let end = if right { t } else { s - 1 };
            if let (Some(b), _) = self.choose(end, V::ZERO, outside, outside_scores, x) {
                todo.push((b, x));
            }

            let inside = space.inside_children(a);
            let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
            let siblings = space.siblings_to_follow(a);
            let sibling_scores = &scores.sibling[space.sibling_parts_of(a)][..siblings.len()];
            let first = scores.sibling[space.first_modifier_part(a)];
            let (sibling_end, child_end) = if right { (s, t - 1) } else { (t - 1, s) };
            let mut best = V::NEG_INF;
            let mut chosen = (None, None, s);
            for r in s..t {
                let (b, of_siblings) = self.choose(sibling_end, first, siblings.clone(), sibling_scores, r);
                let (c, of_children) = self.choose(child_end, V::ZERO, inside.clone(), inside_scores, r);
                let both = of_siblings + of_children;
                if both > best {
                    best = both;
                    chosen = (b, c, r);
                }
            }
            let (b, c, r) = chosen;
            todo.extend(b.map(|b| (b, r)));
            todo.extend(c.map(|c| (c, r)));
        }
        self.into = into;
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
