//! Why an external parser has no result.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::process::CommandFault;
use crate::cell::SystemName;
use crate::treebank::TreebankError;

/// Why an external parser has no result.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// A command failed.
    #[error("{system}: {what} (`{command}`) {fault}")]
    Command {
        /// The system.
        system: SystemName,
        /// `train`, `parse` or `version`.
        what: &'static str,
        /// The program.
        command: String,
        /// How.
        fault: CommandFault,
    },
    /// Files for it or of it cannot be written or read.
    #[error("{system}: {path}: {source}", path = path.display())]
    Io {
        /// The system.
        system: SystemName,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It does not say which version it is.
    #[error(
        "{system}: version ended well but printed nothing; the first line of what it prints is part of the keys of models"
    )]
    NoVersion {
        /// The system.
        system: SystemName,
    },
    /// It made no model.
    #[error("{system}: train ended well but made no model; its command must write to {{model}}")]
    NoModel {
        /// The system.
        system: SystemName,
    },
    /// What it wrote is no treebank.
    #[error("{system}: what it wrote cannot be read: {source}")]
    Output {
        /// The system.
        system: SystemName,
        /// Why.
        source: TreebankError,
    },
    /// It wrote other sentences than it was given.
    #[error("{system}: it wrote {found} sentences where {given} were given")]
    Sentences {
        /// The system.
        system: SystemName,
        /// Written.
        found: usize,
        /// Given.
        given: usize,
    },
    /// It wrote another sentence than it was given.
    #[error("{system}: sentence {sentence}: {what}")]
    Sentence {
        /// The system.
        system: SystemName,
        /// Its number, from 1.
        sentence: usize,
        /// How it differs.
        what: String,
    },
}
