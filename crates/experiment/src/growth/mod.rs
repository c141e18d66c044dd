//! How time and memory grow: with the length of sentences, the candidate heads a word, templates, families of non-local
//! features and the size of the treebank.
//!
//! It is measured on synthetic treebanks, which can be had in any size and without data, but for one axis: shares of the
//! config's own corpus. A [`Point`] says what one
//! measurement is of: a [`Recipe`] for a parser, and a [`Text`] to be parsed with it. Learning and parsing are two
//! functions here that a process of its own calls for each point, so that the system's count of its memory is that of the
//! point alone. Counts do not depend on the machine; times and memory do.

mod learn;
pub mod memory;
mod parse;
mod plan;
mod recipe;
mod size;
mod templates;
mod text;

pub use learn::{Learning, learn};
pub use parse::{Parsing, parse};
pub use plan::{Axis, FAMILIES, Options, Point, plan, sizes};
pub use recipe::{Keep, Recipe, Source};
pub use size::sentences_of_sizes;
pub use templates::{Templates, thinned};
pub use text::{Text, joined};

use thiserror::Error;

use super::data::DataError;
use super::pieces::PieceError;
use treebound_parser::features::template::TemplateError;
use treebound_synthetic::{MOST_SENTENCES, SynthError};

/// Why a point cannot be measured.
#[derive(Debug, Error)]
pub enum GrowthError {
    /// A part of the corpus cannot be had.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The treebank, the templates, a pruner or a model cannot be had.
    #[error(transparent)]
    Piece(#[from] PieceError),
    /// The templates cannot be read.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The treebank cannot be made.
    #[error(transparent)]
    Synth(#[from] SynthError),
    /// No feature set has that name.
    #[error("`{0}` is no feature set: write baseline, or families joined by +")]
    Set(String),
    /// The config lists nothing where it must.
    #[error("the config has no {0}")]
    Missing(&'static str),
    /// The share of a corpus has no sentence.
    #[error("the corpus is too small: a tenth of its training part must have a sentence")]
    NothingToLearn,
    /// No treebank that can be made is so large.
    #[error("no synthetic treebank has {0} words: at most {MOST_SENTENCES} sentences can be made")]
    TooLarge(u64),
}
