//! The chart's entries: how each is made of others, and which others use it ([`derivations`](crate::decode::derivations)).

use crate::decode::derivations::{Derivation, Derivations, Outside};
use crate::decode::grand_sibling::passes::{common, outer_right_siblings};
use crate::decode::grand_sibling::{GrandScores, Parent, Spans, above};
use crate::decode::semiring::Value;
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

impl Item {
    /// The whole tree.
    pub(super) fn tree(space: &ArcSpace) -> Self {
        Self::Right(Parent::virtual_arc(space).row, space.words())
    }
}

/// The chart with what it was made of.
pub(in crate::decode) struct Entries<'a, V> {
    pub(super) spans: &'a Spans<V>,
    pub(super) space: &'a ArcSpace,
    pub(super) local: &'a LocalScores<V>,
    pub(super) grand: &'a GrandScores<V>,
}

impl<V: Value> Entries<'_, V> {
    fn parent(&self, row: usize) -> Parent {
        if row == self.space.arcs() {
            Parent::virtual_arc(self.space)
        } else {
            Parent::from_arc(self.space, ArcId::new(row))
        }
    }

    /// The word below the arc of a row.
    fn head(&self, row: usize) -> usize {
        if row == self.space.arcs() { 0 } else { self.space.modifier(ArcId::new(row)).ix() }
    }

    /// The arcs that `a` may stand below.
    pub(super) fn parents(&self, a: ArcId) -> impl Iterator<Item = Parent> {
        above(self.space, self.space.head(a)).filter(move |parent| parent.children().contains(&a.ix()))
    }

    /// The arcs that may follow `a` on its side.
    fn outer_siblings(&self, a: ArcId) -> impl Iterator<Item = ArcId> {
        let space = self.space;
        let h = space.head(a);
        let rightward = h < space.modifier(a);
        let outer = if rightward { outer_right_siblings(space, a) } else { space.left_arcs_of(h).start..a.ix() };
        outer.map(ArcId::new)
    }

    /// R or L of a row up to `x`, with `b` as the outermost child.
    #[inline]
    fn half(&self, parent: Parent, b: ArcId, x: usize) -> (Item, Derivation<V, Item>) {
        let score = parent.outermost(self.local, parent.part(b.ix()), V::ZERO);
        let is_right = self.space.head(b) < self.space.modifier(b);
        let half = |row| if is_right { Item::Right(row, x) } else { Item::Left(row, x) };
        let of = [Some(Item::Open(parent.row, b)), Some(half(b.ix()))];
        (half(parent.row), Derivation { score, arc: None, of })
    }

    /// I of `b`, as first modifier or after a sibling.
    #[inline]
    fn open(&self, parent: Parent, b: ArcId, after: Option<ArcId>) -> Derivation<V, Item> {
        let (part, of) = match after {
            None => (self.space.first_modifier_part(b), [Some(Item::First(b)), None]),
            Some(c) => (self.space.sibling_part(b, c), [Some(Item::Open(parent.row, c)), Some(Item::After(b, c))]),
        };
        let mut score = V::ZERO;
        if parent.is_arc {
            let grandchild = parent.part(b.ix());
            score = self.grand.any.get(grandchild).copied().unwrap_or(V::ZERO);
            if self.grand.siblings.has(grandchild) {
                score = score + self.grand.siblings.get(grandchild, part).unwrap_or(V::ZERO);
            }
        }
        Derivation { score, arc: None, of }
    }

    /// F of `b`.
    fn first(&self, b: ArcId) -> Derivation<V, Item> {
        let (h, m) = (self.space.head(b).ix(), self.space.modifier(b).ix());
        let half = if h < m { Item::Left(b.ix(), h) } else { Item::Right(b.ix(), h - 1) };
        self.span(b, self.space.first_modifier_part(b), [Some(half), None])
    }

    /// S of `b` after `c`, split after `r`.
    fn after(&self, b: ArcId, c: ArcId, r: usize) -> Derivation<V, Item> {
        let [first, second] = self.halves(b, c);
        let of = [Some(Item::Right(first, r)), Some(Item::Left(second, r))];
        self.span(b, self.space.sibling_part(b, c), of)
    }

    fn span(&self, b: ArcId, part: usize, of: [Option<Item>; 2]) -> Derivation<V, Item> {
        Derivation { score: self.local.arc[b.ix()] + self.local.sibling[part], arc: Some(b), of }
    }

    /// The rows of the right half and of the left half between `b` and `c`, the sibling that it follows.
    fn halves(&self, b: ArcId, c: ArcId) -> [usize; 2] {
        if self.space.head(b) < self.space.modifier(b) { [c.ix(), b.ix()] } else { [b.ix(), c.ix()] }
    }

    /// The entries that use R (`is_right`) or L of `a` with end `x`.
    fn users_of_half(&self, is_right: bool, a: ArcId, x: usize, mut visit: impl FnMut(Item, Derivation<V, Item>)) {
        let space = self.space;
        let h = space.head(a);
        let beyond = |b: &ArcId| (space.modifier(*b).ix() > x) == is_right;
        if (h < space.modifier(a)) == is_right {
            for parent in self.parents(a) {
                let (user, derivation) = self.half(parent, a, x);
                visit(user, derivation);
            }
            for b in self.outer_siblings(a).filter(beyond) {
                visit(Item::After(b, a), self.after(b, a, x));
            }
        } else {
            if h.ix() == x + usize::from(is_right) {
                visit(Item::First(a), self.first(a));
            }
            for c in space.siblings_to_follow(a).map(ArcId::new).filter(beyond) {
                visit(Item::After(a, c), self.after(a, c, x));
            }
        }
    }

    /// The entries that use I of `b`.
    fn users_of_open(&self, row: usize, b: ArcId, mut visit: impl FnMut(Item, Derivation<V, Item>)) {
        let (parent, m) = (self.parent(row), self.space.modifier(b).ix());
        for c in self.outer_siblings(b).filter(|c| parent.children().contains(&c.ix())) {
            visit(Item::Open(row, c), self.open(parent, c, Some(b)));
        }
        let ends = if self.space.head(b).ix() < m {
            m..parent.last(self.space).min(self.spans.reach[b.ix()]) + 1
        } else {
            self.spans.begin[b.ix()]..m
        };
        for x in ends {
            let (user, derivation) = self.half(parent, b, x);
            visit(user, derivation);
        }
    }
}

