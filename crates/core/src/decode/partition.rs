//! Sums over all trees: the partition function and marginals (Ma & Zhao 2012, section 4), where a tree is drawn in proportion
//! to the exponential of its score.
//!
//! The recurrences are those of the decoders, over another [semiring](super::semiring). Weights are plain numbers, a product
//! and a sum a step, not logarithms: 1.6 to 2.6 times as long as maximising takes. To keep them in range, an amount a word is taken off the arcs into
//! it, the same from every tree, so that the best tree weighs 1: then Z is at least 1. What a part of a tree can weigh more
//! than its share of the best tree is bounded word by word. Only where these bounds leave the range of `f64`, or the trees are
//! too many for it, do sums run over logarithms, many times slower: so the answer is right for scores of any size.
//!
//! Trees that cross have [sums of their own](super::arborescence::matrix_tree).
//!
//! Sums by part: over the trees that have a part, which is what its score is multiplied with in expectations and gradients.

use std::cell::Cell;

use libm::{exp, log};

use crate::decode::backbone::{Backbone, Chart};
use crate::decode::carreras::Carreras;
use crate::decode::grand_sibling::{GrandScores, GrandSibling};
use crate::decode::log_scores::{Log, LogScores, LogWeight};
use crate::decode::semiring::{Semiring, Weight};
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// The logarithm up to which the weight of a part of a tree, and its inverse, are far from both ends of `f64`, with room for
/// the number of trees of most sentences.
pub(super) const LARGEST_LOG: f64 = 450.0;

/// The logarithm up to which the weights of all parts that an arc completes, and their inverses, can be multiplied in any
/// order.
pub(super) const LARGEST_LOG_OF_PART: f64 = 140.0;

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
            _ => grand_sibling.sums_with(space, local, grand, sums),
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
            _ => grand_sibling.part_sums(space, local, grand, sums),
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
    /// For scores that are no plain numbers.
    room: LogScores,
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
            _ => grand_sibling.sum(space, local, grand),
        }
    }

    /// Takes over scores.
    fn fill<T: Log>(&mut self, scores: &LogScores<T>, weight: impl Fn(T) -> S) {
        scores.local.map_into(&mut self.local, &weight);
        scores.grand.map_into(&mut self.grand, &weight);
    }
}

impl<P: Probabilities> Partitions<P> {
    /// The logarithm of the sum of all trees' weights, and the probabilities of what trees have; none if there is no tree.
    pub fn sum<T: Log>(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        scores: &LogScores<T>,
        probabilities: &mut P,
    ) -> Option<f64> {
        if !space.has_all_heads() {
            return None;
        }
        let Self { best: chart, room, .. } = self;
        let near = T::plain(scores, room);
        let best = chart.best_score(backbone, space, &near.local, &near.grand);
        if best == f64::NEG_INFINITY {
            return None;
        }
        let arcs = chart.best_arcs(backbone, space, &near.local, &near.grand);
        let arc = |a: &ArcId| near.local.arc[a.ix()];
        let rest = (best - arcs.iter().map(arc).sum::<f64>()) / space.words().max(1) as f64;
        let off: Vec<f64> = arcs.iter().map(|a| arc(a) + rest).collect();
        let off_of = |a: usize| off[space.modifier(ArcId::new(a)).ix() - 1];
        let most = near.most(space);
        let above = |m: usize| {
            let most_of_word = space.arcs_into(Word::new(m + 1)).iter().map(|a| most[a.ix()]);
            (most_of_word.fold(f64::NEG_INFINITY, f64::max) - off[m]).max(0.0)
        };
        let bound: f64 = (0..space.words()).map(above).sum();
        let arcs = near.local.arc.iter().enumerate();
        let largest_arc = arcs.fold(0.0f64, |largest, (a, score)| largest.max((score - off_of(a)).abs()));
        let largest = largest_arc.max(near.largest_part());
        if bound < LARGEST_LOG && largest < LARGEST_LOG_OF_PART {
            self.plain.fill(scores, |score| Weight(exp(score.less(0.0))));
            for (a, (to, score)) in self.plain.local.arc.iter_mut().zip(&scores.local.arc).enumerate() {
                *to = Weight(exp(score.less(off_of(a))));
            }
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
        self.wide.fill(scores, T::weight);
        let all = self.wide.sum(backbone, space);
        P::sum(&mut self.wide, backbone, space, &mut self.wide_sums);
        probabilities.set(&self.wide_sums, |sum: LogWeight| sum.part_of(all));
        Some(all.log())
    }

    /// The entropy of the trees, each drawn in proportion to its weight; none if there is no tree. An inside pass, many times as
    /// slow as that of [`sum`](Self::sum).
    pub fn entropy<T: Log>(&mut self, backbone: Backbone, space: &ArcSpace, scores: &LogScores<T>) -> Option<f64> {
        if !space.has_all_heads() {
            return None;
        }
        self.wide.fill(scores, T::weight);
        let all = self.wide.sum(backbone, space);
        (all != LogWeight::NONE).then(|| all.entropy())
    }
}

/// Notes what an outside pass finds out about parts.
pub(super) trait Notes<S> {
    /// Whether it is worth finding out.
    const WANTED: bool;

