//! What is wrong with a config: all of it at once, each with its line.

use thiserror::Error;

/// A config that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: cannot read the config: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not TOML, an unknown key, a value of the wrong type.
    #[error("{path}:{line}: {message}")]
    Toml {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        message: String,
    },
    /// Values that make no experiment.
    #[error("{}", lines(path, faults))]
    Faults {
        /// The file.
        path: String,
        /// Line (if known) and message of each.
        faults: Vec<(Option<usize>, String)>,
    },
}

fn lines(path: &str, faults: &[(Option<usize>, String)]) -> String {
    let line = |(line, message): &(Option<usize>, String)| match line {
        Some(line) => format!("{path}:{line}: {message}"),
        None => format!("{path}: {message}"),
    };
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The line of a byte offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count() + 1
}
