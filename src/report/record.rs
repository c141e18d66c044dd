//! Records: one row a sentence and cell, with counts only. All that a report sees.

use serde::{Deserialize, Serialize};

/// What a row belongs to: a corpus and split parsed with one feature set, pruning, decoder and training seed.
///
/// The order of the fields is the sort order of every results file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellKey {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// `baseline`, or family names joined by `+` in alphabetical order.
    pub features: String,
    /// `none`, `k=10` or `t=1e-3`.
    pub prune: String,
    /// `dp`, `bnb` or `paper`.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
}

impl std::fmt::Display for CellKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { corpus, split, tags, features, prune, decoder, seed } = self;
        write!(f, "{corpus}/{split}/{tags}/{features}/{prune}/{decoder}/{seed}")
    }
}

/// One sentence of a cell (`sentences.csv`). Words whose gold tag is punctuation are not scored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SentenceRow {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// The feature set.
    pub features: String,
    /// The pruning.
    pub prune: String,
    /// The decoder.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
    /// Number of the sentence in its split, from 1.
    pub sentence: u64,
    /// Words.
    pub tokens: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// 1 if the words on the root are those of the gold tree.
    pub root_correct: u64,
    /// 1 if every word has the right head.
    pub complete: u64,
    /// Words whose gold head was kept by pruning.
    pub gold_kept: u64,
    /// Candidate heads kept, over all words.
    pub heads_kept: u64,
    /// `optimal`, `infeasible`, `node-limit` or `dp-call-limit`.
    pub status: String,
    /// Score of the tree in units of the model.
    pub score: i64,
    /// Proven upper bound on the score of any tree; empty if a limit was reached before there was one.
    pub bound: Option<i64>,
    /// Branch-and-bound nodes.
    pub nodes: u64,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
}

/// One cell (`scores.csv`): sums over its sentences.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScoreRow {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// The feature set.
    pub features: String,
    /// The pruning.
    pub prune: String,
    /// The decoder.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
    /// Sentences.
    pub sentences: u64,
    /// Words.
    pub tokens: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// Sentences whose words on the root are right.
    pub root_correct: u64,
    /// Sentences with every head right.
    pub complete: u64,
    /// Words whose gold head was kept by pruning.
    pub gold_kept: u64,
    /// Candidate heads kept, over all words.
    pub heads_kept: u64,
    /// Sentences whose tree is proven optimal.
    pub proven: u64,
    /// Branch-and-bound nodes.
    pub nodes: u64,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
    /// Why the cell has no counts; empty if it has.
    pub error: String,
}

/// A cell's words by sentence length (`by_length.csv`): sums over its sentences of one length.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LengthRow {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// The feature set.
    pub features: String,
    /// The pruning.
    pub prune: String,
    /// The decoder.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
    /// Words a sentence.
    pub length: u64,
    /// Sentences of that length.
    pub sentences: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// Sentences whose tree is proven optimal.
    pub proven: u64,
    /// Branch-and-bound nodes.
    pub nodes: u64,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
}

/// One timed pass over one sentence length of a cell (`speed.csv`): nanoseconds on one thread, from tokens to trees.
/// Reading files and loading models are not in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpeedRow {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// The feature set.
    pub features: String,
    /// The pruning.
    pub prune: String,
    /// The decoder.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
    /// Number of the pass, from 1.
    pub repeat: u64,
    /// Words a sentence.
    pub length: u64,
    /// Sentences of that length.
    pub sentences: u64,
    /// Time to choose candidate heads.
    pub prune_ns: u64,
    /// Time to compute features and score parts and factors.
    pub score_ns: u64,
    /// Time to search for the best tree.
    pub decode_ns: u64,
}
