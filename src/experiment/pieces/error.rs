//! Why a piece could not be made.

use thiserror::Error;

use crate::bytes::Damaged;
use crate::decode::DpError;
use crate::experiment::data::DataError;
use crate::features::template::TemplateError;
use crate::parser::ParseError;
use crate::parser::online::PassError;
use crate::tagger::TaggerError;
use crate::weights::learner::LearnError;

/// Why a piece could not be made.
#[derive(Debug, Error)]
pub enum PieceError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A template file cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Training failed.
    #[error("training {0}: {1}")]
    Training(String, PassError<DpError>),
    /// Summing up the weights failed.
    #[error("training {0}: {1}")]
    Weights(String, LearnError),
    /// The system has no memory for a table.
    #[error("no memory for a table of weights: {0}")]
    Memory(std::io::Error),
    /// The tagger cannot be trained.
    #[error("corpus `{0}`: {1}")]
    Tagger(String, TaggerError),
    /// A sentence cannot be parsed.
    #[error("{0}: {1}")]
    Parse(crate::treebank::Place, ParseError),
    /// A timed pass parsed otherwise than the run.
    #[error(
        "{1}: timing {0}: the parse differs from that of the run; the finished work in the cache is of another program: remove it"
    )]
    NotTheSame(String, crate::treebank::Place),
    /// A cell that is to be timed is not the one that stands in the results.
    #[error(
        "timing {0}: scores.csv has other results for this cell, of another program, config or treebank: run the config first"
    )]
    NotTheResults(String),
    /// A system without models of its own.
    #[error("the system `{0}` cannot be run yet")]
    System(String),
    /// What was made does not read back.
    #[error("{piece}: what was just made cannot be read, which is a fault of treebound: {source}")]
    Unreadable {
        /// The piece.
        piece: String,
        /// What is wrong with it.
        source: Damaged,
    },
}
