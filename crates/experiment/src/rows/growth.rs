//! How time and memory grow (`growth.csv`): one row a point. Counts do not depend on the machine; times and memory do.

use super::at_most;
use super::columns::columns;
use super::csv::Record;
use treebound_core::decode::Decoder;
use treebound_parser::cell::FeatureSet;
use treebound_parser::pruning::Rule;
use treebound_records::{LineFault, RowKey};

columns! {
    /// A parser that was learnt, and a text that was parsed with it, each by a process of its own on one thread.
    pub struct GrowthRow {
        /// What is measured against: `length`, `k`, `templates`, `families`, `size` or `corpus`.
        pub axis: String,
        /// Where on it: words of a sentence, heads a word (empty for all), templates, families, words to learn from,
        /// hundredths of the corpus.
        pub value: Option<i64>,
        /// The feature set.
        pub features: FeatureSet,
        /// The template set; `paper/4` is one in four of `paper`.
        pub template_set: String,
        /// The pruning.
        pub pruning: Rule,
        /// The decoder.
        pub decoder: Decoder,
        /// What made the parser.
        pub key: RowKey,
        /// Templates that the parser looks at.
        pub templates: u64,
        /// Training sentences.
        pub train_sentences: u64,
        /// Training words.
        pub train_words: u64,
        /// Passes over them.
        pub epochs: u64,
        /// Features with a weight.
        pub learnt_features: u64,
        /// Calls to the dynamic program in training.
        pub train_dp_calls: u64,
        /// Searches that ended at the limit of training.
        pub train_unproven: u64,
        /// Sentences parsed.
        pub sentences: u64,
        /// Their words.
        pub words: u64,
        /// Candidate heads kept, over all words.
        pub heads_kept: u64,
        /// Sentences whose tree is proven optimal.
        pub proven: u64,
        /// Branch-and-bound nodes.
        pub nodes: u64,
        /// Calls to the dynamic program.
        pub dp_calls: u64,
        /// How often it was learnt.
        pub train_repeats: u64,
        /// Time to learn the pruner and prune the training part: of the middle one of the repeats.
        pub pruner_ns: u64,
        /// Time to learn the weights, of the same.
        pub train_ns: u64,
        /// The most memory that learning had at once, from the treebank to the model file; empty if unknown.
        pub train_peak_kib: Option<i64>,
        /// How often the text was parsed, not counting a pass to warm up.
        pub parse_repeats: u64,
        /// Time to choose candidate heads: of the middle one of the repeats.
        pub prune_ns: u64,
        /// Time to compute features and score parts and factors, of the same.
        pub score_ns: u64,
        /// Time to search for the best trees, of the same.
        pub decode_ns: u64,
        /// The most memory that parsing had at once, the model and the text among it; empty if unknown.
        pub parse_peak_kib: Option<i64>,
    }
}

impl GrowthRow {
    /// Time from tokens to trees, in seconds.
    pub fn parse_s(&self) -> f64 {
        self.prune_ns.saturating_add(self.score_ns).saturating_add(self.decode_ns) as f64 / 1e9
    }

    /// Time to learn the pruner and the weights, in seconds.
    pub fn learning_s(&self) -> f64 {
        self.pruner_ns.saturating_add(self.train_ns) as f64 / 1e9
    }

    /// Words parsed a second.
    pub fn words_per_s(&self) -> Option<f64> {
        (self.parse_s() > 0.0).then(|| self.words as f64 / self.parse_s())
    }
}

/// A peak in MiB, if it is known.
pub fn mib(kib: Option<i64>) -> Option<f64> {
    kib.map(|kib| kib as f64 / 1024.0)
}

impl Record for GrowthRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("proven", self.proven), ("sentences", self.sentences))?;
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.axis.clone(), row.value, row.features.clone(), row.template_set.clone());
        key(self) == key(other)
    }

    fn key(&self) -> String {
        let value = self.value.map_or("all".to_owned(), |value| value.to_string());
        format!("{} {value}, {}, {}", self.axis, self.features, self.template_set)
    }
}
