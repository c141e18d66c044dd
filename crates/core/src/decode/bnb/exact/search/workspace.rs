//! The workspace: memory of nodes and of their trees, which come and go by the hundred.

use super::node::Node;
use crate::decode::bnb::exact::instance::Kept;
use crate::decode::bnb::exact::looseness::Seen;
use crate::graph::TreeArcs;

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

    /// Those of `trees` that have only arcs that are kept.
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
