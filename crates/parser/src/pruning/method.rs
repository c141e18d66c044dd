//! How scores of arcs become probabilities of heads: by sums over trees, or word by word.

use serde::{Deserialize, Serialize};

use treebound_core::decode::arborescence::matrix_tree;
use treebound_core::decode::first_order::Marginals;
use treebound_core::decode::semiring::{Semiring, Weights};
use treebound_core::graph::{ArcSpace, Trees, Word};

crate::named! {
    /// What a pruner is, as configs name it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum PrunerModel {
        /// A log-linear model over the trees that its parser gives: heads are as probable as the trees that have them.
        #[default]
        Sums = "sums",
        /// A local model learnt for a margin, which knows no trees (Martins et al. 2009, section 4).
        Ranker = "ranker",
    }
}

impl PrunerModel {
    /// The method for a parser of these trees.
    pub fn method(self, trees: Trees) -> Method {
        match (self, trees) {
            (Self::Sums, Trees::Projective) => Method::ProjectiveSums,
            (Self::Sums, Trees::NonProjective) => Method::TreeSums,
            (Self::Ranker, _) => Method::Ranker,
        }
    }
}

/// What makes scores probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The sum over projective trees, by the inside-outside algorithm.
    #[default]
    ProjectiveSums,
    /// The sum over all trees with one word on the root, by the Matrix-Tree theorem.
    TreeSums,
    /// The heads of a word side by side.
    Ranker,
}

impl Method {
    const ALL: [Method; 3] = [Method::ProjectiveSums, Method::TreeSums, Method::Ranker];

    /// Its number in model files.
    pub(crate) fn code(self) -> u64 {
        self as u64
    }

    /// The method of that number.
    pub(crate) fn from_code(code: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }
}

/// What an arc's weight is multiplied by, so that the sum over trees stays in range for long sentences: with all arcs
/// alike there are about 6.75^n projective trees, with one certain head a word there is one.
const SHRINK: f64 = 1.0 / 3.0;

/// Makes probabilities of scores, of several models at once; memory is reused.
#[derive(Debug, Default)]
pub(super) struct Sums<const L: usize> {
    chart: Marginals<L>,
    space: ArcSpace,
    pairs: Vec<(Word, Word)>,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
}

impl<const L: usize> Sums<L> {
    /// Fills `arcs`, by `h * (words + 1) + m`, with probabilities; 0 for those that are not allowed. `score` gives the score of
    /// an arc under a model.
    pub fn apply(
        &mut self,
        method: Method,
        words: usize,
        allowed: &[bool],
        score: impl Fn(usize, usize) -> f64,
        arcs: &mut Vec<Weights<L>>,
    ) {
        match method {
            Method::ProjectiveSums => {
                arc_weights(words, allowed, score, arcs);
                self.chart.apply(words, arcs);
            }
            Method::TreeSums => self.sum_trees(words, allowed, score, arcs),
            Method::Ranker => {
                arc_weights(words, allowed, score, arcs);
                let w = words + 1;
                for m in 1..=words {
                    let mut total = [0.0; L];
                    for h in 0..=words {
                        (0..L).for_each(|lane| total[lane] += arcs[h * w + m].0[lane]);
                    }
                    for h in 0..=words {
                        let Weights(lanes) = &mut arcs[h * w + m];
                        lanes
                            .iter_mut()
                            .zip(total)
                            .filter(|(_, total)| *total > 0.0)
                            .for_each(|(p, total)| *p /= total);
                    }
                }
            }
        }
    }

    fn sum_trees(
        &mut self,
        words: usize,
        allowed: &[bool],
        score: impl Fn(usize, usize) -> f64,
        arcs: &mut Vec<Weights<L>>,
    ) {
        let Self { space, pairs, scores, probabilities, .. } = self;
        let w = words + 1;
        arcs.clear();
        arcs.resize(w * w, Weights::NONE);
        pairs.clear();
        let is_allowed = |a: &usize| allowed[*a];
        pairs.extend((0..w * w).filter(is_allowed).map(|a| (Word::new(a / w), Word::new(a % w))));
        // What has too many parts to be numbered is too long to be parsed, too.
        if space.rebuild(words, true, pairs).is_err() {
            return;
        }
        for lane in 0..L {
            scores.clear();
            scores.extend((0..w * w).filter(is_allowed).map(|a| score(a, lane)));
            if matrix_tree::sum(space, scores, probabilities).is_some() {
                let of_lane = (0..w * w).filter(is_allowed).zip(&*probabilities);
                of_lane.for_each(|(a, &probability)| arcs[a].0[lane] = probability);
            }
        }
    }
}

/// Fills `arcs` with `exp(score)` of every arc, relative to the best head of its modifier and shrunk; 0 for those that are
/// not allowed.
fn arc_weights<const L: usize>(
    words: usize,
    allowed: &[bool],
    score: impl Fn(usize, usize) -> f64,
    arcs: &mut Vec<Weights<L>>,
) {
    let w = words + 1;
    arcs.clear();
    arcs.resize(w * w, Weights::NONE);
    for m in 1..=words {
        let heads = || (0..=words).map(|h| h * w + m).filter(|&a| allowed[a]);
        let best: [f64; L] =
            std::array::from_fn(|lane| heads().map(|a| score(a, lane)).fold(f64::NEG_INFINITY, f64::max));
        for a in heads() {
            arcs[a] = Weights(std::array::from_fn(|lane| SHRINK * libm::exp(score(a, lane) - best[lane])));
        }
    }
}
