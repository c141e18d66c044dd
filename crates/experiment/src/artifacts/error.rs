//! Why an artifact could not be made.

use thiserror::Error;

use crate::cell::TrainingRun;
use crate::data::DataError;
use treebound_parser::bytes::Damaged;
use treebound_parser::cell::SystemName;
use treebound_parser::features::template::TemplateError;
use treebound_parser::labels::LabelError;
use treebound_parser::learn::crf::lbfgs::Failure;
use treebound_parser::model::{ParseError, SearchError};
use treebound_parser::systems::SystemError;
use treebound_parser::tagger::TaggerError;
use treebound_parser::treebank::{Place, Sentence};

/// Why an artifact could not be made.
#[derive(Debug, Error)]
pub enum ArtifactError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A template file cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// There is no such system.
    #[error("there is no system `{0}`")]
    NoSystem(SystemName),
    /// A cell wants a solver that the program was built without.
    #[error("{0}: {1}")]
    NoSolver(String, SearchError),
    /// A system could not learn.
    #[error("{run}: {source}")]
    Training {
        /// The training run.
        run: String,
        /// Why.
        source: SystemError,
    },
    /// A system could not parse.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The system has no memory for a table.
    #[error("no memory for a table of weights: {0}")]
    Memory(std::io::Error),
    /// The tagger cannot be trained.
    #[error("corpus `{0}`: {1}")]
    Tagger(String, TaggerError),
    /// The reranker cannot be trained.
    #[error("{0}: the reranker cannot be trained: {1}")]
    Reranker(String, Failure),
    /// The labeller cannot be trained.
    #[error("corpus `{0}`: {1}")]
    Labeller(String, LabelError),
    /// A sentence cannot be parsed.
    #[error("{0}: {1}")]
    Parse(Place, ParseError),
    /// A timed pass parsed otherwise than the run.
    #[error(
        "{1}: timing {0}: the parse differs from that of the run; the finished work in the cache is of another program: remove it"
    )]
    NotTheSame(String, Place),
    /// A cell that is timed or looked at is not the one that stands in the results.
    #[error(
        "{0}: scores.csv has other results for this cell, of another program, config or treebank: run the config first"
    )]
    NotTheResults(String),
    /// An artifact that is to be there is not.
    #[error(
        "{artifact} is {state}: the same run makes it again",
        state = if *was_there { "damaged, and was removed" } else { "not in the cache" }
    )]
    NotThere {
        /// The artifact.
        artifact: String,
        /// Whether there was a file of that name.
        was_there: bool,
    },
    /// There is no artifact of that key.
    #[error(
        "{0}: no artifact of this config has that key: the program, the config or its treebanks have changed since; run it again"
    )]
    NoSuch(String),
    /// What was made does not read back.
    #[error("{artifact}: what was just made cannot be read, which is a fault of treebound: {source}")]
    Unreadable {
        /// The artifact.
        artifact: String,
        /// What is wrong with it.
        source: Damaged,
    },
}

impl ArtifactError {
    /// An error of a session that was given `sentences`: where it names one of them, that is told by its place.
    pub fn parsing(error: SystemError, sentences: &[Sentence]) -> Self {
        match error {
            SystemError::Parse { at, source } => {
                Self::Parse(sentences.get(at).map(|sentence| sentence.place.clone()).unwrap_or_default(), source)
            }
            error => Self::System(error),
        }
    }

    /// An error of training a run.
    pub fn of_run(run: &TrainingRun) -> impl FnOnce(SystemError) -> Self {
        let run = run.to_string();
        move |source| Self::Training { run, source }
    }
}
