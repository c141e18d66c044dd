//! Why a system could not learn or parse.

use thiserror::Error;

use super::external::ExternalError;
use crate::parser::ParseError;
use crate::parser::crf::CrfError;
use crate::parser::online::PassError;
use crate::weights::learner::LearnError;
use treebound_core::decode::DpError;

/// Why a system could not learn or parse.
#[derive(Debug, Error)]
pub enum SystemError {
    /// Something that the system must have is not there.
    #[error("the system `{system}` needs {what}")]
    Missing {
        /// The system.
        system: &'static str,
        /// What it needs.
        what: &'static str,
    },
    /// A pass over the training part failed.
    #[error("training: {0}")]
    Pass(#[from] PassError<DpError>),
    /// No CRF could be learnt.
    #[error("training: {0}")]
    Crf(#[from] CrfError),
    /// Summing up the weights failed.
    #[error("training: {0}")]
    Weights(#[from] LearnError),
    /// The system has no memory for a table.
    #[error("no memory for a table of weights: {0}")]
    Memory(std::io::Error),
    /// A sentence cannot be parsed.
    #[error("sentence {} of the batch: {source}", at + 1)]
    Parse {
        /// Its place in the batch, from 0.
        at: usize,
        /// Why.
        source: ParseError,
    },
    /// A parser that runs by command line failed.
    #[error(transparent)]
    External(#[from] ExternalError),
}
