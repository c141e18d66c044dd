//! Nodes: sets of trees.

use crate::decode::backbone::Backbone;
use crate::decode::bnb::Limits;
use crate::decode::bnb::exact::Options;
use crate::decode::bnb::exact::instance::{Instance, Kept};
use crate::decode::bnb::exact::looseness::Seen;
use crate::decode::bnb::exact::relaxation::Multipliers;
use crate::graph::FactorGraph;

/// A set of trees: those over the arcs of its instance.
#[derive(Debug, Default)]
pub struct Node {
    pub instance: Instance,
    pub multipliers: Multipliers,
    /// By arc: how loose its factors were, summed over the trees seen.
    pub gap: Vec<f64>,
    /// No tree of the node scores more.
    pub bound: f64,
    /// The last trees that were best under the multipliers, oldest first.
    pub seen: Vec<Seen>,
}

impl Node {
    /// Makes this the node of all trees of `graph`, its scores shifted left by `bits`. `prior` gives a probability an arc.
    /// Within `limits`, see [`go_over_to_third_order`](Self::go_over_to_third_order).
    pub fn fill(&mut self, graph: &FactorGraph, prior: Option<&[f64]>, bits: u32, limits: Limits, options: &Options) {
        let prior = prior.filter(|_| options.prior);
        self.instance.fill(graph, options.backbone.for_graph(graph), options.links, bits, prior);
        self.multipliers.start(&self.instance);
        self.tell_pairs_apart(limits, options);
        self.gap.clear();
        self.gap.resize(graph.space.arcs(), 0.0);
        self.bound = f64::INFINITY;
    }

    /// Leaves all grandchildren to the third-order program, if that scores or sees what the present one does not. Pairs stay
    /// together where multipliers by arc would take more memory than `limits` have.
    pub fn go_over_to_third_order(&mut self, limits: Limits, options: &Options) {
        if self.instance.gains_by_third_order() {
            self.instance.backbone = Backbone::GrandSibling;
            self.instance.link();
            self.multipliers.list(&self.instance);
            self.seen.iter_mut().for_each(Seen::forget);
            self.tell_pairs_apart(limits, options);
        }
    }

    /// Gives pairs multipliers by the arc above them, where the program sees it and there is room.
    fn tell_pairs_apart(&mut self, limits: Limits, options: &Options) {
        /// Bytes of a pair: of a node, and of one of its children.
        const OF_PAIR: u64 = 16;
        if !options.pairs_by_arc || self.instance.backbone != Backbone::GrandSibling {
            return;
        }
        let pairs = self.instance.pairs_by_arc();
        if u32::try_from(pairs).is_ok() && !limits.is_full(|| OF_PAIR * pairs) {
            self.instance.by_arc = true;
            self.multipliers.tell_apart(&self.instance);
        }
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> u64 {
        let trees: usize = self.seen.iter().map(Seen::bytes).sum();
        (self.instance.bytes() + self.multipliers.bytes() + size_of_val(&*self.gap) + trees) as u64
    }

    /// Makes `to` the node of those trees that have only arcs that are kept: all but the trees seen.
    pub fn restrict(&self, kept: &Kept, to: &mut Node) {
        self.instance.restrict(kept, &mut to.instance);
        self.multipliers.restrict(&self.instance, &to.instance, kept, &mut to.multipliers);
        to.gap.clear();
        to.gap.extend(kept.old().iter().map(|a| self.gap[a.ix()]));
        to.bound = self.bound;
    }
}
