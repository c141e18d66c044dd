//! The chart's entries, taken apart in all ways ([`kbest`](crate::decode::kbest)).

use super::inside::common;
use super::parents::Parent;
use super::spans::{GrandScores, Spans};
use crate::decode::kbest::{Derivations, Way};
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores};

/// An entry. Arcs above a head are named by their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::decode) enum Item {
    /// R of an arc up to a word.
    Right(usize, usize),
    /// L of an arc from after a word.
    Left(usize, usize),
    /// I of a child.
    Open(usize, ArcId),
    /// F of an arc.
    First(ArcId),
    /// S of an arc after its sibling.
    After(ArcId, ArcId),
}

/// The chart of an inside pass with what it was made of.
pub(in crate::decode) struct Ways<'a, V> {
    pub(super) spans: &'a Spans<V>,
    pub(super) space: &'a ArcSpace,
    pub(super) local: &'a LocalScores<V>,
    pub(super) grand: &'a GrandScores<V>,
}

impl<V: Value> Ways<'_, V> {
    fn parent(&self, row: usize) -> Parent {
        if row == self.space.arcs() { Parent::of_root(self.space) } else { Parent::of_arc(self.space, ArcId::new(row)) }
    }

    /// The word below the arc of a row.
    fn head(&self, row: usize) -> usize {
        if row == self.space.arcs() { 0 } else { self.space.modifier(ArcId::new(row)).ix() }
    }

    /// What I of `b` has beside F, or beside S and I of the sibling.
    fn of_open(&self, parent: Parent, b: ArcId, part: usize) -> V {
        if !parent.is_arc {
            return V::ZERO;
        }
        let grandchild = parent.part(b.ix());
        let any = self.grand.any.get(grandchild).copied().unwrap_or(V::ZERO);
        any + self.grand.siblings.get(grandchild, part).unwrap_or(V::ZERO)
    }

    /// What F or S of `b` has beside its halves.
    fn of_span(&self, b: ArcId, part: usize) -> V {
        self.local.arc[b.ix()] + self.local.sibling[part]
    }
}

impl<V: Value> Derivations for Ways<'_, V> {
    type V = V;
    type Item = Item;

    fn best(&self, item: Item) -> V {
        let Self { spans, space, .. } = *self;
        match item {
            Item::Right(row, x) => spans.right[row * spans.stride + x],
            Item::Left(row, r) => spans.left[row * spans.stride + r],
            Item::Open(row, b) => spans.open[self.parent(row).part(b.ix())],
            Item::First(b) => spans.span[space.first_modifier_part(b)],
            Item::After(b, c) => spans.span[space.sibling_part(b, c)],
        }
    }

    fn ways(&self, item: Item, ways: &mut Vec<Way<V, Item>>) {
        let Self { spans, space, local, .. } = *self;
        let nothing = Way { score: V::ZERO, arc: None, of: [None, None] };
        match item {
            Item::Right(row, x) | Item::Left(row, x) => {
                let parent = self.parent(row);
                let is_right = matches!(item, Item::Right(..));
                let h = self.head(row);
                if (is_right && x == h) || (!is_right && x + 1 == h) {
                    ways.push(nothing);
                }
                for b in if is_right { parent.right() } else { parent.left() } {
                    let half = if is_right { Item::Right(b, x) } else { Item::Left(b, x) };
                    let score = parent.outermost(local, parent.part(b), V::ZERO);
                    ways.push(Way { score, arc: None, of: [Some(Item::Open(row, ArcId::new(b))), Some(half)] });
                }
            }
            Item::Open(row, b) => {
                let parent = self.parent(row);
                let first = space.first_modifier_part(b);
                ways.push(Way { score: self.of_open(parent, b, first), of: [Some(Item::First(b)), None], ..nothing });
                for c in space.siblings_to_follow(b).filter(|c| parent.children().contains(c)).map(ArcId::new) {
                    let score = self.of_open(parent, b, space.sibling_part(b, c));
                    ways.push(Way { score, of: [Some(Item::Open(row, c)), Some(Item::After(b, c))], ..nothing });
                }
            }
            Item::First(b) => {
                let (h, m) = (space.head(b).ix(), space.modifier(b).ix());
                let half = if h < m { Item::Left(b.ix(), h) } else { Item::Right(b.ix(), h - 1) };
                let score = self.of_span(b, space.first_modifier_part(b));
                ways.push(Way { score, arc: Some(b), of: [Some(half), None] });
            }
            Item::After(b, c) => {
                let (h, m, s) = (space.head(b).ix(), space.modifier(b).ix(), space.modifier(c).ix());
                let (first, second) = if h < m { (c.ix(), b.ix()) } else { (b.ix(), c.ix()) };
                let score = self.of_span(b, space.sibling_part(b, c));
                for r in common(s.min(m)..s.max(m), spans.reach[first], spans.begin[second]) {
                    let of = [Some(Item::Right(first, r)), Some(Item::Left(second, r))];
                    ways.push(Way { score, arc: Some(b), of });
                }
            }
        }
    }
}
