//! Steps over the last trees of a node, not the newest alone.
//!
//! All trees must come down to the incumbent. A step for the newest tree lifts others, often those that were best a call
//! or two before; then a call is spent to find them again. So the last trees are kept, and steps go round them until none
//! is above the incumbent, or for some rounds: a known tree's value is its score and its looseness, without a call.

use super::instance::Instance;
use super::links::Counts;
use super::loose;
use super::search::{Exact, Node};
use super::step;
use crate::graph::{ArcId, ArcSpace, FactorId, TreeArcs};

/// A tree that was best under some multipliers, with what is loose there whatever the multipliers are.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub tree: TreeArcs,
    pub score: f64,
    /// Whether what follows was found; it holds for one instance.
    looked: bool,
    /// The factors s >= 0 of other shapes that the tree has not, but pays some share of, with where the list of those
    /// shares ends, which begins where that of the factor before ends.
    partly_paid: Vec<(FactorId, u32)>,
    /// Those shares, by incidence, ascending.
    paid: Vec<u32>,
    /// The factors s < 0 of other shapes that the tree has.
    pub charged: Vec<FactorId>,
    /// By factor of another shape: E, if s < 0.
    pub excess: Vec<i32>,
}

impl Seen {
    pub fn new(tree: TreeArcs, score: f64) -> Self {
        Self { tree, score, ..Self::default() }
    }

    /// Finds what is loose, if that is not known yet.
    pub fn look(&mut self, instance: &Instance) {
        if self.looked || instance.other.is_empty() {
            return;
        }
        self.looked = true;
        let Self { tree, partly_paid, paid, charged, excess, .. } = self;
        let counts = Counts::of(&instance.space, tree);
        excess.resize(instance.other.len(), 0);
        for (c, arcs, score) in instance.other.iter() {
            if score < 0 {
                excess[c.ix()] = counts.excess(instance.linked(c));
                if excess[c.ix()] > 0 {
                    charged.push(c);
                }
            } else if !tree.has_all(arcs) {
                let before = paid.len();
                let places = instance.other.span(c);
                let pays = |&(_, (a, link)): &(usize, _)| counts.pays(a, link);
                paid.extend(places.zip(instance.linked(c)).filter(pays).map(|(place, _)| place as u32));
                if paid.len() > before {
                    partly_paid.push((c, paid.len() as u32));
                }
            }
        }
    }

    /// How many lists of shares there are.
    pub fn partly_paid(&self) -> usize {
        self.partly_paid.len()
    }

    /// A list: the factor and the shares of it that the tree pays.
    #[inline(always)]
    pub fn paid(&self, list: usize) -> (FactorId, &[u32]) {
        let (c, end) = self.partly_paid[list];
        let start = if list == 0 { 0 } else { self.partly_paid[list - 1].1 };
        (c, &self.paid[start as usize..end as usize])
    }

    /// The tree alone, for an instance whose factors are linked in another way.
    pub fn forget(&mut self) {
        *self = Self::new(std::mem::take(&mut self.tree), self.score);
    }
}

impl Exact {
    /// Adds a tree to those of the node, and forgets the oldest if there are too many.
    pub(super) fn remember(&self, node: &mut Node, seen: Seen) {
        if node.seen.len() >= self.options.memory.max(1) {
            node.seen.remove(0);
        }
        node.seen.push(seen);
    }

    /// Moves the multipliers, tree by tree from the newest on, whose moves `self.moves` has, then from the oldest, each as
    /// far as its own value asks for. Fixing may have dropped what made the bound loose, so that even the newest may be
    /// below the incumbent.
    pub(super) fn step(&mut self, node: &mut Node) {
        let trees = node.seen.len();
        // Trees passed since the last step, with the tree that it was for.
        let mut below = 0;
        for turn in 0..trees * self.options.rounds {
            let seen = &mut node.seen[(trees - 1 + turn) % trees];
            if turn > 0 {
                loose::find(&node.instance, &node.multipliers, seen, &mut self.moves);
            }
            let above = seen.score + loose::total(&self.moves) - self.lower();
            below += 1;
            if above > 0.0 {
                below = 1;
                let length = step::length(&self.moves, above * self.options.step, &mut self.order);
                for mv in &self.moves {
                    let units = (length * mv.slope).ceil().min(mv.capacity);
                    node.multipliers.apply(&node.instance, seen, mv, units);
                }
            }
            if below == trees {
                break;
            }
        }
    }
}

/// `tree` in `space`, which has the arcs `kept` of the tree's own; none if an arc of the tree is not among them.
pub(super) fn restricted(tree: &TreeArcs, kept: &[ArcId], space: &ArcSpace) -> Option<TreeArcs> {
    let arcs: Option<Vec<_>> = tree.arcs().iter().map(|a| kept.binary_search(a).ok().map(ArcId::new)).collect();
    let mut new = TreeArcs::default();
    new.set(space, &arcs?);
    Some(new)
}
