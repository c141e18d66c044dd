//! What a parser says of its heads, and how many are right (`calibration.csv`): one row a cell and bin of probabilities.

use std::sync::Arc;

use super::at_most;
use super::columns::columns;
use super::csv::Record;
use treebound_parser::cell::CellKey;
use treebound_records::calibration::{BINS, CERTAIN};
use treebound_records::{LineFault, RowKey};

columns! {
    /// The words of a cell whose heads are about as probable.
    pub struct CalibrationRow {
        /// The cell; its rows share one key.
        pub cell: Arc<CellKey>,
        /// What made it.
        pub key: RowKey,
        /// The bin, from 1: that of the probabilities from `(bin - 1) / 10` to below `bin / 10`, and of 1 in the last.
        pub bin: u64,
        /// Words that are no punctuation.
        pub words: u64,
        /// Those of them with the right head.
        pub correct: u64,
        /// The probabilities of their heads, added up, in millionths.
        pub probability_e6: u64,
    }
}

impl Record for CalibrationRow {
    fn check(&self) -> Result<(), LineFault> {
        if !(1..=BINS).contains(&self.bin) {
            let expected = "the number of a bin, from 1 to 10";
            return Err(LineFault::Field { column: "bin", value: self.bin.to_string(), expected });
        }
        at_most(("correct", self.correct), ("words", self.words))?;
        at_most(("probability_e6", self.probability_e6), ("words in millionths", self.words.saturating_mul(CERTAIN)))
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.cell, self.bin) == (&other.cell, other.bin)
    }

    fn key(&self) -> String {
        format!("{}, bin {}", self.cell, self.bin)
    }
}
