//! The default search: exact, in a handful of calls to the dynamic program.
//!
//! A node is a set of candidate arcs; its trees are those over them. What the paper says in section 3 is done here in four
//! steps:
//!
//! * `instance`, `links`, `sides`: the graph's factors by shape, in the arrays that all else runs over, and the true score
//!   of a tree;
//! * `patterns`, `counted`, `crossings`: factors of other shapes, and over arborescences all of them;
//! * `relaxation`, `multipliers`, `active` (paper, 3.2, the upper bound function): every factor is replaced by scores on
//!   parts that the dynamic program handles anyway, never less than the factor, and moved about by multipliers; larger
//!   factors through links of their arcs. The multipliers begin where the expected bound under a prior is least;
//! * `slack`, `seen` (3.2, the search for the saddle point; 3.3, the gap): which factors are loose at a tree, and steps on
//!   their multipliers;
//! * `nodes`, `bounding`, `incumbent` (3.3, branch and bound; 3.4, lower bounds): bounding, branching, fixing arcs, and the
//!   best tree so far.
//!
//! Bounding a node repeats
//!
//! 1. one call: the best tree under the multipliers, whose value is a bound for all trees of the node;
//! 2. the tree's true score, and that of the tree that it can be improved to by moving words, as incumbents;
//! 3. now and then an outside pass: arcs in no tree above the incumbent are dropped, and all arrays shrink with them; of
//!    the others the best trees that have them are gathered;
//! 4. the factors that are loose at the tree, and a step that would close the gap if the bound were linear, for this tree
//!    and for the ones before it,
//!
//! until the bound, rounded down to a whole score, is no more than the incumbent's, or it no longer comes nearer to it and
//! the node is branched on the arc whose factors were loose most. What the first call does not settle goes on over the
//! third-order program, to which all grandchildren are local, and which tells what a pair is worth under each arc above it.
//!
//! **Trees that cross** are searched in the same way, with the maximum spanning arborescence as the program. Arcs alone are
//! local to it: everything else is lifted onto arcs, and what arcs cost is read off the call. If it costs that arcs are not
//! projective, the best projective tree is searched for first, as an incumbent.
//!
//! **The k best trees**: the incumbent is the worst of the k best so far, and each call's trees are listed, best first, as far
//! as their relaxed scores are above it. When the list comes to its end, the node is closed.
//!
//! All sums are whole numbers of a fixed point, exact in `f64`.

mod active;
mod bounding;
mod counted;
mod crossings;
mod incumbent;
mod instance;
mod links;
mod multipliers;
mod nodes;
mod pattern_climber;
mod patterns;
mod relaxation;
mod seen;
mod sides;
mod slack;

use self::bounding::{Bounded, Bounding};
use self::counted::floor;
use self::crossings::begins_projective;
use self::incumbent::Incumbent;
use self::instance::scale;
use self::nodes::{Frontier, Node, Workspace};
use crate::decode::backbone::Backbone;
use crate::decode::bnb::Scale;
use crate::decode::bnb::paper;
use crate::decode::bnb::paper::{Order, Reading};
use crate::decode::outcome::{Decoded, DpError, Limits, Status};
use crate::graph::{FactorGraph, Trees};
use crate::tree::Tree;

