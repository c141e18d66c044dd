//! How time and memory grow: with the length of sentences, the candidate heads a word, templates, families of non-local
//! features and the size of the treebank.
//!
//! It is measured on synthetic treebanks, which can be had in any size and without data, but for one axis: shares of the
//! config's own corpus. A [`Point`] says what one
//! measurement is of: a [`Recipe`] for a parser, and a [`Text`] to be parsed with it. Learning and parsing are two
//! functions here that a process of its own calls for each point, so that the system's count of its memory is that of the
//! point alone. Counts do not depend on the machine; times and memory do.

mod learn;
mod measure;
pub mod memory;
mod parse;
mod plan;
mod recipe;
mod size;
pub mod step;
mod templates;
mod text;

pub use learn::{Learning, learn};
pub use measure::GrowthRows;
pub use parse::{Parsing, parse};
pub use plan::{Axis, Options, Point, plan, sizes};
pub use recipe::{Keep, Recipe, Source};
pub use size::sentences_of_sizes;
pub use templates::{Templates, thinned};
pub use text::{Text, joined};

use std::path::PathBuf;

use thiserror::Error;

use self::step::StepError;
use super::artifacts::ArtifactError;
use super::config::ConfigError;
use super::data::DataError;
use treebound_parser::features::template::TemplateError;
use treebound_parser::model::ModelFileError;
use treebound_records::ReportError;
use treebound_synthetic::{MOST_SENTENCES, SynthError};

/// Why a point cannot be measured.
#[derive(Debug, Error)]
pub enum GrowthError {
    /// A part of the corpus cannot be had.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The treebank, the templates, a pruner or a model cannot be had.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The templates cannot be read.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The treebank cannot be made.
    #[error(transparent)]
    Synth(#[from] SynthError),
    /// The config cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A model file cannot be read or written.
    #[error(transparent)]
    Model(#[from] ModelFileError),
    /// A step has no result.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Rows cannot be read or written.
    #[error(transparent)]
    Rows(#[from] ReportError),
    /// A folder for models cannot be made or removed.
    #[error("cannot write below {path}", path = .0.display())]
    Folder(PathBuf, #[source] std::io::Error),
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
