//! Sums over all trees: the partition function and marginals (Ma & Zhao 2012, section 4), where a tree is drawn in proportion
//! to the exponential of its score.
//!
//! The recurrences are those of the decoders, over another [semiring](super::semiring). Weights are plain numbers, a product
//! and a sum a step, not logarithms: 1.6 to 2.6 times as long as maximising takes. To keep them in range, an amount a word is taken off the arcs into
//! it, the same from every tree, so that the best tree weighs 1: then Z is at least 1. What a part of a tree can weigh more
//! than its share of the best tree is bounded word by word. Only where these bounds leave the range of `f64`, or the trees are
//! too many for it, do sums run over logarithms, many times slower: so the answer is right for scores of any size.

use std::cell::Cell;

use libm::{exp, log};

use super::backbone::{Backbone, Chart};
use super::carreras::Carreras;
use super::grand_sibling::{GrandScores, GrandSibling};
use super::parts::PartSums;
use super::semiring::{LogWeight, Semiring, Weight};
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores, TreeArcs, Word};

/// The logarithm up to which the weight of a part of a tree, and its inverse, are far from both ends of `f64`, with room for
/// the number of trees of most sentences.
const LARGEST_LOG: f64 = 450.0;

/// The logarithm up to which the weights of all parts that an arc completes, and their inverses, can be multiplied in any
/// order.
const LARGEST_LOG_OF_PART: f64 = 140.0;

/// Scores of the parts of a graph, as logarithms of weights.
#[derive(Debug, Default)]
pub struct LogScores {
    /// Those of the second order.
    pub local: LocalScores<f64>,
    /// Those of the third.
    pub grand: GrandScores<f64>,
}

impl LogScores {
    /// The scores of a graph divided by `scale`. Factors are not part of them.
    pub fn of(graph: &FactorGraph, scale: f64) -> Self {
        let mut scores = Self::default();
        graph.local.map_into(&mut scores.local, |score: i64| score as f64 / scale);
        graph.grand_siblings.map_into(&mut scores.grand.siblings, |score: i64| score as f64 / scale);
        scores
    }

    /// The scores of a graph less those of a tree of it, which scores `score`, divided by `scale`: what its arc into a word
    /// scores, and a share of its other parts, is taken off all arcs into that word, in whole numbers. So that tree comes to 0,
    /// and trees near it keep all digits of what they differ by, however large their scores. Factors are not part of them.
    pub fn beside(graph: &FactorGraph, tree: &TreeArcs, score: i128, scale: f64) -> Self {
        let mut scores = Self::of(graph, scale);
        let of_arc = |a: ArcId| i128::from(graph.local.arc[a.ix()]);
        let words = tree.arcs().len().max(1) as i128;
        let rest = score - tree.arcs().iter().map(|&a| of_arc(a)).sum::<i128>();
        for (i, &a) in tree.arcs().iter().enumerate() {
            let share = rest.div_euclid(words) + i128::from((i as i128) < rest.rem_euclid(words));
            for &b in graph.space.arcs_into(Word::new(i + 1)) {
                scores.local.arc[b.ix()] = (of_arc(b) - of_arc(a) - share) as f64 / scale;
            }
        }
        scores
    }

    /// The expected score of a tree, from the probabilities of the parts. What the logarithm of the sum is larger is the
    /// entropy of the trees.
    pub fn expected(&self, probabilities: &PartSums<f64>) -> f64 {
        let PartSums { arc, sibling, grandchild, any, grand_siblings } = probabilities;
        let Self { local, grand } = self;
        let sum = |scores: &[f64], probabilities: &[f64]| -> f64 {
            scores.iter().zip(probabilities).filter(|(_, p)| **p > 0.0).map(|(score, p)| score * p).sum()
        };
        sum(&local.arc, arc)
            + sum(&local.sibling, sibling)
            + sum(&local.grandchild, grandchild)
            + sum(&grand.any, any)
            + sum(grand.siblings.scores(), grand_siblings)
    }

    /// The largest absolute score of a part other than an arc.
    fn largest_part(&self) -> f64 {
        let Self { local, grand } = self;
        let parts = [&local.sibling[..], &local.grandchild, &grand.any, grand.siblings.scores()];
        parts.into_iter().flatten().fold(0.0, |largest, score| largest.max(score.abs()))
    }

