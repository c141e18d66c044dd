//! The search: nodes are bounded and branched until none is left that may have a better tree.

mod bounding;
mod branching;
mod climb;
mod fixing;
mod incumbent;
mod node;
mod workspace;

use super::Options;
use super::instance::scale;
use crate::decode::bnb::paper::{self, Reading};
use crate::decode::outcome::{Decoded, Limits, Status};
use crate::graph::FactorGraph;

use bounding::{Bounded, Bounding};
use branching::Frontier;
use incumbent::Incumbent;
use node::Node;
use workspace::Workspace;

/// The search with its memory, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Exact {
    bounding: Bounding,
    frontier: Frontier,
    incumbent: Incumbent,
    workspace: Workspace,
}

impl Exact {
    /// The best tree of `graph`, or the best found within `limits`. `prior` gives a probability an arc.
    ///
    /// Scores too large for exact sums in `f64` are left to the search of the paper, which has wider numbers.
    pub fn decode(&mut self, graph: &FactorGraph, prior: Option<&[f64]>, limits: Limits, options: &Options) -> Decoded {
        let scale = scale(graph);
        if !scale.fits_f64 {
            return paper::decode(graph, options.backbone, limits, &Reading::TO_THE_END);
        }
        self.bounding.start();
        self.incumbent.start(scale.bits);
        let mut root = self.workspace.node();
        root.fill(graph, prior, scale.bits, limits, options);
        let (status, bound) = self.search(root, limits, options);
        self.frontier.clear();
        self.workspace.truncate();
        self.answer(status, bound, scale.bits)
    }

    /// Opens nodes until none is left, or a limit is reached; with the bound on what is then left.
    fn search(&mut self, root: Node, limits: Limits, options: &Options) -> (Status, f64) {
        let Self { bounding, frontier, incumbent, workspace } = self;
        let mut node = root;
        loop {
            match bounding.bound(&mut node, incumbent, workspace, limits, frontier.bytes(), options) {
                Bounded::Closed => workspace.free(node),
                Bounded::Open => {
                    frontier.branch(node, workspace);
                    if limits.is_full(|| frontier.bytes()) {
                        return (Status::MemoryLimit, frontier.bound());
                    }
                }
                Bounded::Stopped(status) => {
                    let left = node.bound.max(frontier.bound());
                    workspace.free(node);
                    return (status, left);
                }
            }
            node = match frontier.next(incumbent, workspace, options.best_first) {
                Some(next) => next,
                None => return (Status::Optimal, f64::NEG_INFINITY),
            };
        }
    }

    fn answer(&self, status: Status, bound: f64, bits: u32) -> Decoded {
        let units = |scaled: f64| (scaled as i128) >> bits;
        let (tree, score) = self.incumbent.best().map(|(tree, score)| (tree, units(score))).unzip();
        let status = if status == Status::Optimal && score.is_none() { Status::Infeasible } else { status };
        let bound = match status {
            Status::Optimal | Status::Infeasible => score,
            _ if bound == f64::INFINITY => None,
            _ => Some(units(bound).max(score.unwrap_or(i128::MIN))),
        };
        let (dp_calls, nodes) = (self.bounding.dp_calls(), self.bounding.nodes());
        Decoded { tree, score, bound, status, dp_calls, nodes, fixed_arcs: self.bounding.fixed_arcs() }
    }
}
