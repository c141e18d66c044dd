//! Rows of cells: of each sentence, of a cell, of a length, and of a timed pass. Counts only.

use std::path::Path;
use std::sync::Arc;

use super::at_most;
use super::columns::{Column, Field, Fields, Row, columns};
use super::csv::Record;
use treebound_parser::answer::{Effort, Phases, Proof};
use treebound_parser::cell::{AxisValues, CellKey};
use treebound_records::{LineFault, MixedFault, ReportError, RowKey};

columns! {
    /// One sentence of a cell (`sentences.csv`). Words whose gold tag is punctuation are not scored.
    pub struct SentenceRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
        /// What made it.
        pub key: RowKey,
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
        /// Words whose gold head was kept by pruning; empty if the system does not choose candidates.
        pub gold_kept: Option<u64>,
        /// Candidate heads kept, over all words; empty if the system does not choose candidates.
        pub heads_kept: Option<u64>,
        /// What is proven of the tree.
        pub status: Proof,
        /// Score of the tree in units of the model; empty if there is no tree.
        pub score: Option<i64>,
        /// Proven upper bound on the score of any tree; empty if a limit was reached before there was one.
        pub bound: Option<i64>,
        /// What the parses cost.
        pub effort: Effort,
    }
}

impl Record for SentenceRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("correct", self.correct), ("tokens", self.tokens))?;
        at_most(("scored_tokens", self.scored_tokens), ("tokens", self.tokens))?;
        at_most(("scored_correct", self.scored_correct), ("scored_tokens", self.scored_tokens))?;
        at_most(("gold_kept", self.gold_kept), ("tokens", self.tokens))?;
        let flags = [("root_correct", self.root_correct), ("complete", self.complete)];
        match flags.into_iter().find(|(_, flag)| *flag > 1) {
            Some((column, flag)) => Err(LineFault::Field { column, value: flag.to_string(), expected: "0 or 1" }),
            None => Ok(()),
        }
    }

    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell && self.sentence == other.sentence
    }

    fn key(&self) -> String {
        format!("{}, sentence {}", self.cell, self.sentence)
    }
}

/// A fault of a sentence, with its file and place.
pub fn sentence_fault(path: &Path, row: &SentenceRow, fault: &str) -> String {
    format!("{}: {}, sentence {}: {fault}", path.display(), row.cell, row.sentence)
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
        /// Words whose gold head was kept by pruning; empty if the system does not choose candidates.
        pub gold_kept: Option<u64>,
        /// Candidate heads kept, over all words; empty if the system does not choose candidates.
        pub heads_kept: Option<u64>,
        /// Sentences whose tree is proven optimal; empty if the system proves nothing by design.
        pub proven: Option<u64>,
        /// What the parses cost.
        pub effort: Effort,
    }
}

impl Counts {
    /// Refuses counts that are not from the same words, scored alike.
    ///
    /// # Errors
    /// The first column that differs, with the names of both.
    pub fn same_data(
        &self,
        name: &dyn std::fmt::Display,
        other: &Self,
        other_name: &dyn std::fmt::Display,
    ) -> Result<(), ReportError> {
        let columns = [
            ("sentences", self.sentences, other.sentences),
            ("tokens", self.tokens, other.tokens),
            ("scored_tokens", self.scored_tokens, other.scored_tokens),
        ];
        let Some((column, first_value, second_value)) = columns.into_iter().find(|(_, a, b)| a != b) else {
            return Ok(());
        };
        let (first, second) = (name.to_string(), other_name.to_string());
        Err(ReportError::Mixed(MixedFault::Data { first, second, column, first_value, second_value }))
    }
}

impl Counts {
    /// No sentences.
    pub const ZERO: Self = Self {
        sentences: 0,
        tokens: 0,
        correct: 0,
        scored_tokens: 0,
        scored_correct: 0,
        root_correct: 0,
        complete: 0,
        gold_kept: Some(0),
        heads_kept: Some(0),
        proven: Some(0),
        effort: Effort::ZERO,
    };

    /// Adds those of other sentences.
    pub fn add(&mut self, other: &Self) {
        self.sentences = self.sentences.saturating_add(other.sentences);
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.correct = self.correct.saturating_add(other.correct);
        self.scored_tokens = self.scored_tokens.saturating_add(other.scored_tokens);
        self.scored_correct = self.scored_correct.saturating_add(other.scored_correct);
        self.root_correct = self.root_correct.saturating_add(other.root_correct);
        self.complete = self.complete.saturating_add(other.complete);
        let sum = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        self.gold_kept = sum(self.gold_kept, other.gold_kept);
        self.heads_kept = sum(self.heads_kept, other.heads_kept);
        self.proven = sum(self.proven, other.proven);
        self.effort.add(&other.effort);
    }
}

/// One cell (`scores.csv`): its counts, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoreRow {
    /// The cell.
    pub cell: Arc<CellKey>,
    /// What made it.
    pub key: RowKey,
    /// Sums over the cell's sentences, or the error that it ended in (one line of text, not empty).
    pub counts: Result<Counts, String>,
}

impl Row for ScoreRow {
    fn columns() -> Vec<Column> {
        let mut columns = <Arc<CellKey> as Field>::columns("cell");
        columns.extend(<RowKey as Field>::columns("key"));
        columns.extend(Counts::columns());
        columns.extend(<String as Field>::columns("error"));
        columns
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let (cell, key) = (Arc::parse(fields)?, <RowKey as Field>::parse(fields)?);
        let width = Counts::columns().len();
        let counts = if fields.are_empty(width) {
            fields.skip(width);
            None
        } else {
            Some(Counts::parse(fields)?)
        };
        let error = fields.next();
        let counts = match (counts, error.text().is_empty()) {
            (Some(counts), true) => Ok(counts),
            (None, false) => Err(error.text().to_owned()),
            _ => return Err(LineFault::CountsAndError),
        };
        Ok(Self { cell, key, counts })
    }

    fn print(&self, line: &mut Vec<String>) {
        Field::print(&self.cell, line);
        Field::print(&self.key, line);
        match &self.counts {
            Ok(counts) => {
                counts.print(line);
                line.push(String::new());
            }
            Err(error) => {
                line.extend(Counts::columns().iter().map(|_| String::new()));
                // A row is a line, and an error with no words would read as no error.
                let text = error.split_whitespace().collect::<Vec<_>>().join(" ");
                line.push(if text.is_empty() { "unknown error".to_owned() } else { text });
            }
        }
    }

    fn axes(&self) -> Option<&AxisValues> {
        Field::axes(&self.cell)
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
        /// What made it.
        pub key: RowKey,
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
        /// Sentences whose tree is proven optimal; empty if the system proves nothing by design.
        pub proven: Option<u64>,
        /// What the parses cost.
        pub effort: Effort,
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
    /// One timed pass over a cell's sentences of one length, or over all of them (`speed.csv`): nanoseconds on one thread, from
    /// tokens to trees. Reading files and loading models are not in it; they are reported apart.
    pub struct SpeedRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
        /// What made it.
        pub key: RowKey,
        /// Number of the pass, from 1.
        pub repeat: u64,
        /// Words a sentence; empty if all sentences of the part were parsed at once.
        pub length: Option<u64>,
        /// Sentences of that length.
        pub sentences: u64,
        /// Where the time went.
        pub phases: Phases,
    }
}

impl Record for SpeedRow {
    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell && self.repeat == other.repeat && self.length == other.length
    }

    fn key(&self) -> String {
        let length = self.length.map(|length| format!(", length {length}")).unwrap_or_default();
        format!("{}, repeat {}{length}", self.cell, self.repeat)
    }
}
