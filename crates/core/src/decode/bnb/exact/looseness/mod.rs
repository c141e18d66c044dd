//! Looseness: where the relaxation gives a tree more than its score, factor by factor.
//!
//! For each factor that is loose at a tree there is one multiplier whose move makes it tighter, by one unit a unit moved
//! (`slope` units for negative factors of other shapes), up to a capacity where the factor is exact. The
//! looseness of all factors adds up to the bound less the score.

mod pairs;
mod seen;
mod step;

pub use seen::Seen;
pub use step::Steps;

use super::instance::{ChildSide, Instance};
use super::relaxation::{Multiplier, Multipliers};
use crate::decode::backbone::Backbone;
use crate::graph::{ArcId, TreeArcs};

/// A move that makes the relaxation tighter at a tree.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub which: Multiplier,
    /// +1 or -1.
    pub sign: f64,
    /// Bound lost a unit moved.
    pub slope: f64,
    /// Most units that help.
    pub capacity: f64,
}

/// Collects the moves at the tree `seen`.
pub fn find(instance: &Instance, multipliers: &Multipliers, seen: &mut Seen, moves: &mut Vec<Move>) {
    moves.clear();
    seen.look(instance, multipliers);
    let tree = &seen.tree;
    let mut finder = Finder { instance, multipliers, tree, moves };
    if instance.backbone == Backbone::Carreras {
        tree.arcs().iter().for_each(|&a| finder.star(a));
    }
    finder.pairs(seen);
    finder.lifted(seen);
    finder.positive(seen);
    finder.negative(seen);
}

struct Finder<'a> {
    instance: &'a Instance,
    multipliers: &'a Multipliers,
    tree: &'a TreeArcs,
    moves: &'a mut Vec<Move>,
}

impl Finder<'_> {
    fn push(&mut self, which: Multiplier, sign: f64, capacity: f64) {
        if capacity > 0.0 {
            self.moves.push(Move { which, sign, slope: 1.0, capacity });
        }
    }

    /// The stars of the children of `a`'s modifier, where `a` is in the tree.
    fn star(&mut self, a: ArcId) {
        for side in ChildSide::both(&self.instance.space, a) {
            let Some(outermost) = (0..side.len()).rev().find(|&rank| self.tree.has(side.get(rank).0)) else { continue };
            for rank in 0..outermost {
                let (b, part) = side.get(rank);
                let surplus = self.instance.grand.any[part] - self.multipliers.star[b.ix()];
                if self.tree.has(b) {
                    self.push(Multiplier::Star(b.0), -1.0, -surplus);
                } else {
                    self.push(Multiplier::Star(b.0), 1.0, surplus);
                }
            }
        }
    }

    fn pairs(&mut self, seen: &Seen) {
        for &pair in &seen.lowered {
            self.push(pair, -1.0, self.multipliers.at(pair));
        }
        for &(pair, size) in &seen.raised {
            self.push(pair, 1.0, size - self.multipliers.at(pair));
        }
    }

    /// The factors s < 0 that are loose by their multipliers.
    fn lifted(&mut self, seen: &Seen) {
        for &pair in &seen.lifted_pairs {
            self.push(pair, -1.0, self.multipliers.at(pair));
        }
        for &(c, place, slope) in &seen.lifted {
            let capacity = self.multipliers.other[place as usize];
            if capacity > 0.0 {
                self.moves.push(Move { which: Multiplier::Negative(c), sign: -1.0, slope, capacity });
            }
        }
    }

    /// The factors s >= 0 of which the tree pays shares, though it has not all of their arcs.
    fn positive(&mut self, seen: &Seen) {
        let mut start = 0;
        for &(c, end) in &seen.shared {
            let places = &seen.paid[start..end as usize];
            let paid = places.iter().map(|&place| self.multipliers.other[place as usize]).sum();
            self.push(Multiplier::Positive(c), 1.0, paid);
            start = end as usize;
        }
    }

    fn negative(&mut self, seen: &Seen) {
        for &c in &seen.charged {
            let v = self.multipliers.other[self.instance.other.span(c).start];
            self.push(Multiplier::Negative(c), 1.0, -self.instance.other.score(c) as f64 - v);
        }
    }
}

/// What the moves can take off the bound: all that is loose.
pub fn total(moves: &[Move]) -> f64 {
    moves.iter().map(|m| m.capacity * m.slope).sum()
}

/// What the relaxation gives a tree.
pub fn value_at(instance: &Instance, multipliers: &Multipliers, seen: &Seen) -> f64 {
    let mut moves = Vec::new();
    find(instance, multipliers, &mut seen.clone(), &mut moves);
    seen.score + total(&moves)
}

/// Adds the looseness of each factor to its arcs.
pub fn add_by_arc(instance: &Instance, moves: &[Move], gap: &mut [f64]) {
    for mv in moves {
        let loose = mv.capacity * mv.slope;
        let mut add = |a: ArcId| gap[a.ix()] += loose;
        match mv.which {
            Multiplier::Star(b) => add(ArcId(b)),
            Multiplier::Chain { inner, outer, .. } => {
                add(inner);
                add(outer);
            }
            Multiplier::Cross { left, right, .. } => {
                add(left);
                add(right);
            }
            Multiplier::Positive(c) | Multiplier::Negative(c) => instance.other.arcs(c).iter().copied().for_each(add),
        }
    }
}
