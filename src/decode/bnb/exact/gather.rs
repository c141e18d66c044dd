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
use crate::graph::{ArcId, TreeArcs};

impl Exact {
    /// The trees after an outside pass, beside the newest, which `self.tree` has. Incumbents come from them too.
    pub(super) fn gather(&mut self, node: &Node) -> Vec<Seen> {
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        let space = &node.instance.space;
        let is_open = |a: &ArcId| self.round_down(self.marginals[a.ix()] + constant) > self.lower();
        let mut order: Vec<ArcId> = (0..space.arcs()).map(ArcId::new).filter(is_open).collect();
        // Of equal arcs the first.
        order.sort_by(|a, b| self.marginals[b.ix()].total_cmp(&self.marginals[a.ix()]));
        let mut covered: Vec<bool> = (0..space.arcs()).map(|a| self.tree.has(ArcId::new(a))).collect();
        let mut gathered = Vec::new();
        for a in order {
            if gathered.len() >= self.options.gather {
                break;
            }
            if covered[a.ix()] {
                continue;
            }
            let arcs = self.chart.best_arcs_with(node.instance.backbone, space, scores, grand, a);
            let Some(arcs) = arcs else { continue };
            let mut tree = TreeArcs::default();
            tree.set(space, arcs);
            tree.arcs().iter().for_each(|a| covered[a.ix()] = true);
            let tree_score = score(&node.instance, &tree);
            let seen = Seen::new(tree, tree_score);
            debug_assert_eq!(self.value_of(node, &seen), self.marginals[a.ix()] + constant, "the tree of {a:?}");
            gathered.push(seen);
        }
        self.climb_from(node, &gathered);
        gathered
    }

    /// Offers the trees as incumbents, and what can be climbed to from the best of them.
    fn climb_from(&mut self, node: &Node, gathered: &[Seen]) {
        let mut best: Vec<&Seen> = gathered.iter().collect();
        // Of equal trees the first.
        best.sort_by(|a, b| b.score.total_cmp(&a.score));
        let newest = std::mem::take(&mut self.tree);
        for (i, seen) in best.into_iter().enumerate() {
            self.tree.clone_from(&seen.tree);
            self.offer(node, seen.score);
            if i < self.options.climbs {
                self.look_for_better(node);
            }
        }
        self.tree = newest;
    }

    /// What the relaxation gives a tree.
    fn value_of(&self, node: &Node, seen: &Seen) -> f64 {
        let mut moves = Vec::new();
        loose::find(&node.instance, &node.multipliers, &mut seen.clone(), &mut moves);
        seen.score + loose::total(&moves)
    }
}
