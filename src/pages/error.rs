//! What can be wrong with a block, always with the page and the line that it begins on.

use std::fmt::{self, Display};

use thiserror::Error;

use treebound_experiment::config::{ConfigError, nearest};
use treebound_parser::features::template::TemplateError;
use treebound_records::ReportError;

/// A block that cannot be filled.
#[derive(Debug, Error)]
pub enum BlockError {
    /// A marker without its other one.
    #[error("{0}")]
    Marker(&'static str),
    /// A name that nothing has.
    #[error("unknown {what} `{name}`; {hint}")]
    Unknown {
        /// What should have that name.
        what: String,
        /// The name.
        name: String,
        /// The right one, or all that there are.
        hint: String,
    },
    /// Words that make no table.
    #[error("{0}")]
    Words(String),
    /// Results that are not there.
    #[error("{what}; make it with: {command}")]
    Missing {
        /// What is missing.
        what: String,
        /// What makes it.
        command: String,
    },
    /// A config that cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Results that cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Templates that cannot be read.
    #[error(transparent)]
    Templates(#[from] TemplateError),
}

impl BlockError {
    /// A name that is none of those that are known.
    pub fn unknown<'n>(what: impl Into<String>, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Self {
        let hint = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        };
        Self::Unknown { what: what.into(), name: name.to_owned(), hint }
    }
}

/// What is wrong with a page, and where.
#[derive(Debug)]
pub struct Fault {
    /// The page.
    pub page: String,
    /// The line, from 1.
    pub line: usize,
    /// The words of the block; empty if there is none.
    pub block: String,
    /// What is wrong.
    pub error: BlockError,
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, line, block, error } = self;
        let separator = if block.is_empty() { "" } else { ": " };
        write!(f, "{page}:{line}: {block}{separator}{error}")
    }
}
