//! Records: one row a sentence and cell, with counts only. All that a report sees.

use std::sync::Arc;

use super::LineFault;
use super::columns::{Columns, Field, Fields, columns};
use super::csv::Record;

/// What a row belongs to: a corpus and split, parsed with the tags, trainer, feature set, pruning, backbone, decoder and
/// training seed that stand here.
///
/// The order of the fields is the sort order of every results file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct CellKey {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// `perceptron` or `mira`.
    pub trainer: String,
    /// `baseline`, or family names joined by `+` in alphabetical order.
    pub features: String,
    /// `none`, `k=10` or `t=1e-3`.
    pub prune: String,
    /// `carreras` or `grand-sibling`.
    pub backbone: String,
    /// `dp`, `bnb` or `paper`.
    pub decoder: String,
    /// Seed of the training run.
    pub seed: u64,
}

impl CellKey {
    /// The key without its seed.
    pub fn setting(&self) -> Setting {
        let Self { corpus, split, tags, trainer, features, prune, backbone, decoder, seed: _ } = self.clone();
        Setting { corpus, split, tags, trainer, features, prune, backbone, decoder }
    }
}

impl std::fmt::Display for CellKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { corpus, split, tags, trainer, features, prune, backbone, decoder, seed } = self;
        write!(f, "{corpus}/{split}/{tags}/{trainer}/{features}/{prune}/{backbone}/{decoder}/seed={seed}")
    }
}

/// A cell key without its seed: what a line of a table stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `dev` or `test`.
    pub split: String,
    /// `gold` or `predicted`.
    pub tags: String,
    /// `perceptron` or `mira`.
    pub trainer: String,
    /// The feature set.
    pub features: String,
    /// The pruning.
    pub prune: String,
    /// The dynamic program.
    pub backbone: String,
    /// The decoder.
    pub decoder: String,
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { corpus, split, tags, trainer, features, prune, backbone, decoder } = self;
        write!(f, "{corpus}/{split}/{tags}/{trainer}/{features}/{prune}/{backbone}/{decoder}")
    }
}

/// `less` must not be more than `more`.
pub(crate) fn at_most(less: (&'static str, u64), more: (&'static str, u64)) -> Result<(), LineFault> {
    if less.1 <= more.1 {
        return Ok(());
    }
    Err(LineFault::Exceeds { less: less.0, less_value: less.1, more: more.0, more_value: more.1 })
}

columns! {
    /// One sentence of a cell (`sentences.csv`). Words whose gold tag is punctuation are not scored.
    pub struct SentenceRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
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
        /// Score of the tree in units of the model; empty if there is no tree.
        pub score: Option<i64>,
        /// Proven upper bound on the score of any tree; empty if a limit was reached before there was one.
        pub bound: Option<i64>,
        /// Branch-and-bound nodes.
        pub nodes: u64,
        /// Calls to the dynamic program.
        pub dp_calls: u64,
    }
}

impl SentenceRow {
    /// True if the tree is proven optimal.
    pub fn is_proven(&self) -> bool {
        self.status == "optimal"
    }
}

impl Record for SentenceRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("correct", self.correct), ("tokens", self.tokens))?;
        at_most(("scored_tokens", self.scored_tokens), ("tokens", self.tokens))?;
        at_most(("scored_correct", self.scored_correct), ("scored_tokens", self.scored_tokens))?;
        at_most(("gold_kept", self.gold_kept), ("tokens", self.tokens))?;
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell && self.sentence == other.sentence
    }

    fn key(&self) -> String {
        format!("{}, sentence {}", self.cell, self.sentence)
    }
}

