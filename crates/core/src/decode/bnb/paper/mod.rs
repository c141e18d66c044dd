//! The branch and bound of Qian & Liu (2013), Algorithm 1, as the paper describes it.
//!
//! Each node fixes some arcs as selected or removed. Its bound is `min over p of max over trees of psi(p, z)`, searched by
//! projected subgradient with the dynamic program as oracle; every tree met on the way is scored exactly and may become
//! the incumbent (the paper's LB). Nodes are expanded level by level; a level branches on one arc.
//!
//! What the paper leaves open a [`Reading`] settles. The usual one (docs/notebook/search.md has the reasons): the step
//! restarts at max 1/|score| in each node and is halved whenever the bound rises (Rush et al., 2010); the precision 1e-8
//! is a thousandth of a unit, or 1e-8 of the largest score if that is more; a node inherits the weights with which its
//! parent's bound was lowest; a node is given up after ten calls. An arc is free if it is neither fixed nor implied.

mod bound;
mod reading;

use std::rc::Rc;

use self::bound::{Bound, Weights, fill_local, fill_lower, for_each_gap, initial_weights, square, step};
use crate::decode::backbone::{Backbone, Chart};
use crate::decode::bnb::{Problem, Scale};
use crate::decode::outcome::{Decoded, Limits, Status};
use crate::decode::semiring::{Value, Wide};
use crate::graph::{ArcId, FactorGraph, LocalScores, TreeArcs, Word, tree_score};
use crate::tree::Tree;

pub use reading::{
    Bounds, Compared, Counted, Duals, FirstBound, FirstStep, GiveUp, Order, Precision, Reading, StepOfNode, Steps,
    Tight,
};

/// The best tree of `graph`, or the best found within `limits`.
pub fn decode(graph: &FactorGraph, backbone: Backbone, limits: Limits, reading: &Reading) -> Decoded {
    let scale = Scale::finest(graph);
    if scale.fits_f64 {
        Search::<f64>::new(graph, backbone, scale, limits, *reading).run()
    } else {
        Search::<Wide>::new(graph, backbone, scale, limits, *reading).run()
    }
}

/// A node: the arcs fixed on the way to it, its parent's bound and weights.
struct Node {
    fixed: Vec<(ArcId, bool)>,
    weights: Rc<Weights>,
    /// How often the bound has risen: 0, or where steps go on from node to node what it was in its parent.
    rises: u32,
    /// No tree of the node scores more, scaled; none at the root, before it is bounded.
    bound: Option<i128>,
}

/// A bounded node that may still hold a better tree than the incumbent.
struct Open {
    fixed: Vec<(ArcId, bool)>,
    weights: Rc<Weights>,
    rises: u32,
    bound: i128,
    /// The score of the node's own best tree found, scaled.
    lower: i128,
    /// The free arc with the largest gap at the node's last tree.
    branch: ArcId,
}

enum Bounded {
    /// Nothing in the node beats the incumbent.
    Closed,
    Open(Open),
    /// A limit was reached while bounding; no tree of the node scores more than this.
    Stopped(Status, Option<i128>),
}

struct Search<'a, V: Value> {
    problem: Problem<'a, V>,
    limits: Limits,
    reading: Reading,
    chart: Chart<V>,
    /// What open nodes hold.
    open_bytes: u64,
    /// Calls of the first lower bound.
    first_calls: u64,
    bound: Bound<V>,
    local: LocalScores<V>,
    tree: TreeArcs,
    allowed: Vec<bool>,
    incumbent: Option<(i128, Vec<ArcId>)>,
    nodes: u64,
    scratch: Vec<f64>,
}

impl<'a, V: Value> Search<'a, V> {
    fn new(graph: &'a FactorGraph, backbone: Backbone, scale: Scale, limits: Limits, reading: Reading) -> Self {
        let problem = Problem::new(graph, backbone, scale);
        let local = problem.local.clone();
        Self {
            problem,
            limits,
            reading,
            chart: Chart::default(),
            open_bytes: 0,
            first_calls: 0,
            bound: Bound::default(),
            local,
            tree: TreeArcs::default(),
            allowed: Vec::new(),
            incumbent: None,
            nodes: 0,
            scratch: Vec::new(),
        }
    }

