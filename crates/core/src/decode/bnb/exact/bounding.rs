//! Bounding a node: steps on the multipliers, better incumbents on the way, arcs fixed (paper, sections 3.2 and 3.3).
//!
//! Fixing: an outside pass tells which arcs are in no tree above the incumbent; they are dropped, and all arrays shrink.
//!
//! Max-marginals tell which arcs may stay, but not why; the trees that they come from do. All of these must come down to
//! the incumbent before the node is closed, and a step for the best tree alone leaves the others to later calls. So after
//! an outside pass the arcs are gone through from the highest max-marginal on, and for each that no tree so far has, its
//! best tree is gathered: for steps to go round ([`Steps`](super::slack::Steps)), and to climb from.
//! Gathering takes no call.

use super::Options;
use super::incumbent::Incumbent;
use super::nodes::{Node, Workspace};
use super::relaxation::Oracle;
use super::slack::{Seen, Steps, value_at};
use crate::decode::outcome::{Limits, Status};
use crate::graph::{ArcId, TreeArcs};

/// What became of a node.
pub enum Bounded {
    /// No tree of it is better than the incumbent.
    Closed,
    /// The node must be branched.
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
    /// Memory of a tree of a list.
    listed: TreeArcs,
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
        self.start_nodes();
    }

    /// Counts nodes from 0 again.
    pub fn start_nodes(&mut self) {
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
            let left = if incumbent.most() > 1 { self.list(node, incumbent) } else { value };
            node.bound = node.bound.min(incumbent.round_down(left));
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
            debug_assert!(fixes || self.steps.slack() == value - tree_score, "what is loose is not the gap");
            let left = node.bound - incumbent.score();
            if left <= distance * (1.0 - options.progress) {
                (distance, since) = (left, iteration);
            }
            if iteration >= options.iterations || iteration - since >= options.patience {
                return Bounded::Open;
            }
            workspace.remember(node, seen, options.memory);
            if limits.is_full(|| waiting + node.bytes() + incumbent.bytes()) {
                return Bounded::Stopped(Status::MemoryLimit);
            }
            let Node { instance, multipliers, seen, .. } = node;
            self.steps.go_round(instance, multipliers, seen, incumbent.score(), options);
        }
    }
}

/// Trees of a list a tree that is wanted.
const LISTED: usize = 16;

impl Bounding {
    /// Offers the best trees under the multipliers as incumbents (paper, section 5.2, proposition 2: a tree that scores as much as
    /// the relaxation of the k-th is one of the k best), with a bound on the scores of all others: what the relaxation
    /// gives the last one that was looked at, minus infinity if it was the last of all.
    fn list(&mut self, node: &Node, incumbent: &mut Incumbent) -> f64 {
        let (mut listed, mut left) = (0, f64::NEG_INFINITY);
        let most = LISTED * incumbent.most();
        let Self { oracle, listed: tree, .. } = self;
        let has_all = oracle.each_tree(&node.instance, tree, |tree, value| {
            left = value;
            if incumbent.round_down(value) <= incumbent.score() {
                return false;
            }
            let tree_score = incumbent.score_of(&node.instance, tree);
            debug_assert!(tree_score <= value, "the relaxation is no bound");
            incumbent.offer(&node.instance.space, tree, tree_score);
            listed += 1;
            listed < most
        });
        if has_all { f64::NEG_INFINITY } else { left }
    }
}

fn is_time_to_fix(iteration: u64, options: &Options) -> bool {
    let since = iteration.checked_sub(options.first_fixing);
    options.fixing && since.is_some_and(|since| since % options.fixing_every.max(1) == 0)
}

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
