//! The answer of one sentence.

pub use treebound_core::decode::Status;

/// All statuses, by their number in arrays.
pub const STATUSES: [Status; 5] =
    [Status::Optimal, Status::Infeasible, Status::DpCallLimit, Status::NodeLimit, Status::MemoryLimit];

/// A tree's certificate; its heads lie in an array.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// In steps of the grid; none without a tree.
    pub score: Option<i128>,
    /// In steps of the grid; none if there is no tree, or nothing is known.
    pub bound: Option<i128>,
    /// Why the decoder stopped.
    pub status: Status,
    /// Passes over the chart.
    pub calls: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// The step of the grid.
    pub step: f64,
    /// How far the score of any tree on the grid may be from its score off it.
    pub error: f64,
}

impl Answer {
    /// Of a program that does not search.
    pub fn proven(score: Option<i128>, step: f64, error: f64) -> Self {
        let status = if score.is_some() { Status::Optimal } else { Status::Infeasible };
        Self { score, bound: score, status, calls: 1, nodes: 1, step, error }
    }
}

/// The number of a status in arrays.
pub fn code(status: Status) -> u8 {
    STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len()) as u8
}
