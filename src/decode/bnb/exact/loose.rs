//! Looseness: where the relaxation gives a tree more than its score, factor by factor.
//!
//! For each factor that is loose at a tree there is one multiplier whose move makes it tighter, by one unit a unit moved
//! (`slope` units for negative factors of other shapes), up to a capacity where the factor is exact. The
//! looseness of all factors adds up to the bound less the score.

use std::ops::Range;

use super::instance::Instance;
use super::memory::Seen;
use super::multipliers::Multipliers;
use super::owners::Owner;
use super::sides::{ChildSide, Side};
use crate::decode::backbone::Backbone;
use crate::graph::{ArcId, FactorId, TreeArcs, Word};

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
    seen.look(instance);
    let tree = &seen.tree;
    let mut finder = Finder { instance, multipliers, tree, moves };
    if instance.backbone == Backbone::Carreras {
        tree.arcs().iter().for_each(|&a| finder.star(a));
    }
    for h in (0..=instance.space.words()).map(Word::new) {
        finder.chain(Side::left(&instance.space, h));
        finder.chain(Side::right(&instance.space, h));
    }
    finder.cross();
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

    fn chain(&mut self, side: Side) {
        let space = &self.instance.space;
        let has = |rank: usize| self.tree.has(side.arc(rank));
        let Some(first) = (0..side.len()).find(|&rank| has(rank)) else { return };
        for outer in 1..side.len() {
            // The nearest modifier of the tree inside `outer`.
            let Some(before) = (first..outer).rev().find(|&rank| has(rank)) else { continue };
            let outer_in = has(outer);
            // The nearest modifier of the tree outside `inner`, kept while `inner` moves inward.
            let mut after = outer;
            for inner in (0..outer).rev() {
                let inner_in = has(inner);
                let part = side.part(space, inner, outer);
                let (score, multiplier) = (self.instance.chain[part], self.multipliers.chain[part]);
                let place = Place::Chain { part: part as u32, inner: side.arc(inner), outer: side.arc(outer) };
                let between = after < outer;
                if score > 0.0 {
                    if inner_in && !outer_in && between {
                        self.push(place, -1.0, multiplier);
                    } else if !inner_in && outer_in && before > inner {
                        self.push(place, 1.0, score - multiplier);
                    }
                } else if score < 0.0 && between {
                    if inner_in && outer_in {
                        self.push(place, 1.0, -score - multiplier);
                    } else if !inner_in && !outer_in {
                        self.push(place, -1.0, multiplier);
                    }
                }
                if inner_in {
                    after = inner;
                }
            }
        }
    }

    fn cross(&mut self) {
        let mut start = 0;
        for owner in self.instance.owners() {
            let pairs = owner.pairs();
            if pairs > 0 && owner.above.is_none_or(|a| self.tree.has(a)) {
                self.cross_of(&owner, start);
            }
            start += pairs;
        }
    }

    /// The pairs of one owner, whose multipliers begin at `place`.
    fn cross_of(&mut self, owner: &Owner, mut place: usize) {
        let Owner { left, right, .. } = owner;
        for l in left.clone().map(ArcId::new) {
            let l_in = self.tree.has(l);
            let row = self.instance.cross_place(l, ArcId::new(right.start));
            let scores = &self.instance.cross[row..row + right.len()];
            for (r, &score) in right.clone().map(ArcId::new).zip(scores) {
                let r_in = self.tree.has(r);
                let multiplier = self.multipliers.cross.multipliers[place];
                let at = Place::Cross { place: place as u32, left: l, right: r };
                place += 1;
                match (l_in, r_in) {
                    (true, false) if score > 0.0 => self.push(at, -1.0, multiplier),
                    (false, true) if score > 0.0 => self.push(at, 1.0, score - multiplier),
                    (false, false) if score < 0.0 => self.push(at, -1.0, multiplier),
                    (true, true) if score < 0.0 => self.push(at, 1.0, -score - multiplier),
                    _ => {}
                }
            }
        }
    }

    fn positive(&mut self, seen: &Seen) {
        for list in 0..seen.partly_paid() {
            let (factor, paid) = seen.paid(list);
            let loose = paid.iter().map(|&place| self.multipliers.other[place as usize]).sum();
            self.push(Place::Positive { factor, list: list as u32 }, 1.0, loose);
        }
    }

    fn negative(&mut self, seen: &Seen) {
        let factors = &self.instance.other;
        for &c in &seen.charged {
            let v = self.multipliers.other[factors.span(c).start];
            self.push(Place::Negative(c), 1.0, -factors.score(c) as f64 - v);
        }
        for &c in &self.multipliers.raised {
            let v = self.multipliers.other[factors.span(c).start];
            let excess = seen.excess[c.ix()];
            if excess < 0 && v > 0.0 {
                let slope = f64::from(-excess);
                self.moves.push(Move { place: Place::Negative(c), sign: -1.0, slope, capacity: v });
            }
        }
    }
}

impl Multipliers {
    /// Makes a move of `units`, a whole number of the fixed point.
    pub fn apply(&mut self, instance: &Instance, seen: &Seen, mv: &Move, units: f64) {
        let delta = mv.sign * units;
        match mv.place {
            Place::Star(b) => self.star[b as usize] += delta,
            Place::Chain { part, .. } => self.chain[part as usize] += delta,
            Place::Cross { place, left, right } => {
                let above = instance.by_arc.then(|| seen.tree.arcs()[instance.space.head(left).ix() - 1]);
                self.cross.shift(instance, place as usize, [left, right], above, delta);
            }
            Place::Positive { factor, list } => {
                self.shift_shares(instance.other.span(factor), seen.paid(list as usize).1, units);
            }
            Place::Negative(c) => {
                let v = &mut self.other[instance.other.span(c).start];
                let is_raised = *v > 0.0;
                *v += delta;
                if !is_raised && let Err(place) = self.raised.binary_search(&c) {
                    self.raised.insert(place, c);
                }
            }
        }
    }

    /// Takes `units` from the shares of a factor that the tree pays, in the order of the arcs, and gives them to those that it
    /// does not, in equal parts, what is left over to the first.
    fn shift_shares(&mut self, places: Range<usize>, paid: &[u32], units: f64) {
        let mut left = units;
        for &place in paid {
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
            if paid.next_if(|&&p| p as usize == place).is_none() {
                self.other[place] += each + extra;
                extra = 0.0;
            }
        }
    }
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
