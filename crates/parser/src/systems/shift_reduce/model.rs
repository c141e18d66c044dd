//! A model at work: costs of actions, and the way from tokens to an answer.

use treebound_core::decode::shift_reduce::{self, Action, Actions, Costs, End, Memory, Partial, State, Work};

use super::estimates::Estimates;
use super::features::{MOST_WORDS, Scores, Sentence, StateFeatures};
use super::maxent;
use super::weights::WeightTable;
use crate::answer::{Answer, Clock, Count, Effort, Limit, Phase, Phases, Proof};
use crate::features::atoms::mix;
use crate::systems::SystemError;
use crate::treebank::Token;

/// What scores of actions say of their costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Logarithms of shares of a probability.
    MaxEnt,
    /// Costs are minus scores.
    Perceptron,
    /// As in `MaxEnt`, with weights that are drawn by key.
    Random,
}

/// Features with their weights.
#[derive(Debug)]
pub(super) struct Model {
    pub features: StateFeatures,
    pub table: WeightTable,
    pub scale: Scale,
}

/// A sentence's costs.
pub(super) struct ModelCosts<'a> {
    pub model: &'a Model,
    pub sentence: &'a Sentence,
    pub scores: &'a mut Scores,
    pub estimates: &'a Estimates,
}

impl Costs for ModelCosts<'_> {
    fn words(&self) -> u32 {
        self.sentence.words()
    }

    #[inline]
    fn class(&self, place: usize, tree: Partial) -> u64 {
        self.sentence.class(&self.model.features, place, tree)
    }

    #[inline]
    fn actions(&mut self, state: &State) -> Actions<i64> {
        let Self { model, sentence, .. } = *self;
        let allows = |action| state.allows(action, sentence.words());
        if model.scale != Scale::Perceptron && !allows(Action::LeftReduce) {
            return [0; 3];
        }
        let scores = self.scores.score(&model.features, sentence, state, |key, sums| model.add(key, sums));
        match model.scale {
            Scale::MaxEnt | Scale::Random => maxent::costs(scores, usize::from(!allows(Action::Shift))),
            Scale::Perceptron => scores.map(|score| -score),
        }
    }

    #[inline]
    fn estimate(&self, state: &State) -> i64 {
        self.estimates.of(state)
    }
}

/// A parser's working memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    sentence: Sentence,
    scores: Scores,
    estimates: Estimates,
    memory: Memory,
}

/// Bits of a weight that is drawn; so few that no action is much more probable than another.
const DRAWN_BITS: u32 = 12;

impl Model {
    /// Adds the weights of a key.
    #[inline]
    pub fn add(&self, key: u64, sums: &mut Actions<i64>) {
        if self.scale == Scale::Random {
            for (sum, action) in sums.iter_mut().zip(1..) {
                *sum += (mix(key.wrapping_add(action)) >> (u64::BITS - DRAWN_BITS)) as i64;
            }
        } else {
            self.table.add(key, sums);
        }
    }

    /// Parses a sentence.
    pub fn parse(
        &self,
        search: shift_reduce::Search,
        tokens: &[Token],
        scratch: &mut Scratch,
        clock: &mut dyn Clock,
    ) -> Result<Answer, SystemError> {
        if tokens.len() > MOST_WORDS {
            return Err(SystemError::Missing { system: super::NAME, what: "sentences of at most 2,097,150 words" });
        }
        let Scratch { sentence, scores, estimates, memory } = scratch;
        let start = clock.now_ns();
        sentence.fill(&self.features, tokens);
        scores.start(&self.features, sentence, |key, sums| self.add(key, sums));
        if search.is_estimated() {
            estimates.fill(self, sentence, scores);
        } else {
            estimates.clear();
        }
        let scored = clock.now_ns();
        let found = search.run(&mut ModelCosts { model: self, sentence, scores, estimates }, memory);
        let tree = shift_reduce::heads(&memory.actions, tokens.len() as u32);
        let phases = Phases::default().with(Phase::Score, scored - start).with(Phase::Decode, clock.now_ns() - scored);
        let score = -i128::from(found.cost);
        let proof = match found.end {
            End::Optimal => Proof::Optimal,
            End::Inexact => Proof::Heuristic,
            End::StateLimit => Proof::Stopped(Limit::States),
        };
        let Work { expanded, generated, merged } = found.work;
        let counts = [(Count::States, expanded), (Count::Successors, generated), (Count::Merges, merged)];
        let mut effort = counts.into_iter().fold(Effort::default(), |effort, (count, value)| effort.with(count, value));
        // Scores of a perceptron have no zero, nor a unit.
        effort.set(Count::Cost, u64::try_from(found.cost).ok().filter(|_| self.scale != Scale::Perceptron));
        let bound = (found.end == End::Optimal).then_some(score);
        Ok(Answer {
            list: None,
            tree: Some(tree),
            relations: None,
            score: Some(score),
            bound,
            proof,
            candidates: None,
            effort,
            phases,
        })
    }
}
