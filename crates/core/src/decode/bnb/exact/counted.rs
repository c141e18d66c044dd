//! Factors that count, and their multipliers.
//!
//! A factor over arcs A that is worth t(k) where the tree has k of them is bounded by any numbers u on its arcs:
//!
//! ```text
//! t(k)  <=  most(u) + sum of u(a) over arcs a of A that the tree has
//! most(u) = the largest of t(k) - (sum of the k smallest u), over k
//! ```
//!
//! A tree's slack is the right side less the left. Let z be a set of arcs for which `most` is reached: u falls on arcs
//! that the tree has and z has not, and rises on those that z alone has, which makes the slack less until z is the tree's own set
//! or another set takes its place.
//!
//! *At most k arcs* is a score that falls so steeply beyond k that no tree that breaks it reaches any that does not.

use std::ops::Range;

use super::instance::Kept;
use crate::graph::{ArcId, CountId, Counts, FactorGraph, TreeArcs};

/// Factors that count, as a struct of arrays; scores are whole numbers of the fixed point.
#[derive(Clone, Debug)]
pub struct Counted {
    /// `len + 1` entries.
    start: Vec<u32>,
    arcs: Vec<ArcId>,
    /// `len + 1` entries; a factor of n arcs has n + 1 scores.
    score_start: Vec<u32>,
    score: Vec<f64>,
}

impl Default for Counted {
    fn default() -> Self {
        Self { start: vec![0], arcs: Vec::new(), score_start: vec![0], score: Vec::new() }
    }
}

impl Counted {
    /// Removes all, keeping the memory.
    pub fn clear(&mut self) {
        self.start.truncate(1);
        self.arcs.clear();
        self.score_start.truncate(1);
        self.score.clear();
    }

    /// Adds a factor: what 0, 1, .. up to all arcs are worth.
    pub fn push(&mut self, arcs: &[ArcId], scores: impl Iterator<Item = f64>) {
        self.arcs.extend_from_slice(arcs);
        self.start.push(self.arcs.len() as u32);
        self.score.extend(scores);
        self.score_start.push(self.score.len() as u32);
        debug_assert_eq!(self.score.len(), self.arcs.len() + self.len(), "a score for each number");
    }

    /// Number of factors.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// All factors.
    pub fn ids(&self) -> impl Iterator<Item = CountId> + use<> {
        (0..self.len()).map(CountId::new)
    }

    /// Where the arcs of a factor lie among all incidences.
    #[inline(always)]
    pub fn span(&self, c: CountId) -> Range<usize> {
        self.start[c.ix()] as usize..self.start[c.ix() + 1] as usize
    }

    /// The arcs of a factor.
    #[inline(always)]
    pub fn arcs(&self, c: CountId) -> &[ArcId] {
        &self.arcs[self.span(c)]
    }

    /// What 0, 1, .. arcs are worth.
    #[inline(always)]
    pub fn scores(&self, c: CountId) -> &[f64] {
        &self.score[self.score_start[c.ix()] as usize..self.score_start[c.ix() + 1] as usize]
    }

    /// What a tree's number of arcs is worth.
    #[inline(always)]
    pub fn score_at(&self, c: CountId, tree: &TreeArcs) -> f64 {
        self.scores(c)[self.arcs(c).iter().filter(|&&a| tree.has(a)).count()]
    }

    /// What all factors are worth at a tree.
    pub fn score(&self, tree: &TreeArcs) -> f64 {
        self.ids().map(|c| self.score_at(c, tree)).sum()
    }

    /// About how many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { start, arcs, score_start, score } = self;
        size_of_val(&**start) + size_of_val(&**arcs) + size_of_val(&**score_start) + size_of_val(&**score)
    }

    /// Adds to `new` what is left of the factors where some arcs are no longer candidates. Arcs of `space`, the new one, that
    /// have no rival and so are in every tree are still counted.
    pub fn restrict(&self, kept: &Kept, new: &mut Self) {
        let mut arcs = Vec::new();
        for c in self.ids() {
            arcs.clear();
            arcs.extend(self.arcs(c).iter().filter_map(|&a| kept.new_of(a)));
            new.push(&arcs, self.scores(c)[..=arcs.len()].iter().copied());
        }
    }
}