impl<V: Value> Derivations for Entries<'_, V> {
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

    fn each(&self, item: Item, mut visit: impl FnMut(V, Derivation<V, Item>)) {
        let Self { spans, space, .. } = *self;
        match item {
            Item::Right(row, x) | Item::Left(row, x) => {
                let (parent, is_right) = (self.parent(row), matches!(item, Item::Right(..)));
                if self.head(row) == x + usize::from(!is_right) {
                    visit(V::ZERO, Derivation { score: V::ZERO, arc: None, of: [None, None] });
                }
                let (children, halves) =
                    if is_right { (parent.right(), &spans.right) } else { (parent.left(), &spans.left) };
                for b in children {
                    let value = spans.closed[parent.part(b)] + halves[b * spans.stride + x];
                    visit(value, self.half(parent, ArcId::new(b), x).1);
                }
            }
            Item::Open(row, b) => {
                let parent = self.parent(row);
                let mut visit = |derivation: Derivation<V, Item>, of: V| visit(derivation.score + of, derivation);
                visit(self.open(parent, b, None), spans.span[space.first_modifier_part(b)]);
                let inner = space.siblings_to_follow(b).zip(space.sibling_parts_of(b));
                for (c, part) in inner.filter(|(c, _)| parent.children().contains(c)) {
                    let of = spans.open[parent.part(c)] + spans.span[part];
                    visit(self.open(parent, b, Some(ArcId::new(c))), of);
                }
            }
            Item::First(b) => visit(self.best(item), self.first(b)),
            Item::After(b, c) => {
                let (m, s) = (space.modifier(b).ix(), space.modifier(c).ix());
                let [first, second] = self.halves(b, c);
                let [right, left] = [&spans.right[first * spans.stride..], &spans.left[second * spans.stride..]];
                let score = self.local.arc[b.ix()] + self.local.sibling[space.sibling_part(b, c)];
                for r in common(s.min(m)..s.max(m), spans.reach[first], spans.begin[second]) {
                    visit(score + (right[r] + left[r]), self.after(b, c, r));
                }
            }
        }
    }
}

impl<V: Value> Outside for Entries<'_, V> {
    fn outside(&self, item: Item) -> V {
        let Self { spans, space, .. } = *self;
        match item {
            Item::Right(row, x) => spans.outside_right[row * spans.stride + x],
            Item::Left(row, r) => spans.outside_left[row * spans.stride + r],
            Item::Open(row, b) => spans.outside_open[self.parent(row).part(b.ix())],
            Item::First(b) => spans.outside_span[space.first_modifier_part(b)],
            Item::After(b, c) => spans.outside_span[space.sibling_part(b, c)],
        }
    }

    fn users(&self, item: Item, mut visit: impl FnMut(Item, Derivation<V, Item>)) {
        match item {
            // The virtual arc's row is the whole tree.
            Item::Right(row, _) if row == self.space.arcs() => {}
            Item::Right(row, x) => self.users_of_half(true, ArcId::new(row), x, visit),
            Item::Left(row, r) => self.users_of_half(false, ArcId::new(row), r, visit),
            Item::Open(row, b) => self.users_of_open(row, b, visit),
            Item::First(b) => {
                self.parents(b).for_each(|p| visit(Item::Open(p.row, b), self.open(p, b, None)));
            }
            Item::After(b, c) => {
                let parents = self.parents(b).filter(|p| p.children().contains(&c.ix()));
                parents.for_each(|p| visit(Item::Open(p.row, b), self.open(p, b, Some(c))));
            }
        }
    }
}
