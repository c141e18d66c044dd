//! Nodes: sets of trees.
//!
//! Branching: a node in two, by an arc that must be in the tree or must not (paper, section 3.3).
//!
//! The arc is the one whose factors were loose most, over all trees that the node's steps have seen: it is there that the
//! relaxation fails. The frontier has the children that are not opened yet.
//!
//! The workspace: memory of nodes and of their trees, which come and go by the hundred.

use std::sync::Arc;

use super::Options;
use super::incumbent::Incumbent;
use super::instance::{Instance, Kept};
use super::multipliers::Multipliers;
use super::slack::Seen;
use crate::decode::backbone::Backbone;
use crate::decode::bnb::Limits;
use crate::graph::{ArcId, FactorGraph, TreeArcs, Trees};

/// A set of trees: those over the arcs of its instance.
#[derive(Debug, Default)]
pub struct Node {
    pub instance: Instance,
    pub multipliers: Multipliers,
    /// By arc: how loose its factors were, summed over the trees seen.
    pub gap: Vec<f64>,
    /// No tree of the node scores more.
    pub bound: f64,
    /// The last trees that were best under the multipliers, oldest first.
    pub seen: Vec<Seen>,
}

impl Node {
    /// Makes this the node of all such `trees` of `graph`, its scores shifted left by `bits`. `prior` gives a probability an arc.
    /// Within `limits`, see [`go_over_to_third_order`](Self::go_over_to_third_order).
    pub fn fill(
        &mut self,
        graph: &FactorGraph,
        trees: Trees,
        prior: Option<&[f64]>,
        bits: u32,
        limits: Limits,
        options: &Options,
    ) {
        let prior = prior.filter(|_| options.prior);
        self.instance.fill(graph, options.backbone.for_trees(graph, trees), options.links, bits, prior);
        self.multipliers.start(&self.instance);
        self.tell_pairs_apart(limits, options);
        self.gap.clear();
        self.gap.resize(graph.space.arcs(), 0.0);
        self.bound = f64::INFINITY;
    }

    /// Leaves all grandchildren to the third-order program, if that scores or sees what the present one does not. Pairs stay
    /// together where multipliers by arc would take more memory than `limits` have.
    pub fn go_over_to_third_order(&mut self, limits: Limits, options: &Options) {
        if self.instance.gains_by_third_order() {
            self.instance.backbone = Backbone::GrandSibling;
            self.instance.link();
            self.multipliers.list(&self.instance);
            self.seen.iter_mut().for_each(Seen::forget);
            self.tell_pairs_apart(limits, options);
        }
    }

