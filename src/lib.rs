//! Treebound: exact dependency parsing with non-local features by branch and bound, after Qian & Liu (2013).
//!
//! # The library
//!
//! A sentence is a factor graph: candidate arcs, scores of local parts, and factors, sets of arcs with one score that counts
//! when the tree has all of them. A decoder finds its best projective tree and says whether that is proven.
//!
//! * [`graph`]: the factor graph, and its file;
//! * [`decode`]: the decoders, branch and bound among them;
//! * [`tree`]: words and trees, the answer.
//!
//! These need neither features nor treebanks. With `default-features = false` nothing else is built, and the dependencies
//! are few. `examples/decode_graph.rs` decodes a graph that is made in code.
//!
//! # The harness
//!
//! The feature `harness`, which is on by default, adds what experiments need. A program that is built on it may rely on
//!
//! * `treebank`: sentences, their readers and writers, the synthetic treebank;
//! * `parser`: models that `treebound train` has written, and the way from tokens to a tree.
//!
//! All else is public for the `treebound` command, its tests and its benches, and may change without notice.

#![deny(missing_docs)]

pub mod decode;
pub mod graph;
pub mod tree;

#[cfg(feature = "harness")]
pub mod parser;
#[cfg(feature = "harness")]
pub mod treebank;

#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod answer;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod bytes;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod cell;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod claims;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod diff;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod error_analysis;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod experiment;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod features;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod figures;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod pages;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod provenance;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod pruning;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod random;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod records;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod report;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod sources;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod statistics;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod systems;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod tables;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod tagger;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod verify;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod weights;
#[cfg(feature = "harness")]
#[doc(hidden)]
pub mod whole_file;
