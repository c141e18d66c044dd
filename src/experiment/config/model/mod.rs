//! The config with every default filled in. Written to `config.resolved.toml`, which can itself be run.

mod corpus;
mod decoding;
mod features;
mod keys;
mod learning;

use std::path::PathBuf;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::claims::Claims;

pub use corpus::{Corpus, Counts, Encoding, Expected, Format, Origin};
pub use decoding::{Decoding, MorePrunings};
pub use features::{FeatureSet, Features};
pub use learning::{ChooseEpoch, Pruning, Tagging, Trainer, Training};

/// An experiment: everything that decides its results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// Name of the experiment: the config's file name without its ending.
    #[serde(skip)]
    pub name: String,
    /// Folder of the config file: relative paths start here.
    #[serde(skip)]
    pub base: PathBuf,
    /// Prose printed under the tables.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub analysis: String,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    /// Which tags the parser sees.
    pub tags: Vec<Tags>,
    /// What is claimed of the results.
    #[serde(flatten, serialize_with = "claim_keys")]
    pub claims: Claims,
    /// The tagger, for predicted tags.
    pub tagger: Tagging,
    /// The pruner.
    pub pruning: Pruning,
    /// How parsers are trained.
    pub training: Training,
    /// Which sets of non-local features.
    pub features: Features,
    /// How test sentences are decoded.
    pub decoding: Decoding,
    /// What is evaluated.
    pub evaluation: Evaluation,
    /// How speed is measured.
    pub timing: Timing,
    /// The treebanks.
    pub corpus: Vec<Corpus>,
}

/// Whose part-of-speech tags the parser sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tags {
    /// The treebank's.
    Gold,
    /// The tagger's: the training part by jackknifing.
    Predicted,
}

impl Tags {
    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Tags::Gold => "gold",
            Tags::Predicted => "predicted",
        }
    }
}

/// A part of a treebank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// For learning.
    Train,
    /// For choices.
    Dev,
    /// For results.
    Test,
}

impl Split {
    /// All parts, in the order of [`Origin`]'s lines.
    pub const ALL: [Self; 3] = [Self::Train, Self::Dev, Self::Test];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Dev => "dev",
            Split::Test => "test",
        }
    }
}

/// What is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// Parts of the treebank.
    pub splits: Vec<Split>,
    /// Rounds of the paired test.
    pub rounds: u64,
    /// Its seed.
    pub seed: u64,
}

/// How speed is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Timed passes over each cell.
    pub repeats: u64,
}

fn claim_keys<S: Serializer>(claims: &Claims, serializer: S) -> Result<S::Ok, S::Error> {
    let Claims { list, own } = claims;
    let mut map = serializer.serialize_map(None)?;
    if let Some(list) = list {
        map.serialize_entry("claims", list)?;
    }
    if !own.is_empty() {
        map.serialize_entry("claim", own)?;
    }
    map.end()
}
