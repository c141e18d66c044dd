//! Branching: a node in two, by an arc that must be in the tree or must not (paper, section 3.2).
//!
//! The arc is the one whose factors were loose most, over all trees that the node's steps have seen: it is there that the
//! relaxation fails.

use super::search::Node;
use crate::graph::ArcId;

/// The arc to branch on; none if the node has only one tree left, which has then been seen.
pub(super) fn arc(node: &Node) -> Option<ArcId> {
    let space = &node.instance.space;
    let is_open = |a: &ArcId| space.arcs_into(space.modifier(*a)).len() > 1;
    // Of equal arcs the first.
    let all = (0..space.arcs()).rev().map(ArcId::new);
    all.filter(is_open).max_by(|a, b| node.gap[a.ix()].total_cmp(&node.gap[b.ix()]))
}

/// Which arcs are kept if `arc` is in the tree.
pub(super) fn with(node: &Node, arc: ArcId, keep: &mut Vec<bool>) {
    let space = &node.instance.space;
    keep.clear();
    keep.resize(space.arcs(), true);
    for &rival in space.arcs_into(space.modifier(arc)) {
        keep[rival.ix()] = rival == arc;
    }
}

/// Which arcs are kept if `arc` is not.
pub(super) fn without(node: &Node, arc: ArcId, keep: &mut Vec<bool>) {
    keep.clear();
    keep.resize(node.instance.space.arcs(), true);
    keep[arc.ix()] = false;
}
