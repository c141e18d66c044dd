//! The part-of-speech tagger: an averaged perceptron over label sequences (Collins, 2002).
//!
//! A label is a pair of a fine and a coarse tag that some training word has, so that both columns are predicted together
//! and never contradict each other. The score of labels c_1 .. c_n of a sentence is
//!
//! ```text
//! score(c) = T(B, c_1) + sum over i of e(i, c_i) + sum over i > 1 of T(c_(i-1), c_i) + T(c_n, B)
//! e(i, c)  = sum over templates t of w[t, value of t at i, c]
//! ```
//!
//! with B the sentence's boundary; [`viterbi`] finds its maximum. Templates look at the words around i, not at tags
//! ([`features`]). Which labels c_i can be follows from the words of the training part ([`lexicon`]): a frequent word has
//! the labels that it was seen with, any other those of rare words too.
//!
//! All weights, those of T included, are learnt by one [`Learner`](crate::weights::learner::Learner): they are integers,
//! averaged by summing, so a tagger depends on its training sentences, their order and the seed alone.
//!
//! A parser must learn from tags as wrong as those that it will see. [`jackknife`] therefore tags the training part with
//! taggers that have not seen the sentence.

mod accuracy;
mod decode;
mod emission;
pub mod features;
mod jackknife;
mod labels;
pub mod lexicon;
mod model;
mod train;
pub mod viterbi;

pub use accuracy::Accuracy;
pub use decode::Scratch;
pub use jackknife::jackknife;
pub use labels::Labels;
pub use model::Tagger;
pub use train::{Schedule, TaggerError};
