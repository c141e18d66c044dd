//! The chart: what is known of each span.

use super::parents::Parent;
use crate::decode::semiring::Semiring;
use crate::graph::{ArcSpace, GrandSiblings};

/// The scores that this program has and Carreras's has not.
#[derive(Clone, Debug)]
pub struct GrandScores<V> {
    /// By grandchild part: the score of every chain of two arcs, outermost or not; empty if all are 0.
    pub any: Vec<V>,
    /// Scores of grand-sibling parts.
    pub siblings: GrandSiblings<V>,
}

impl<V> Default for GrandScores<V> {
    fn default() -> Self {
        Self { any: Vec::new(), siblings: GrandSiblings::default() }
    }
}

impl<V: Copy> GrandScores<V> {
    /// Fills `into` with `f` of every score.
    pub fn map_into<W>(&self, into: &mut GrandScores<W>, f: impl Fn(V) -> W) {
        into.any.clear();
        into.any.extend(self.any.iter().map(|&score| f(score)));
        self.siblings.map_into(&mut into.siblings, f);
    }
}

/// The best scores of all spans.
#[derive(Debug, Default)]
pub(super) struct Spans<V> {
    pub stride: usize,
    /// R: one row an arc, and one for the virtual arc; minus infinity where undefined.
    pub right: Vec<V>,
    /// L: one row an arc.
    pub left: Vec<V>,
    /// L again: one row a place, one value an arc.
    pub left_at: Vec<V>,
    /// F and S by sibling part.
    pub span: Vec<V>,
    /// I by grandchild part, then by arc of the root.
    pub open: Vec<V>,
    /// I with the score of an outermost child.
    pub closed: Vec<V>,
    /// As the above: the best score of the rest of a tree that uses the entry.
    pub outside_right: Vec<V>,
    pub outside_left: Vec<V>,
    pub outside_span: Vec<V>,
    pub outside_open: Vec<V>,
    /// By row of R: a word with no value after it; by row of L: the first place with one. What lies outside is minus
    /// infinity, and loops leave it out.
    pub reach: Vec<usize>,
    pub begin: Vec<usize>,
    /// By word: the first of its left arcs to words not before the one that a pass is at.
    pub left_from: Vec<usize>,
    /// What an arc may follow: memory of one maximum.
    pub choices: Vec<V>,
}

impl<V: Semiring> Spans<V> {
    /// Empties the chart for an inside pass.
    pub fn prepare(&mut self, space: &ArcSpace) {
        self.stride = space.words() + 1;
        let root_arcs = Parent::of_root(space).children().len();
        for (values, len) in [
            (&mut self.right, (space.arcs() + 1) * self.stride),
            (&mut self.left, space.arcs() * self.stride),
            (&mut self.left_at, space.arcs() * self.stride),
            (&mut self.span, space.sibling_parts()),
            (&mut self.open, space.grandchild_parts() + root_arcs),
            (&mut self.closed, space.grandchild_parts() + root_arcs),
        ] {
            values.clear();
            values.resize(len, V::NONE);
        }
        for (places, len) in [(&mut self.reach, space.arcs() + 1), (&mut self.begin, space.arcs())] {
            places.clear();
            places.resize(len, 0);
        }
    }

    /// Empties the chart for an outside pass.
    pub fn prepare_outside(&mut self) {
        for (outside, inside) in [
            (&mut self.outside_right, &self.right),
            (&mut self.outside_left, &self.left),
            (&mut self.outside_span, &self.span),
            (&mut self.outside_open, &self.open),
        ] {
            outside.clear();
            outside.resize(inside.len(), V::NONE);
        }
    }
}
