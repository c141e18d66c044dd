//! The best tree that has some arc: from the arc outward, after an outside pass.
//!
//! What an entry is worth outside comes from one entry that uses it. So the way leads from entry to entry up to the root,
//! and what each of them has beside the one before it is taken apart from the top down ([`trace`](super::trace)). Of equal
//! choices the first is taken.

use super::inside::outer_right_siblings;
use super::parents::{Parent, above};
use super::spans::{GrandScores, Spans};
use super::trace::Span;
use crate::decode::value::{Best, Value};
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// An entry of the chart.
enum Entry {
    /// R of an arc up to a word.
    Right(Parent, usize),
    /// L of an arc from after a word.
    Left(Parent, usize),
    /// I of a child.
    Open(Parent, ArcId),
    /// S of an arc after its sibling, or F.
    Span(ArcId, Option<ArcId>),
}

/// The best entry so far that uses another, and what it has beside it.
type BestUser<V> = Best<V, (Entry, [Option<Span>; 2])>;

/// The scores of all parts.
#[derive(Clone, Copy)]
struct Scores<'a, V> {
    space: &'a ArcSpace,
    local: &'a LocalScores<V>,
    grand: &'a GrandScores<V>,
}

impl<V: Value> Scores<'_, V> {
    /// What F or S of `b` has beside its halves.
    fn of_span(self, b: ArcId, part: usize) -> V {
        self.local.arc[b.ix()] + self.local.sibling[part]
    }

    /// What I of `b` below `parent` has beside F, or beside S and I of the sibling.
    fn of_open(self, parent: Parent, b: ArcId, part: usize) -> V {
        if !parent.is_arc {
            return V::ZERO;
        }
        let grandchild = parent.part(b.ix());
        let any = self.grand.any.get(grandchild).copied().unwrap_or(V::ZERO);
        any + self.grand.siblings.get(grandchild, part).unwrap_or(V::ZERO)
    }
}

impl<V: Value> Spans<V> {
    /// Adds the spans that the best tree that has `a` consists of to `todo`; false if no tree has it. After an outside pass.
    pub(super) fn list_spans_with(
        &self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        a: ArcId,
        todo: &mut Vec<Span>,
    ) -> bool {
        let mut best = Best::none();
        for parent in parents_of(space, a) {
            let part = parent.part(a.ix());
            best.offer(self.open[part] + self.outside_open[part], parent);
        }
        let Some(parent) = best.take() else { return false };
        todo.push(Span::Open(parent, a));
        let mut entry = Entry::Open(parent, a);
        let scores = Scores { space, local, grand };
        while let Some((user, beside)) = self.user(scores, entry).take() {
            todo.extend(beside.into_iter().flatten());
            entry = user;
        }
        true
    }

    /// The entry that `entry` gets its worth outside from; none for that of the whole tree.
    fn user(&self, scores: Scores<V>, entry: Entry) -> BestUser<V> {
        match entry {
            Entry::Open(parent, b) => self.user_of_open(scores, parent, b),
            Entry::Right(parent, x) if parent.is_arc => self.user_of_right(scores, ArcId::new(parent.row), x),
            Entry::Right(..) => Best::none(),
            Entry::Left(parent, r) => self.user_of_left(scores, ArcId::new(parent.row), r),
            Entry::Span(b, inner) => self.user_of_span(scores, b, inner),
        }
    }

    fn user_of_open(&self, scores: Scores<V>, parent: Parent, b: ArcId) -> BestUser<V> {
        let space = scores.space;
        let (h, m) = (space.head(b), space.modifier(b));
        let mut best = Best::none();
        for c in outer_siblings(space, b).filter(|c| parent.children().contains(&c.ix())) {
            let part = space.sibling_part(c, b);
            let own = self.span[part] + scores.of_open(parent, c, part);
            let value = self.outside_open[parent.part(c.ix())] + own;
            best.offer(value, (Entry::Open(parent, c), [Some(Span::After(c, b)), None]));
        }
        let outermost = parent.outermost(scores.local, parent.part(b.ix()), V::ZERO);
        let of_b = Parent::of_arc(space, b);
        let (row, row_of_b) = (parent.row * self.stride, b.ix() * self.stride);
        if h < m {
            for x in m.ix()..=parent.last(space).min(self.reach[b.ix()]) {
                let value = self.outside_right[row + x] + self.right[row_of_b + x] + outermost;
                best.offer(value, (Entry::Right(parent, x), [Some(Span::Right(of_b, x)), None]));
            }
        } else {
            for r in self.begin[b.ix()]..m.ix() {
                let value = self.outside_left[row + r] + self.left[row_of_b + r] + outermost;
                best.offer(value, (Entry::Left(parent, r), [Some(Span::Left(of_b, r)), None]));
            }
        }
        best
    }

