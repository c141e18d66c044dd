//! What is learnt, and how.

use serde::Serialize;

use super::TemplatesSource;
use super::keys::{limit_keys, shown};
use crate::cell::Method;
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

/// The pruner: how it learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pruner {
    /// Template set.
    pub templates: TemplatesSource,
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass.
    pub rate: f64,
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

/// How a learner learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// Its method, with which its name begins.
    #[serde(skip)]
    pub method: Method,
    /// The longest step of MIRA.
    pub aggressiveness: f64,
    /// Passes over the training part.
    pub epochs: usize,
    /// The first pass, from 1, whose weights are in the average.
    pub average_from: usize,
    /// Which pass counts: of those from `average_from` on.
    pub choose_epoch: ChooseEpoch,
    /// Candidate heads while training.
    #[serde(serialize_with = "shown")]
    pub pruning: Rule,
    /// Decoder of sets with non-local features while training.
    pub decoder: Decoder,
    /// Its limits.
    #[serde(flatten, serialize_with = "limit_keys")]
    pub limits: Limits,
}
