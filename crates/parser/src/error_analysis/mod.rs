//! Error patterns: which attachments a parser gets wrong, in what surroundings, and what it does instead.
//!
//! Hand-crafted features come from such a list (paper, section 4.3: "we perform cross validation on the training data using
//! the baseline parser, and designed features that may correct the most common errors"). The same errors are looked at
//! through several [`View`]s. A view puts every scored word, right or wrong, into a class of attachments by what the gold
//! tree says of it; a pattern is such a class together with what the parser did instead. So each pattern comes with its
//! errors, with all words of the class, and with those of them that are wrong in any way.

pub mod attachment;
mod breakdown;
mod lexicon;
mod pattern;
mod tally;
mod views;

pub use breakdown::{By, Class, Counts, breakdown};
pub use pattern::{Pattern, Report, Total};
pub use tally::tally;
pub use views::View;

use crate::treebank::{Place, Relations, Token, Tree};
use treebound_core::graph::Word;

/// A sentence as the treebank has it and as a parser that has not seen it parsed it.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// Where it was read.
    pub place: &'a Place,
    /// The words, with the tags that the parser saw.
    pub tokens: &'a [Token],
    /// The tree of the treebank.
    pub gold: &'a Tree,
    /// The predicted heads.
    pub heads: &'a [Word],
    /// By word: whether it is scored, and so can be an error.
    pub scored: Vec<bool>,
    /// The relations of the treebank, and those of the parser, if there are any.
    pub relations: [Option<&'a Relations>; 2],
}
