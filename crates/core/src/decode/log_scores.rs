//! Scores of the parts of a graph, as logarithms of weights.

use super::grand_sibling::GrandScores;
use super::log_weight::{LogWeight, Twofold};
use super::value::{Value, Wide};
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
        LogWeight::of(self.into())
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
        LogWeight::of(self)
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
    /// Those of the second order.
    pub local: LocalScores<T>,
    /// Those of the third.
    pub grand: GrandScores<T>,
}

impl LogScores<Twofold> {
    /// The scores of a graph divided by `scale`. Factors are not part of them.
    pub fn of(graph: &FactorGraph, scale: f64) -> Self {
        let mut scores = Self::default();
        let quotient = |score: i64| Twofold::quotient(score.into(), scale);
        graph.local.map_into(&mut scores.local, quotient);
        graph.grand_siblings.map_into(&mut scores.grand.siblings, quotient);
        scores
    }

    /// Whole scores divided by `scale`.
    pub(super) fn of_whole(local: &LocalScores<Wide>, grand: &GrandScores<Wide>, scale: f64) -> Self {
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
                let siblings = self.grand.siblings.of(part).map(|(_, score)| score).fold(0.0, f64::max);
                below[b] = below[b].max(self.local.grandchild[part].max(0.0) + any.max(0.0) + siblings);
            }
        }
        most.iter_mut().zip(&below).for_each(|(most, below)| *most += below);
        most
    }
}
