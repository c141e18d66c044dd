//! Scores of the parts of a graph, as logarithms of weights.
//!
//! Weights of any size: the logarithm of each is kept in two numbers.
//!
//! A score of 10^12 leaves a plain logarithm four digits after the point, and sums of large scores that cancel leave none. In
//! two numbers (Dekker 1971) a sum of scores has 106 bits, as good as exact for all that add up to 10^22, and only differences
//! of such sums are ever made powers.

use crate::decode::grand_sibling::GrandScores;
use crate::decode::semiring::{Semiring, Value, Wide};
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores};

/// A logarithm of a weight.
pub trait Log: Copy + Default + std::fmt::Debug {
    /// What it is more than `off`.
    fn less(self, off: f64) -> f64;

    /// Its weight.
    fn weight(self) -> LogWeight;

    /// Scores of such as plain numbers; `room` is for those that are not.
    fn plain<'a>(scores: &'a LogScores<Self>, room: &'a mut LogScores) -> &'a LogScores;
}

impl Log for f64 {
    #[inline(always)]
    fn less(self, off: f64) -> f64 {
        self - off
    }

    fn weight(self) -> LogWeight {
        LogWeight::from_log(self.into())
    }

    fn plain<'a>(scores: &'a LogScores, _: &'a mut LogScores) -> &'a LogScores {
        scores
    }
}

impl Log for Twofold {
    fn less(self, off: f64) -> f64 {
        Twofold::less(self, off.into())
    }

    fn weight(self) -> LogWeight {
        LogWeight::from_log(self)
    }

    fn plain<'a>(scores: &'a LogScores<Self>, room: &'a mut LogScores) -> &'a LogScores {
        scores.local.map_into(&mut room.local, Twofold::near);
        scores.grand.map_into(&mut room.grand, Twofold::near);
        room
    }
}

/// Scores of the parts of a graph, as logarithms of weights; in [two numbers](Twofold) each, where they are to be exact.
#[derive(Debug, Default)]
pub struct LogScores<T = f64> {
    /// Scores of the second order.
    pub local: LocalScores<T>,
    /// Scores of the third.
    pub grand: GrandScores<T>,
}

impl LogScores<Twofold> {
    /// The scores of a graph divided by `scale`. Factors are not part of them.
    pub fn from_graph(graph: &FactorGraph, scale: f64) -> Self {
        let mut scores = Self::default();
        let quotient = |score: i64| Twofold::quotient(score.into(), scale);
        graph.local.map_into(&mut scores.local, quotient);
        graph.grand_siblings.map_into(&mut scores.grand.siblings, quotient);
        scores
    }

    /// Whole scores divided by `scale`.
    pub(super) fn from_whole(local: &LocalScores<Wide>, grand: &GrandScores<Wide>, scale: f64) -> Self {
        let mut scores = Self::default();
        // Scores of parts are never minus infinity.
        let quotient = |score: Wide| Twofold::quotient(score.to_score().unwrap_or(0), scale);
        local.map_into(&mut scores.local, quotient);
        grand.map_into(&mut scores.grand, quotient);
        scores
    }
}

impl LogScores {
    /// The largest absolute score of a part other than an arc.
    pub(super) fn largest_part(&self) -> f64 {
        let Self { local, grand } = self;
        let parts = [&local.sibling[..], &local.grandchild, &grand.any, grand.siblings.scores()];
        parts.into_iter().flatten().fold(0.0, |largest, score| largest.max(score.abs()))
    }

    /// What each arc and the parts that it completes can be worth at most.
    pub(super) fn most(&self, space: &ArcSpace) -> Vec<f64> {
        let largest = |scores: &[f64]| scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut most: Vec<f64> = (0..space.arcs())
            .map(ArcId::new)
            .map(|a| {
                let first = self.local.sibling[space.first_modifier_part(a)];
                self.local.arc[a.ix()] + first.max(largest(&self.local.sibling[space.sibling_parts_of(a)]))
            })
            .collect();
        // Below an arc: the best of what a child can gain from any arc above it.
        let mut below = vec![0.0f64; space.arcs()];
        for a in (0..space.arcs()).map(ArcId::new) {
            for (b, part) in space.children(a).zip(space.grandchild_parts_of(a)) {
                let any = self.grand.any.get(part).copied().unwrap_or(0.0);
                let siblings = self.grand.siblings.entries(part).map(|(_, score)| score).fold(0.0, f64::max);
                below[b] = below[b].max(self.local.grandchild[part].max(0.0) + any.max(0.0) + siblings);
            }
        }
        most.iter_mut().zip(&below).for_each(|(most, below)| *most += below);
        most
    }
}

/// The sum of two numbers of which the second is what the first has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twofold {
    high: f64,
    low: f64,
}

impl Twofold {
    /// Minus infinity.
    const NEG_INF: Self = Self { high: f64::NEG_INFINITY, low: 0.0 };

    /// A quotient.
    pub fn quotient(of: i128, by: f64) -> Self {
        let near = of as f64;
        let lost = (of - near as i128) as f64;
        let high = near / by;
        Self { high, low: (libm::fma(-high, by, near) + lost) / by }
    }

