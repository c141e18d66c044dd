//! The chart's entries: how each is made of others, and which others use it ([`derivations`](crate::decode::derivations)).

use std::ops::Range;

use crate::decode::carreras::{Rows, part_range};
use crate::decode::derivations::{Derivation, Derivations, Outside};
use crate::decode::semiring::Value;
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

/// A maximum over rows.
#[derive(Clone, Copy)]
enum Half {
    /// What a row has beside O: the outermost child beyond the modifier.
    Beyond,
    /// The sibling next to the arc.
    Siblings,
    /// The outermost child towards the head.
    Inside,
}

/// The maximum over the unit row of a place with a score, and over the rows of arcs with theirs.
struct Choices<'a, V> {
    rows: &'a Rows<V>,
    end: usize,
    unit: V,
    arcs: Range<usize>,
    scores: &'a [V],
}

impl<V: Value> Choices<'_, V> {
    #[inline]
    fn best(&self, r: usize) -> V {
        let unit = if r == self.end { self.unit } else { V::NEG_INF };
        let arcs = self.arcs.clone().zip(self.scores);
        arcs.fold(unit, |best, (b, &score)| best.plus(self.rows.at(b, r) + score))
    }

    /// The derivations at place `r`, each beside `first`: the unit row, then rows by ascending arcs.
    #[inline]
    fn each(&self, r: usize, (first, value): (Option<Item>, V), mut visit: impl FnMut(V, Derivation<V, Item>)) {
        if r == self.end {
            visit(value + self.unit, Derivation { score: self.unit, arc: None, of: [first, None] });
        }
        for (b, &score) in self.arcs.clone().zip(self.scores) {
            let of = [first, Some(Item::Row(ArcId::new(b), r))];
            visit(value + (self.rows.at(b, r) + score), Derivation { score, arc: None, of });
        }
    }
}

/// The chart with what it was made of.
pub(in crate::decode) struct Entries<'a, V> {
    pub(super) rows: &'a Rows<V>,
    pub(super) space: &'a ArcSpace,
    pub(super) scores: &'a LocalScores<V>,
}

impl<'a, V: Value> Entries<'a, V> {
    /// Where `a` may be split.
    fn places(&self, a: ArcId) -> Range<usize> {
        let (h, m) = (self.space.head(a).ix(), self.space.modifier(a).ix());
        h.min(m)..h.max(m)
    }

    /// What a half of `a` is the maximum of.
    #[inline]
    fn choices(&self, half: Half, a: ArcId) -> Choices<'a, V> {
        let Self { rows, space, scores } = *self;
        let is_right = space.head(a) < space.modifier(a);
        let (places, m) = (self.places(a), space.modifier(a).ix());
        let grandchildren = |arcs: &Range<usize>| &scores.grandchild[part_range(space, a, arcs)];
        let (end, unit, arcs, scores) = match half {
            Half::Beyond => {
                let arcs = space.outside_children(a);
                (if is_right { m } else { m - 1 }, V::ZERO, arcs.clone(), grandchildren(&arcs))
            }
            Half::Siblings => {
                let arcs = space.siblings_to_follow(a);
                let first = scores.sibling[space.first_modifier_part(a)];
                let scores = &scores.sibling[space.sibling_parts_of(a)][..arcs.len()];
                (if is_right { places.start } else { places.end - 1 }, first, arcs, scores)
            }
            Half::Inside => {
                let arcs = space.inside_children(a);
                (if is_right { places.end - 1 } else { places.start }, V::ZERO, arcs.clone(), grandchildren(&arcs))
            }
        };
        Choices { rows, end, unit, arcs, scores }
    }

    /// The value of a half of a split of `a`, minus infinity where `a` is not split.
    fn half(&self, half: Half, a: ArcId, r: usize) -> V {
        if self.places(a).contains(&r) { self.choices(half, a).best(r) } else { V::NEG_INF }
    }

    /// The derivation of O of `a` split after `r`.
    fn split(&self, a: ArcId, r: usize) -> Derivation<V, Item> {
        let of = [Some(Item::Siblings(a, r)), Some(Item::Inside(a, r))];
        Derivation { score: self.scores.arc[a.ix()], arc: Some(a), of }
    }

    /// The entries that use place `x` of the row of `a`.
    fn users_of_row(&self, a: ArcId, x: usize, mut visit: impl FnMut(Item, Derivation<V, Item>)) {
        let Self { space, scores, .. } = *self;
        let (h, m, row) = (space.head(a), space.modifier(a), Some(Item::Row(a, x)));
        let alone = |score| Derivation { score, arc: None, of: [row, None] };
        if h.is_root() && x == space.words() {
            visit(Item::Tree, alone(V::ZERO));
        }
        let outer = if h < m { a.ix() + 1..space.right_arcs_of(h).end } else { space.left_arcs_of(h).start..a.ix() };
        for b in outer.map(ArcId::new).filter(|&b| space.siblings_to_follow(b).contains(&a.ix())) {
            visit(Item::Siblings(b, x), alone(scores.sibling[space.sibling_part(b, a)]));
        }
        for &p in space.arcs_into(h).iter().filter(|&&p| space.children(p).contains(&a.ix())) {
            let score = scores.grandchild[space.grandchild_part(p, a)];
            if space.outside_children(p).contains(&a.ix()) {
                visit(Item::Row(p, x), Derivation { score, arc: None, of: [Some(Item::Open(p)), row] });
            } else {
                visit(Item::Inside(p, x), alone(score));
            }
        }
    }
}

