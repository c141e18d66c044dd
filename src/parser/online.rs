//! Online learning of averaged weights, one sentence at a time: parse it with the weights so far, and if the tree is wrong
//! move the weights from the features of that tree towards those of the right one.
//!
//! * The structured perceptron (Collins, 2002; paper, section 4.2) takes steps of 1.
//! * MIRA ([`mira`](super::mira)) charges the parser for wrong heads while it parses and takes the smallest step that
//!   makes the right tree win by as much as the charge.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

use super::build::{Builder, TreeParts};
use super::mira;
use crate::decode::Decoded;
use crate::features::parts::{BetweenWords, Part};
use crate::features::{Bundles, Family, Kind, PartList};
use crate::graph::{FactorGraph, SpaceError, TreeArcs, tree_score};
use crate::pruning::Candidates;
use crate::random::shuffle;
use crate::treebank::{Sentence, Tree};
use crate::weights::learner::LearnError;
use crate::weights::sights::fixed::Weights;
use crate::weights::sights::learner::Learner;
use crate::weights::sights::visit::{Counted, Seen, for_each_sight, squared_length, sum_by_sight};
use crate::weights::sights::{Entry, Table};

/// A training sentence: its projective tree, and the candidate arcs kept for it, which contain the tree's.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The words.
    pub sentence: &'a Sentence,
    /// The tree to be learnt.
    pub tree: &'a Tree,
    /// The candidates.
    pub candidates: &'a Candidates,
}

/// What one pass over the training part did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStatistics {
    /// Sentences that were not parsed as they should be.
    pub mistakes: usize,
    /// Words with a wrong head.
    pub wrong_heads: usize,
    /// Sentences whose decoder stopped at a limit.
    pub unproven: usize,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
}

/// Why a pass could not be finished.
#[derive(Debug, Error)]
pub enum PassError<E> {
    /// An example's arcs are no arc space.
    #[error(transparent)]
    Space(SpaceError),
    /// The decoder failed.
    #[error(transparent)]
    Decode(E),
    /// The weights could not be updated.
    #[error(transparent)]
    Learn(LearnError),
}

/// How long the steps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// All of length 1.
    Perceptron,
    /// As long as needed, up to this times [`mira::UNIT`].
    Mira {
        /// The longest step.
        aggressiveness: f64,
    },
}

/// Weights being learnt.
#[derive(Debug)]
pub struct Online<'a> {
    bundles: &'a Bundles,
    families: &'a [Family],
    steps: Steps,
    learner: Learner,
    random: ChaCha8Rng,
    order: Vec<usize>,
    builder: Builder,
    gold: TreeParts,
    predicted: TreeParts,
    between: BetweenWords,
    difference: Difference,
    arcs: TreeArcs,
    sights: Vec<Counted>,
}

/// Parts that one of two trees has and the other has not, by kind.
#[derive(Debug, Default)]
struct Difference {
    kinds: Vec<(Kind, PartList, Vec<i32>)>,
}

