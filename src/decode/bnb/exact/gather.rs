//! Trees from an outside pass: for each arc the best tree that has it.
//!
//! Max-marginals tell which arcs may stay, but not why; the trees that they come from do. All of these must come down to
//! the incumbent before the node is closed, and a step for the best tree alone leaves the others to later calls. So after
//! an outside pass the arcs are gone through from the highest max-marginal on, and for each that no tree so far has, its
//! best tree is taken: for steps to go round ([`memory`](super::memory)), and to climb from. That takes no call.

use super::loose;
use super::relaxation::Relaxed;
use super::score::score;
use super::search::{Exact, Node};
use super::seen::Seen;
use crate::graph::ArcId;

impl Exact {
    /// The trees after an outside pass, beside the newest, which `self.tree` has. Incumbents come from them too.
    pub(super) fn gather(&mut self, node: &Node) -> Vec<Seen> {
        self.list_open(node);
        let space = &node.instance.space;
        let mut covered = std::mem::take(&mut self.keep);
        covered.clear();
        covered.extend((0..space.arcs()).map(|a| self.tree.has(ArcId::new(a))));
        let newest = std::mem::take(&mut self.tree);
        let mut gathered = std::mem::take(&mut self.gathered);
        for i in 0..self.open.len() {
            let a = self.open[i];
            if gathered.len() >= self.options.gather {
                break;
            }
            if covered[a.ix()] {
                continue;
            }
            let Relaxed { scores, grand, constant, .. } = &self.relaxed;
            let arcs = self.chart.best_arcs_with(node.instance.backbone, space, scores, grand, a);
            let Some(arcs) = arcs else { continue };
            self.tree.set(space, arcs);
            self.tree.arcs().iter().for_each(|a| covered[a.ix()] = true);
            let value = self.marginals[a.ix()] + constant;
            let tree_score = score(&node.instance, &self.tree, &mut self.families);
            let seen = self.spare_trees.seen(&self.tree, tree_score);
            debug_assert_eq!(self.value_of(node, &seen), value, "the tree of {a:?}");
            gathered.push(seen);
        }
        self.climb_from(node, &gathered);
        self.tree = newest;
        self.keep = covered;
        gathered
    }

    /// Lists the arcs that may stay, from the highest max-marginal on; of equal arcs the first comes first.
    fn list_open(&mut self, node: &Node) {
        let mut open = std::mem::take(&mut self.open);
        let (lower, constant) = (self.lower(), self.relaxed.constant);
        open.clear();
        let arcs = (0..node.instance.space.arcs()).map(ArcId::new);
        open.extend(arcs.filter(|a| self.round_down(self.marginals[a.ix()] + constant) > lower));
        open.sort_by(|a, b| self.marginals[b.ix()].total_cmp(&self.marginals[a.ix()]));
        self.open = open;
    }

    /// Offers the trees as incumbents, and what can be climbed to from the best of them.
    fn climb_from(&mut self, node: &Node, gathered: &[Seen]) {
        let mut best: Vec<&Seen> = gathered.iter().collect();
        // Of equal trees the first.
        best.sort_by(|a, b| b.score.total_cmp(&a.score));
        for (i, seen) in best.into_iter().enumerate() {
            self.tree.clone_from(&seen.tree);
            self.offer(node, seen.score);
            if i < self.options.climbs {
                self.look_for_better(node);
            }
        }
    }

    /// What the relaxation gives a tree.
    fn value_of(&self, node: &Node, seen: &Seen) -> f64 {
        let mut moves = Vec::new();
        loose::find(&node.instance, &node.multipliers, &mut seen.clone(), &mut moves);
        seen.score + loose::total(&moves)
    }
}
