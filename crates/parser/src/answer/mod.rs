//! What a parser says of a sentence: the tree, what is proven of it, what it cost and how long it took.

mod effort;
mod evaluated;
mod phases;
mod proof;

pub use effort::{Count, Effort};
pub use evaluated::Evaluated;
pub use phases::{Clock, NoClock, Phase, Phases, WallClock};
pub use proof::{Limit, Proof};

use crate::treebank::Tree;
use treebound_core::decode::Decoded;
use treebound_core::graph::Word;

/// The answer of a system for one sentence.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The tree; none if the system gave none.
    pub tree: Option<Tree>,
    /// Its score in units of the model, if it has one.
    pub score: Option<i128>,
    /// No tree scores more than this, if that is known.
    pub bound: Option<i128>,
    /// What is proven of the tree.
    pub proof: Proof,
    /// The arcs that the system chose from, sorted by head, then modifier; none if it does not choose candidates.
    pub candidates: Option<Vec<(Word, Word)>>,
    /// What it cost.
    pub effort: Effort,
    /// How long it took.
    pub phases: Phases,
}

impl Answer {
    /// What a decoder says of the graph over some candidate arcs.
    pub fn of_graph(decoded: Decoded, candidates: &[(Word, Word)], phases: Phases) -> Self {
        let Decoded { tree, score, bound, status, dp_calls, nodes, fixed_arcs: _ } = decoded;
        Self {
            tree,
            score,
            bound,
            proof: status.into(),
            candidates: Some(candidates.to_vec()),
            effort: Effort::default().with(Count::Nodes, nodes).with(Count::DpCalls, dp_calls),
            phases,
        }
    }
}