    fn run(mut self) -> Decoded {
        if self.problem.factors.is_empty() {
            return self.without_factors();
        }
        if !self.initial_lower_bound() {
            return self.finish(Status::Infeasible, None);
        }
        self.first_calls = self.chart.calls();
        let weights = Rc::new(initial_weights(&self.problem));
        let mut nodes = vec![Node { fixed: Vec::new(), weights, rises: 0, bound: None }];
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut unbounded = nodes.into_iter();
            while let Some(node) = unbounded.next() {
                match self.bound_node(node) {
                    Bounded::Closed => {}
                    Bounded::Open(node) => {
                        self.open_bytes += node.bytes();
                        open.push(node);
                        if self.limits.is_full(|| self.open_bytes) {
                            let left = unbounded.filter_map(|n| n.bound).chain(open.iter().map(|n| n.bound)).max();
                            return self.finish(Status::MemoryLimit, left);
                        }
                    }
                    Bounded::Stopped(status, bound) => {
                        let left = unbounded.filter_map(|n| n.bound).chain(open.iter().map(|n| n.bound)).chain(bound);
                        let left = left.max();
                        return self.finish(status, left);
                    }
                }
            }
            let incumbent = self.incumbent_score();
            open.retain(|node| incumbent.is_none_or(|score| node.bound > score));
            nodes = next(self.reading.order, &mut open);
            self.open_bytes = open.iter().map(Open::bytes).sum();
            if nodes.is_empty() {
                let status = if incumbent.is_some() { Status::Optimal } else { Status::Infeasible };
                return self.finish(status, None);
            }
        }
    }

    /// The dynamic program alone is exact if all factors are local.
    fn without_factors(mut self) -> Decoded {
        self.nodes = 1;
        self.allowed.resize(self.problem.graph.space.arcs(), true);
        self.bound.fill(&self.problem, &Weights::new(), &self.allowed);
        let status = if self.best_tree().is_some() { Status::Optimal } else { Status::Infeasible };
        self.finish(status, None)
    }

    /// The first lower bound; false if there is known to be no tree.
    fn initial_lower_bound(&mut self) -> bool {
        match self.reading.first_bound {
            FirstBound::Alternating => self.alternate(),
            FirstBound::Local => {
                fill_local(&self.problem, &mut self.bound);
                self.best_tree().is_some()
            }
            FirstBound::None => true,
        }
    }

    /// Alternates between trees and weights until the score stays (section 3.4); false if there is no tree.
    fn alternate(&mut self) -> bool {
        let mut best: Option<i128> = None;
        loop {
            let tree = best.map(|_| &self.tree);
            fill_lower(&self.problem, tree, &mut self.bound);
            if self.best_tree().is_none() {
                return false;
            }
            let score = self.tree_score();
            if best.is_some_and(|b| score <= b) || self.limits.reached(self.chart.calls(), self.nodes).is_some() {
                return true;
            }
            best = Some(score);
        }
    }

    fn incumbent_score(&self) -> Option<i128> {
        self.incumbent.as_ref().map(|i| i.0)
    }

    /// The score of the current tree, scaled.
    fn tree_score(&self) -> i128 {
        tree_score(self.problem.graph, &self.tree) << self.problem.scale.bits
    }

    /// Maximises the current bound: one DP call. The tree becomes the current one and perhaps the incumbent; returns the
    /// bound's value.
    fn best_tree(&mut self) -> Option<i128> {
        std::mem::swap(&mut self.local.arc, &mut self.bound.arc);
        let Problem { graph, backbone, grand, .. } = &self.problem;
        let space = &graph.space;
        let value = self.chart.best_score(*backbone, space, &self.local, grand).to_score();
        if value.is_some() {
            let arcs = self.chart.best_arcs(*backbone, space, &self.local, grand);
            self.tree.set(space, arcs);
        }
        std::mem::swap(&mut self.local.arc, &mut self.bound.arc);
        let value = value? + self.bound.constant;
        let score = self.tree_score();
        if self.incumbent_score().is_none_or(|best| score > best) {
            self.incumbent = Some((score, self.tree.arcs().to_vec()));
        }
        Some(value)
    }

    /// Solves the min-max problem of a node by projected subgradient.
    fn bound_node(&mut self, node: Node) -> Bounded {
        if let Some(status) = self.limits.reached(self.chart.calls(), self.nodes) {
            return Bounded::Stopped(status, node.bound);
        }
        self.nodes += 1;
        if !self.allow(&node.fixed) {
            return Bounded::Closed;
        }
        let (reading, precision, first_step) = (self.reading, self.precision(), self.first_step());
        let mut weights = (*node.weights).clone();
        let mut best_weights = weights.clone();
        let mut bound = node.bound.unwrap_or(i128::MAX);
        let mut lower = i128::MIN;
        let mut last: Option<i128> = None;
        let mut rises = node.rises;
        let mut calls = 0;
        loop {
            self.bound.fill(&self.problem, &weights, &self.allowed);
            let Some(value) = self.best_tree() else { return Bounded::Closed };
            calls += 1;
            let rounded = self.problem.round_down(value);
            let known = if reading.bounds == Bounds::Rounded { rounded } else { value };
            if known < bound {
                bound = known;
                best_weights.clone_from(&weights);
            }
            lower = lower.max(self.tree_score());
            let reached = match reading.tight {
                Tight::Incumbent => self.incumbent_score(),
                Tight::Own => Some(lower),
            };
            if reached.is_some_and(|score| bound <= score) {
                return Bounded::Closed;
            }
            let fall = last.map(|last| match reading.compared {
                Compared::Values => last - value,
                Compared::Rounded => self.problem.round_down(last) - rounded,
            });
            if fall.is_some_and(|fall| (0..=precision).contains(&fall)) {
                break;
            }
            if let Some(status) = self.limits.reached(self.chart.calls(), self.nodes) {
                return Bounded::Stopped(status, Some(bound));
            }
            if reading.most_calls().is_some_and(|most| calls >= most) {
                break;
            }
            rises += u32::from(last.is_some_and(|last| value > last));
            last = Some(value);
            let size = match reading.steps {
                Steps::Halved => first_step * 0.5f64.powi(rises.min(HALVINGS) as i32),
                Steps::Harmonic => first_step / (1.0 + f64::from(rises)),
                Steps::Constant => first_step,
                Steps::Polyak => self.polyak(value, &weights),
            };
            step(&self.problem, &mut weights, &self.tree, size, &mut self.scratch);
        }
        if self.incumbent_score().is_some_and(|score| bound <= score) {
            return Bounded::Closed;
        }
        match self.branching_arc(&weights) {
            Some(branch) => {
                let weights = match reading.duals {
                    Duals::BestOfParent => Rc::new(best_weights),
                    Duals::LastOfParent => Rc::new(weights),
                    Duals::Afresh => node.weights,
                };
                let rises = if reading.step_of_node == StepOfNode::Inherited { rises } else { 0 };
                Bounded::Open(Open { fixed: node.fixed, weights, rises, bound, lower, branch })
            }
            // The node has one tree, which the incumbent has taken in.
            None => Bounded::Closed,
        }
    }

    /// The step by Polyak's rule where the bound has a value: what it is above the incumbent, over the square of the
    /// subgradient along the simplices.
    fn polyak(&self, value: i128, weights: &Weights) -> f64 {
        let above = (value - self.incumbent_score().unwrap_or(value)).max(0);
        let square = square(&self.problem, weights, &self.tree);
        if square > 0.0 { above as f64 / square } else { 0.0 }
    }

    /// A node ends when a step lowers the bound by no more than this: the reading's precision, or where scores are large
    /// a 1e-8 part of the largest, without which tiny steps on scores of 60 bits go on for ever.
    fn precision(&self) -> i128 {
        let largest = self.problem.factors.iter().map(|(_, _, s)| s.unsigned_abs()).max().unwrap_or(0);
        self.reading.precision.scaled(self.problem.scale.bits).max(i128::from(largest / 100_000_000))
    }

    /// `max over factors of 1 / |score|` (section 4.4), or the smallest.
    fn first_step(&self) -> f64 {
        let sizes = self.problem.factors.iter().map(|(_, _, s)| s.unsigned_abs());
        let size = match self.reading.first_step {
            FirstStep::Smallest => sizes.min(),
            FirstStep::Largest => sizes.max(),
        };
        1.0 / size.unwrap_or(1).max(1) as f64
    }

    /// Marks the arcs that a node allows: not removed, and not rivals of a selected arc. False if a word has no head left.
    fn allow(&mut self, fixed: &[(ArcId, bool)]) -> bool {
        let space = &self.problem.graph.space;
        self.allowed.clear();
        self.allowed.resize(space.arcs(), true);
        for &(a, selected) in fixed {
            if selected {
                if !self.allowed[a.ix()] {
                    return false;
                }
                for rival in space.arcs_into(space.modifier(a)) {
                    self.allowed[rival.ix()] &= *rival == a;
                }
            } else {
                self.allowed[a.ix()] = false;
            }
        }
        (1..=space.words()).all(|m| space.arcs_into(Word::new(m)).iter().any(|a| self.allowed[a.ix()]))
    }

    /// The free arc with the largest gap at the current tree; the lowest of equals. None if no arc is free.
    fn branching_arc(&self, weights: &Weights) -> Option<ArcId> {
        let space = &self.problem.graph.space;
        let mut gaps = vec![0i128; space.arcs()];
        for_each_gap(&self.problem, weights, &self.tree, |arcs, gap| {
            arcs.iter().for_each(|a| gaps[a.ix()] += i128::from(gap));
        });
        let allowed_heads = |m: Word| space.arcs_into(m).iter().filter(|a| self.allowed[a.ix()]).count();
        let free = |a: &ArcId| self.allowed[a.ix()] && allowed_heads(space.modifier(*a)) > 1;
        (0..space.arcs()).map(ArcId::new).filter(free).rev().max_by_key(|a| gaps[a.ix()])
    }

    fn finish(self, status: Status, bound_left: Option<i128>) -> Decoded {
        let units = |scaled: i128| self.problem.to_units(scaled);
        let score = self.incumbent.as_ref().map(|i| units(i.0));
        let space = &self.problem.graph.space;
        let tree =
            self.incumbent.as_ref().map(|(_, arcs)| Tree::from_decoder(arcs.iter().map(|&a| space.head(a)).collect()));
        let bound =
            if status.is_proof() { score } else { bound_left.map(|b| units(b).max(score.unwrap_or(i128::MIN))) };
        let dp_calls = match self.reading.counted {
            Counted::All => self.chart.calls(),
            Counted::OfNodes => self.chart.calls() - self.first_calls,
        };
        // It drops arcs where it branches alone.
        Decoded { tree, score, bound, status, dp_calls, nodes: self.nodes, fixed_arcs: 0 }
    }
}

