//! The structured perceptron over a beam of merged states (Huang & Sagae 2010), with updates where the search went wrong (Collins &
//! Roark 2004; Huang, Fayong & Guo 2012).
//!
//! After step i let g_i be the score of the gold derivation's first i actions, and b_i that of the best ones in the beam. The
//! update adds the features of the gold derivation's first i actions and takes away those of the best ones, where i is
//!
//! * *early*: the first step whose beam is full and whose worst derivation is better than the gold one; else the last;
//! * *max-violation*: the step with the largest b_i - g_i, of equals the last.
//!
//! Where the gold derivation is the better one nothing is learnt; a tie is a mistake. Weights are averaged over sentences, kept
//! times the number of sentences.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use treebound_core::decode::shift_reduce::{
    Action, Actions, Costs, Memory, Partial, Search, Stack, State, gold_actions,
};

use super::features::{Scores, Sentence, StateFeatures};
use super::model::{Model, Scale, Scratch};
use super::weights::{KeyMap, WeightTable, Weights};
use crate::answer::{Evaluated, NoClock};
use crate::learn::online::PassStatistics;
use crate::random::shuffle;
use crate::systems::{PassRecord, SystemError, Task};
use crate::treebank::Token;

/// How it is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perceptron {
    /// States of the beam.
    pub width: u32,
    /// Whether updates are early.
    pub is_early: bool,
    /// Passes over the training part.
    pub passes: usize,
}

/// The order of sentences does not depend on the seed of an experiment: there is one model.
const SHUFFLE_SEED: u64 = 1;

/// Weights while they are learnt.
#[derive(Debug, Default)]
struct Learning {
    numbers: KeyMap<u32>,
    keys: Vec<u64>,
    weights: Vec<Actions<i32>>,
    /// Each change times the number of sentences before it.
    late: Vec<Actions<i64>>,
    /// Sentences so far.
    sentences: i64,
}

impl Learning {
    fn add(&self, key: u64, sums: &mut Actions<i64>) {
        if let Some(&number) = self.numbers.get(&key) {
            let weights = self.weights[number as usize];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += i64::from(weight));
        }
    }

    fn change(&mut self, key: u64, action: Action, by: i32) {
        let Self { numbers, keys, weights, late, sentences } = self;
        let number = *numbers.entry(key).or_insert_with(|| {
            keys.push(key);
            weights.push([0; 3]);
            late.push([0; 3]);
            (keys.len() - 1) as u32
        }) as usize;
        weights[number][action as usize] += by;
        late[number][action as usize] += i64::from(by) * *sentences;
    }

    /// Averages times the number of sentences, halved as often as it takes for all to fit; those that are 0 are left out.
    fn averaged(&self) -> Weights {
        let sum = |(weights, late): (&Actions<i32>, &Actions<i64>)| -> Actions<i64> {
            std::array::from_fn(|action| i64::from(weights[action]) * self.sentences - late[action])
        };
        let sums: Vec<Actions<i64>> = self.weights.iter().zip(&self.late).map(sum).collect();
        let most = sums.as_flattened().iter().map(|sum| sum.unsigned_abs()).max().unwrap_or(0);
        let halvings = (most >> 31).checked_ilog2().map_or(0, |log| log + 1);
        let kept = self.keys.iter().zip(&sums).map(|(&key, sums)| (key, sums.map(|sum| (sum >> halvings) as i32)));
        kept.filter(|(_, weights)| *weights != [0; 3]).unzip()
    }
}

/// Costs by weights that are being learnt.
struct LearningCosts<'a> {
    learning: &'a Learning,
    features: &'a StateFeatures,
    sentence: &'a Sentence,
    scores: &'a mut Scores,
}

impl Costs for LearningCosts<'_> {
    fn words(&self) -> u32 {
        self.sentence.words()
    }

    fn class(&self, place: usize, tree: Partial) -> u64 {
        self.sentence.class(self.features, place, tree)
    }

    fn actions(&mut self, state: &State) -> Actions<i64> {
        let add = |key, sums: &mut Actions<i64>| self.learning.add(key, sums);
        self.scores.score(self.features, self.sentence, state, add).map(|score| -score)
    }
}

