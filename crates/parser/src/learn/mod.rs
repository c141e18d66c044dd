//! Learners: how the weights of a model come about.
//!
//! * [`online`]: the perceptron and MIRA ([`mira`]), a sentence at a time;
//! * [`crf`]: conditional random fields.

pub mod crf;
pub mod mira;
pub mod online;