columns! {
    /// Sums over the sentences of a cell.
    pub struct Counts {
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
    }
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.sentences, other.sentences),
            (&mut self.tokens, other.tokens),
            (&mut self.correct, other.correct),
            (&mut self.scored_tokens, other.scored_tokens),
            (&mut self.scored_correct, other.scored_correct),
            (&mut self.root_correct, other.root_correct),
            (&mut self.complete, other.complete),
            (&mut self.gold_kept, other.gold_kept),
            (&mut self.heads_kept, other.heads_kept),
            (&mut self.proven, other.proven),
            (&mut self.nodes, other.nodes),
            (&mut self.dp_calls, other.dp_calls),
        ];
        for (sum, value) in sums {
            *sum = sum.saturating_add(value);
        }
    }
}

/// One cell (`scores.csv`): its counts, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoreRow {
    /// The cell.
    pub cell: Arc<CellKey>,
    /// Sums over the cell's sentences, or the error that it ended in (one line of text, not empty).
    pub counts: Result<Counts, String>,
}

impl Columns for ScoreRow {
    fn names() -> Vec<&'static str> {
        let mut names = <Arc<CellKey> as Field>::names("cell");
        names.extend(Counts::names());
        names.push("error");
        names
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let cell = Arc::parse(fields)?;
        let counts = if fields.are_empty(Counts::names().len()) {
            fields.skip(Counts::names().len());
            None
        } else {
            Some(Counts::parse(fields)?)
        };
        let error = fields.next().text();
        let counts = match (counts, error.is_empty()) {
            (Some(counts), true) => Ok(counts),
            (None, false) => Err(error.to_owned()),
            _ => return Err(LineFault::CountsAndError),
        };
        Ok(Self { cell, counts })
    }

    fn print(&self, line: &mut Vec<String>) {
        Field::print(&self.cell, line);
        match &self.counts {
            Ok(counts) => {
                counts.print(line);
                line.push(String::new());
            }
            Err(error) => {
                line.extend(Counts::names().iter().map(|_| String::new()));
                // A row is a line, and an error with no words would read as no error.
                let text = error.split_whitespace().collect::<Vec<_>>().join(" ");
                line.push(if text.is_empty() { "unknown error".to_owned() } else { text });
            }
        }
    }
}

impl Record for ScoreRow {
    fn check(&self) -> Result<(), LineFault> {
        if let Ok(c) = &self.counts {
            at_most(("correct", c.correct), ("tokens", c.tokens))?;
            at_most(("scored_tokens", c.scored_tokens), ("tokens", c.tokens))?;
            at_most(("scored_correct", c.scored_correct), ("scored_tokens", c.scored_tokens))?;
            at_most(("root_correct", c.root_correct), ("sentences", c.sentences))?;
            at_most(("complete", c.complete), ("sentences", c.sentences))?;
            at_most(("gold_kept", c.gold_kept), ("tokens", c.tokens))?;
            at_most(("proven", c.proven), ("sentences", c.sentences))?;
        }
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell
    }

    fn key(&self) -> String {
        self.cell.to_string()
    }
}

columns! {
    /// A cell's sentences of one length (`by_length.csv`).
    pub struct LengthRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
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
}

impl Record for LengthRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("scored_correct", self.scored_correct), ("scored_tokens", self.scored_tokens))?;
        at_most(("proven", self.proven), ("sentences", self.sentences))?;
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell && self.length == other.length
    }

    fn key(&self) -> String {
        format!("{}, length {}", self.cell, self.length)
    }
}

columns! {
    /// One timed pass over a cell's sentences of one length (`speed.csv`): nanoseconds on one thread, from tokens to
    /// trees. Reading files and loading models are not in it.
    pub struct SpeedRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
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
}

impl SpeedRow {
    /// Time from tokens to trees.
    pub fn total_ns(&self) -> u64 {
        self.prune_ns.saturating_add(self.score_ns).saturating_add(self.decode_ns)
    }
}

impl Record for SpeedRow {
    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell && self.repeat == other.repeat && self.length == other.length
    }

    fn key(&self) -> String {
        format!("{}, repeat {}, length {}", self.cell, self.repeat, self.length)
    }
}
