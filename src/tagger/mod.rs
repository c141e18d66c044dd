//! proto
#![allow(missing_docs)]
pub mod emission;
pub mod features;
pub mod viterbi;
