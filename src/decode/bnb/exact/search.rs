//! The search: nodes, the incumbent, and the order in which nodes are opened.

use std::sync::Arc;

use super::bounding::Bounded;
use super::branching;
use super::climb::Climber;
use super::families::Families;
use super::instance::Instance;
use super::kept::Kept;
use super::loose::Move;
use super::multipliers::Multipliers;
use super::options::Options;
use super::relaxation::Relaxed;
use super::scale::scale;
use super::seen::Seen;
use super::spare::Spare;
use crate::decode::backbone::Chart;
use crate::decode::bnb::limits::Limits;
use crate::decode::bnb::paper;
use crate::decode::outcome::{Decoded, Status};
use crate::graph::{ArcId, FactorGraph, TreeArcs, Word};
use crate::treebank::Tree;

/// A set of trees: those over the arcs of its instance.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub instance: Instance,
    pub multipliers: Multipliers,
    /// By arc: how loose its factors were, summed over the trees seen.
    pub gap: Vec<f64>,
    /// No tree of the node scores more.
    pub bound: f64,
    /// The last trees that were best under the multipliers, oldest first.
    pub seen: Vec<Seen>,
}

/// A node that is not opened yet. Many never are, so its instance is made when it is. Its bound is its parent's.
#[derive(Debug)]
struct Unopened {
    parent: Arc<Node>,
    /// The arc of the parent that it was branched on.
    arc: ArcId,
    /// Whether its trees must have the arc; else they must not.
    with: bool,
}

/// Nodes whose memory is kept for the next sentence.
const FREE_NODES: usize = 4;

/// Trees whose memory is kept for the next sentence: few, since a hard sentence leaves hundreds of large ones.
const SPARE_TREES: usize = 8;

/// The search with its memory, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Exact {
    pub(super) options: Options,
    /// The fixed point's unit.
    unit: f64,
    pub(super) chart: Chart<f64>,
    pub(super) relaxed: Relaxed,
    /// The tree of the last call.
    pub(super) tree: TreeArcs,
    /// Memory of one that is changed and put back.
    pub(super) found: TreeArcs,
    /// Memory of trees gathered.
    pub(super) gathered: Vec<Seen>,
    /// Arcs that may stay, in the order in which they are gathered for.
    pub(super) open: Vec<ArcId>,
    pub(super) moves: Vec<Move>,
    pub(super) order: Vec<(f64, f64)>,
    pub(super) climber: Climber,
    pub(super) marginals: Vec<f64>,
    pub(super) keep: Vec<bool>,
    pub(super) kept: Kept,
    pub(super) families: Families,
    pub(super) spare_trees: Spare,
    unopened: Vec<Unopened>,
    /// Nodes whose memory is free.
    free_nodes: Vec<Node>,
    spare: Node,
    incumbent: Option<f64>,
    heads: Vec<Word>,
    pub(super) dp_calls: u64,
    pub(super) nodes: u64,
}

impl Exact {
    /// The best tree of `graph`, or the best found within `limits`. `prior` gives a probability an arc.
    ///
    /// Scores too large for exact sums in `f64` are left to the search of the paper, which has wider numbers.
    pub fn decode(&mut self, graph: &FactorGraph, prior: Option<&[f64]>, limits: Limits, options: &Options) -> Decoded {
        let scale = scale(graph);
        if !scale.fits_f64 {
            return paper::decode(graph, options.backbone, limits);
        }
        self.options.clone_from(options);
        self.unit = (1u64 << scale.bits) as f64;
        self.incumbent = None;
        (self.dp_calls, self.nodes) = (0, 0);
        let mut root = self.free_nodes.pop().unwrap_or_default();
        let prior = prior.filter(|_| options.prior);
        root.instance.fill(graph, options.backbone.for_graph(graph), options.links, scale.bits, prior);
        root.multipliers.start(&root.instance);
        self.tell_pairs_apart(&mut root);
        root.gap.clear();
        root.gap.resize(graph.space.arcs(), 0.0);
        root.bound = f64::INFINITY;
        let (status, bound) = self.search(root, limits);
        self.unopened.clear();
        self.free_nodes.truncate(FREE_NODES);
        self.spare_trees.truncate(SPARE_TREES);
        self.answer(status, bound, scale.bits)
    }

    /// Opens nodes until none is left, or a limit is reached; with the bound on what is then left.
    fn search(&mut self, root: Node, limits: Limits) -> (Status, f64) {
        let mut node = root;
        loop {
            match self.bound(&mut node, limits) {
                Bounded::Closed => self.free(node),
                Bounded::Open => self.branch(node),
                Bounded::Stopped(status) => {
                    let left = self.unopened.iter().map(|n| n.parent.bound).fold(node.bound, f64::max);
                    self.free(node);
                    return (status, left);
                }
            }
            node = match self.next() {
                Some(next) => next,
                None => return (Status::Optimal, f64::NEG_INFINITY),
            };
        }
    }

