//! The MaxEnt model: multinomial logistic regression over the actions of a state, with an L2 penalty.
//!
//! ```text
//! p(a | x) = exp(w_a . f(x)) / sum over actions b that x allows of exp(w_b . f(x))
//! minimise   sum over gold (x, a) of -log p(a | x)  +  1/2 * penalty * |w|^2
//! ```
//!
//! Features are those of gold states. States that allow one action are left out: its probability is 1 whatever is learnt. Sums run in
//! one order, in parts of a fixed size, so the weights are the same for any number of threads.

use rayon::prelude::*;

use treebound_core::decode::shift_reduce::{Action, Actions, Stack, gold_actions};

use super::features::{Sentence, StateFeatures};
use super::weights::{KeyMap, Weights};
use crate::learn::crf::lbfgs::{Failure, Objective, Settings, Step, minimise};
use crate::systems::TrainingPart;

/// What is a weight of 1 in the model's whole numbers.
pub const WEIGHT_UNIT: f64 = 65_536.0;

/// The cost of an action whose probability is 1/e.
pub const COST_UNIT: f64 = 1_000_000.0;

/// Examples or features that are summed on their own before the sums are.
const CHUNK: usize = 4_096;

/// How the model is learnt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxEnt {
    /// The weight of the penalty.
    pub penalty: f64,
    /// The descent.
    pub descent: Settings,
}

/// Gold actions with the features of their states.
#[derive(Debug, Default)]
struct Examples {
    /// By number.
    keys: Vec<u64>,
    /// By example, as many as there are templates: numbers.
    features: Vec<u32>,
    /// By example: the gold action, and the first that is allowed.
    actions: Vec<(u8, u8)>,
    /// Where the examples of a feature begin, and where the last one's end.
    starts: Vec<u32>,
    /// By feature: examples in order.
    examples: Vec<u32>,
    templates: usize,
}

/// Sentences whose keys are made at once.
const SENTENCES: usize = 1_024;

impl Examples {
    fn new(features: &StateFeatures, part: &TrainingPart) -> Self {
        let mut all = Self { templates: features.templates(), ..Self::default() };
        let mut numbers: KeyMap<u32> = KeyMap::default();
        for (sentences, trees) in part.sentences.chunks(SENTENCES).zip(part.trees.chunks(SENTENCES)) {
            let made: Vec<_> = sentences
                .par_iter()
                .zip(trees)
                .map_init(Sentence::default, |sentence, (words, tree)| {
                    let (mut keys, mut actions) = (Vec::new(), Vec::new());
                    sentence.fill(features, &words.tokens);
                    let mut stack = Stack::default();
                    stack.start(sentence.words());
                    for action in gold_actions(tree).unwrap_or_default() {
                        let state = stack.state();
                        let allows = |action| state.allows(action, sentence.words());
                        if allows(Action::LeftReduce) {
                            sentence.push_keys(features, &state, &mut keys);
                            actions.push((action as u8, u8::from(!allows(Action::Shift))));
                        }
                        stack.take(action);
                    }
                    (keys, actions)
                })
                .collect();
            for (keys, actions) in made {
                all.actions.extend(actions);
                for key in keys {
                    let number = *numbers.entry(key).or_insert_with(|| {
                        all.keys.push(key);
                        (all.keys.len() - 1) as u32
                    });
                    all.features.push(number);
                }
            }
        }
        drop(numbers);
        all.starts = vec![0; all.keys.len() + 1];
        all.features.iter().for_each(|&feature| all.starts[feature as usize + 1] += 1);
        for feature in 1..all.starts.len() {
            all.starts[feature] += all.starts[feature - 1];
        }
        let mut next = all.starts.clone();
        all.examples = vec![0; all.features.len()];
        for (at, &feature) in all.features.iter().enumerate() {
            let place = &mut next[feature as usize];
            all.examples[*place as usize] = (at / all.templates) as u32;
            *place += 1;
        }
        all
    }
}

struct Regression<'a> {
    examples: &'a Examples,
    penalty: f64,
    /// By example and action: probability less what is right.
    residuals: Vec<Actions<f64>>,
}

