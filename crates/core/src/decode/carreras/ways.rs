//! The chart's entries, taken apart in all ways ([`kbest`](crate::decode::kbest)).

use super::rows::{Rows, part_range};
use super::trace::places;
use crate::decode::kbest::{Derivations, Way};
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// An entry, or a half of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::decode) enum Item {
    /// The whole tree.
    Tree,
    /// R or L of an arc, and a place.
    Row(ArcId, usize),
    /// O of an arc.
    Open(ArcId),
    /// S of an arc split after a place.
    Siblings(ArcId, usize),
    /// I of an arc split after a place.
    Inside(ArcId, usize),
}

/// The chart of an inside pass with what it was made of.
pub(in crate::decode) struct Ways<'a, V> {
    pub(super) rows: &'a Rows<V>,
    pub(super) space: &'a ArcSpace,
    pub(super) scores: &'a LocalScores<V>,
}

impl<V: Value> Ways<'_, V> {
    /// The unit row of `end`, and the rows of `arcs` with their scores, at place `r`, each beside `first`.
    fn rows_at(
        &self,
        (end, none): (usize, V),
        arcs: std::ops::Range<usize>,
        scores: &[V],
        r: usize,
        first: Option<Item>,
        ways: &mut Vec<Way<V, Item>>,
    ) {
        if r == end {
            ways.push(Way { score: none, arc: None, of: [first, None] });
        }
        let row = |b: usize| Some(Item::Row(ArcId::new(b), r));
        ways.extend(arcs.zip(scores).map(|(b, &score)| Way { score, arc: None, of: [first, row(b)] }));
    }
}

impl<V: Value> Derivations for Ways<'_, V> {
    type V = V;
    type Item = Item;

    fn best(&self, item: Item) -> V {
        let Self { rows, space, scores } = *self;
        match item {
            Item::Tree => rows.root_arc(space).map_or(V::NEG_INF, |a| rows.at(a.ix(), space.words())),
            Item::Row(a, x) => rows.at(a.ix(), x),
            Item::Open(a) => rows.open[a.ix()],
            Item::Siblings(a, r) => rows.sibling(space, scores, a, r).1,
            Item::Inside(a, r) => rows.inside_child(space, scores, a, r).1,
        }
    }

    fn ways(&self, item: Item, ways: &mut Vec<Way<V, Item>>) {
        let Self { space, scores, .. } = *self;
        let ends = |a: ArcId| (space.head(a) < space.modifier(a), places(space, a));
        match item {
            Item::Tree => ways.extend(space.arcs_of(Word::ROOT).map(|a| Way {
                score: V::ZERO,
                arc: None,
                of: [Some(Item::Row(ArcId::new(a), space.words())), None],
            })),
            Item::Row(a, x) => {
                let outside = space.outside_children(a);
                let scores = &scores.grandchild[part_range(space, a, &outside)];
                let m = space.modifier(a).ix();
                let end = if ends(a).0 { m } else { m - 1 };
                self.rows_at((end, V::ZERO), outside, scores, x, Some(Item::Open(a)), ways);
            }
            Item::Open(a) => ways.extend(places(space, a).map(|r| Way {
                score: scores.arc[a.ix()],
                arc: Some(a),
                of: [Some(Item::Siblings(a, r)), Some(Item::Inside(a, r))],
            })),
            Item::Siblings(a, r) => {
                let siblings = space.siblings_to_follow(a);
                let (is_right, places) = ends(a);
                let end = if is_right { places.start } else { places.end - 1 };
                let first = scores.sibling[space.first_modifier_part(a)];
                let scores = &scores.sibling[space.sibling_parts_of(a)][..siblings.len()];
                self.rows_at((end, first), siblings, scores, r, None, ways);
            }
            Item::Inside(a, r) => {
                let inside = space.inside_children(a);
                let (is_right, places) = ends(a);
                let end = if is_right { places.end - 1 } else { places.start };
                let scores = &scores.grandchild[part_range(space, a, &inside)];
                self.rows_at((end, V::ZERO), inside, scores, r, None, ways);
            }
        }
    }
}
