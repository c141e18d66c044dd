//! Branching: a node in two, by an arc that must be in the tree or must not (paper, section 3.3).
//!
//! The arc is the one whose factors were loose most, over all trees that the node's steps have seen: it is there that the
//! relaxation fails. The frontier has the children that are not opened yet.

use std::sync::Arc;

use super::incumbent::Incumbent;
use super::node::Node;
use super::workspace::Workspace;
use crate::decode::bnb::exact::looseness::Seen;
use crate::graph::ArcId;

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
