//! The edge-factored model over given arcs (paper, sections 5.2 and 6.3).

use super::transition::{Actions, Costs, Partial, State};

/// Costs of arcs, at least 0. A reduction costs its arc, a shift nothing, and the end costs the arc from the root.
///
/// The state is (span of s0, head of s1, head of s0).
#[derive(Clone, Debug)]
pub struct ArcCosts {
    words: u32,
    /// By head, then modifier, each from 0.
    arcs: Vec<i64>,
}

impl ArcCosts {
    /// The costs of arcs of a sentence of so many words: at `head * (words + 1) + modifier`.
    pub fn new(words: u32, arcs: Vec<i64>) -> Self {
        Self { words, arcs }
    }

    fn arc(&self, head: Partial, modifier: Partial) -> i64 {
        self.arcs[(head.head * (self.words + 1) + modifier.head) as usize]
    }
}

impl Costs for ArcCosts {
    fn words(&self) -> u32 {
        self.words
    }

    fn class(&self, place: usize, tree: Partial) -> u64 {
        if place < 2 { tree.head.into() } else { 0 }
    }

    fn actions(&mut self, state: &State) -> Actions<i64> {
        let [s0, s1, _] = state.trees;
        if s1.is_none() { [0; 3] } else { [0, self.arc(s0, s1), self.arc(s1, s0)] }
    }

    fn end(&self, tree: Partial) -> i64 {
        self.arc(Partial::NONE, tree)
    }
}
