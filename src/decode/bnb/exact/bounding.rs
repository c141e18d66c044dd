//! Bounding a node: steps on the multipliers, better incumbents on the way, arcs fixed.

use super::instance::Instance;
use super::loose;
use super::relaxation::Relaxed;
use super::score::score;
use super::search::{Exact, Node};
use super::seen::Seen;
use crate::decode::backbone::Backbone;
use crate::decode::bnb::limits::Limits;
use crate::decode::outcome::Status;
use crate::decode::value::Value;

/// What became of a node.
pub(super) enum Bounded {
    /// No tree of it is better than the incumbent.
    Closed,
    /// It must be branched.
    Open,
    /// A limit was reached.
    Stopped(Status),
}

impl Exact {
    /// Bounds `node` until it is closed or its iterations are used up.
    pub(super) fn bound(&mut self, node: &mut Node, limits: Limits) -> Bounded {
        if let Some(status) = limits.reached(self.dp_calls, self.nodes) {
            return Bounded::Stopped(status);
        }
        self.nodes += 1;
        let mut iteration = 0;
        // The distance at which the last progress was made, and when.
        let (mut distance, mut since) = (f64::INFINITY, 0);
        loop {
            if iteration == self.options.third_order_after {
                self.go_over_to_third_order(node);
            }
            iteration += 1;
            let Some(value) = self.best_tree(node) else { return Bounded::Closed };
            let tree_score = score(&node.instance, &self.tree, &mut self.families);
            debug_assert!(tree_score <= value, "the relaxation is no bound");
            self.offer(node, tree_score);
            node.bound = node.bound.min(self.round_down(value));
            if node.bound <= self.lower() {
                return Bounded::Closed;
            }
            self.look_for_better(node);
            if node.bound <= self.lower() {
                return Bounded::Closed;
            }
            if let Some(status) = limits.reached(self.dp_calls, self.nodes) {
                return Bounded::Stopped(status);
            }
            let fixes = self.is_time_to_fix(iteration);
            if fixes {
                self.fix(node);
                if node.bound <= self.lower() {
                    return Bounded::Closed;
                }
            }
            let mut seen = self.spare_trees.seen(&self.tree, tree_score);
            loose::find(&node.instance, &node.multipliers, &mut seen, &mut self.moves);
            // Fixing may have dropped factors that were loose.
            debug_assert!(fixes || loose::total(&self.moves) == value - tree_score, "what is loose is not the gap");
            loose::add_by_arc(&node.instance, &self.moves, &mut node.gap);
            let left = node.bound - self.lower();
            if left <= distance * (1.0 - self.options.progress) {
                (distance, since) = (left, iteration);
            }
            if iteration >= self.options.iterations || iteration - since >= self.options.patience {
                return Bounded::Open;
            }
            self.remember(node, seen);
            self.step(node);
        }
    }

    /// Leaves all grandchildren to the third-order program, if that scores or sees what the present one does not.
    pub(super) fn go_over_to_third_order(&self, node: &mut Node) {
        if node.instance.gains_by_third_order() {
            node.instance.backbone = Backbone::GrandSibling;
            node.instance.link();
            node.seen.iter_mut().for_each(Seen::forget);
            self.tell_pairs_apart(node);
        }
    }

    /// Gives pairs multipliers by the arc above them, where the program sees it.
    pub(super) fn tell_pairs_apart(&self, node: &mut Node) {
        if self.options.pairs_by_arc && node.instance.backbone == Backbone::GrandSibling {
            node.instance.by_arc = true;
            node.multipliers.tell_apart(&node.instance);
        }
    }

    /// One DP call: the best tree under the node's multipliers, in `self.tree`, and its value there.
    fn best_tree(&mut self, node: &Node) -> Option<f64> {
        self.relaxed.fill(&node.instance, &node.multipliers);
        let Instance { space, backbone, .. } = &node.instance;
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        let value = self.chart.best_score(*backbone, space, scores, grand);
        self.dp_calls += self.chart.take_calls();
        value.to_score()?;
        let arcs = self.chart.best_arcs(*backbone, space, scores, grand);
        self.tree.set(space, arcs);
        Some(value + constant)
    }

    /// Climbs from the tree found.
    pub(super) fn look_for_better(&mut self, node: &Node) {
        if self.options.climbing {
            let mut found = std::mem::take(&mut self.found);
            found.clone_from(&self.tree);
            if self.climber.climb(&node.instance, &mut self.tree) {
                let better = score(&node.instance, &self.tree, &mut self.families);
                debug_assert!(
                    !node.instance.other.is_empty() || better > score(&node.instance, &found, &mut self.families),
                    "climbing went down"
                );
                self.offer(node, better);
            }
            std::mem::swap(&mut self.tree, &mut found);
            self.found = found;
        }
    }

    fn is_time_to_fix(&self, iteration: u64) -> bool {
        let since = iteration.checked_sub(self.options.first_fixing);
        self.options.fixing && since.is_some_and(|since| since % self.options.fixing_every.max(1) == 0)
    }

    /// Drops the arcs that no tree better than the incumbent has, and keeps the trees that the others are in; one DP call. The
    /// tree found stays, unless the node is closed: its arcs are worth the bound, which is above the incumbent.
    fn fix(&mut self, node: &mut Node) {
        let Instance { space, backbone, .. } = &node.instance;
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        self.chart.max_marginals(*backbone, space, scores, grand, &mut self.marginals);
        self.dp_calls += self.chart.take_calls();
        let constant = *constant;
        let mut gathered = self.gather(node);
        let lower = self.lower();
        if node.bound <= lower {
            self.spare_trees.put(gathered.drain(..));
            self.gathered = gathered;
            return;
        }
        let mut keep = std::mem::take(&mut self.keep);
        keep.clear();
        keep.extend(self.marginals.iter().map(|m| self.round_down(m + constant) > lower));
        if keep.contains(&false) {
            self.shrink(node, &keep);
            let is_left = self.tree.renumber(self.kept.old().len(), |a| self.kept.new_of(a));
            debug_assert!(is_left, "the tree found was dropped");
            self.spare_trees.restrict(&mut gathered, &self.kept);
        }
        self.keep = keep;
        gathered.drain(..).for_each(|seen| self.remember(node, seen));
        self.gathered = gathered;
    }
}
