//! Accuracy by class of words (`breakdown.csv`): one row a cell and class.

use std::sync::Arc;

use super::at_most;
use super::columns::columns;
use super::csv::Record;
use treebound_parser::cell::CellKey;
use treebound_records::{LineFault, RowKey};

columns! {
    /// The words of a class in a cell.
    pub struct ClassRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
        /// What made it.
        pub key: RowKey,
        /// What classes are told apart by.
        pub by: String,
        /// Where the class stands among the others.
        pub place: u64,
        /// Its name.
        pub class: String,
        /// Words that are no punctuation.
        pub words: u64,
        /// Those of them with the right head.
        pub correct: u64,
    }
}

impl Record for ClassRow {
    fn check(&self) -> Result<(), LineFault> {
        at_most(("correct", self.correct), ("words", self.words))
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.cell, &self.by, &self.class) == (&other.cell, &other.by, &other.class)
    }

    fn key(&self) -> String {
        format!("{}, {}, {}", self.cell, self.by, self.class)
    }
}