impl<V: Value> Derivations for Entries<'_, V> {
    type V = V;
    type Item = Item;

    fn best(&self, item: Item) -> V {
        match item {
            Item::Tree => {
                let words = self.space.words();
                self.space.arcs_of(Word::ROOT).map(|a| self.rows.at(a, words)).fold(V::NEG_INF, V::plus)
            }
            Item::Row(a, x) => self.rows.at(a.ix(), x),
            Item::Open(a) => self.rows.open[a.ix()],
            Item::Siblings(a, r) => self.half(Half::Siblings, a, r),
            Item::Inside(a, r) => self.half(Half::Inside, a, r),
        }
    }

    fn each(&self, item: Item, mut visit: impl FnMut(V, Derivation<V, Item>)) {
        match item {
            Item::Tree => {
                let words = self.space.words();
                for a in self.space.arcs_of(Word::ROOT) {
                    let of = [Some(Item::Row(ArcId::new(a), words)), None];
                    visit(self.rows.at(a, words), Derivation { score: V::ZERO, arc: None, of });
                }
            }
            Item::Row(a, x) => {
                let open = (Some(Item::Open(a)), self.rows.open[a.ix()]);
                self.choices(Half::Beyond, a).each(x, open, visit);
            }
            Item::Open(a) => {
                let (siblings, inside) = (self.choices(Half::Siblings, a), self.choices(Half::Inside, a));
                let arc = self.scores.arc[a.ix()];
                self.places(a).for_each(|r| visit(arc + siblings.best(r) + inside.best(r), self.split(a, r)));
            }
            Item::Siblings(a, r) => self.choices(Half::Siblings, a).each(r, (None, V::ZERO), visit),
            Item::Inside(a, r) => self.choices(Half::Inside, a).each(r, (None, V::ZERO), visit),
        }
    }
}

impl<V: Value> Outside for Entries<'_, V> {
    fn outside(&self, item: Item) -> V {
        let around = |a: ArcId| self.rows.outside_open[a.ix()] + self.scores.arc[a.ix()];
        match item {
            Item::Tree => V::ZERO,
            Item::Row(a, x) => self.rows.outside_rows[a.ix() * self.rows.stride + x],
            Item::Open(a) => self.rows.outside_open[a.ix()],
            Item::Siblings(a, r) => around(a) + self.half(Half::Inside, a, r),
            Item::Inside(a, r) => around(a) + self.half(Half::Siblings, a, r),
        }
    }

    fn users(&self, item: Item, mut visit: impl FnMut(Item, Derivation<V, Item>)) {
        match item {
            Item::Tree => {}
            Item::Open(a) => {
                let (beyond, open) = (self.choices(Half::Beyond, a), (Some(item), self.rows.open[a.ix()]));
                for x in (0..=self.space.words()).filter(|&x| self.outside(Item::Row(a, x)) > V::NEG_INF) {
                    beyond.each(x, open, |_, derivation| visit(Item::Row(a, x), derivation));
                }
            }
            Item::Row(a, x) => self.users_of_row(a, x, visit),
            Item::Siblings(a, r) | Item::Inside(a, r) => visit(Item::Open(a), self.split(a, r)),
        }
    }
}
