//! Experiments on the search itself: the same factor graphs decoded in several ways.
//!
//! Every way must give the same score wherever it has a proof; that is checked for each sentence.

mod trial;
mod way;

pub use trial::{Contradiction, TrialError, trial};
pub use way::{BUDGETS, Way, ablation, budgets};
