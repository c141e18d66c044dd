//! Bounding a node: steps on the multipliers, better incumbents on the way, arcs fixed (paper, sections 3.2 and 3.3).

use super::fixing::Fixing;
use super::incumbent::Incumbent;
use super::node::Node;
use super::workspace::Workspace;
use crate::decode::bnb::exact::Options;
use crate::decode::bnb::exact::looseness::Steps;
use crate::decode::bnb::exact::relaxation::Oracle;
use crate::decode::outcome::{Limits, Status};
use crate::graph::TreeArcs;

/// What became of a node.
pub enum Bounded {
    /// No tree of it is better than the incumbent.
    Closed,
    /// It must be branched.
    Open,
    /// A limit was reached.
    Stopped(Status),
}

/// The dynamic program, and what is done with its answers.
#[derive(Debug, Default)]
pub struct Bounding {
    oracle: Oracle,
    /// The tree of the last call.
    tree: TreeArcs,
    steps: Steps,
    fixing: Fixing,
    /// Nodes bounded.
    nodes: u64,
}

impl Bounding {
    /// Counts from 0 again.
    pub fn start(&mut self) {
        self.oracle.start();
        self.fixing.start();
        self.nodes = 0;
    }

    /// DP calls so far.
    pub fn dp_calls(&self) -> u64 {
        self.oracle.calls()
    }

    /// Nodes bounded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Arcs fixed so far, over all nodes.
    pub fn fixed_arcs(&self) -> u64 {
        self.fixing.fixed_arcs()
    }

    /// Bounds `node` until it is closed or its iterations are used up; `waiting` bytes are held by nodes that wait.
    pub fn bound(
        &mut self,
        node: &mut Node,
        incumbent: &mut Incumbent,
        workspace: &mut Workspace,
        limits: Limits,
        waiting: u64,
        options: &Options,
    ) -> Bounded {
        if let Some(status) = limits.reached(self.dp_calls(), self.nodes) {
            return Bounded::Stopped(status);
        }
        self.nodes += 1;
        let mut iteration = 0;
        // The distance at which the last progress was made, and when.
        let (mut distance, mut since) = (f64::INFINITY, 0);
        loop {
            if iteration == options.third_order_after {
                node.go_over_to_third_order(limits, options);
            }
            iteration += 1;
            let best = self.oracle.best_tree(&node.instance, &node.multipliers, &mut self.tree);
            let Some(value) = best else { return Bounded::Closed };
            let tree_score = incumbent.score_of(&node.instance, &self.tree);
            debug_assert!(tree_score <= value, "the relaxation is no bound");
            incumbent.offer(&node.instance.space, &self.tree, tree_score);
            node.bound = node.bound.min(incumbent.round_down(value));
            if node.bound <= incumbent.score() {
                return Bounded::Closed;
            }
            if options.climbing {
                incumbent.climb_from(&node.instance, &self.tree);
            }
            if node.bound <= incumbent.score() {
                return Bounded::Closed;
            }
            if let Some(status) = limits.reached(self.dp_calls(), self.nodes) {
                return Bounded::Stopped(status);
            }
            let fixes = is_time_to_fix(iteration, options);
            if fixes {
                self.fixing.fix(node, &mut self.tree, &mut self.oracle, incumbent, workspace, options);
                if node.bound <= incumbent.score() {
                    return Bounded::Closed;
                }
            }
            let mut seen = workspace.seen(&self.tree, tree_score);
            self.steps.start(&node.instance, &node.multipliers, &mut seen, &mut node.gap);
            // Fixing may have dropped factors that were loose.
            debug_assert!(fixes || self.steps.looseness() == value - tree_score, "what is loose is not the gap");
            let left = node.bound - incumbent.score();
            if left <= distance * (1.0 - options.progress) {
                (distance, since) = (left, iteration);
            }
            if iteration >= options.iterations || iteration - since >= options.patience {
                return Bounded::Open;
            }
            workspace.remember(node, seen, options.memory);
            if limits.is_full(|| waiting + node.bytes()) {
                return Bounded::Stopped(Status::MemoryLimit);
            }
            let Node { instance, multipliers, seen, .. } = node;
            self.steps.go_round(instance, multipliers, seen, incumbent.score(), options);
        }
    }
}

fn is_time_to_fix(iteration: u64, options: &Options) -> bool {
    let since = iteration.checked_sub(options.first_fixing);
    options.fixing && since.is_some_and(|since| since % options.fixing_every.max(1) == 0)
}
