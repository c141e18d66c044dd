//! What is wrong with a config: all of it at once, each with its place.

use thiserror::Error;

use super::place::Place;

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
    /// Not TOML, unknown keys, values that make no experiment.
    #[error("{}", lines(.0))]
    Faults(Vec<Fault>),
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What, and what would be right.
    pub message: String,
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(|Fault { place, message }| format!("{place}: {message}")).collect::<Vec<_>>().join("\n")
}

/// Sorted by place, each once.
pub(super) fn sorted(mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by(|a, b| (a.place.order(), &a.message).cmp(&(b.place.order(), &b.message)));
    faults.dedup_by(|a, b| (a.place.order(), &a.message) == (b.place.order(), &b.message));
    faults
}
