//! The factor graph: all that a decoder sees of a sentence (candidate arcs, local parts, non-local factors).
//!
//! Features and weights are unknown here and search is unknown to the graph; a graph can be written to a file and read
//! back, so that any outside solver can be held against ours on the same problem.

mod factors;
pub mod json;
mod local;
mod room;
mod score;
mod space;

pub use crate::tree::Word;
pub use factors::{FactorId, Factors};
pub use local::{GrandSiblings, LocalScores};
pub use room::{Asked, Room};
pub use score::{TreeArcs, TreePart, each_part, tree_score};
#[doc(hidden)]
pub use space::fits;
pub use space::{ArcId, ArcSpace, SpaceError};

/// A sentence as a decoder sees it; scores are integers in units of the model.
#[derive(Clone, Debug, Default)]
pub struct FactorGraph {
    /// Candidate arcs.
    pub space: ArcSpace,
    /// Scores of the parts that the dynamic program handles itself.
    pub local: LocalScores<i64>,
    /// Scores of grand-sibling parts; only the third-order dynamic program handles them.
    pub grand_siblings: GrandSiblings<i64>,
    /// Non-local factors.
    pub factors: Factors,
}
