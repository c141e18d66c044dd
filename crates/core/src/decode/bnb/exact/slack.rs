//! Slack: where the relaxation gives a tree more than its score, factor by factor.
//!
//! For each factor that is loose at a tree there is one multiplier whose move makes it tighter, by one unit a unit moved
//! (`slope` units for negative factors of other shapes), up to a capacity where the factor is exact. The
//! slack of all factors adds up to the bound less the score.
//!
//! The pairs of siblings with an arc of a tree that are loose there.
//!
//! On one side of a head a pair is loose only if the tree has a modifier between its two: then s > 0 is if the tree has one
//! arc of the pair, s < 0 if it has both. On both sides of a head that holds of all pairs. Negative pairs of which the tree
//! has neither arc can be loose too; they are found among the active ones ([`ActiveMultipliers`](super::active::ActiveMultipliers)).
//!
//! Steps: multipliers move along the slack of a tree until the bound there would meet the incumbent.
//!
//! A Polyak step has the length (bound - target) / |slopes|^2. Here every multiplier stops at its capacity, where its
//! factor is exact; what such a factor cannot give, the others are asked for, like water that rises in vessels of
//! different heights. The target is the incumbent's score.
//!
//! All trees must come down to the incumbent. A step for the newest tree lifts others, often those that were best a call
//! or two before; then a call is spent to find them again. So the last trees of a node are kept, and steps go round them
//! until none is above the incumbent, or for some rounds: a known tree's value is its score and its slack, without a
//! call.

use super::Options;
use super::active::{Multiplier, Shares};
use super::instance::{ChildSide, HeadArcs, Instance, Owner};
use super::multipliers::Multipliers;
use crate::decode::backbone::Backbone;
use crate::graph::{ArcId, TreeArcs};

pub use super::seen::Seen;

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
    finder.counted();
    let mut sums = std::mem::take(&mut seen.sums);
    finder.charges(seen, &mut sums);
    seen.sums = sums;
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

    /// The factors that count.
    fn counted(&mut self) {
        let Instance { counted, .. } = self.instance;
        for c in counted.ids() {
            self.push(Multiplier::Counted(c), 1.0, self.multipliers.counts.slack(counted, c, self.tree));
        }
    }

    /// What trees are charged for arcs.
    fn charges(&mut self, seen: &Seen, sums: &mut Vec<(ArcId, f64)>) {
        let Instance { charges, .. } = self.instance;
        if !charges.is_empty() {
            let (due, tree) = (&seen.due, self.tree);
            self.multipliers.evidence.each_loose(charges, due, tree, sums, |which, slope, capacity| {
                let sign = if matches!(which, Multiplier::Evidence(_)) { -1.0 } else { 1.0 };
                if capacity > 0.0 {
                    self.moves.push(Move { which, sign, slope, capacity });
                }
            });
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

/// Adds the slack of each factor to its arcs.
pub fn add_by_arc(instance: &Instance, multipliers: &Multipliers, moves: &[Move], gap: &mut [f64]) {
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
            Multiplier::Charge(a) => add(a),
            Multiplier::Evidence(i) => multipliers.evidence.arcs(i as usize).iter().copied().for_each(add),
            Multiplier::Counted(c) => instance.counted.arcs(c).iter().copied().for_each(add),
        }
    }
}

/// The lists of pairs, being filled.
pub struct LoosePairs<'a> {
    pub instance: &'a Instance,
    pub tree: &'a TreeArcs,
    /// Pairs s > 0 that are loose by their multipliers.
    pub lowered: &'a mut Vec<Multiplier>,
    /// Pairs that are loose by the size of their score, which stands beside them, less their multipliers.
    pub raised: &'a mut Vec<(Multiplier, f64)>,
}

