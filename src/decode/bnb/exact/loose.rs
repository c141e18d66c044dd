//! Looseness: where the relaxation gives a tree more than its score, factor by factor.
//!
//! For each factor that is loose at a tree there is one multiplier whose move makes it tighter, by one unit a unit moved
//! (`slope` units for negative factors of other shapes), up to a capacity where the factor is exact. The
//! looseness of all factors adds up to the bound less the score.

use std::ops::Range;

use super::instance::Instance;
use super::multipliers::Multipliers;
use super::seen::Seen;
use super::sides::ChildSide;
use crate::decode::backbone::Backbone;
use crate::graph::{ArcId, FactorId, TreeArcs};

/// Which multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Star(u32),
    Chain {
        part: u32,
        inner: ArcId,
        outer: ArcId,
    },
    Cross {
        place: u32,
        left: ArcId,
        right: ArcId,
    },
    /// A positive factor of another shape: shares move from where the tree pays them to where it does not.
    Positive {
        factor: FactorId,
        /// Which list of what the tree pays.
        list: u32,
    },
    /// A negative factor of another shape: its v.
    Negative(FactorId),
}

/// A move that makes the relaxation tighter at a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub place: Place,
    /// +1 or -1.
    pub sign: f64,
    /// Bound lost a unit moved.
    pub slope: f64,
    /// Most units that help.
    pub capacity: f64,
}

/// Collects the moves at the tree `seen`.
pub(super) fn find(instance: &Instance, multipliers: &Multipliers, seen: &mut Seen, moves: &mut Vec<Move>) {
    moves.clear();
    seen.look(instance, &multipliers.cross);
    seen.look_at_raised(instance, &multipliers.raised);
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
    fn push(&mut self, place: Place, sign: f64, capacity: f64) {
        if capacity > 0.0 {
            self.moves.push(Move { place, sign, slope: 1.0, capacity });
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
                    self.push(Place::Star(b.0), -1.0, -surplus);
                } else {
                    self.push(Place::Star(b.0), 1.0, surplus);
                }
            }
        }
    }

    fn pairs(&mut self, seen: &Seen) {
        for &place in &seen.lowered {
            self.push(place, -1.0, self.multipliers.at(place));
        }
        for &(place, size) in &seen.raised {
            self.push(place, 1.0, size - self.multipliers.at(place));
        }
    }

    /// The factors s < 0 that are loose by their multipliers.
    fn lifted(&mut self, seen: &Seen) {
        for &place in &seen.lifted_pairs {
            self.push(place, -1.0, self.multipliers.at(place));
        }
        for &(c, place, slope) in &seen.lifted {
            let capacity = self.multipliers.other[place as usize];
            if capacity > 0.0 {
                self.moves.push(Move { place: Place::Negative(c), sign: -1.0, slope, capacity });
            }
        }
    }

    fn positive(&mut self, seen: &Seen) {
        seen.for_each_paid(&self.multipliers.other, |factor, list, loose| {
            self.push(Place::Positive { factor, list }, 1.0, loose);
        });
    }

    fn negative(&mut self, seen: &Seen) {
        for &c in &seen.charged {
            let v = self.multipliers.other[self.instance.other.span(c).start];
            self.push(Place::Negative(c), 1.0, -self.instance.other.score(c) as f64 - v);
        }
    }
}

impl Instance {
    /// Whether the factor of a multiplier has s < 0, so that the multiplier is a v.
    #[inline(always)]
    fn is_negative(&self, place: Place) -> bool {
        match place {
            Place::Star(_) | Place::Positive { .. } => false,
            Place::Chain { part, .. } => self.chain[part as usize] < 0.0,
            Place::Cross { left, right, .. } => self.cross[self.cross_place(left, right)] < 0.0,
            Place::Negative(_) => true,
        }
    }
}

impl Multipliers {
    /// That of a pair of siblings.
    #[inline(always)]
    fn at(&self, place: Place) -> f64 {
        match place {
            Place::Chain { part, .. } => self.chain[part as usize],
            Place::Cross { place, .. } => self.cross.multipliers[place as usize],
            _ => 0.0,
        }
    }

    /// Makes a move of `units`, a whole number of the fixed point.
    pub fn apply(&mut self, instance: &Instance, seen: &Seen, mv: &Move, units: f64) {
        let delta = mv.sign * units;
        let above = match mv.place {
            Place::Cross { left, .. } if instance.by_arc => Some(seen.tree.arcs()[instance.space.head(left).ix() - 1]),
            _ => None,
        };
        let before = match mv.place {
            Place::Star(b) => add(&mut self.star[b as usize], delta),
            Place::Chain { part, .. } => add(&mut self.chain[part as usize], delta),
            Place::Cross { place, left, right } => {
                self.cross.shift(instance, place as usize, [left, right], above, delta)
            }
            Place::Positive { factor, list } => {
                return self.shift_shares(instance.other.span(factor), seen.paid(list).1, units);
            }
            Place::Negative(c) => add(&mut self.other[instance.other.span(c).start], delta),
        };
        if before == 0.0 && instance.is_negative(mv.place) {
            self.raised.add(mv.place, above);
        }
    }

    /// Takes `units` from the shares of a factor that the tree pays, in the order of the arcs, and gives them to those that it
    /// does not, in equal parts, what is left over to the first.
    fn shift_shares(&mut self, places: Range<usize>, paid: &[(u32, u32)], units: f64) {
        let mut left = units;
        for &(place, _) in paid {
            let share = &mut self.other[place as usize];
            let taken = share.min(left);
            *share -= taken;
            left -= taken;
        }
        let unpaid = (places.len() - paid.len()) as f64;
        let each = (units / unpaid).floor();
        let mut extra = units - each * unpaid;
        let mut paid = paid.iter().peekable();
        for place in places {
            if paid.next_if(|&&(p, _)| p as usize == place).is_none() {
                self.other[place] += each + extra;
                extra = 0.0;
            }
        }
    }
}

/// Adds to a multiplier; with what it was before.
fn add(multiplier: &mut f64, delta: f64) -> f64 {
    let before = *multiplier;
    *multiplier += delta;
    before
}

/// What the moves can take off the bound: all that is loose.
pub(super) fn total(moves: &[Move]) -> f64 {
    moves.iter().map(|m| m.capacity * m.slope).sum()
}

/// Adds the looseness of each factor to its arcs.
pub(super) fn add_by_arc(instance: &Instance, moves: &[Move], gap: &mut [f64]) {
    for mv in moves {
        let loose = mv.capacity * mv.slope;
        let mut add = |a: ArcId| gap[a.ix()] += loose;
        match mv.place {
            Place::Star(b) => add(ArcId(b)),
            Place::Chain { inner, outer, .. } => {
                add(inner);
                add(outer);
            }
            Place::Cross { left, right, .. } => {
                add(left);
                add(right);
            }
            Place::Positive { factor: c, .. } | Place::Negative(c) => {
                instance.other.arcs(c).iter().copied().for_each(add)
            }
        }
    }
}