/// Switches and settings of the search, for measuring what each idea is worth. They change how many calls a proof takes,
/// never a proven score.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The dynamic program; grand-siblings are always left to the program that scores them.
    pub backbone: Backbone,
    /// Start the multipliers from the prior, if there is one; else all heads of a word are thought alike.
    pub prior: bool,
    /// Drop arcs whose max-marginal shows that no better tree has them.
    pub fixing: bool,
    /// Improve trees by moving single words.
    pub climbing: bool,
    /// Open the node with the highest bound first; else the oldest.
    pub best_first: bool,
    /// Iterations on a node before its first fixing.
    pub first_fixing: u64,
    /// Iterations on a node between fixings.
    pub fixing_every: u64,
    /// Iterations on a node before the third-order program takes over, which needs no bound on grandchildren and sees links
    /// to the arc above.
    pub third_order_after: u64,
    /// Most iterations on a node before it is branched.
    pub iterations: u64,
    /// A node is branched after so many iterations that did not bring its bound nearer to the incumbent by
    /// [`progress`](Self::progress).
    pub patience: u64,
    /// What part of the distance between bound and incumbent counts as progress.
    pub progress: f64,
    /// Most trees that are taken from an outside pass: the best ones with arcs that those before have not.
    pub gather: usize,
    /// How many of these, the best ones, are climbed from.
    pub climbs: usize,
    /// How many trees of a node are kept for steps to go round; at least the newest.
    pub memory: usize,
    /// Most rounds of steps between two calls.
    pub rounds: usize,
    /// Under the third-order program, bound pairs on both sides of a head under each arc into it apart.
    pub pairs_by_arc: bool,
    /// Bound factors of other shapes than pairs through links of their arcs; else through each arc alone, as in the paper.
    pub links: bool,
    /// Factor on the length of steps, where 1 would close the gap if the bound were linear.
    pub step: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backbone: Backbone::Carreras,
            prior: true,
            fixing: true,
            climbing: true,
            best_first: true,
            first_fixing: 4,
            fixing_every: 2,
            third_order_after: 1,
            iterations: 24,
            patience: 4,
            progress: 0.3,
            gather: 100,
            climbs: 8,
            memory: 100,
            rounds: 3,
            pairs_by_arc: true,
            links: true,
            step: 1.6,
        }
    }
}

/// The best trees of a graph.
#[derive(Clone, Debug)]
pub struct BestTrees {
    /// The trees with their scores, best first.
    pub trees: Vec<(Tree, i128)>,
    /// The best of them, and what is proven: if the status is a proof, of all in the list. Else no tree that is not in it
    /// scores more than the bound.
    pub decoded: Decoded,
}

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
    /// Scores too large for exact sums in `f64` are left to the search of the paper, which has wider numbers, best node first.
    ///
    /// # Errors
    /// [`DpError::TooLarge`] if the paper's search has no such graph.
    pub fn decode(
        &mut self,
        graph: &FactorGraph,
        prior: Option<&[f64]>,
        limits: Limits,
        options: &Options,
    ) -> Result<Decoded, DpError> {
        if !scale(graph).fits_f64 && graph.check_projective().is_ok() {
            let reading = Reading { order: Order::BestFirst, ..Reading::USUAL };
            return Ok(paper::decode(graph, options.backbone, limits, &reading));
        }
        self.best_trees(graph, 1, prior, limits, options).map(|best| best.decoded)
    }

    /// The best `most` trees of `graph` (paper, section 5.2), all if there are fewer, or the best found within `limits`. `prior`
    /// gives a probability an arc.
    ///
    /// # Errors
    /// [`DpError::TooLarge`] if scores are too large for exact sums in `f64`.
    pub fn best_trees(
        &mut self,
        graph: &FactorGraph,
        most: usize,
        prior: Option<&[f64]>,
        limits: Limits,
        options: &Options,
    ) -> Result<BestTrees, DpError> {
        let Scale { bits, fits_f64 } = scale(graph);
        if !fits_f64 {
            return Err(DpError::TooLarge);
        }
        if most == 0 || !graph.space.has_all_heads() {
            return Ok(BestTrees { trees: Vec::new(), decoded: Decoded::proven(None, 0) });
        }
        self.bounding.start();
        self.incumbent.start(bits, most, floor(graph, bits));
        if begins_projective(graph) {
            // One call is left for a bound on all trees.
            let limits = Limits { dp_calls: limits.dp_calls.map(|calls| calls.saturating_sub(1)), ..limits };
            let mut root = self.workspace.node();
            root.fill(graph, Trees::Projective, prior, bits, limits, options);
            self.search(root, limits, options);
            self.frontier.clear();
            self.bounding.start_nodes();
        }
        let mut root = self.workspace.node();
        root.fill(graph, graph.trees, prior, bits, limits, options);
        let (status, bound) = self.search(root, limits, options);
        self.frontier.clear();
        self.workspace.truncate();
        let decoded = self.answer(status, bound, bits);
        let units = |(tree, scaled): (Tree, f64)| (tree, (scaled as i128) >> bits);
        Ok(BestTrees { trees: self.incumbent.best().map(units).collect(), decoded })
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
        let (tree, score) = self.incumbent.best().next().map(|(tree, score)| (tree, units(score))).unzip();
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

#[cfg(test)]
mod tests;
