//! How long it takes to learn (`learning.csv`): one row a model and number of threads. Times and memory depend on the machine.

use super::ModelName;
use super::columns::columns;
use super::csv::Record;
use treebound_records::{LineFault, RowKey};

columns! {
    /// Weights that were learnt, by a process of their own; tagger and pruner were there before.
    pub struct LearningRow {
        /// The model.
        pub model: ModelName,
        /// Seed of the training run.
        pub seed: u64,
        /// What made the model.
        pub key: RowKey,
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
        /// That of the fastest repeat; empty in older files.
        pub least_ns: Option<u64>,
        /// That of the slowest.
        pub largest_ns: Option<u64>,
        /// How often they were learnt.
        pub repeats: u64,
        /// The most memory that the process had at once, reading the treebank among it; empty if unknown.
        pub peak_kib: Option<i64>,
        /// Bytes of the model as it is stored; empty in older files.
        pub model_bytes: Option<u64>,
    }
}

impl LearningRow {
    /// Time to learn the weights, in seconds.
    pub fn train_s(&self) -> f64 {
        seconds(self.train_ns)
    }

    /// The least, the middle and the largest time of the repeats, in seconds; none if they were learnt once, which does not say
    /// how times vary.
    pub fn spread_s(&self) -> Option<[f64; 3]> {
        let repeated = [self.least_ns?, self.train_ns, self.largest_ns?];
        (self.repeats > 1).then(|| repeated.map(seconds))
    }
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

impl Record for LearningRow {
    fn check(&self) -> Result<(), LineFault> {
        let ends = self.least_ns.zip(self.largest_ns);
        if ends.is_none_or(|(least, largest)| (least..=largest).contains(&self.train_ns)) {
            return Ok(());
        }
        let value = self.train_ns.to_string();
        Err(LineFault::Field { column: "train_ns", value, expected: "a time from least_ns to largest_ns" })
    }

    fn same_key(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> String {
        format!("{}/seed={}, {} threads", self.model, self.seed, self.threads)
    }
}