impl<'a> Online<'a> {
    /// Weights that are all 0; `seed` orders the sentences of each pass.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn new(bundles: &'a Bundles, families: &'a [Family], steps: Steps, seed: u64) -> Result<Self, LearnError> {
        Ok(Self {
            bundles,
            families,
            steps,
            learner: Learner::new(1 << 20)?,
            random: ChaCha8Rng::seed_from_u64(seed),
            order: Vec::new(),
            builder: Builder::default(),
            gold: TreeParts::default(),
            predicted: TreeParts::default(),
            between: BetweenWords::default(),
            difference: Difference::default(),
            arcs: TreeArcs::default(),
            sights: Vec::new(),
        })
    }

    /// One pass over `examples` in a new random order. `decode` gives the best tree of a graph, with the probability of
    /// each of its arcs to start from.
    ///
    /// # Errors
    /// See [`PassError`].
    pub fn pass<E>(
        &mut self,
        examples: &[Example],
        mut decode: impl FnMut(&FactorGraph, Option<&[f64]>) -> Result<Decoded, E>,
    ) -> Result<PassStatistics, PassError<E>> {
        let mut statistics = PassStatistics::default();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..examples.len());
        shuffle(&mut order, &mut self.random);
        for &i in &order {
            let Example { sentence, tree, candidates } = examples[i];
            self.learner.next_example();
            self.builder
                .build(
                    self.bundles,
                    self.families,
                    Weights::changing(self.learner.table()),
                    &sentence.tokens,
                    &candidates.arcs,
                )
                .map_err(PassError::Space)?;
            if let Steps::Mira { .. } = self.steps {
                self.builder.charge_wrong_heads(tree, mira::UNIT);
            }
            let answer = decode(self.builder.graph(), candidates.prior()).map_err(PassError::Decode)?;
            statistics.dp_calls += answer.dp_calls;
            statistics.unproven += usize::from(!answer.status.is_proof());
            // The gold arcs are kept, so there is a tree; a decoder stopped before it found one teaches nothing.
            let (Some(predicted), Some(score)) = (answer.tree, answer.score) else { continue };
            if predicted != *tree {
                statistics.mistakes += 1;
                statistics.wrong_heads += predicted.heads().iter().zip(tree.heads()).filter(|(p, g)| p != g).count();
                self.update(sentence, tree, &predicted, score).map_err(PassError::Learn)?;
            }
        }
        self.order = order;
        Ok(statistics)
    }

    /// A step from `predicted`, which has `score`, towards `gold`; what they share is left alone.
    fn update(&mut self, sentence: &Sentence, gold: &Tree, predicted: &Tree, score: i128) -> Result<(), LearnError> {
        let tokens = &sentence.tokens;
        self.gold.fill(self.bundles, self.families, tokens, gold, &mut self.between);
        self.predicted.fill(self.bundles, self.families, tokens, predicted, &mut self.between);
        self.difference.fill(&self.gold.parts, &self.predicted.parts);
        self.sights.clear();
        for (kind, parts, deltas) in &self.difference.kinds {
            let Some(kind) = self.bundles.kind(*kind) else { continue };
            let lane = kind.lane();
            for_each_sight(kind, self.builder.views(), parts, |Seen { part, bundle, sight }| {
                let (fold, guards) = (bundle.product.fold, bundle.bit != 0);
                self.sights.push(Counted { sight, lane, fold, guards, count: deltas[part] });
            });
        }
        sum_by_sight(&mut self.sights);
        let step = match self.steps {
            Steps::Perceptron => 1,
            Steps::Mira { aggressiveness } => {
                let graph = self.builder.graph();
                // The gold arcs are among the candidates.
                self.arcs.find(&graph.space, gold.heads());
                let behind = score - tree_score(graph, &self.arcs);
                mira::step(behind, squared_length(&self.sights), aggressiveness)
            }
        };
        self.learner.update(&self.sights, step)?;
        Ok(())
    }

    /// Leaves the examples so far out of the average.
    pub fn restart_average(&mut self) {
        self.learner.restart_average();
    }

    /// The weights after the last example.
    pub fn table(&self) -> &Table {
        self.learner.table()
    }

    /// The average of the weights after each example so far, or since it was [restarted](Self::restart_average), in whole numbers of a unit: for the perceptron the number of
    /// examples, so that nothing is rounded, for MIRA [`mira::AVERAGE_UNIT`].
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn average(&self) -> Result<Vec<Entry>, LearnError> {
        match self.steps {
            Steps::Perceptron => self.learner.summed(),
            Steps::Mira { .. } => self.learner.average(mira::AVERAGE_UNIT / mira::UNIT),
        }
    }
}

impl Difference {
    /// Walks two sorted lists of parts side by side.
    fn fill(&mut self, gold: &[(Kind, Part)], predicted: &[(Kind, Part)]) {
        for (_, parts, deltas) in &mut self.kinds {
            parts.clear();
            deltas.clear();
        }
        let (mut g, mut p) = (0, 0);
        while g < gold.len() || p < predicted.len() {
            let take_gold = match (gold.get(g), predicted.get(p)) {
                (Some(a), Some(b)) if a == b => {
                    (g, p) = (g + 1, p + 1);
                    continue;
                }
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_some(),
            };
            let ((kind, part), delta) = if take_gold { (gold[g], 1) } else { (predicted[p], -1) };
            if take_gold {
                g += 1
            } else {
                p += 1
            }
            let at = self.kinds.iter().position(|k| k.0 == kind).unwrap_or_else(|| {
                self.kinds.push((kind, PartList::default(), Vec::new()));
                self.kinds.len() - 1
            });
            self.kinds[at].1.push(part, 0);
            self.kinds[at].2.push(delta);
        }
    }
}
