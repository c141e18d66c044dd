//! What a decoder says of a sentence, and when it gives up.

use thiserror::Error;

use crate::tree::Tree;

/// Why a decoder stopped. Only [`Status::Optimal`] and [`Status::Infeasible`] are proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The tree is proven to be a best one.
    Optimal,
    /// The graph is proven to have no tree.
    Infeasible,
    /// The limit on branch-and-bound nodes was reached first.
    NodeLimit,
    /// The limit on calls to the dynamic program was reached first.
    DpCallLimit,
    /// The limit on memory was reached first.
    MemoryLimit,
    /// The tree has most expected right heads; nothing is said of other trees' scores.
    LeastRisk,
    /// No change of one arc makes the tree better; others may be.
    LocalOptimum,
    /// The tree was chosen among the best ones, and not by its score alone.
    Chosen,
    /// The tree comes from a relaxation, or from a program, with a bound that it does not reach.
    Relaxed,
}

impl Status {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Infeasible => "infeasible",
            Status::NodeLimit => "node-limit",
            Status::DpCallLimit => "dp-call-limit",
            Status::MemoryLimit => "memory-limit",
            Status::LeastRisk => "least-risk",
            Status::LocalOptimum => "local-optimum",
            Status::Chosen => "chosen",
            Status::Relaxed => "relaxed",
        }
    }

    /// True if the answer is proven.
    pub fn is_proof(self) -> bool {
        matches!(self, Status::Optimal | Status::Infeasible)
    }
}

/// When a search gives up; none means never. Limits are counts, never seconds, so that answers do not depend on the machine.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most calls to the dynamic program for one graph.
    pub dp_calls: Option<u64>,
    /// Most nodes for one graph.
    pub nodes: Option<u64>,
    /// Most bytes of a graph with what the program needs for it ([`Room`](crate::graph::Room)), and of a search's nodes, by what
    /// their arrays hold: not by what the system gave for them, which depends on the sentences before.
    pub bytes: Option<u64>,
}

/// What finished work is kept under: counts, and of the limit on memory nothing where there is none.
impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { dp_calls, nodes, bytes } = self;
        let mut shown = f.debug_struct("Limits");
        shown.field("dp_calls", dp_calls).field("nodes", nodes);
        if let Some(bytes) = bytes {
            shown.field("bytes", bytes);
        }
        shown.finish()
    }
}

/// As configs have it: `none` for no limit.
impl serde::Serialize for Limits {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(2))?;
        for (key, limit) in [("dp_calls", self.dp_calls), ("nodes", self.nodes)] {
            match limit {
                Some(limit) => map.serialize_entry(key, &limit)?,
                None => map.serialize_entry(key, "none")?,
            }
        }
        map.end()
    }
}

impl Limits {
    /// Whether a search that holds so many bytes has more than it may.
    pub fn is_full(&self, bytes: impl FnOnce() -> u64) -> bool {
        self.bytes.is_some_and(|limit| bytes() > limit)
    }

    /// The limit that these counts have reached, if any.
    pub fn reached(&self, dp_calls: u64, nodes: u64) -> Option<Status> {
        if self.dp_calls.is_some_and(|limit| dp_calls >= limit) {
            Some(Status::DpCallLimit)
        } else if self.nodes.is_some_and(|limit| nodes >= limit) {
            Some(Status::NodeLimit)
        } else {
            None
        }
    }
}

/// The answer of a decoder for one graph. Scores are in units of the graph.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The best tree found; none if the graph has none (or none was found before a limit).
    pub tree: Option<Tree>,
    /// The score of `tree`.
    pub score: Option<i128>,
    /// No tree of the graph scores more than this; equal to `score` when optimal, none when infeasible.
    pub bound: Option<i128>,
    /// Why the decoder stopped.
    pub status: Status,
    /// Max-product passes over the span chart, as [`Chart`](super::Chart) counts them.
    pub dp_calls: u64,
    /// Branch-and-bound nodes bounded; 1 for a decoder that does not branch.
    pub nodes: u64,
    /// Arcs that were fixed to be in no tree, over all nodes: no tree of the node better than the incumbent had them.
    pub fixed_arcs: u64,
}

impl Decoded {
    /// A proven answer of a decoder that does not branch: a best tree with its score, or none.
    pub fn proven(best: Option<(Tree, i128)>, dp_calls: u64) -> Self {
        let (tree, score) = best.unzip();
        let status = if tree.is_some() { Status::Optimal } else { Status::Infeasible };
        Self { tree, score, bound: score, status, dp_calls, nodes: 1, fixed_arcs: 0 }
    }
}

/// A graph that a decoder cannot decode.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DpError {
    /// Factors that are not local.
    #[error(
        "the graph has {0} factors that the dynamic program cannot score; use the decoder `bnb` (or --backbone grand-sibling, \
         if they are grandchildren)"
    )]
    Factors(usize),
    /// Trees that cross.
    #[error(
        "the graph is about non-projective trees, and this decoder knows projective ones only; use the decoder `bnb`, or \
         `dp` if arcs alone have scores"
    )]
    NonProjective,
    /// Factors that count.
    #[error("the graph has {0} factors that count arcs, of which this decoder knows nothing; use the decoder `bnb`")]
    Counts(usize),
    /// A decoder that is in another package.
    #[error("integer programs are solved elsewhere (treebound-ilp); use the decoder `bnb`")]
    Program,
    /// Scores that are too large.
    #[error("the scores add up to numbers of more than 53 bits; divide all of them by the same number, and round")]
    TooLarge,
}