    fn user_of_right(&self, scores: Scores<V>, a: ArcId, x: usize) -> BestUser<V> {
        let space = scores.space;
        let (h, m) = (space.head(a), space.modifier(a));
        let mut best = Best::none();
        if h < m {
            for parent in parents_of(space, a) {
                let value = self.outside_right[parent.row * self.stride + x] + self.closed[parent.part(a.ix())];
                best.offer(value, (Entry::Right(parent, x), [Some(Span::Open(parent, a)), None]));
            }
            for b in outer_siblings(space, a).filter(|&b| space.modifier(b).ix() > x) {
                let half = self.left[b.ix() * self.stride + x];
                self.offer_span(scores, &mut best, [b, a], half, Span::Left(Parent::of_arc(space, b), x));
            }
        } else {
            if x + 1 == h.ix() {
                self.offer_first(scores, &mut best, a);
            }
            for c in inner_siblings(space, a).filter(|&c| space.modifier(c).ix() > x) {
                let half = self.left[c.ix() * self.stride + x];
                self.offer_span(scores, &mut best, [a, c], half, Span::Left(Parent::of_arc(space, c), x));
            }
        }
        best
    }

    fn user_of_left(&self, scores: Scores<V>, a: ArcId, r: usize) -> BestUser<V> {
        let space = scores.space;
        let (h, m) = (space.head(a), space.modifier(a));
        let mut best = Best::none();
        if h > m {
            for parent in parents_of(space, a) {
                let value = self.outside_left[parent.row * self.stride + r] + self.closed[parent.part(a.ix())];
                best.offer(value, (Entry::Left(parent, r), [Some(Span::Open(parent, a)), None]));
            }
            for b in outer_siblings(space, a).filter(|&b| space.modifier(b).ix() <= r) {
                let half = self.right[b.ix() * self.stride + r];
                self.offer_span(scores, &mut best, [b, a], half, Span::Right(Parent::of_arc(space, b), r));
            }
        } else {
            if r == h.ix() {
                self.offer_first(scores, &mut best, a);
            }
            for c in inner_siblings(space, a).filter(|&c| space.modifier(c).ix() <= r) {
                let half = self.right[c.ix() * self.stride + r];
                self.offer_span(scores, &mut best, [a, c], half, Span::Right(Parent::of_arc(space, c), r));
            }
        }
        best
    }

    /// F of `a`, which has one half of it and nothing else.
    fn offer_first(&self, scores: Scores<V>, best: &mut BestUser<V>, a: ArcId) {
        let part = scores.space.first_modifier_part(a);
        best.offer(self.outside_span[part] + scores.of_span(a, part), (Entry::Span(a, None), [None, None]));
    }

    /// S of `outer` after `inner`; the half of it that is `beside` is worth `worth`.
    fn offer_span(
        &self,
        scores: Scores<V>,
        best: &mut BestUser<V>,
        [outer, inner]: [ArcId; 2],
        worth: V,
        beside: Span,
    ) {
        let part = scores.space.sibling_part(outer, inner);
        let value = self.outside_span[part] + scores.of_span(outer, part) + worth;
        best.offer(value, (Entry::Span(outer, Some(inner)), [Some(beside), None]));
    }

    fn user_of_span(&self, scores: Scores<V>, b: ArcId, inner: Option<ArcId>) -> BestUser<V> {
        let space = scores.space;
        let part = inner.map_or_else(|| space.first_modifier_part(b), |c| space.sibling_part(b, c));
        let mut best = Best::none();
        for parent in parents_of(space, b) {
            let before = match inner {
                None => V::ZERO,
                Some(c) if parent.children().contains(&c.ix()) => self.open[parent.part(c.ix())],
                Some(_) => continue,
            };
            let value = self.outside_open[parent.part(b.ix())] + scores.of_open(parent, b, part) + before;
            let before = inner.map(|c| Span::Open(parent, c));
            best.offer(value, (Entry::Open(parent, b), [Some(Span::Arc(b)), before]));
        }
        best
    }
}

/// The arcs that `a` may stand below.
fn parents_of(space: &ArcSpace, a: ArcId) -> impl Iterator<Item = Parent> {
    above(space, space.head(a)).filter(move |parent| parent.children().contains(&a.ix()))
}

/// The arcs that may follow `a` on its side.
fn outer_siblings(space: &ArcSpace, a: ArcId) -> impl Iterator<Item = ArcId> {
    let h: Word = space.head(a);
    let outer =
        if h < space.modifier(a) { outer_right_siblings(space, a) } else { space.left_arcs_of(h).start..a.ix() };
    outer.map(ArcId::new)
}

/// The arcs that `a` may follow on its side.
fn inner_siblings(space: &ArcSpace, a: ArcId) -> impl Iterator<Item = ArcId> {
    space.siblings_to_follow(a).map(ArcId::new)
}