impl LoosePairs<'_> {
    /// Adds the pairs of a head; `cross` has the places of those on both sides.
    pub fn add(&mut self, head_arcs: HeadArcs, cross: &Shares) {
        let HeadArcs { head, above, left, right } = head_arcs;
        self.chain(left, |i| left.len().checked_sub(i + 1));
        self.chain(right, |i| (i < right.len()).then_some(i));
        let owner = self.instance.owner(head, above);
        if let Some((number, owner)) = owner.filter(|(_, owner)| owner.pairs() > 0) {
            self.cross(&owner, cross.start(number), [left, right]);
        }
    }

    /// The pairs on one side of a head that have an arc of the tree; it has `arcs` there, and `outward` gives their order.
    fn chain(&mut self, arcs: &[ArcId], outward: impl Fn(usize) -> Option<usize>) {
        let at = |i: usize| outward(i).map(|place| arcs[place]);
        for i in 0..arcs.len() {
            let (Some(here), next) = (at(i), at(i + 1)) else { continue };
            if let Some(previous) = i.checked_sub(1).and_then(at) {
                self.inside(here, previous);
                for inner in (0..i - 1).filter_map(at) {
                    let (place, score) = self.pair(inner, here);
                    if score < 0.0 {
                        self.raised.push((place, -score));
                    }
                }
            }
            if let Some(next) = next {
                self.beyond(here, next);
            }
        }
    }

    /// Pairs of `outer` with arcs that the tree has not, nearer to the head than `previous`.
    fn inside(&mut self, outer: ArcId, previous: ArcId) {
        let space = &self.instance.space;
        let parts = space.sibling_parts_of(outer).start;
        let first = space.inner_siblings(outer).start;
        let inner = space.inner_siblings(previous);
        let parts = parts + (inner.start - first)..parts + (inner.end - first);
        for ((inner, part), &score) in inner.map(ArcId::new).zip(parts.clone()).zip(&self.instance.chain[parts]) {
            if score > 0.0 && !self.tree.has(inner) {
                self.raised.push((Multiplier::Chain { part: part as u32, inner, outer }, score));
            }
        }
    }

    /// Pairs of `inner` with arcs that the tree has not, farther from the head than `next`.
    fn beyond(&mut self, inner: ArcId, next: ArcId) {
        let space = &self.instance.space;
        let h = space.head(inner);
        let beyond = if inner < next {
            next.ix() + 1..space.right_arcs_of(h).end
        } else {
            space.left_arcs_of(h).start..next.ix()
        };
        for outer in beyond.map(ArcId::new) {
            let (place, score) = self.pair(inner, outer);
            if score > 0.0 && !self.tree.has(outer) {
                self.lowered.push(place);
            }
        }
    }

    fn pair(&self, inner: ArcId, outer: ArcId) -> (Multiplier, f64) {
        let part = self.instance.space.sibling_part(outer, inner);
        (Multiplier::Chain { part: part as u32, inner, outer }, self.instance.chain[part])
    }

    /// The pairs of an owner that have an arc of the tree, whose left and right arcs there are `arcs`. Their multipliers
    /// begin at `start`.
    fn cross(&mut self, owner: &Owner, start: usize, [left, right]: [&[ArcId]; 2]) {
        let Instance { cross, .. } = self.instance;
        for &l in left {
            let first = ArcId::new(owner.right.start);
            let (place, row) = (start + owner.pair(l, first), self.instance.cross_place(l, first));
            for (i, r) in owner.right.clone().map(ArcId::new).enumerate() {
                let score = cross[row + i];
                if score > 0.0 && !self.tree.has(r) {
                    self.lowered.push(Multiplier::Cross { place: (place + i) as u32, left: l, right: r });
                }
            }
            for &r in right {
                let i = r.ix() - first.ix();
                if cross[row + i] < 0.0 {
                    let place = Multiplier::Cross { place: (place + i) as u32, left: l, right: r };
                    self.raised.push((place, -cross[row + i]));
                }
            }
        }
        for &r in right {
            for l in owner.left.clone().map(ArcId::new).filter(|&l| !self.tree.has(l)) {
                let score = cross[self.instance.cross_place(l, r)];
                if score > 0.0 {
                    let place = Multiplier::Cross { place: (start + owner.pair(l, r)) as u32, left: l, right: r };
                    self.raised.push((place, score));
                }
            }
        }
    }
}

/// The moves at one tree at a time; memory to be reused.
#[derive(Debug, Default)]
pub struct Steps {
    moves: Vec<Move>,
    /// Memory of [`length`].
    order: Vec<(f64, f64)>,
}

impl Steps {
    /// Finds the moves at a tree, the newest, and adds the slack of each factor to its arcs' `gap`.
    pub fn start(&mut self, instance: &Instance, multipliers: &Multipliers, newest: &mut Seen, gap: &mut [f64]) {
        find(instance, multipliers, newest, &mut self.moves);
        add_by_arc(instance, multipliers, &self.moves, gap);
    }

    /// All that is loose at the tree looked at last.
    pub fn slack(&self) -> f64 {
        total(&self.moves)
    }

    /// Moves the multipliers, tree by tree from the newest on, the last of `trees`, for which [`start`](Self::start) has found
    /// the moves, then from the oldest, each as far as its own value asks for. Fixing may have dropped what made the bound
    /// loose, so that even the newest may be below the incumbent, whose score is `lower`.
    pub fn go_round(
        &mut self,
        instance: &Instance,
        multipliers: &mut Multipliers,
        trees: &mut [Seen],
        lower: f64,
        options: &Options,
    ) {
        let count = trees.len();
        // Trees passed since the last step, with the tree that it was for.
        let mut below = 0;
        for turn in 0..count * options.rounds {
            let seen = &mut trees[(count - 1 + turn) % count];
            if turn > 0 {
                find(instance, multipliers, seen, &mut self.moves);
            }
            // Of the k best trees several are above the worst, and each cannot come below its score.
            let above = seen.score + total(&self.moves) - lower.max(seen.score);
            below += 1;
            if above > 0.0 {
                below = 1;
                let length = length(&self.moves, above * options.step, &mut self.order);
                for mv in &self.moves {
                    let units = (length * mv.slope).ceil().min(mv.capacity);
                    multipliers.shift(instance, &seen.tree, mv.which, mv.sign * units, |a, due| seen.pays(a, due));
                }
            }
            if below == count {
                break;
            }
        }
    }
}

/// The time t at which `sum of slope * min(t * slope, capacity)` reaches `wanted`; the last capacity's if it never does.
fn length(moves: &[Move], wanted: f64, order: &mut Vec<(f64, f64)>) -> f64 {
    order.clear();
    order.extend(moves.iter().map(|m| (m.capacity / m.slope, m.slope * m.slope)));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut rate: f64 = order.iter().map(|m| m.1).sum();
    let (mut gained, mut at) = (0.0, 0.0);
    for &(full, square) in &*order {
        let next = gained + (full - at) * rate;
        if next >= wanted {
            return at + (wanted - gained) / rate;
        }
        (gained, at) = (next, full);
        rate -= square;
    }
    at
}