/// What each number of arcs of a factor is worth, up to all of them; `steep` is what each beyond the most costs.
pub fn table(counts: &Counts, c: CountId, steep: i64) -> impl Iterator<Item = i64> {
    let (len, most) = (counts.arcs(c).len() as u32, counts.most(c));
    (0..=len).map(move |k| counts.score(c, k.min(most)) - steep * i64::from(k.saturating_sub(most)))
}

/// The multipliers, and what follows from them.
#[derive(Clone, Debug, Default)]
pub struct CountMultipliers {
    /// u by incidence.
    pub of_arc: Vec<f64>,
    /// By factor.
    most: Vec<f64>,
    /// Places of a factor's arcs by u: memory.
    order: Vec<u32>,
}

impl CountMultipliers {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.of_arc) + size_of_val(&*self.most)
    }

    /// The start under a prior by arc: the same u for all arcs of a factor, with the least expected bound.
    pub fn start(&mut self, counted: &Counted, prior: &[f64]) {
        self.of_arc.clear();
        for c in counted.ids() {
            let (arcs, scores) = (counted.arcs(c), counted.scores(c));
            let expected: f64 = arcs.iter().map(|a| prior[a.ix()]).sum();
            // The chord of two numbers around the expected one that passes it highest.
            let mut best = (f64::NEG_INFINITY, 0.0);
            for (i, low) in scores.iter().enumerate().filter(|(i, _)| *i as f64 <= expected) {
                for (j, high) in scores.iter().enumerate().skip(i + 1).filter(|(j, _)| *j as f64 > expected) {
                    let slope = (high - low) / (j - i) as f64;
                    let at = low + slope * (expected - i as f64);
                    if at > best.0 {
                        best = (at, slope.floor());
                    }
                }
            }
            self.of_arc.extend(arcs.iter().map(|_| best.1));
        }
        self.find_most(counted);
    }

    /// Those of `old`, for the factors that are left in `new`.
    pub fn restrict(&self, old: &Counted, new: &Counted, kept: &Kept, to: &mut Self) {
        to.of_arc.clear();
        for (&a, &u) in old.arcs.iter().zip(&self.of_arc) {
            to.of_arc.extend(kept.new_of(a).map(|_| u));
        }
        to.find_most(new);
    }

    fn find_most(&mut self, counted: &Counted) {
        self.most.clear();
        for c in counted.ids() {
            let most = self.most_of(counted, c).0;
            self.most.push(most);
        }
    }

    /// `most` of a factor, and for how many arcs it is reached, of which the places are then the first in `order`.
    fn most_of(&mut self, counted: &Counted, c: CountId) -> (f64, usize) {
        let (u, scores) = (&self.of_arc[counted.span(c)], counted.scores(c));
        self.order.clear();
        self.order.extend(0..u.len() as u32);
        self.order.sort_by(|&a, &b| u[a as usize].total_cmp(&u[b as usize]));
        let (mut best, mut sum) = ((scores[0], 0), 0.0);
        for (k, &place) in self.order.iter().enumerate() {
            sum += u[place as usize];
            let value = scores[k + 1] - sum;
            if value > best.0 {
                best = (value, k + 1);
            }
        }
        best
    }

    /// Adds the bounds to the scores of arcs; with what falls to no arc.
    pub fn add(&self, counted: &Counted, arcs: &mut [f64]) -> f64 {
        for (a, u) in counted.arcs.iter().zip(&self.of_arc) {
            arcs[a.ix()] += u;
        }
        self.most.iter().sum()
    }

    /// How loose a factor is at a tree.
    #[inline(always)]
    pub fn slack(&self, counted: &Counted, c: CountId, tree: &TreeArcs) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for (a, u) in counted.arcs(c).iter().zip(&self.of_arc[counted.span(c)]) {
            if tree.has(*a) {
                sum += u;
                count += 1;
            }
        }
        self.most[c.ix()] + sum - counted.scores(c)[count]
    }

    /// Makes the slack at a tree less by about `units`.
    pub fn shift(&mut self, counted: &Counted, c: CountId, tree: &TreeArcs, units: f64) {
        let scores = counted.scores(c);
        let (low, high) = scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &s| (l.min(s), h.max(s)));
        let range = high - low;
        let wanted = self.slack(counted, c, tree) - units;
        // Several sets may take turns at reaching `most`.
        for _ in 0..4 {
            let left = self.slack(counted, c, tree) - wanted;
            if left <= 0.0 {
                return;
            }
            let (_, count) = self.most_of(counted, c);
            let span = counted.span(c);
            let arcs = &counted.arcs[span.clone()];
            let differs = |(rank, place): (usize, &u32)| tree.has(arcs[*place as usize]) != (rank < count);
            let different = self.order.iter().enumerate().filter(|&p| differs(p)).count();
            if different == 0 {
                return;
            }
            let each = (left / different as f64).ceil();
            for (rank, &place) in self.order.iter().enumerate() {
                if differs((rank, &place)) {
                    let sign = if rank < count { 1.0 } else { -1.0 };
                    let u = &mut self.of_arc[span.start + place as usize];
                    *u = (*u + sign * each).clamp(-range, range);
                }
            }
            self.most[c.ix()] = self.most_of(counted, c).0;
        }
    }
}

