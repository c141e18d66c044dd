//! The search.

use super::instance::Instance;
use super::loose::{self, Move};
use super::relaxation::{Multipliers, Relaxed};
use super::score::score;
use crate::decode::bnb::limits::Limits;
use crate::decode::bnb::problem::Scale;
use crate::decode::carreras::Carreras;
use crate::decode::outcome::{Decoded, Status};
use crate::decode::value::Value;
use crate::graph::{ArcId, FactorGraph, TreeArcs, Word};
use crate::treebank::Tree;

/// Switches of the search, for measuring what each idea is worth. None changes an answer.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Iterations before fixing.
    pub first: u64,
    /// Between fixings.
    pub every: u64,
    /// Before branching.
    pub most: u64,
    /// Step factor.
    pub step: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { first: 3, every: 8, most: 40, step: 1.0 }
    }
}

/// The best tree of `graph`, or the best found within `limits`.
pub fn decode(graph: &FactorGraph, prior: Option<&[f64]>, limits: Limits, options: Options) -> Decoded {
    let scale = Scale::of(graph);
    if !scale.fits_f64 {
        return crate::decode::bnb::paper::decode(graph, limits);
    }
    let instance = Instance::new(graph, scale.bits, prior);
    let mut search = Search {
        unit: (1u64 << scale.bits) as f64,
        limits,
        options,
        chart: Carreras::new(),
        relaxed: Relaxed::default(),
        tree: TreeArcs::default(),
        moves: Vec::new(),
        marginals: Vec::new(),
        incumbent: None,
        dp_calls: 0,
        nodes: 0,
    };
    search.run(instance, scale.bits)
}

struct Node {
    instance: Instance,
    multipliers: Multipliers,
    bound: f64,
}

struct Search {
    unit: f64,
    limits: Limits,
    options: Options,
    chart: Carreras<f64>,
    relaxed: Relaxed,
    tree: TreeArcs,
    moves: Vec<Move>,
    marginals: Vec<f64>,
    /// Score (scaled) and heads.
    incumbent: Option<(f64, Vec<Word>)>,
    dp_calls: u64,
    nodes: u64,
}

enum Bounded {
    Closed,
    Open(Node, ArcId),
    Stopped(Status, f64),
}

impl Search {
    fn run(&mut self, instance: Instance, bits: u32) -> Decoded {
        let mut multipliers = Multipliers::default();
        multipliers.start(&instance);
        let mut open = vec![Node { instance, multipliers, bound: f64::INFINITY }];
        let mut status = Status::Optimal;
        let mut left = f64::NEG_INFINITY;
        while let Some(best) = (0..open.len()).max_by(|&a, &b| open[a].bound.total_cmp(&open[b].bound)) {
            let node = open.swap_remove(best);
            if node.bound <= self.lower() {
                continue;
            }
            match self.bound_node(node) {
                Bounded::Closed => {}
                Bounded::Open(node, arc) => {
                    let space = &node.instance.space;
                    let rivals = space.arcs_into(space.modifier(arc)).to_vec();
                    let mut keep = vec![true; space.arcs()];
                    for &r in &rivals {
                        keep[r.ix()] = r == arc;
                    }
                    let with = self.child(&node, &keep);
                    let mut keep = vec![true; space.arcs()];
                    keep[arc.ix()] = false;
                    let without = self.child(&node, &keep);
                    open.push(without);
                    open.push(with);
                }
                Bounded::Stopped(reason, bound) => {
                    status = reason;
                    left = open.iter().map(|n| n.bound).fold(bound, f64::max);
                    break;
                }
            }
        }
        let units = |scaled: f64| (scaled as i128) >> bits;
        let score = self.incumbent.as_ref().map(|i| units(i.0));
        if status == Status::Optimal && score.is_none() {
            status = Status::Infeasible;
        }
        let bound = if status.is_proof() {
            score
        } else if left == f64::INFINITY {
            None
        } else {
            Some(units(left).max(score.unwrap_or(i128::MIN)))
        };
        Decoded {
            tree: self.incumbent.take().map(|i| Tree::from_decoder(i.1)),
            score,
            bound,
            status,
            dp_calls: self.dp_calls,
            nodes: self.nodes,
        }
    }

    fn lower(&self) -> f64 {
        self.incumbent.as_ref().map_or(f64::NEG_INFINITY, |i| i.0)
    }

    fn round_down(&self, bound: f64) -> f64 {
        (bound / self.unit).floor() * self.unit
    }

    fn child(&self, node: &Node, keep: &[bool]) -> Node {
        let mut kept = Vec::new();
        let instance = node.instance.restrict(keep, &mut kept);
        let multipliers = node.multipliers.restrict(&node.instance, &instance, &kept);
        Node { instance, multipliers, bound: node.bound }
    }

    fn call(&mut self, instance: &Instance, multipliers: &Multipliers) -> Option<f64> {
        self.relaxed.fill(instance, multipliers);
        let value = self.chart.best_score(&instance.space, &self.relaxed.scores);
        self.dp_calls += self.chart.take_calls();
        value.to_score()?;
        let arcs = self.chart.best_arcs(&instance.space, &self.relaxed.scores);
        self.tree.set(&instance.space, arcs);
        Some(value + self.relaxed.constant)
    }

