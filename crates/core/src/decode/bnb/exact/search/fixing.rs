//! Fixing: an outside pass tells which arcs are in no tree above the incumbent; they are dropped, and all arrays shrink.
//!
//! Max-marginals tell which arcs may stay, but not why; the trees that they come from do. All of these must come down to
//! the incumbent before the node is closed, and a step for the best tree alone leaves the others to later calls. So after
//! an outside pass the arcs are gone through from the highest max-marginal on, and for each that no tree so far has, its
//! best tree is gathered: for steps to go round ([`Steps`](crate::decode::bnb::exact::looseness::Steps)), and to climb from.
//! That takes no call.

use super::incumbent::Incumbent;
use super::node::Node;
use super::workspace::Workspace;
use crate::decode::bnb::exact::Options;
use crate::decode::bnb::exact::looseness::{Seen, value_at};
use crate::decode::bnb::exact::relaxation::Oracle;
use crate::graph::{ArcId, TreeArcs};

/// Memory of fixing.
#[derive(Debug, Default)]
pub struct Fixing {
    /// Arcs that may stay, in the order in which trees are gathered for them.
    open: Vec<ArcId>,
    /// By arc: whether a tree gathered has it.
    covered: Vec<bool>,
    /// By arc: whether it stays.
    keep: Vec<bool>,
    gathered: Vec<Seen>,
    tree: TreeArcs,
    /// Arcs dropped since the search began.
    fixed_arcs: u64,
}

impl Fixing {
    /// Counts from 0 again.
    pub fn start(&mut self) {
        self.fixed_arcs = 0;
    }

    /// Arcs dropped so far, over all nodes.
    pub fn fixed_arcs(&self) -> u64 {
        self.fixed_arcs
    }

    /// Drops the arcs that no tree better than the incumbent has, and keeps the trees that the others are in; one DP call.
    /// `newest`, the tree found last, stays, unless the node is closed: its arcs are worth the bound, which is above the
    /// incumbent.
    pub fn fix(
        &mut self,
        node: &mut Node,
        newest: &mut TreeArcs,
        oracle: &mut Oracle,
        incumbent: &mut Incumbent,
        workspace: &mut Workspace,
        options: &Options,
    ) {
        oracle.find_marginals(&node.instance);
        self.gather(node, newest, oracle, incumbent, workspace, options.gather);
        self.climb(node, incumbent, options.climbs);
        let lower = incumbent.score();
        if node.bound <= lower {
            workspace.put(self.gathered.drain(..));
            return;
        }
        let constant = oracle.constant();
        self.keep.clear();
        self.keep.extend(oracle.marginals().iter().map(|m| incumbent.round_down(m + constant) > lower));
        let dropped = self.keep.iter().filter(|&&keep| !keep).count();
        if dropped > 0 {
            self.fixed_arcs += dropped as u64;
            workspace.shrink(node, &self.keep);
            let kept = workspace.kept();
            let is_left = newest.renumber(kept.old().len(), |a| kept.new_of(a));
            debug_assert!(is_left, "the tree found was dropped");
            workspace.restrict(&mut self.gathered);
        }
        self.gathered.drain(..).for_each(|seen| workspace.remember(node, seen, options.memory));
    }

    /// Gathers up to `most` trees beside the newest.
    fn gather(
        &mut self,
        node: &Node,
        newest: &TreeArcs,
        oracle: &mut Oracle,
        incumbent: &mut Incumbent,
        workspace: &mut Workspace,
        most: usize,
    ) {
        self.list_open(node, oracle, incumbent);
        let Self { open, covered, gathered, tree, .. } = self;
        covered.clear();
        covered.extend((0..node.instance.space.arcs()).map(|a| newest.has(ArcId::new(a))));
        for &a in &*open {
            if gathered.len() >= most {
                break;
            }
            if covered[a.ix()] || !oracle.best_tree_with(&node.instance, a, tree) {
                continue;
            }
            tree.arcs().iter().for_each(|a| covered[a.ix()] = true);
            let tree_score = incumbent.score_of(&node.instance, tree);
            let seen = workspace.seen(tree, tree_score);
            debug_assert_eq!(
                value_at(&node.instance, &node.multipliers, &seen),
                oracle.marginals()[a.ix()] + oracle.constant(),
                "the tree of {a:?}"
            );
            gathered.push(seen);
        }
    }

    /// Lists the arcs that may stay, from the highest max-marginal on; of equal arcs the first comes first.
    fn list_open(&mut self, node: &Node, oracle: &Oracle, incumbent: &Incumbent) {
        let (lower, constant, marginals) = (incumbent.score(), oracle.constant(), oracle.marginals());
        self.open.clear();
        let arcs = (0..node.instance.space.arcs()).map(ArcId::new);
        self.open.extend(arcs.filter(|a| incumbent.round_down(marginals[a.ix()] + constant) > lower));
        self.open.sort_by(|a, b| marginals[b.ix()].total_cmp(&marginals[a.ix()]));
    }

    /// Offers the trees gathered as incumbents, and what can be climbed to from the best of them.
    fn climb(&self, node: &Node, incumbent: &mut Incumbent, climbs: usize) {
        let mut best: Vec<&Seen> = self.gathered.iter().collect();
        // Of equal trees the first.
        best.sort_by(|a, b| b.score.total_cmp(&a.score));
        for (i, seen) in best.into_iter().enumerate() {
            incumbent.offer(&node.instance.space, &seen.tree, seen.score);
            if i < climbs {
                incumbent.climb_from(&node.instance, &seen.tree);
            }
        }
    }
}
