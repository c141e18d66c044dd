//! How long it takes to learn (`learning.csv`): one row a model and number of threads. Times and memory depend on the machine.

use super::columns::columns;
use super::csv::Record;
use crate::cell::{CorpusName, FeatureSet, Learner, SystemName, Tags, TemplatesName, show_optional};
use crate::decode::Backbone;

columns! {
    /// Weights that were learnt, by a process of their own; tagger and pruner were there before.
    pub struct LearningRow {
        /// The treebank.
        pub corpus: CorpusName,
        /// Whose tags.
        pub tags: Tags,
        /// The parser.
        pub system: SystemName,
        /// The templates.
        pub templates: Option<TemplatesName>,
        /// How weights are learnt.
        pub learner: Option<Learner>,
        /// The feature set.
        pub features: Option<FeatureSet>,
        /// The dynamic program.
        pub backbone: Option<Backbone>,
        /// Seed of the training run.
        pub seed: u64,
        /// Threads.
        pub threads: u64,
        /// Training sentences.
        pub sentences: u64,
        /// Training words.
        pub words: u64,
        /// Passes over them, or steps of a descent.
        pub passes: u64,
        /// Time to learn the weights: of the middle one of the repeats.
        pub train_ns: u64,
        /// How often they were learnt.
        pub repeats: u64,
        /// The most memory that the process had at once, reading the treebank among it; empty if unknown.
        pub peak_kib: Option<i64>,
    }
}

impl LearningRow {
    /// Time to learn the weights, in seconds.
    pub fn train_s(&self) -> f64 {
        self.train_ns as f64 / 1e9
    }

    /// The model, without the number of threads.
    pub fn model(&self) -> String {
        let Self { corpus, tags, system, templates, learner, features, backbone, seed, .. } = self;
        let (templates, learner) = (show_optional(templates.as_ref()), show_optional(learner.as_ref()));
        let (features, backbone) = (show_optional(features.as_ref()), show_optional(backbone.as_ref()));
        format!("{corpus}/{tags}/{system}/{templates}/{learner}/{features}/{backbone}/seed={seed}")
    }
}

impl Record for LearningRow {
    fn same_key(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> String {
        format!("{}, {} threads", self.model(), self.threads)
    }
}
