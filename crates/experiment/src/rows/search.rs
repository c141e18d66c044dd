//! How the search went in several ways (`search.csv`, `budget.csv`): one row a cell and way.

use std::sync::Arc;

use super::at_most;
use super::columns::columns;
use super::csv::Record;
use treebound_parser::cell::CellKey;
use treebound_records::{LineFault, RowKey};

columns! {
    /// The sentences of a cell, decoded in one way.
    pub struct SearchRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
        /// What made it.
        pub key: RowKey,
        /// The way: an idea that is switched off, or a number of DP calls.
        pub way: String,
        /// Sentences.
        pub sentences: u64,
        /// Sentences whose tree is proven optimal.
        pub proven: u64,
        /// Sentences proven without branching.
        pub at_root: u64,
        /// Branch-and-bound nodes.
        pub nodes: u64,
        /// Calls to the dynamic program.
        pub dp_calls: u64,
        /// Words that are no punctuation.
        pub scored_tokens: u64,
        /// Words that are no punctuation, with the right head.
        pub scored_correct: u64,
    }
}

impl SearchRow {
    /// Adds the counts of another row.
    pub fn add(&mut self, other: &Self) {
        self.sentences += other.sentences;
        self.proven += other.proven;
        self.at_root += other.at_root;
        self.nodes += other.nodes;
        self.dp_calls += other.dp_calls;
        self.scored_tokens += other.scored_tokens;
        self.scored_correct += other.scored_correct;
    }
}

impl Record for SearchRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("proven", self.proven), ("sentences", self.sentences))?;
        at_most(("at_root", self.at_root), ("proven", self.proven))?;
        at_most(("scored_correct", self.scored_correct), ("scored_tokens", self.scored_tokens))?;
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.cell, &self.way) == (&other.cell, &other.way)
    }

    fn key(&self) -> String {
        format!("{}, {}", self.cell, self.way)
    }
}
