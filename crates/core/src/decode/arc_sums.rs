//! Sums over all trees whose scores are those of arcs alone, over all arcs: the partition function, the probabilities of arcs,
//! and the entropy.
//!
//! What [`partition`](super::partition) is over a graph, by the [first-order program](super::first_order) in time O(n^3).

use libm::{exp, log};

use crate::decode::first_order::FirstOrder;
use crate::decode::log_scores::LogWeight;
use crate::decode::partition::{LARGEST_LOG, LARGEST_LOG_OF_PART};
use crate::decode::semiring::{Semiring, Weight};
use crate::graph::Word;

/// The charts, reused from sentence to sentence.
///
/// Scores are given by `scores[h * (words + 1) + m]` for head h and modifier m, minus infinity for what is no candidate. Those of
/// what is no arc (m = 0, h = m) are ignored. A tree is drawn in proportion to the exponential of its score.
#[derive(Debug, Default)]
pub struct ArcSums {
    best: FirstOrder<f64>,
    plain: FirstOrder<Weight>,
    wide: FirstOrder<LogWeight>,
    heads: Vec<Word>,
    plain_arcs: Vec<Weight>,
    wide_arcs: Vec<LogWeight>,
}

impl ArcSums {
    /// The logarithm of the sum over all trees, and in `probabilities`, laid out as the scores, that of each arc; 0 for what is no
    /// arc. None if there is no tree.
    pub fn sum(
        &mut self,
        words: usize,
        single_root: bool,
        scores: &[f64],
        probabilities: &mut Vec<f64>,
    ) -> Option<f64> {
        let w = words + 1;
        if self.best.sum(words, single_root, scores) == f64::NEG_INFINITY {
            return None;
        }
        self.heads.clear();
        self.heads.resize(words, Word::ROOT);
        self.best.best_heads(scores, &mut self.heads);
        // Taken off the arcs into a word, so that the best tree weighs 1.
        let off: Vec<f64> = self.heads.iter().enumerate().map(|(i, h)| scores[h.ix() * w + i + 1]).collect();
        let (mut bound, mut largest) = (0.0, 0.0f64);
        for m in 1..=words {
            let candidates = (0..=words).filter(|&h| h != m).map(|h| scores[h * w + m] - off[m - 1]);
            let mut most = 0.0f64;
            for above in candidates.filter(|above| *above > f64::NEG_INFINITY) {
                most = most.max(above);
                largest = largest.max(above.abs());
            }
            bound += most;
        }
        probabilities.clear();
        if bound < LARGEST_LOG && largest < LARGEST_LOG_OF_PART {
            let arcs = &mut self.plain_arcs;
            arcs.clear();
            arcs.resize(w * w, Weight::NONE);
            for (arc, score) in arcs.chunks_exact_mut(w).zip(scores.chunks_exact(w)) {
                for (i, off) in off.iter().enumerate() {
                    arc[i + 1] = Weight(exp(score[i + 1] - off));
                }
            }
            // The diagonal may hold anything.
            (0..w).for_each(|m| arcs[m * w + m] = Weight::NONE);
            let Weight(all) = self.plain.sum(words, single_root, arcs);
            self.plain.sums_with(arcs);
            probabilities.extend(arcs.iter().map(|arc| arc.0 / all));
            // A sentence of some hundred words may have more trees than a number can say.
            if all.is_finite() && probabilities.iter().all(|p| p.is_finite()) {
                return Some(log(all) + off.iter().sum::<f64>());
            }
            probabilities.clear();
        }
        let all = self.wide_sum(words, single_root, scores);
        self.wide.sums_with(&mut self.wide_arcs);
        probabilities.extend(self.wide_arcs.iter().map(|sum| sum.part_of(all)));
        Some(all.log())
    }

    /// The entropy of the trees; none if there is no tree. An inside pass, many times as slow as that of [`sum`](Self::sum).
    pub fn entropy(&mut self, words: usize, single_root: bool, scores: &[f64]) -> Option<f64> {
        let all = self.wide_sum(words, single_root, scores);
        (all != LogWeight::NONE).then(|| all.entropy())
    }

    fn wide_sum(&mut self, words: usize, single_root: bool, scores: &[f64]) -> LogWeight {
        let weight = |&score: &f64| match score {
            f64::NEG_INFINITY => LogWeight::NONE,
            score => LogWeight::from_log(score.into()),
        };
        self.wide_arcs.clear();
        self.wide_arcs.extend(scores.iter().map(weight));
        self.wide.sum(words, single_root, &self.wide_arcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::brute::for_each_tree;
    use crate::graph::{ArcSpace, FactorGraph};
    use proptest::prelude::*;

    proptest! {
        /// Enumeration of all trees, with scores near each other and, for the wide numbers, far apart.
        #[test]
        fn sums_are_those_of_all_trees(
            words in 1usize..=5,
            single_root in any::<bool>(),
            size in prop::sample::select(vec![1.0, 300.0]),
            draws in prop::collection::vec(-1.0f64..1.0, 36),
            missing in prop::collection::vec(0u8..8, 36),
        ) {
            let w = words + 1;
            let mut scores: Vec<f64> = draws[..w * w].iter().map(|draw| draw * size).collect();
            let mut kept = Vec::new();
            for (h, m) in (0..w).flat_map(|h| (1..w).map(move |m| (h, m))).filter(|(h, m)| h != m) {
                if missing[h * w + m] == 0 {
                    scores[h * w + m] = f64::NEG_INFINITY;
                } else {
                    kept.push((Word::new(h), Word::new(m)));
                }
            }
            let space = ArcSpace::new(words, single_root, &kept).expect("valid arcs");
            let graph = FactorGraph { space, ..FactorGraph::default() };
            let mut trees = Vec::new();
            for_each_tree(&graph, |heads| {
                trees.push(heads.iter().enumerate().map(|(i, h)| h.ix() * w + i + 1).collect::<Vec<_>>());
            });
            let (mut sums, mut probabilities) = (ArcSums::default(), Vec::new());
            let log_z = sums.sum(words, single_root, &scores, &mut probabilities);
            let entropy = sums.entropy(words, single_root, &scores);
            prop_assert_eq!((log_z.is_some(), entropy.is_some()), (!trees.is_empty(), !trees.is_empty()));
            if let (Some(log_z), Some(entropy)) = (log_z, entropy) {
                let of_tree = |tree: &Vec<usize>| tree.iter().map(|&a| scores[a]).sum::<f64>();
                let most = trees.iter().map(of_tree).fold(f64::NEG_INFINITY, f64::max);
                let all: f64 = trees.iter().map(|tree| exp(of_tree(tree) - most)).sum();
                prop_assert!((log_z - most - log(all)).abs() < 1e-9, "{log_z}");
                let (mut truth, mut truth_entropy) = (vec![0.0; w * w], 0.0);
                for tree in &trees {
                    let p = exp(of_tree(tree) - most) / all;
                    tree.iter().for_each(|&a| truth[a] += p);
                    truth_entropy -= if p > 0.0 { p * log(p) } else { 0.0 };
                }
                prop_assert!((entropy - truth_entropy).abs() < 1e-9, "{entropy} {truth_entropy}");
                for (p, truth) in probabilities.iter().zip(&truth) {
                    prop_assert!((p - truth).abs() < 1e-9, "{p} {truth}");
                }
            }
        }
    }
}
