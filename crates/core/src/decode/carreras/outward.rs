//! The best tree that has some arc: from the arc outward, after an outside pass.
//!
//! What an entry is worth outside comes from one entry that uses it. So the way leads from entry to entry up to the root,
//! and what each of them has beside the one before it is taken apart from the top down ([`trace`](super::trace)). Of equal
//! choices the first is taken.

use super::rows::Rows;
use super::trace::Entry;
use crate::decode::value::{Best, Value};
use crate::graph::{ArcId, ArcSpace, LocalScores};

/// The best entry so far that uses another, and what it has beside it.
type BestUser<V> = Best<V, (Entry, [Option<Entry>; 2])>;

impl<V: Value> Rows<V> {
    /// The entries that the best tree that has `a` consists of; none if no tree has it. After an outside pass.
    pub(super) fn entries_with(&self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId) -> Option<Vec<Entry>> {
        if self.open[a.ix()] + self.outside_open[a.ix()] == V::NEG_INF {
            return None;
        }
        let mut entries = vec![Entry::Open(a)];
        let mut entry = Entry::Open(a);
        while let Some((user, beside)) = self.user(space, scores, entry).take() {
            entries.extend(beside.into_iter().flatten());
            entry = user;
        }
        Some(entries)
    }

    /// The entry that `entry` gets its worth outside from; none for that of the whole tree.
    fn user(&self, space: &ArcSpace, scores: &LocalScores<V>, entry: Entry) -> BestUser<V> {
        match entry {
            Entry::Open(a) => self.user_of_open(space, scores, a),
            Entry::Row(a, x) if !self.is_last(space, a, x) => self.user_of_row(space, scores, a, x),
            Entry::Row(..) | Entry::Arc(_) => Best::none(),
        }
    }

    fn user_of_open(&self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId) -> BestUser<V> {
        let mut best = Best::none();
        let row = a.ix() * self.stride;
        for x in 0..=space.words() {
            let around = self.outside_rows[row + x];
            if around > V::NEG_INF {
                let (child, closed) = self.outside_child(space, scores, a, x);
                best.offer(around + closed, (Entry::Row(a, x), [child.map(|b| Entry::Row(b, x)), None]));
            }
        }
        best
    }

    fn user_of_row(&self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId, x: usize) -> BestUser<V> {
        let (h, m) = (space.head(a), space.modifier(a));
        let mut best = Best::none();
        let outer = if h < m { a.ix() + 1..space.right_arcs_of(h).end } else { space.left_arcs_of(h).start..a.ix() };
        for b in outer.map(ArcId::new) {
            if space.siblings_to_follow(b).contains(&a.ix()) {
                let score = scores.arc[b.ix()] + scores.sibling[space.sibling_part(b, a)];
                let (child, of_child) = self.inside_child(space, scores, b, x);
                let value = self.outside_open[b.ix()] + score + of_child;
                best.offer(value, (Entry::Open(b), [Some(Entry::Arc(b)), child.map(|c| Entry::Row(c, x))]));
            }
        }
        for &p in space.arcs_into(h) {
            if !space.children(p).contains(&a.ix()) {
                continue;
            }
            let score = scores.grandchild[space.grandchild_part(p, a)];
            if space.outside_children(p).contains(&a.ix()) {
                let value = self.outside_rows[p.ix() * self.stride + x] + self.open[p.ix()] + score;
                best.offer(value, (Entry::Row(p, x), [Some(Entry::Open(p)), None]));
            } else {
                let (sibling, of_sibling) = self.sibling(space, scores, p, x);
                let value = self.outside_open[p.ix()] + scores.arc[p.ix()] + score + of_sibling;
                best.offer(value, (Entry::Open(p), [Some(Entry::Arc(p)), sibling.map(|b| Entry::Row(b, x))]));
            }
        }
        best
    }

    /// Whether `a` is a root arc that nothing follows in the best tree with place `x` of its row.
    fn is_last(&self, space: &ArcSpace, a: ArcId, x: usize) -> bool {
        space.head(a).is_root() && x == space.words() && self.outside_rows[a.ix() * self.stride + x] == V::ZERO
    }
}