    /// The next node that may have a better tree, ready to be bounded.
    fn next(&mut self) -> Option<Node> {
        loop {
            let next = self.take()?;
            if next.parent.bound > self.lower() {
                return Some(self.open(next));
            }
            self.release(next.parent);
        }
    }

    fn take(&mut self) -> Option<Unopened> {
        if !self.options.best_first {
            return (!self.unopened.is_empty()).then(|| self.unopened.remove(0));
        }
        // Of equal nodes the last in the list.
        let bound = |i: usize| self.unopened[i].parent.bound;
        let best = (0..self.unopened.len()).max_by(|&a, &b| bound(a).total_cmp(&bound(b)))?;
        Some(self.unopened.swap_remove(best))
    }

    fn open(&mut self, Unopened { parent, arc, with }: Unopened) -> Node {
        let mut keep = std::mem::take(&mut self.keep);
        if with {
            branching::with(&parent, arc, &mut keep);
        } else {
            branching::without(&parent, arc, &mut keep);
        }
        let mut node = self.free_nodes.pop().unwrap_or_default();
        self.restrict(&parent, &keep, &mut node);
        node.seen = self.spare_trees.restricted(&parent.seen, &self.kept);
        self.keep = keep;
        self.release(parent);
        node
    }

    /// Frees the memory of a node if no child of it is to be opened any more.
    fn release(&mut self, node: Arc<Node>) {
        if let Some(node) = Arc::into_inner(node) {
            self.free(node);
        }
    }

    fn free(&mut self, mut node: Node) {
        self.spare_trees.put(node.seen.drain(..));
        self.free_nodes.push(node);
    }

    fn branch(&mut self, mut node: Node) {
        let Some(arc) = branching::arc(&node) else { return self.free(node) };
        // Children have other instances, and nodes may wait for long.
        node.seen.iter_mut().for_each(Seen::release);
        let parent = Arc::new(node);
        for with in [false, true] {
            self.unopened.push(Unopened { parent: Arc::clone(&parent), arc, with });
        }
    }

    /// Leaves only some of the node's arcs.
    pub(super) fn shrink(&mut self, node: &mut Node, keep: &[bool]) {
        let mut smaller = std::mem::take(&mut self.spare);
        self.restrict(node, keep, &mut smaller);
        self.spare_trees.restrict(&mut node.seen, &self.kept);
        std::mem::swap(&mut node.seen, &mut smaller.seen);
        self.spare = std::mem::replace(node, smaller);
    }

    /// All but the trees.
    fn restrict(&mut self, node: &Node, keep: &[bool], to: &mut Node) {
        self.kept.fill(keep);
        node.instance.restrict(&self.kept, &mut to.instance);
        node.multipliers.restrict(&node.instance, &to.instance, &self.kept, &mut to.multipliers);
        to.gap.clear();
        to.gap.extend(self.kept.old().iter().map(|a| node.gap[a.ix()]));
        to.bound = node.bound;
    }

    /// Makes `self.tree` the incumbent if it is better.
    pub(super) fn offer(&mut self, node: &Node, tree_score: f64) {
        if self.incumbent.is_none_or(|best| tree_score > best) {
            self.incumbent = Some(tree_score);
            let space = &node.instance.space;
            self.heads.clear();
            self.heads.extend(self.tree.arcs().iter().map(|&a| space.head(a)));
        }
    }

    /// The incumbent's score.
    pub(super) fn lower(&self) -> f64 {
        self.incumbent.unwrap_or(f64::NEG_INFINITY)
    }

    /// Scores are whole units, so a bound may be rounded down (paper, section 4.4).
    pub(super) fn round_down(&self, bound: f64) -> f64 {
        (bound / self.unit).floor() * self.unit
    }

    fn answer(&self, status: Status, bound: f64, bits: u32) -> Decoded {
        let units = |scaled: f64| (scaled as i128) >> bits;
        let score = self.incumbent.map(units);
        let status = if status == Status::Optimal && score.is_none() { Status::Infeasible } else { status };
        let bound = match status {
            Status::Optimal | Status::Infeasible => score,
            _ if bound == f64::INFINITY => None,
            _ => Some(units(bound).max(score.unwrap_or(i128::MIN))),
        };
        let tree = score.map(|_| Tree::from_decoder(self.heads.clone()));
        Decoded { tree, score, bound, status, dp_calls: self.dp_calls, nodes: self.nodes }
    }
}
