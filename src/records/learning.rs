//! How long it takes to learn (`learning.csv`): one row a model and number of threads. Times and memory depend on the machine.

use super::ModelName;
use super::columns::columns;
use super::csv::Record;

columns! {
    /// Weights that were learnt, by a process of their own; tagger and pruner were there before.
    pub struct LearningRow {
        /// The model.
        pub model: ModelName,
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
}

impl Record for LearningRow {
    fn same_key(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> String {
        format!("{}/seed={}, {} threads", self.model, self.seed, self.threads)
    }
}
