//! Treebanks, features, weights, learners, and the systems that parse.
//!
//! * [`treebank`]: sentences, their readers and writers;
//! * [`features`], [`weights`]: template sets, what they see in a sentence, and what it weighs;
//! * [`pruning`], [`tagger`]: what is done to a sentence before it is parsed;
//! * [`model`], [`learn`]: models and the way from tokens to a tree, and how they are learnt;
//! * [`systems`]: the interface that experiments see, and the systems behind it.

#![deny(missing_docs)]

pub mod answer;
pub mod bytes;
pub mod cell;
pub mod features;
pub mod learn;
pub mod model;
pub mod pruning;
pub mod random;
pub mod systems;
pub mod tagger;
pub mod treebank;
pub mod weights;
pub mod whole_file;
