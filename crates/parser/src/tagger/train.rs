//! The averaged perceptron: each sentence is tagged with the weights so far; where the answer differs from the gold
//! labels, the features of the gold labels gain 1 and those of the answer lose 1.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

use crate::random::shuffle;
use crate::sequence::Perceptron;
use crate::tagger::Tagger;
use crate::tagger::lexicon::{Labels, Lexicon, MOST_LABELS};
use crate::tagger::search::{Scratch, Words};
use crate::treebank::Token;
use crate::weights::learner::LearnError;

/// How a tagger learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Passes over the training part.
    pub epochs: usize,
    /// Of the shuffles.
    pub seed: u64,
}

/// Why a tagger could not be trained.
#[derive(Debug, Error)]
pub enum TaggerError {
    /// There is no word to learn from.
    #[error("a tagger needs at least one tagged word to learn from")]
    NothingToLearn,
    /// A single sentence cannot be held out from itself.
    #[error("jackknifing needs at least 2 folds and 2 sentences; here are {folds} folds and {sentences} sentences")]
    NothingToHoldOut {
        /// Folds asked for.
        folds: usize,
        /// Sentences.
        sentences: usize,
    },
    /// The tag columns hold something else than tags.
    #[error(
        "the training part has {found} different pairs of coarse and fine tag, more than the {MOST_LABELS} that the tagger can handle"
    )]
    TooManyLabels {
        /// Pairs found.
        found: usize,
    },
    /// The weights could not be learnt.
    #[error("training the tagger: {0}")]
    Learn(#[from] LearnError),
}

impl From<std::io::Error> for TaggerError {
    fn from(error: std::io::Error) -> Self {
        Self::Learn(LearnError::Memory(error))
    }
}

impl Tagger {
    /// Learns from sentences with their gold tags.
    ///
    /// # Errors
    /// See [`TaggerError`].
    pub fn train(sentences: &[&[Token]], schedule: Schedule) -> Result<Self, TaggerError> {
        let words = || sentences.iter().copied().flatten();
        let labels = Labels::from_tokens(words());
        if labels.is_empty() {
            return Err(TaggerError::NothingToLearn);
        }
        if labels.len() > MOST_LABELS {
            return Err(TaggerError::TooManyLabels { found: labels.len() });
        }
        // Every word has one of the labels and a form of the lexicon, both having been made from the words.
        let lexicon = Lexicon::from_words(words().map(|t| (t.form.as_str(), labels.find(t).unwrap_or(0))));
        let examples: Vec<(Vec<u32>, Vec<u32>)> = sentences
            .iter()
            .map(|tokens| {
                let numbers = tokens.iter().map(|t| lexicon.find(&t.form).unwrap_or(0)).collect();
                let gold = tokens.iter().map(|t| labels.find(t).unwrap_or(0)).collect();
                (numbers, gold)
            })
            .collect();
        let mut perceptron = Perceptron::new(labels.len())?;
        let mut scratch = Scratch::default();
        let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        for _ in 0..schedule.epochs {
            shuffle(&mut order, &mut random);
            perceptron.next_pass();
            for &i in &order {
                let (numbers, gold) = &examples[i];
                perceptron.next_example();
                let words = Words { lexicon: &lexicon, numbers, unknown: &[] };
                scratch.decode(words, perceptron.lines(), perceptron.transitions());
                if scratch.path != *gold {
                    perceptron.update(|word| scratch.keys(word), gold, &scratch.path)?;
                }
            }
        }
        let features = perceptron.summed()?;
        Ok(Self::new(labels, lexicon, features)?)
    }
}