    /// Trees that have a sibling part.
    fn sibling(&mut self, part: usize, sum: S);
    /// Trees in which a chain of two arcs ends in an outermost child.
    fn grandchild(&mut self, part: usize, sum: S);
    /// Trees that have a grand-sibling part, by its place among those with a score.
    fn grand_sibling(&mut self, place: usize, sum: S);
}

/// No notes.
impl<S> Notes<S> for () {
    const WANTED: bool = false;

    #[inline(always)]
    fn sibling(&mut self, _: usize, _: S) {}
    #[inline(always)]
    fn grandchild(&mut self, _: usize, _: S) {}
    #[inline(always)]
    fn grand_sibling(&mut self, _: usize, _: S) {}
}

/// A number by part of a graph: as sums over trees, the trees that have it; as probabilities, theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartSums<S> {
    /// By arc.
    pub arc: Vec<S>,
    /// By sibling part.
    pub sibling: Vec<S>,
    /// By grandchild part: trees with the chain, its last arc outermost.
    pub grandchild: Vec<S>,
    /// By grandchild part: trees with the chain, outermost or not. Empty under a program that does not score it.
    pub any: Vec<S>,
    /// By place in the list of grand-siblings that have a score.
    pub grand_siblings: Vec<S>,
}

impl<S: Semiring> PartSums<S> {
    /// Sums of nothing.
    pub(super) fn reset(&mut self, siblings: usize, grandchildren: usize, grand_siblings: usize) {
        for (sums, len) in [
            (&mut self.sibling, siblings),
            (&mut self.grandchild, grandchildren),
            (&mut self.grand_siblings, grand_siblings),
        ] {
            sums.clear();
            sums.resize(len, S::NONE);
        }
        self.arc.clear();
        self.any.clear();
    }
}

impl<S> PartSums<S> {
    /// Takes over the numbers of `from`, each made another.
    pub(super) fn map_from<T: Copy>(&mut self, from: &PartSums<T>, of: impl Fn(T) -> S) {
        for (to, from) in [
            (&mut self.arc, &from.arc),
            (&mut self.sibling, &from.sibling),
            (&mut self.grandchild, &from.grandchild),
            (&mut self.any, &from.any),
            (&mut self.grand_siblings, &from.grand_siblings),
        ] {
            to.clear();
            to.extend(from.iter().map(|&sum| of(sum)));
        }
    }
}

impl<S: Semiring> Notes<S> for PartSums<S> {
    const WANTED: bool = true;

    #[inline(always)]
    fn sibling(&mut self, part: usize, sum: S) {
        self.sibling[part] = self.sibling[part].plus(sum);
    }

    #[inline(always)]
    fn grandchild(&mut self, part: usize, sum: S) {
        self.grandchild[part] = self.grandchild[part].plus(sum);
    }

    #[inline(always)]
    fn grand_sibling(&mut self, place: usize, sum: S) {
        self.grand_siblings[place] = self.grand_siblings[place].plus(sum);
    }
}