    fn bound_node(&mut self, mut node: Node) -> Bounded {
        if let Some(status) = self.limits.reached(self.dp_calls, self.nodes) {
            return Bounded::Stopped(status, node.bound);
        }
        self.nodes += 1;
        let mut iteration = 0;
        let mut best = (node.bound, node.multipliers.clone());
        let mut gaps: Vec<f64> = Vec::new();
        loop {
            let Some(value) = self.call(&node.instance, &node.multipliers) else { return Bounded::Closed };
            let tree_score = score(&node.instance, &self.tree);
            debug_assert!(tree_score <= value);
            if tree_score > self.lower() {
                let space = &node.instance.space;
                let heads = self.tree.arcs().iter().map(|&a| space.head(a)).collect();
                self.incumbent = Some((tree_score, heads));
            }
            let bound = self.round_down(value);
            if bound < best.0 {
                best.0 = bound;
                best.1.clone_from(&node.multipliers);
            }
            if best.0 <= self.lower() {
                return Bounded::Closed;
            }
            iteration += 1;
            loose::find(&node.instance, &node.multipliers, &self.tree, &mut self.moves);
            let total: f64 = self.moves.iter().map(|m| m.capacity * m.slope).sum();
            debug_assert_eq!(total, value - tree_score);
            if gaps.len() != node.instance.space.arcs() {
                gaps.clear();
                gaps.resize(node.instance.space.arcs(), 0.0);
            }
            if let Some(status) = self.limits.reached(self.dp_calls, self.nodes) {
                return Bounded::Stopped(status, best.0);
            }
            if iteration == self.options.first
                || (iteration > self.options.first && (iteration - self.options.first) % self.options.every == 0)
            {
                self.chart.max_marginals(&node.instance.space, &self.relaxed.scores, &mut self.marginals);
                self.dp_calls += self.chart.take_calls();
                let lower = self.lower();
                let keep: Vec<bool> =
                    self.marginals.iter().map(|m| self.round_down(m + self.relaxed.constant) > lower).collect();
                if keep.contains(&false) {
                    let mut kept = Vec::new();
                    let instance = node.instance.restrict(&keep, &mut kept);
                    node.multipliers = node.multipliers.restrict(&node.instance, &instance, &kept);
                    best.1 = best.1.restrict(&node.instance, &instance, &kept);
                    node.instance = instance;
                    if iteration >= self.options.most {
                        break;
                    }
                    continue;
                }
            }
            if iteration >= self.options.most {
                break;
            }
            self.step(&node.instance, &mut node.multipliers, value);
        }
        // branch
        let space = &node.instance.space;
        let free = |a: &ArcId| space.arcs_into(space.modifier(*a)).len() > 1;
        let mut gap = vec![0.0; space.arcs()];
        if self.tree.arcs().iter().all(|a| a.ix() < space.arcs()) {
            node.multipliers = best.1;
            node.bound = best.0;
            if self.call(&node.instance, &node.multipliers).is_none() {
                return Bounded::Closed;
            }
            let tree_score = score(&node.instance, &self.tree);
            if tree_score > self.lower() {
                let heads = self.tree.arcs().iter().map(|&a| node.instance.space.head(a)).collect();
                self.incumbent = Some((tree_score, heads));
            }
            loose::find(&node.instance, &node.multipliers, &self.tree, &mut self.moves);
            loose::by_arc(&node.instance, &self.moves, &mut gap);
        }
        let space = &node.instance.space;
        let free2 = |a: &ArcId| space.arcs_into(space.modifier(*a)).len() > 1;
        let _ = free;
        let arc =
            (0..space.arcs()).map(ArcId::new).filter(free2).rev().max_by(|a, b| gap[a.ix()].total_cmp(&gap[b.ix()]));
        match arc {
            Some(arc) => Bounded::Open(node, arc),
            None => Bounded::Closed,
        }
    }

    /// A Polyak step towards the incumbent.
    fn step(&mut self, instance: &Instance, multipliers: &mut Multipliers, value: f64) {
        let wanted = (value - self.lower()) * self.options.step;
        // The length t with sum over moves of slope * min(t * slope, capacity) = wanted.
        let mut order: Vec<f64> = self.moves.iter().map(|m| m.capacity / m.slope).collect();
        order.sort_unstable_by(f64::total_cmp);
        let mut low = 0.0;
        let mut high = order.last().copied().unwrap_or(0.0);
        for _ in 0..40 {
            let mid: f64 = (low + high) / 2.0;
            let gain: f64 = self.moves.iter().map(|m| m.slope * (mid * m.slope).min(m.capacity)).sum();
            if gain < wanted { low = mid } else { high = mid }
        }
        for mv in &self.moves {
            let units = (high * mv.slope).ceil().min(mv.capacity);
            multipliers.apply(instance, &self.tree, mv, units);
        }
    }
}