    /// As one number.
    pub fn near(self) -> f64 {
        self.high + self.low
    }

    /// What it is more than another; as exact as one number can be.
    pub fn less(self, other: Self) -> f64 {
        (self.high - other.high) + (self.low - other.low)
    }
}

impl From<f64> for Twofold {
    fn from(number: f64) -> Self {
        Self { high: number, low: 0.0 }
    }
}

impl std::ops::Add for Twofold {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = self.high + other.high;
        if !sum.is_finite() {
            return Self { high: sum, low: 0.0 };
        }
        let of_other = sum - self.high;
        let lost = (self.high - (sum - of_other)) + (other.high - of_other);
        let low = lost + (self.low + other.low);
        let high = sum + low;
        Self { high, low: low - (high - sum) }
    }
}

/// A sum of weights `exp(s)`, and what the logarithms of the weights in it come to: an entry of the expectation semiring of Li &
/// Eisner (2009), beside a score that stands for all.
///
/// ```text
/// sum = exp(beside) * weight
/// sum of exp(s) * (s - beside) = exp(beside) * mean
/// ```
///
/// So scores are only seen as differences, and neither sums nor their entropy lose digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogWeight {
    beside: Twofold,
    weight: f64,
    mean: f64,
}

/// A weight from which on it goes over into `beside`: a sentence may have more trees than a number can say.
const LARGE: f64 = 1e100;

impl LogWeight {
    /// The weight of that logarithm.
    pub fn from_log(score: Twofold) -> Self {
        Self { beside: score, weight: 1.0, mean: 0.0 }
    }

    /// The logarithm of the sum.
    pub fn log(self) -> f64 {
        (self.beside + libm::log(self.weight).into()).near()
    }

    /// This sum's part of another.
    pub fn part_of(self, all: Self) -> f64 {
        if self.weight == 0.0 {
            return 0.0;
        }
        self.weight / all.weight * libm::exp(self.beside.less(all.beside))
    }

    /// The entropy of drawing one of the weights in proportion to it.
    pub fn entropy(self) -> f64 {
        (libm::log(self.weight) - self.mean / self.weight).max(0.0)
    }
}

impl Default for LogWeight {
    fn default() -> Self {
        Self::NONE
    }
}

impl Semiring for LogWeight {
    const ONE: Self = Self { beside: Twofold { high: 0.0, low: 0.0 }, weight: 1.0, mean: 0.0 };
    const NONE: Self = Self { beside: Twofold::NEG_INF, weight: 0.0, mean: 0.0 };

    fn plus(self, other: Self) -> Self {
        if self.weight == 0.0 {
            return other;
        }
        if other.weight == 0.0 {
            return self;
        }
        let apart = other.beside.less(self.beside);
        let (large, small, apart) = if apart > 0.0 { (other, self, -apart) } else { (self, other, apart) };
        let share = libm::exp(apart);
        if share == 0.0 {
            return large;
        }
        Self {
            beside: large.beside,
            weight: large.weight + share * small.weight,
            mean: large.mean + share * (small.mean + apart * small.weight),
        }
    }

    fn times(self, other: Self) -> Self {
        if self.weight == 0.0 || other.weight == 0.0 {
            return Self::NONE;
        }
        let beside = self.beside + other.beside;
        let (weight, mean) = (self.weight * other.weight, self.mean * other.weight + self.weight * other.mean);
        if weight < LARGE {
            return Self { beside, weight, mean };
        }
        let taken = libm::log(weight);
        let share = libm::exp(-taken);
        Self { beside: beside + taken.into(), weight: weight * share, mean: (mean - taken * weight) * share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of 10^18 that differ by some units, in threes.
    #[test]
    fn large_scores_that_cancel_keep_their_digits() {
        let of = |score: i128| LogWeight::from_log(Twofold::quotient(score, 3.0));
        let large = 1_000_000_000_000_000_000;
        let sum =
            of(large + 3).times(of(-large)).plus(of(large).times(of(-large - 6))).plus(of(-large).times(of(large)));
        let weights = [1f64, -2.0, 0.0].map(f64::exp);
        let all: f64 = weights.iter().sum();
        let entropy: f64 = weights.iter().map(|w| -w / all * (w / all).ln()).sum();
        assert!((sum.log() - all.ln()).abs() < 1e-14, "{}", sum.log());
        assert!((sum.entropy() - entropy).abs() < 1e-14, "{} {entropy}", sum.entropy());
        let part = of(large).times(of(-large)).part_of(sum);
        assert!((part - 1.0 / all).abs() < 1e-15, "{part}");
    }

    /// 2^2000 weights that are alike.
    #[test]
    fn more_weights_than_a_number_says() {
        let two = LogWeight::ONE.plus(LogWeight::ONE);
        let all = (0..2000).fold(LogWeight::from_log(5.0.into()), |all, _| all.times(two));
        let log = 2000.0 * 2f64.ln();
        assert!((all.log() - log - 5.0).abs() < 1e-9 && (all.entropy() - log).abs() < 1e-9, "{all:?}");
        assert!((two.times(LogWeight::NONE), two.plus(LogWeight::NONE)) == (LogWeight::NONE, two));
    }
}
