//! The best tree of a chart, or of spans of it, from the top down.
//!
//! Choices are recomputed, not stored: a tree has n arcs, the chart thousands. Of equal choices the first is taken: no
//! sibling before a sibling, the lowest arc, the smallest split.

use std::ops::Range;

use super::inside::{common, list_choices};
use super::parents::Parent;
use super::spans::{GrandScores, Spans};
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace};

/// A span to be taken apart.
#[derive(Debug)]
pub(super) enum Span {
    /// R of an arc up to a word.
    Right(Parent, usize),
    /// L of an arc from after a word.
    Left(Parent, usize),
    /// I of a child.
    Open(Parent, ArcId),
    /// S of an arc after its sibling.
    After(ArcId, ArcId),
    /// An arc alone.
    Arc(ArcId),
}

impl<V: Value> Spans<V> {
    /// Fills `into` with the arcs of the best tree that consists of the spans `todo`, of which none is left.
    pub(super) fn trace(
        &mut self,
        space: &ArcSpace,
        grand: &GrandScores<V>,
        todo: &mut Vec<Span>,
        into: &mut Vec<ArcId>,
    ) {
        let mut choices = std::mem::take(&mut self.choices);
        into.clear();
        into.resize(space.words(), ArcId(0));
        while let Some(span) = todo.pop() {
            match span {
                Span::Right(parent, x) => {
                    let best = self.outermost(parent, parent.right(), |b| self.right[b * self.stride + x]);
                    if let Some(b) = best.filter(|_| self.right[parent.row * self.stride + x] > V::NEG_INF) {
                        todo.push(Span::Open(parent, b));
                        todo.push(Span::Right(Parent::of_arc(space, b), x));
                    }
                }
                Span::Left(parent, r) => {
                    let at = &self.left_at[r * space.arcs()..];
                    if let Some(b) = self.outermost(parent, parent.left(), |b| at[b]) {
                        todo.push(Span::Open(parent, b));
                        todo.push(Span::Left(Parent::of_arc(space, b), r));
                    }
                }
                Span::Open(parent, b) => {
                    into[space.modifier(b).ix() - 1] = b;
                    list_choices(space, grand, parent, b, &self.span, &self.open, &mut choices);
                    self.take_apart(space, parent, b, first_best(choices.iter().copied()), todo);
                }
                Span::After(b, c) => {
                    into[space.modifier(b).ix() - 1] = b;
                    self.split(space, b, c, todo);
                }
                Span::Arc(b) => into[space.modifier(b).ix() - 1] = b,
            }
        }
        self.choices = choices;
    }

    /// The child that is outermost in the best half, where `beyond` has the worth of its own half beyond it; none if the half
    /// is the head alone.
    fn outermost(&self, parent: Parent, children: Range<usize>, beyond: impl Fn(usize) -> V) -> Option<ArcId> {
        let start = children.start;
        let values = children.map(|b| self.closed[parent.part(b)] + beyond(b));
        first_best(values).map(|i| ArcId::new(start + i))
    }

    /// The spans of `b` after its `choice`: 0 for none, else an inner sibling.
    fn take_apart(&self, space: &ArcSpace, parent: Parent, b: ArcId, choice: Option<usize>, todo: &mut Vec<Span>) {
        let Some(sibling) = choice.and_then(|i| i.checked_sub(1)) else {
            let (h, m, of_b) = (space.head(b).ix(), space.modifier(b).ix(), Parent::of_arc(space, b));
            todo.push(if h < m { Span::Left(of_b, h) } else { Span::Right(of_b, h - 1) });
            return;
        };
        let c = ArcId::new(space.siblings_to_follow(b).start + sibling);
        todo.push(Span::Open(parent, c));
        self.split(space, b, c, todo);
    }

    /// The two halves between `b` and `c`, the sibling that it follows.
    fn split(&self, space: &ArcSpace, b: ArcId, c: ArcId, todo: &mut Vec<Span>) {
        let (h, m, s) = (space.head(b).ix(), space.modifier(b).ix(), space.modifier(c).ix());
        let (of_b, of_c) = (Parent::of_arc(space, b), Parent::of_arc(space, c));
        let (first, second) = if h < m { (of_c, of_b) } else { (of_b, of_c) };
        let places = common(s.min(m)..s.max(m), self.reach[first.row], self.begin[second.row]);
        let from = places.start;
        let right = &self.right[first.row * self.stride..][places.clone()];
        let left = &self.left[second.row * self.stride..][places];
        let r = from + first_best(right.iter().zip(left).map(|(&right, &left)| right + left)).unwrap_or(0);
        todo.push(Span::Right(first, r));
        todo.push(Span::Left(second, r));
    }
}

/// The place of the largest value, the first of equals; none if all are minus infinity.
fn first_best<V: Value>(values: impl Iterator<Item = V>) -> Option<usize> {
    let mut best = V::NEG_INF;
    let mut place = None;
    for (i, value) in values.enumerate() {
        if value > best {
            (best, place) = (value, Some(i));
        }
    }
    place
}