/// What is worse than the negative of this, in units, breaks a constraint: no tree scores more, or less than its negative, beside
/// what constraints cost.
pub fn largest_score(graph: &FactorGraph) -> u128 {
    let largest = |scores: &[i64]| u128::from(scores.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0));
    let word = largest(&graph.local.arc)
        + largest(&graph.local.sibling)
        + 2 * largest(&graph.local.grandchild)
        + largest(graph.grand_siblings.scores())
        + largest(&graph.non_projective);
    let factors: u128 = graph.factors.iter().map(|(_, _, score)| u128::from(score.unsigned_abs())).sum();
    let counts: u128 = graph.counts.ids().map(|c| largest(graph.counts.scores(c))).sum();
    word * graph.space.words() as u128 + factors + counts
}

/// What an arc beyond the most costs, in units: more than any two trees differ by.
pub fn steepest(graph: &FactorGraph) -> i64 {
    let is_bounded = graph.counts.ids().any(|c| graph.counts.most(c) < u32::MAX);
    if is_bounded { i64::try_from(2 * largest_score(graph) + 1).unwrap_or(i64::MAX) } else { 0 }
}

/// The largest sum of what factors that count put on arcs, in units.
pub fn largest_lift(graph: &FactorGraph) -> u128 {
    let steep = steepest(graph).unsigned_abs();
    let of_factor = |c| {
        let range = 2 * graph.counts.scores(c).iter().map(|s| u128::from(s.unsigned_abs())).max().unwrap_or(0);
        let arcs = graph.counts.arcs(c).len() as u128;
        let beyond = if graph.counts.most(c) < u32::MAX { arcs * u128::from(steep) } else { 0 };
        (range + beyond) * (arcs + 1)
    };
    graph.counts.ids().map(of_factor).sum()
}

/// What the scores of trees that break no constraint are above, in a fixed point of `bits` bits.
pub fn floor(graph: &FactorGraph, bits: u32) -> f64 {
    if steepest(graph) == 0 { f64::NEG_INFINITY } else { -((largest_score(graph) + 1) as f64) * (1u64 << bits) as f64 }
}
