//! How weights are learnt.

use serde::{Deserialize, Serialize};

use crate::cell::{FeatureSet, Method};
use crate::learn::crf::Features;
use crate::model::{Roots, TreeKind};
use crate::pruning::Rule;
use treebound_core::decode::Decoder;
use treebound_core::decode::bnb::Limits;
use treebound_core::graph::Trees;

/// Which pass's weights are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseEpoch {
    /// The weights of the last pass.
    Last,
    /// The weights that score best on the development part; the earliest of equals.
    Dev,
}

crate::named! {
    /// Which weights a parser with non-local features starts from.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Start {
        /// All are 0.
        #[default]
        Zero = "zero",
        /// The weights of the baseline of the same setting and seed, averaged; all of them go on learning.
        Baseline = "baseline",
        /// The baseline's, and the weights of its kinds of parts stay as they are.
        BaselineFixed = "baseline-fixed",
    }
}

crate::named! {
    /// Which features of non-local kinds there are.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum NonlocalFeatures {
        /// Features that fire in a right tree or in one that a training search gave for it.
        #[default]
        Seen = "seen",
        /// Features that fire in a right tree of the training part.
        Gold = "gold",
    }
}

/// How much of the training part weights are learnt from: a share, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u32);

impl Share {
    /// All of it.
    pub const ALL: Self = Self(1_000_000);

    /// A share above 0, at most 1; none if it is no such number.
    pub fn new(share: f64) -> Option<Self> {
        let millionths = (share * f64::from(Self::ALL.0)).round();
        (share <= 1.0 && millionths >= 1.0).then_some(Self(millionths as u32))
    }

    fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// Whether the sentence with that number, from 0, is among them: they are spread evenly over the part.
    pub fn has(self, sentence: usize) -> bool {
        let before = |sentences: usize| sentences as u64 * u64::from(self.0) / u64::from(Self::ALL.0);
        before(sentence + 1) > before(sentence)
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", f64::from(self.0) / f64::from(Self::ALL.0))
    }
}

impl Serialize for Share {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / f64::from(Self::ALL.0))
    }
}

impl Schedule {
    /// The trees that are learnt from and given.
    pub fn tree_kind(&self) -> TreeKind {
        TreeKind { trees: self.trees, roots: self.roots }
    }

    /// Whether weights are learnt from the training sentence with that number, from 0, which has so many words.
    pub fn learns_from(&self, sentence: usize, words: usize) -> bool {
        self.sentences.has(sentence) && self.longest.is_none_or(|longest| words <= longest)
    }

    /// The weights that a set starts from: with non-local features the parser of a CRF goes on from its baseline.
    pub fn start_of(&self, set: &FeatureSet) -> Start {
        match (set.is_baseline(), self.start) {
            (true, _) => Start::Zero,
            (false, Start::Zero) if self.method == Method::Crf => Start::Baseline,
            (false, start) => start,
        }
    }
}

fn is_one(value: &usize) -> bool {
    *value == 1
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How a CRF is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CrfSchedule {
    /// How little large weights are held against them: the penalty is |w|² / 2C.
    pub c: f64,
    /// What a wrong head adds to the score of a tree that a right one is held against.
    pub charge: f64,
    /// Which features there are.
    pub features: Features,
    /// The descent is over when the norm of the gradient has fallen to this share of what it was at first.
    pub tolerance: f64,
    /// Steps of the descent at most.
    pub iterations: usize,
    /// Steps whose changes it remembers.
    pub history: usize,
    /// How it goes down batch by batch instead: then only the charge of the above counts, and epochs do.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub batches: Option<Batches>,
}

/// How a CRF is learnt a batch of sentences at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Batches {
    /// Sentences whose steps are made from the same weights.
    pub batch: usize,
    /// The length of a step along one sentence's gradient.
    pub rate: f64,
}

/// How weights are learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// The learner.
    #[serde(skip)]
    pub method: Method,
    /// The longest step of MIRA.
    pub aggressiveness: f64,
    /// Trees that MIRA learns from at once, where there are no non-local features.
    #[serde(skip_serializing_if = "is_one")]
    pub kbest: usize,
    /// The schedule of a CRF.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub crf: Option<CrfSchedule>,
    /// Passes over the training part.
    pub epochs: usize,
    /// The first pass, from 1, whose weights are in the average.
    pub average_from: usize,
    /// Which pass counts: of those from `average_from` on.
    pub choose_epoch: ChooseEpoch,
    /// How much of the training part they are learnt from; tagger and pruner learn from all of it.
    #[serde(skip_serializing_if = "Share::is_all")]
    pub sentences: Share,
    /// Which weights a parser with non-local features starts from.
    #[serde(skip_serializing_if = "is_usual")]
    pub start: Start,
    /// Which features of non-local kinds there are.
    #[serde(skip_serializing_if = "is_usual")]
    pub nonlocal_features: NonlocalFeatures,
    /// How many words may hang on the root, in training and in parsing.
    #[serde(skip_serializing_if = "is_usual")]
    pub roots: Roots,
    /// Whether trees may cross, in training and in parsing.
    #[serde(skip_serializing_if = "is_usual")]
    pub trees: Trees,
    /// The words of the longest sentence that is learnt from; none for no limit. Tagger and pruner learn from all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<usize>,
    /// Candidate heads while training.
    pub pruning: Rule,
    /// Decoder of sets with non-local features while training.
    pub decoder: Decoder,
    /// Its limits.
    #[serde(flatten)]
    pub limits: Limits,
}
