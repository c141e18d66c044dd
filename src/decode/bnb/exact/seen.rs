//! A tree that was best under some multipliers, with what is loose there whatever the multipliers are.
//!
//! Steps come back to a tree many times. Which factors can be loose at it, and which way their multipliers must move,
//! depends on the tree alone: it is found once, and then each visit looks at these factors only.

use super::instance::Instance;
use super::links::Counts;
use super::loose::Place;
use super::owners::Owner;
use super::sides::Side;
use crate::graph::{ArcId, FactorId, TreeArcs, Word};

/// A tree and what can be loose there.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub tree: TreeArcs,
    pub score: f64,
    /// Whether what follows was found; it holds for one instance.
    looked: bool,
    /// Pairs of siblings that are loose by their multipliers.
    pub lowered: Vec<Place>,
    /// Pairs of siblings that are loose by the size of their score, which stands beside them, less their multipliers.
    pub raised: Vec<(Place, f64)>,
    /// The factors s >= 0 of other shapes that the tree has not, but pays some share of, with where the list of those
    /// shares ends, which begins where that of the factor before ends.
    partly_paid: Vec<(FactorId, u32)>,
    /// Those shares, by incidence, ascending for each factor.
    paid: Vec<u32>,
    /// The factors s < 0 of other shapes that the tree has.
    pub charged: Vec<FactorId>,
    /// What E of those follows from.
    counts: Counts,
}

impl Seen {
    pub fn new(tree: TreeArcs, score: f64) -> Self {
        Self { tree, score, ..Self::default() }
    }

    /// Finds what is loose, if that is not known yet.
    pub fn look(&mut self, instance: &Instance) {
        if self.looked {
            return;
        }
        self.looked = true;
        for h in (0..=instance.space.words()).map(Word::new) {
            self.chain(instance, Side::left(&instance.space, h));
            self.chain(instance, Side::right(&instance.space, h));
        }
        self.cross(instance);
        if !instance.other.is_empty() {
            self.other(instance);
        }
    }

    fn chain(&mut self, instance: &Instance, side: Side) {
        let Self { tree, lowered, raised, .. } = self;
        let has = |rank: usize| tree.has(side.arc(rank));
        let Some(first) = (0..side.len()).find(|&rank| has(rank)) else { return };
        for outer in 1..side.len() {
            // The nearest modifier of the tree inside `outer`.
            let Some(before) = (first..outer).rev().find(|&rank| has(rank)) else { continue };
            let outer_in = has(outer);
            // The nearest modifier of the tree outside `inner`, kept while `inner` moves inward.
            let mut after = outer;
            for inner in (0..outer).rev() {
                let inner_in = has(inner);
                let part = side.part(&instance.space, inner, outer);
                let score = instance.chain[part];
                let place = Place::Chain { part: part as u32, inner: side.arc(inner), outer: side.arc(outer) };
                let between = after < outer;
                if score > 0.0 {
                    if inner_in && !outer_in && between {
                        lowered.push(place);
                    } else if !inner_in && outer_in && before > inner {
                        raised.push((place, score));
                    }
                } else if score < 0.0 && between {
                    if inner_in && outer_in {
                        raised.push((place, -score));
                    } else if !inner_in && !outer_in {
                        lowered.push(place);
                    }
                }
                if inner_in {
                    after = inner;
                }
            }
        }
    }

    fn cross(&mut self, instance: &Instance) {
        let mut start = 0;
        for owner in instance.owners() {
            let pairs = owner.pairs();
            if pairs > 0 && owner.above.is_none_or(|a| self.tree.has(a)) {
                self.cross_of(instance, &owner, start);
            }
            start += pairs;
        }
    }

    /// The pairs of one owner, whose multipliers begin at `place`.
    fn cross_of(&mut self, instance: &Instance, owner: &Owner, mut place: usize) {
        let Owner { left, right, .. } = owner;
        for l in left.clone().map(ArcId::new) {
            let l_in = self.tree.has(l);
            let row = instance.cross_place(l, ArcId::new(right.start));
            let scores = &instance.cross[row..row + right.len()];
            for (r, &score) in right.clone().map(ArcId::new).zip(scores) {
                let at = Place::Cross { place: place as u32, left: l, right: r };
                place += 1;
                match (l_in, self.tree.has(r)) {
                    (true, false) if score > 0.0 => self.lowered.push(at),
                    (false, true) if score > 0.0 => self.raised.push((at, score)),
                    (false, false) if score < 0.0 => self.lowered.push(at),
                    (true, true) if score < 0.0 => self.raised.push((at, -score)),
                    _ => {}
                }
            }
        }
    }

    fn other(&mut self, instance: &Instance) {
        let Self { tree, partly_paid, paid, charged, counts, .. } = self;
        *counts = Counts::of(&instance.space, tree);
        let factors = &instance.other;
        for &a in tree.arcs() {
            for &c in instance.incidence.of(a) {
                let arcs = factors.arcs(c);
                if factors.score(c) < 0 {
                    if arcs[0] == a && tree.has_all(arcs) {
                        charged.push(c);
                    }
                    continue;
                }
                // A factor is met at each of its arcs that the tree has.
                if arcs.iter().find(|b| tree.has(**b)) != Some(&a) || tree.has_all(arcs) {
                    continue;
                }
                let before = paid.len();
                let pays = |&(_, (a, link)): &(usize, _)| counts.pays(a, link);
                let places = factors.span(c).zip(instance.linked(c)).filter(pays);
                paid.extend(places.map(|(place, _)| place as u32));
                if paid.len() > before {
                    partly_paid.push((c, paid.len() as u32));
                }
            }
        }
    }

    /// E of a factor s < 0 of another shape.
    #[inline(always)]
    pub fn excess(&self, instance: &Instance, c: FactorId) -> i32 {
        self.counts.excess(instance.linked(c))
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
