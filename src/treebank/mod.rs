//! Treebanks: sentences, trees and what makes them valid; readers, writers and the synthetic treebank.

pub mod conll;
pub mod encoding;
mod error;
mod fine_tags;
pub mod penn;
mod punctuation;
mod sentence;
pub mod synth;

pub use crate::tree::{Tree, TreeFault, Word, crossing};
pub use error::{BracketFault, LineFault, TreebankError};
pub use fine_tags::FineTags;
pub use punctuation::{Punctuation, TagColumn};
pub use sentence::{MOST_WORDS, Place, Sentence, Token, check_lengths};
