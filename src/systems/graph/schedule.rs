//! How weights are learnt.

use serde::Serialize;

use crate::cell::Method;
use crate::decode::Decoder;
use crate::decode::bnb::Limits;
use crate::pruning::Rule;

/// Which pass's weights are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseEpoch {
    /// Those of the last.
    Last,
    /// Those that score best on the development part; the earliest of equals.
    Dev,
}

/// How weights are learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// The learner.
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
    pub pruning: Rule,
    /// Decoder of sets with non-local features while training.
    pub decoder: Decoder,
    /// Its limits.
    #[serde(flatten)]
    pub limits: Limits,
}