    /// Gives pairs multipliers by the arc above them, where the program sees it and there is room.
    fn tell_pairs_apart(&mut self, limits: Limits, options: &Options) {
        /// Bytes of a pair: of a node, and of one of its children.
        const OF_PAIR: u64 = 16;
        if !options.pairs_by_arc || self.instance.backbone != Backbone::GrandSibling {
            return;
        }
        let pairs = self.instance.pairs_by_arc();
        if u32::try_from(pairs).is_ok() && !limits.is_full(|| OF_PAIR * pairs) {
            self.instance.by_arc = true;
            self.multipliers.tell_apart(&self.instance);
        }
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> u64 {
        let trees: usize = self.seen.iter().map(Seen::bytes).sum();
        (self.instance.bytes() + self.multipliers.bytes() + size_of_val(&*self.gap) + trees) as u64
    }

    /// Makes `to` the node of those trees that have only arcs that are kept: all but the trees seen.
    pub fn restrict(&self, kept: &Kept, to: &mut Node) {
        self.instance.restrict(kept, &mut to.instance);
        self.multipliers.restrict(&self.instance, &to.instance, kept, &mut to.multipliers);
        to.gap.clear();
        to.gap.extend(kept.old().iter().map(|a| self.gap[a.ix()]));
        to.bound = self.bound;
    }
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

/// The nodes that are not opened yet.
#[derive(Debug, Default)]
pub struct Frontier {
    unopened: Vec<Unopened>,
    /// What the parents of unopened nodes hold.
    bytes: u64,
    /// Memory of the arcs that a child keeps.
    keep: Vec<bool>,
}

impl Frontier {
    /// Leaves nothing to be opened.
    pub fn clear(&mut self) {
        self.unopened.clear();
        self.bytes = 0;
    }

    /// Splits a node in two, unless it has only one tree left, which has then been seen.
    pub fn branch(&mut self, mut node: Node, workspace: &mut Workspace) {
        let Some(arc) = arc(&node) else { return workspace.free(node) };
        // Children have other instances, and nodes may wait for long.
        node.seen.iter_mut().for_each(Seen::release);
        self.bytes += node.bytes();
        let parent = Arc::new(node);
        for with in [false, true] {
            self.unopened.push(Unopened { parent: Arc::clone(&parent), arc, with });
        }
    }

    /// The next node that may have a better tree than the incumbent, ready to be bounded: the one with the highest bound if
    /// `best_first`, else the oldest.
    pub fn next(&mut self, incumbent: &Incumbent, workspace: &mut Workspace, best_first: bool) -> Option<Node> {
        loop {
            let next = self.take(best_first)?;
            if next.parent.bound > incumbent.score() {
                return Some(self.open(next, workspace));
            }
            self.release(next.parent, workspace);
        }
    }

    /// How many bytes the nodes hold whose children wait here.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// No tree in an unopened node scores more; minus infinity if there is none.
    pub fn bound(&self) -> f64 {
        self.unopened.iter().map(|n| n.parent.bound).fold(f64::NEG_INFINITY, f64::max)
    }

    fn take(&mut self, best_first: bool) -> Option<Unopened> {
        if !best_first {
            return (!self.unopened.is_empty()).then(|| self.unopened.remove(0));
        }
        // Of equal nodes the last in the list.
        let bound = |i: usize| self.unopened[i].parent.bound;
        let best = (0..self.unopened.len()).max_by(|&a, &b| bound(a).total_cmp(&bound(b)))?;
        Some(self.unopened.swap_remove(best))
    }

    fn open(&mut self, Unopened { parent, arc, with }: Unopened, workspace: &mut Workspace) -> Node {
        mark(&parent, arc, with, &mut self.keep);
        let node = workspace.child(&parent, &self.keep);
        self.release(parent, workspace);
        node
    }

    /// Takes the memory of a node if no child of it is to be opened any more.
    fn release(&mut self, node: Arc<Node>, workspace: &mut Workspace) {
        if let Some(node) = Arc::into_inner(node) {
            self.bytes -= node.bytes();
            workspace.free(node);
        }
    }
}

/// The arc to branch on; none if the node has only one tree left.
fn arc(node: &Node) -> Option<ArcId> {
    let space = &node.instance.space;
    let is_open = |a: &ArcId| space.arcs_into(space.modifier(*a)).len() > 1;
    // Of equal arcs the first.
    let all = (0..space.arcs()).rev().map(ArcId::new);
    all.filter(is_open).max_by(|a, b| node.gap[a.ix()].total_cmp(&node.gap[b.ix()]))
}

/// Marks which arcs are kept if `arc` is in the tree, or if it is not.
fn mark(node: &Node, arc: ArcId, with: bool, keep: &mut Vec<bool>) {
    let space = &node.instance.space;
    keep.clear();
    keep.resize(space.arcs(), true);
    if with {
        for &rival in space.arcs_into(space.modifier(arc)) {
            keep[rival.ix()] = rival == arc;
        }
    } else {
        keep[arc.ix()] = false;
    }
}

/// Nodes whose memory is kept for the next sentence.
const FREE_NODES: usize = 4;

/// Trees whose memory is kept for the next sentence: few, since a hard sentence leaves hundreds of large ones.
const FREE_TREES: usize = 8;

/// Memory that is free, and what it takes to make a node smaller.
#[derive(Debug, Default)]
pub struct Workspace {
    nodes: Vec<Node>,
    trees: FreeTrees,
    /// The arcs that the last node made smaller has left.
    kept: Kept,
    /// What the last node made smaller was before.
    spare: Node,
}

impl Workspace {
    /// A node, whatever it was before.
    pub fn node(&mut self) -> Node {
        self.nodes.pop().unwrap_or_default()
    }

    /// Takes the memory of a node.
    pub fn free(&mut self, mut node: Node) {
        self.trees.put(node.seen.drain(..));
        self.nodes.push(node);
    }

    /// The node of those trees of `parent` that have only arcs marked in `keep`.
    pub fn child(&mut self, parent: &Node, keep: &[bool]) -> Node {
        let mut node = self.node();
        self.kept.fill(keep);
        parent.restrict(&self.kept, &mut node);
        node.seen = self.trees.restricted(&parent.seen, &self.kept);
        node
    }

    /// Leaves only the arcs marked in `keep` to a node; what these are then is [`kept`](Self::kept).
    pub fn shrink(&mut self, node: &mut Node, keep: &[bool]) {
        self.kept.fill(keep);
        node.restrict(&self.kept, &mut self.spare);
        self.trees.restrict(&mut node.seen, &self.kept);
        std::mem::swap(&mut node.seen, &mut self.spare.seen);
        std::mem::swap(node, &mut self.spare);
    }

    /// The arcs that the last node made smaller has left.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Leaves in `trees` those that have only arcs that the last node made smaller has left.
    pub fn restrict(&mut self, trees: &mut Vec<Seen>) {
        self.trees.restrict(trees, &self.kept);
    }

    /// A tree of which nothing is known but its score.
    pub fn seen(&mut self, tree: &TreeArcs, score: f64) -> Seen {
        self.trees.seen(tree, score)
    }

    /// Adds a tree to those of a node, and forgets the oldest if there are more than `memory`; the newest stays.
    pub fn remember(&mut self, node: &mut Node, seen: Seen, memory: usize) {
        if node.seen.len() >= memory.max(1) {
            self.trees.put([node.seen.remove(0)]);
        }
        node.seen.push(seen);
    }

    /// Takes the memory of trees.
    pub fn put(&mut self, trees: impl IntoIterator<Item = Seen>) {
        self.trees.put(trees);
    }

    /// Frees what is more than the next sentence is likely to need.
    pub fn truncate(&mut self) {
        self.nodes.truncate(FREE_NODES);
        self.trees.truncate(FREE_TREES);
    }
}

/// Trees whose memory is free.
#[derive(Debug, Default)]
struct FreeTrees(Vec<Seen>);

impl FreeTrees {
    fn seen(&mut self, tree: &TreeArcs, score: f64) -> Seen {
        let mut seen = self.0.pop().unwrap_or_default();
        seen.forget();
        seen.tree.clone_from(tree);
        seen.score = score;
        seen
    }

    fn put(&mut self, trees: impl IntoIterator<Item = Seen>) {
        self.0.extend(trees);
    }

    /// Leaves in `trees` those that have only arcs that are kept.
    fn restrict(&mut self, trees: &mut Vec<Seen>, kept: &Kept) {
        self.put(trees.extract_if(.., |seen| !seen.restrict(kept)));
    }

    /// Copies of those of `trees` that have only arcs that are kept.
    fn restricted(&mut self, trees: &[Seen], kept: &Kept) -> Vec<Seen> {
        let mut restricted = trees.iter().map(|seen| self.seen(&seen.tree, seen.score)).collect();
        self.restrict(&mut restricted, kept);
        restricted
    }

    fn truncate(&mut self, trees: usize) {
        self.0.truncate(trees);
        self.0.shrink_to_fit();
    }
}