/// Learns; keys with their weights of the pass that is best on the development part. `log` is told of each pass.
///
/// # Errors
/// If a sentence of the development part is too long.
pub fn learn(
    perceptron: Perceptron,
    features: &StateFeatures,
    task: &Task,
    log: &mut dyn FnMut(&[PassRecord]),
) -> Result<(Weights, Vec<PassRecord>), SystemError> {
    let (sentences, trees) = (&task.train.sentences, &task.train.trees);
    let search = Search::Beam { width: perceptron.width, merges: true };
    let mut learning = Learning::default();
    let (mut sentence, mut scores, mut memory) = (Sentence::default(), Scores::default(), Memory::default());
    let mut random = ChaCha8Rng::seed_from_u64(SHUFFLE_SEED);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut passes: Vec<PassRecord> = Vec::new();
    let mut best = None;
    let mut keys = Vec::new();
    for _ in 0..perceptron.passes {
        let mut statistics = PassStatistics::default();
        shuffle(&mut order, &mut random);
        for &at in &order {
            let Some(gold) = gold_actions(&trees[at]).filter(|gold| gold.len() > 1) else { continue };
            sentence.fill(features, &sentences[at].tokens);
            scores.start(features, &sentence, |key, sums| learning.add(key, sums));
            let mut costs = LearningCosts { learning: &learning, features, sentence: &sentence, scores: &mut scores };
            search.run(&mut costs, &mut memory);
            let is_right = memory.actions == gold;
            let length = match is_right {
                true => None,
                false => wrong_length(perceptron.is_early, &gold, &mut costs, &memory),
            };
            learning.sentences += 1;
            statistics.mistakes += usize::from(!is_right);
            let Some(length) = length else { continue };
            memory.write_step_actions(length - 1);
            let shared = memory.actions.iter().zip(&gold).take_while(|(a, b)| a == b).count();
            for (actions, by) in [(&gold[..length], 1), (&memory.actions[..], -1)] {
                let mut stack = Stack::default();
                stack.start(sentence.words());
                for (at, &action) in actions.iter().enumerate() {
                    if at >= shared {
                        keys.clear();
                        sentence.push_keys(features, &stack.state(), &mut keys);
                        keys.iter().for_each(|&key| learning.change(key, action, by));
                    }
                    stack.take(action);
                }
            }
        }
        let averaged = learning.averaged();
        let table = WeightTable::new(&averaged.0, &averaged.1);
        let model = Model { features: features.clone(), table, scale: Scale::Perceptron };
        let correct = dev_correct(&model, search, task)?;
        let mut record = PassRecord { statistics, dev_scored_correct: Some(correct), ..PassRecord::default() };
        if best.as_ref().is_none_or(|(most, _)| correct > *most) {
            passes.iter_mut().for_each(|pass| pass.chosen = false);
            record.chosen = true;
            best = Some((correct, averaged));
        }
        passes.push(record);
        log(&passes);
    }
    Ok((best.map(|(_, weights)| weights).unwrap_or_default(), passes))
}

/// How many actions the update compares; none if the gold ones always score more than the best of the beam.
fn wrong_length(is_early: bool, gold: &[Action], costs: &mut impl Costs, memory: &Memory) -> Option<usize> {
    let mut stack = Stack::default();
    stack.start(costs.words());
    let mut cost = 0;
    let mut worst: Option<(i64, usize)> = None;
    for (at, (&action, step)) in gold.iter().zip(memory.steps()).enumerate() {
        cost += costs.actions(&stack.state())[action as usize];
        stack.take(action);
        let is_last = at + 1 == gold.len();
        let violation = cost - step.best;
        if is_early {
            if (cost > step.worst || is_last) && violation >= 0 {
                return Some(at + 1);
            }
        } else if violation >= 0 && worst.is_none_or(|(most, _)| violation >= most) {
            worst = Some((violation, at + 1));
        }
    }
    worst.map(|(_, length)| length)
}

/// Scored words of the development part that a model gets right.
fn dev_correct(model: &Model, search: Search, task: &Task) -> Result<u64, SystemError> {
    let one = |scratch: &mut Scratch, (sentence, gold): (&crate::treebank::Sentence, _)| {
        let tokens: &[Token] = &sentence.tokens;
        let answer = model.parse(search, tokens, scratch, &mut NoClock)?;
        Ok(Evaluated::new(&answer, gold, task.punctuation).scored_correct)
    };
    task.dev.par_iter().zip(task.gold_dev).map_init(Scratch::default, one).sum()
}
