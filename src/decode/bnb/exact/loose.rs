//! Looseness: where the relaxation gives a tree more than its score, factor by factor.
//!
//! For each factor that is loose at a tree there is one multiplier whose move makes it tighter, by one unit a unit moved
//! (`slope` units for the negative factors of more than two arcs), up to a capacity where the factor is exact. The
//! looseness of all factors adds up to the bound less the score.

use super::instance::Instance;
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
    /// A negative factor of another shape: its v.
    Other(FactorId),
    /// A positive factor of another shape: shares move from the arcs in the tree to those that are not.
    Shares(FactorId),
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

/// Collects the moves at `tree`.
pub(super) fn find(instance: &Instance, multipliers: &Multipliers, tree: &TreeArcs, moves: &mut Vec<Move>) {
    moves.clear();
    let mut finder = Finder { instance, multipliers, tree, moves };
    if instance.backbone == Backbone::Carreras {
        tree.arcs().iter().for_each(|&a| finder.star(a));
    }
    for h in (0..=instance.space.words()).map(Word::new) {
        finder.chain(Side::left(&instance.space, h));
        finder.chain(Side::right(&instance.space, h));
    }
    finder.cross();
    finder.other();
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

    fn other(&mut self) {
        for (c, arcs, score) in self.instance.other.iter() {
            let places = self.instance.other.span(c);
            let selected = arcs.iter().filter(|&&a| self.tree.has(a)).count();
            let r = arcs.len();
            if score >= 0 {
                if selected > 0 && selected < r {
                    let shares = &self.multipliers.other[places];
                    let loose = arcs.iter().zip(shares).filter(|(a, _)| self.tree.has(**a)).map(|(_, s)| s).sum();
                    self.push(Place::Shares(c), 1.0, loose);
                }
            } else {
                let v = self.multipliers.other[places.start];
                let place = Place::Other(c);
                if selected == r {
                    self.push(place, 1.0, -score as f64 - v);
                } else if selected + 2 <= r && v > 0.0 {
                    let slope = (r - 1 - selected) as f64;
                    self.moves.push(Move { place, sign: -1.0, slope, capacity: v });
                }
            }
        }
    }
}

impl Multipliers {
    /// Makes a move of `units`, a whole number of the fixed point.
    pub fn apply(&mut self, instance: &Instance, tree: &TreeArcs, mv: &Move, units: f64) {
        let delta = mv.sign * units;
        match mv.place {
            Place::Star(b) => self.star[b as usize] += delta,
            Place::Chain { part, .. } => self.chain[part as usize] += delta,
            Place::Cross { place, left, right } => {
                let above = instance.by_arc.then(|| tree.arcs()[instance.space.head(left).ix() - 1]);
                self.cross.shift(instance, place as usize, [left, right], above, delta);
            }
            Place::Other(c) => self.other[instance.other.span(c).start] += delta,
            Place::Shares(c) => self.shift_shares(instance, tree, c, units),
        }
    }

    /// Takes `units` from the shares of arcs in the tree, in their order, and gives them to the arcs that are not, in
    /// equal parts, what is left over to the first.
    fn shift_shares(&mut self, instance: &Instance, tree: &TreeArcs, c: FactorId, units: f64) {
        let arcs = instance.other.arcs(c);
        let shares = &mut self.other[instance.other.span(c)];
        let mut left = units;
        for (a, share) in arcs.iter().zip(shares.iter_mut()) {
            if tree.has(*a) {
                let taken = share.min(left);
                *share -= taken;
                left -= taken;
            }
        }
        let outside = arcs.iter().filter(|&&a| !tree.has(a)).count() as f64;
        let each = (units / outside).floor();
        let mut extra = units - each * outside;
        for (a, share) in arcs.iter().zip(shares.iter_mut()) {
            if !tree.has(*a) {
                *share += each + extra;
                extra = 0.0;
            }
        }
    }
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
            Place::Other(c) | Place::Shares(c) => instance.other.arcs(c).iter().copied().for_each(add),
        }
    }
}