impl Objective for Regression<'_> {
    fn dimensions(&self) -> usize {
        3 * self.examples.keys.len()
    }

    fn value(&mut self, x: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
        let Examples { features, actions, starts, examples, templates, .. } = self.examples;
        let x = x.as_chunks::<3>().0;
        let losses: Vec<f64> = self
            .residuals
            .par_chunks_mut(CHUNK)
            .zip(features.par_chunks(CHUNK * templates))
            .zip(actions.par_chunks(CHUNK))
            .map(|((residuals, features), actions)| {
                let mut loss = 0.0;
                for ((residual, features), &(gold, first)) in
                    residuals.iter_mut().zip(features.chunks_exact(*templates)).zip(actions)
                {
                    let mut scores = [0.0; 3];
                    for &feature in features {
                        scores.iter_mut().zip(x[feature as usize]).for_each(|(score, weight)| *score += weight);
                    }
                    let (shares, log_sum) = shares(scores, first.into());
                    loss += log_sum - scores[usize::from(gold)];
                    *residual = shares;
                    residual[usize::from(gold)] -= 1.0;
                }
                loss
            })
            .collect();
        let (residuals, penalty) = (&self.residuals, self.penalty);
        let squares: Vec<f64> = gradient
            .par_chunks_mut(3 * CHUNK)
            .zip(x.par_chunks(CHUNK))
            .enumerate()
            .map(|(chunk, (gradient, x))| {
                let mut squares = 0.0;
                for (at, (gradient, x)) in gradient.as_chunks_mut::<3>().0.iter_mut().zip(x).enumerate() {
                    let feature = chunk * CHUNK + at;
                    *gradient = x.map(|weight| penalty * weight);
                    squares += x.iter().map(|weight| weight * weight).sum::<f64>();
                    for &example in &examples[starts[feature] as usize..starts[feature + 1] as usize] {
                        let residual = &residuals[example as usize];
                        gradient.iter_mut().zip(residual).for_each(|(sum, residual)| *sum += residual);
                    }
                }
                squares
            })
            .collect();
        losses.iter().sum::<f64>() + 0.5 * penalty * squares.iter().sum::<f64>()
    }

    fn metric(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }
}

/// The probabilities of the actions from the first that is allowed on, and the logarithm of the sum that they are shares of.
#[inline]
fn shares(scores: Actions<f64>, first: usize) -> (Actions<f64>, f64) {
    let most = scores[first..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut shares = [0.0; 3];
    for action in first..3 {
        shares[action] = libm::exp(scores[action] - most);
    }
    let sum = shares[0] + shares[1] + shares[2];
    (shares.map(|share| share / sum), most + libm::log(sum))
}

/// The costs of actions with these scores, in [units](COST_UNIT): minus the logarithm of their probability. `first` is the first
/// action that is allowed, and all behind it are.
#[inline]
pub fn costs(scores: Actions<i64>, first: usize) -> Actions<i64> {
    let scores = scores.map(|score| score as f64 / WEIGHT_UNIT);
    let most = scores[first..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores[first..].iter().map(|score| libm::exp(score - most)).sum();
    let log_sum = most + libm::log(sum);
    scores.map(|score| libm::round((log_sum - score).max(0.0) * COST_UNIT) as i64)
}

/// At most what [`costs`] says of an action of which it is known by how much it leads others at most.
///
/// Both are rounded, this one down. Half a unit is far more than the logarithms' errors.
pub fn least_cost(leads: Actions<i64>, action: usize, first: usize) -> i64 {
    let behind = |other: usize| if other == action { 0.0 } else { -leads[other] as f64 / WEIGHT_UNIT };
    let others = || (first..3).map(behind);
    let most = others().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = others().map(|score| libm::exp(score - most)).sum();
    ((most + libm::log(sum)).max(0.0) * COST_UNIT) as i64
}

/// Learns; keys with their weights as whole numbers, in the order in which keys come in the training part. `log` is told of each step.
///
/// # Errors
/// If the objective is no number.
pub fn learn(
    maxent: MaxEnt,
    features: &StateFeatures,
    part: &TrainingPart,
    log: impl FnMut(Step),
) -> Result<Weights, Failure> {
    let examples = Examples::new(features, part);
    let residuals = vec![[0.0; 3]; examples.actions.len()];
    let mut regression = Regression { examples: &examples, penalty: maxent.penalty, residuals };
    let mut x = vec![0.0; regression.dimensions()];
    minimise(&mut regression, &mut x, maxent.descent, log)?;
    let whole = |weight: &f64| libm::round(weight * WEIGHT_UNIT).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let weights = x.as_chunks::<3>().0.iter().map(|weights| weights.each_ref().map(whole)).collect();
    Ok((examples.keys, weights))
}
