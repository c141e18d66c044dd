//! Treebound: exact dependency parsing with non-local features by branch and bound, after Qian & Liu (2013).
//!
//! The library is laid out as the data flows: from [`treebank`] through [`features`] and [`pruning`] to the [`graph`] that
//! [`parser`] builds, and to [`decode`]. A decoder sees nothing but a factor graph.

#![deny(missing_docs)]

pub mod answer;
pub mod bytes;
pub mod cell;
pub mod claims;
pub mod cli;
pub mod decode;
pub mod diff;
pub mod error_analysis;
pub mod experiment;
pub mod features;
pub mod figures;
pub mod graph;
pub mod parser;
pub mod provenance;
pub mod pruning;
pub mod random;
pub mod records;
pub mod sources;
pub mod statistics;
pub mod tables;
pub mod tagger;
pub mod treebank;
pub mod weights;
pub mod whole_file;
