//! Treebound: exact dependency parsing with non-local features by branch and bound, after Qian & Liu (2013).
//!
//! The command, and all crates under one name for tests and benches: each crate says what it holds.

#![deny(missing_docs)]

#[doc(hidden)]
pub mod cli;

pub use treebound_core::{decode, graph, shown, tree};
pub use treebound_experiment as experiment;
pub use treebound_experiment::{provenance, sources, verify};
pub use treebound_files as files;
pub use treebound_parser::{
    answer, bytes, cell, child, error_analysis, features, labels, learn, model, pruning, random, sequence, systems,
    tagger, weights,
};
pub use treebound_records as records;
pub use treebound_report::{
    claims, comparison, curves, diff, figures, frame, made, measures, results, sentences, speed, tables,
};

/// Treebanks, the synthetic one among them.
pub mod treebank {
    pub use treebound_parser::treebank::*;
    pub use treebound_synthetic as synth;
}
