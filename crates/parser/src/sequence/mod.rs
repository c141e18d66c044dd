//! Linear models of label sequences, of tags or of relations: rows of weights, the best sequence, and a perceptron.
//!
//! The score of labels c_1 .. c_n is
//!
//! ```text
//! score(c) = T(B, c_1) + sum over i of e(i, c_i) + sum over i > 1 of T(c_(i-1), c_i) + T(c_n, B)
//! e(i, c)  = sum over keys k of place i of w[k, c]
//! ```
//!
//! with B the boundary. All weights, those of T included, are learnt by one [`Learner`](crate::weights::learner::Learner): they are
//! integers, averaged by summing, so a model depends on its examples, their order and the seed alone.

mod perceptron;
mod rows;
mod viterbi;

pub use perceptron::Perceptron;
pub use rows::{add_rows, feature, key};
pub use viterbi::{Lattice, Transitions, Viterbi};

use crate::features::atoms::mix;
use crate::weights::table::Line;

/// The key of a label's row of transitions: the weights of what follows it.
fn transition_key(before: u32) -> u64 {
    // Keys of templates come out of the same function, so the odds of confusion are those of any two features.
    key(mix(!u64::from(before)))
}

/// The transitions of so many labels that a table has.
pub fn transitions_of(labels: usize, lines: &[Line]) -> Transitions {
    Transitions::from_rows(labels, |before, row| add_rows(lines, &[transition_key(before as u32)], row))
}
