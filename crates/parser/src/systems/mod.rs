//! Systems: every parser behind one interface.
//!
//! An experiment sees nothing of a parser but this. A [`System`] is a parser with its settings: it says what its models
//! depend on ([`Facts`]) and what it wants prepared ([`Needs`]), and learns. A [`Trained`] one can be kept as bytes and
//! opens a [`Session`], which parses batches of sentences and answers with tree, proof, effort and phases
//! ([`Answer`]). Sentences come as words with tags, so gold trees cannot reach a session.
//!
//! Below the seam everything is as its system wants it: the [`graph`] system has static dispatch and closed enums from
//! features to search.
//!
//! A new system is a file with a [`Kind`], and its line in [`BUILT_IN`]. Parsers that run by command line need neither:
//! a config describes them ([`external`]).

pub mod axes;
mod chain_after;
mod chain_before;
pub mod external;
pub mod facts;
pub mod graph;
pub mod shift_reduce;
mod system;
mod unlearnt;

use thiserror::Error;

use crate::cell::SystemName;
use crate::labels::LabelError;
use crate::learn::crf::CrfError;
use crate::learn::online::PassError;
use crate::model::ParseError;
use crate::model::SearchError;
use crate::systems::external::ExternalError;
use crate::weights::learner::LearnError;

pub use axes::{AxisKind, Combination, GridAxes, Stage};
pub use facts::Facts;
pub use system::{
    Capability, Choice, Descent, HasGraphs, How, Kind, Learnt, LearntFrom, Make, Needs, Nonprojective, PassRecord,
    Pruned, Session, System, Task, Trained, TrainingPart, Versions,
};

/// All systems, in the order in which tables show them.
pub const BUILT_IN: [Kind; 4] = [graph::KIND, shift_reduce::KIND, chain_before::KIND, chain_after::KIND];

/// The built-in system of that name.
pub fn built_in(name: &SystemName) -> Option<Kind> {
    BUILT_IN.into_iter().find(|kind| kind.name == name.as_str())
}

/// Where a system stands in tables: those that come with the program in their order, then others.
pub fn place(name: &SystemName) -> usize {
    BUILT_IN.iter().position(|kind| kind.name == name.as_str()).unwrap_or(BUILT_IN.len())
}

/// Whether a name is that of a parser which a config describes by its command lines.
pub fn is_external(name: &SystemName) -> bool {
    built_in(name).is_none()
}

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
    Pass(#[from] PassError<SearchError>),
    /// No CRF could be learnt.
    #[error("training: {0}")]
    Crf(#[from] CrfError),
    /// No labels could be learnt.
    #[error(transparent)]
    Labels(#[from] LabelError),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Axis;

    #[test]
    fn built_in_names_are_names() {
        for kind in BUILT_IN {
            assert_eq!(SystemName::parse(kind.name), Some(kind.system_name()));
            assert_eq!(built_in(&kind.system_name()).map(|kind| kind.name), Some(kind.name));
        }
    }
}