/// After so many halvings a step is too short to move anything.
const HALVINGS: u32 = 1000;

/// The nodes to be bounded next; none if nothing is open.
fn next(order: Order, open: &mut Vec<Open>) -> Vec<Node> {
    match order {
        Order::Levels => branch(std::mem::take(open)),
        Order::OwnArcs => std::mem::take(open).into_iter().flat_map(|node| node.children(node.branch)).collect(),
        Order::BestFirst => {
            let best = open.iter().enumerate().max_by_key(|(_, node)| node.bound).map(|(at, _)| at);
            best.map(|at| open.remove(at)).map_or_else(Vec::new, |node| node.children(node.branch).into())
        }
    }
}

impl Open {
    /// How many bytes its arrays hold.
    fn bytes(&self) -> u64 {
        (size_of_val(&*self.fixed) + size_of_val(&**self.weights)) as u64
    }

    /// The node with an arc and without it.
    fn children(&self, arc: ArcId) -> [Node; 2] {
        [true, false].map(|selected| {
            let mut fixed = self.fixed.clone();
            fixed.push((arc, selected));
            Node { fixed, weights: self.weights.clone(), rises: self.rises, bound: Some(self.bound) }
        })
    }
}

/// The next level: all open nodes branch on the arc of the one with the highest lower bound (section 3.3); a node where
/// that arc is already decided goes down with its own.
fn branch(open: Vec<Open>) -> Vec<Node> {
    let Some(best) = open.iter().rev().max_by_key(|node| node.lower) else { return Vec::new() };
    let chosen = best.branch;
    let own = |node: &Open| if node.fixed.iter().any(|f| f.0 == chosen) { node.branch } else { chosen };
    open.iter().flat_map(|node| node.children(own(node))).collect()
}
