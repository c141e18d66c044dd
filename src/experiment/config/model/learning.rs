//! What is learnt, and how.

use serde::Serialize;

use super::keys::{limit_keys, rule_key};
use crate::decode::Decoder;
use crate::decode::bnb::Limits;
use crate::pruning::Rule;

/// The tagger. It is trained once for all seeds of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tagging {
    /// Passes over the training part.
    pub epochs: usize,
    /// Folds by which the training part is tagged.
    pub folds: usize,
    /// Of the shuffles.
    pub seed: u64,
}

/// The pruner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pruning {
    /// Template set: a built-in name, or a file.
    pub templates: String,
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass.
    pub rate: f64,
}

/// How weights are learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trainer {
    /// The averaged structured perceptron.
    Perceptron,
    /// MIRA with one constraint a sentence, found by exact search with wrong heads charged for.
    Mira,
}

impl Trainer {
    /// All trainers.
    pub const ALL: [Self; 2] = [Self::Perceptron, Self::Mira];

    /// The trainer of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perceptron => "perceptron",
            Self::Mira => "mira",
        }
    }
}

/// Which epoch's weights are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseEpoch {
    /// Those of the last.
    Last,
    /// Those that score best on the development part; the earliest of equals.
    Dev,
}

/// How parsers are trained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Training {
    /// Template set: a built-in name, or a file.
    pub templates: String,
    /// The learners.
    #[serde(rename = "trainer")]
    pub trainers: Vec<Trainer>,
    /// The longest step of MIRA.
    pub aggressiveness: f64,
    /// Passes over the training part.
    pub epochs: usize,
    /// The first pass, from 1, whose weights are in the average.
    pub average_from: usize,
    /// Which pass counts: of those from `average_from` on.
    pub choose_epoch: ChooseEpoch,
    /// Candidate heads while training.
    #[serde(flatten, serialize_with = "rule_key")]
    pub rule: Rule,
    /// Decoder of sets with non-local features while training.
    pub decoder: Decoder,
    /// Its limits.
    #[serde(flatten, serialize_with = "limit_keys")]
    pub limits: Limits,
}
