//! What may be wrong with a factor graph file.

use thiserror::Error;

use crate::graph::SpaceError;

/// What is wrong with a graph file.
#[derive(Debug, Error)]
pub enum GraphFileError {
    /// The file cannot be read.
    #[error("{path}: cannot read the file: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not JSON, or not of the expected shape. The message names line and column.
    #[error("{path}: graph {graph}: {source}{} (see the factor graph format in docs/METHOD.md)", of_scores(source))]
    Json {
        /// The file.
        path: String,
        /// The graph's number in the file, from 1.
        graph: usize,
        /// Where and what.
        source: serde_json::Error,
    },
    /// The file holds no graph.
    #[error("{path}: the file holds no graph")]
    Empty {
        /// The file.
        path: String,
    },
    /// A graph that contradicts itself.
    #[error("{path}: graph {graph}: {fault}")]
    Graph {
        /// The file.
        path: String,
        /// The graph's number in the file, from 1.
        graph: usize,
        /// What is wrong.
        fault: GraphFault,
    },
}

/// What is wrong with one graph.
#[derive(Debug, Error, PartialEq)]
pub enum GraphFault {
    /// An unknown version.
    #[error("version {0} is not supported; this program reads version 1")]
    Version(u32),
    /// Bad arcs.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A word beyond the sentence.
    #[error("{part}: word {word} is out of range (heads go from 0 to {words}, modifiers from 1 to {words})")]
    Word {
        /// The part, as in the file.
        part: String,
        /// The word.
        word: u64,
        /// Words of the sentence.
        words: usize,
    },
    /// A part listed twice.
    #[error("{0} is given twice")]
    Duplicate(String),
    /// A prior that is not one number an arc.
    #[error("the prior has {found} probabilities for {arcs} arcs; give one for each, or leave it out")]
    PriorLength {
        /// Probabilities in the file.
        found: usize,
        /// Arcs in the file.
        arcs: usize,
    },
    /// A number that is no probability.
    #[error("the prior of arc [{head}, {modifier}] is {probability}; a probability lies between 0 and 1")]
    Probability {
        /// The arc's head.
        head: u64,
        /// The arc's modifier.
        modifier: u64,
        /// What the file has.
        probability: f64,
    },
}

/// What to do where a score is no whole number.
fn of_scores(fault: &serde_json::Error) -> &'static str {
    match fault.is_data() && fault.to_string().contains("expected i64") {
        true => "; scores are whole numbers of 64 bits: multiply fractions, by 1000 say, and round",
        false => "",
    }
}
