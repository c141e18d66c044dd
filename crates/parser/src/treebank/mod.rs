//! Treebanks: sentences, trees and what makes them valid; readers, writers.

pub mod conll;
pub mod encoding;
mod error;
mod fine_tags;
mod folds;
mod limits;
pub mod penn;
mod punctuation;
mod score;
mod sentence;

pub use error::{BracketFault, LineFault, TreebankError};
pub use fine_tags::FineTags;
pub use folds::Folds;
pub use limits::{MOST_WORDS, check_lengths};
pub use punctuation::{Punctuation, TagColumn};
pub use score::{ScoreError, SentenceScore};
pub use sentence::{Place, Sentence, Token};
pub use treebound_core::tree::{Tree, TreeFault, Word, crossing};
