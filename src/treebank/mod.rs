//! Treebanks: sentences, trees and what makes them valid; readers, writers and the synthetic treebank.

pub mod conll;
pub mod encoding;
mod error;
mod fine_tags;
mod folds;
mod limits;
pub mod penn;
mod punctuation;
mod sentence;
pub mod synth;

pub use crate::tree::{Tree, TreeFault, Word, crossing};
pub use error::{BracketFault, LineFault, TreebankError};
pub use fine_tags::FineTags;
pub use folds::Folds;
pub use limits::{MOST_WORDS, check_lengths};
pub use punctuation::{Punctuation, TagColumn};
pub use sentence::{Place, Sentence, Token};