    /// What each arc and the parts that it completes can be worth at most.
    fn most(&self, space: &ArcSpace) -> Vec<f64> {
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

/// Which probabilities are wanted: a list by arc, or all [parts](PartSums). Memory is reused.
pub trait Probabilities: Default {
    /// Sums that become these.
    type Of<S: Semiring>: Default + std::fmt::Debug;

    /// Has a program list the sums.
    fn sum<S: Semiring>(charts: &mut Charts<S>, backbone: Backbone, space: &ArcSpace, sums: &mut Self::Of<S>);
    /// Makes probabilities of the sums.
    fn set<S: Semiring>(&mut self, sums: &Self::Of<S>, probability: impl Fn(S) -> f64);
}

impl Probabilities for Vec<f64> {
    type Of<S: Semiring> = Vec<S>;

    fn sum<S: Semiring>(charts: &mut Charts<S>, backbone: Backbone, space: &ArcSpace, sums: &mut Vec<S>) {
        let Charts { carreras, grand_sibling, local, grand } = charts;
        match backbone {
            Backbone::Carreras => carreras.sums_with(space, local, sums),
            Backbone::GrandSibling => grand_sibling.sums_with(space, local, grand, sums),
        }
    }

    fn set<S: Semiring>(&mut self, sums: &Vec<S>, probability: impl Fn(S) -> f64) {
        self.clear();
        self.extend(sums.iter().map(|&sum| probability(sum)));
    }
}

impl Probabilities for PartSums<f64> {
    type Of<S: Semiring> = PartSums<S>;

    fn sum<S: Semiring>(charts: &mut Charts<S>, backbone: Backbone, space: &ArcSpace, sums: &mut PartSums<S>) {
        let Charts { carreras, grand_sibling, local, grand } = charts;
        match backbone {
            Backbone::Carreras => carreras.part_sums(space, local, sums),
            Backbone::GrandSibling => grand_sibling.part_sums(space, local, grand, sums),
        }
    }

    fn set<S: Semiring>(&mut self, sums: &PartSums<S>, probability: impl Fn(S) -> f64) {
        self.map_from(sums, probability);
    }
}

/// The charts, reused from graph to graph.
#[derive(Debug, Default)]
pub struct Partitions<P: Probabilities> {
    best: Chart<f64>,
    plain: Charts<Weight>,
    plain_sums: P::Of<Weight>,
    wide: Charts<LogWeight>,
    wide_sums: P::Of<LogWeight>,
}

/// The charts of one sort of number, and the scores as such.
#[derive(Debug, Default)]
pub struct Charts<S> {
    carreras: Carreras<S>,
    grand_sibling: GrandSibling<S>,
    local: LocalScores<S>,
    grand: GrandScores<S>,
}

impl<S: Semiring> Charts<S> {
    /// The sum over all trees.
    fn sum(&mut self, backbone: Backbone, space: &ArcSpace) -> S {
        let Self { carreras, grand_sibling, local, grand } = self;
        match backbone {
            Backbone::Carreras => carreras.sum(space, local),
            Backbone::GrandSibling => grand_sibling.sum(space, local, grand),
        }
    }

    /// Takes over scores; those of arcs less `off`, by word.
    fn fill(&mut self, space: &ArcSpace, scores: &LogScores, off: &[f64], weight: impl Fn(f64) -> S) {
        scores.local.map_into(&mut self.local, &weight);
        for (a, (to, &score)) in self.local.arc.iter_mut().zip(&scores.local.arc).enumerate() {
            *to = weight(score - off[space.modifier(ArcId::new(a)).ix() - 1]);
        }
        scores.grand.siblings.map_into(&mut self.grand.siblings, &weight);
        self.grand.any.clear();
        self.grand.any.extend(scores.grand.any.iter().map(|&score| weight(score)));
    }
}

impl<P: Probabilities> Partitions<P> {
    /// The logarithm of the sum of all trees' weights, and the probabilities of what trees have; none if there is no tree.
    pub fn sum(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        scores: &LogScores,
        probabilities: &mut P,
    ) -> Option<f64> {
        if !space.has_all_heads() {
            return None;
        }
        let best = self.best.best_score(backbone, space, &scores.local, &scores.grand);
        if best == f64::NEG_INFINITY {
            return None;
        }
        let arcs = self.best.best_arcs(backbone, space, &scores.local, &scores.grand);
        let arc = |a: &ArcId| scores.local.arc[a.ix()];
        let rest = (best - arcs.iter().map(arc).sum::<f64>()) / space.words().max(1) as f64;
        let off: Vec<f64> = arcs.iter().map(|a| arc(a) + rest).collect();
        let most = scores.most(space);
        let above = |m: usize| {
            let most_of_word = space.arcs_into(Word::new(m + 1)).iter().map(|a| most[a.ix()]);
            (most_of_word.fold(f64::NEG_INFINITY, f64::max) - off[m]).max(0.0)
        };
        let bound: f64 = (0..space.words()).map(above).sum();
        let arcs = scores.local.arc.iter().enumerate();
        let largest_arc = arcs.fold(0.0f64, |largest, (a, score)| {
            largest.max((score - off[space.modifier(ArcId::new(a)).ix() - 1]).abs())
        });
        let largest = largest_arc.max(scores.largest_part());
        if bound < LARGEST_LOG && largest < LARGEST_LOG_OF_PART {
            self.plain.fill(space, scores, &off, |score| Weight(exp(score)));
            let all = self.plain.sum(backbone, space);
            P::sum(&mut self.plain, backbone, space, &mut self.plain_sums);
            let is_finite = Cell::new(all.0.is_finite());
            probabilities.set(&self.plain_sums, |sum: Weight| {
                let probability = sum.0 / all.0;
                is_finite.set(is_finite.get() && probability.is_finite());
                probability
            });
            // A sentence of some hundred words may have more trees than a number can say.
            if is_finite.get() {
                return Some(log(all.0) + off.iter().sum::<f64>());
            }
        }
        self.wide.fill(space, scores, &off, LogWeight);
        let all = self.wide.sum(backbone, space);
        P::sum(&mut self.wide, backbone, space, &mut self.wide_sums);
        probabilities.set(&self.wide_sums, |sum: LogWeight| exp(sum.0 - all.0));
        Some(all.0 + off.iter().sum::<f64>())
    }
}
