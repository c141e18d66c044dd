//! What can be wrong with a results file or a report, always with the file and what was expected there.

use std::path::PathBuf;

use thiserror::Error;

/// A results file that cannot be used, or a report that cannot be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error("{}: cannot read the file: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file cannot be written; what stood there before still does.
    #[error("{}: cannot write the file: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file's first line is not the header that its rows need.
    #[error("{}:1: {fault}; expected the columns {expected}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: HeaderFault,
        /// The columns, joined by commas.
        expected: String,
    },
    /// A line is no row.
    #[error("{}:{line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// Rows that do not belong in one file or one table.
    #[error("{0}")]
    Mixed(MixedFault),
    /// Numbers of sentences of which some are missing, or less than nothing would be right.
    #[error("{}: the numbers of {cell} do not go together; run again, or take the file as it was", path.display())]
    Sentences {
        /// The file.
        path: PathBuf,
        /// The cell.
        cell: String,
    },
    /// Rows of sentences that are not those of the scores beside them.
    #[error("{}: {cell} does not add up to {}; run again, or take the files as they were", path.display(), scores.display())]
    Sums {
        /// The file of sentences.
        path: PathBuf,
        /// The file of scores.
        scores: PathBuf,
        /// The cell.
        cell: String,
    },
    /// More sentences than are held at once.
    #[error(
        "{}: {sentences} sentences of the cells asked for are more than the {most} that are held at once; ask for fewer cells \
         with -f, or take the file as it was",
        path.display()
    )]
    ManySentences {
        /// The file.
        path: PathBuf,
        /// How many.
        sentences: u64,
        /// How many are held.
        most: u64,
    },
    /// The table engine refused.
    #[error("cannot make the table: {0}")]
    Table(#[from] polars::error::PolarsError),
    /// Columns of a derived table do not fit together.
    #[error("the column {column} is there twice, or has another length than the first")]
    Sheet {
        /// The column.
        column: String,
    },
    /// The figure cannot be drawn.
    #[error("cannot draw {figure}: {reason}")]
    Draw {
        /// Name of the figure.
        figure: String,
        /// What the drawing library said.
        reason: String,
    },
    /// A file that should be TOML is not.
    #[error("{}: not TOML: {source}; mend the file or remove it", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        source: Box<toml::de::Error>,
    },
    /// The provenance cannot be written as TOML.
    #[error("cannot write the provenance as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
}

/// What is wrong with a header.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum HeaderFault {
    /// No line at all.
    #[error("the file is empty")]
    Empty,
    /// Not text.
    #[error("the header is not UTF-8")]
    NotUtf8,
    /// A column twice.
    #[error("the column `{0}` stands there twice")]
    Twice(String),
    /// Columns that are not known.
    #[error("unknown columns: {}", .0.join(", "))]
    Unknown(Vec<String>),
    /// Columns that are not there.
    #[error("missing columns: {}", .0.join(", "))]
    Missing(Vec<String>),
}

/// What is wrong with one line.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LineFault {
    /// Not text.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The line does not have as many fields as the header.
    #[error("{found} fields where the header has {expected}")]
    Fields {
        /// Fields found.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// A field is not what its column holds.
    #[error("column `{column}`: `{value}` is not {expected}")]
    Field {
        /// The column.
        column: &'static str,
        /// What stands there.
        value: String,
        /// What should.
        expected: &'static str,
    },
    /// Two columns contradict each other.
    #[error("`{less}` is {less_value}, more than `{more}`, which is {more_value}")]
    Exceeds {
        /// The column that should hold no more than the other.
        less: &'static str,
        /// What it holds.
        less_value: u64,
        /// The other column.
        more: &'static str,
        /// What it holds.
        more_value: u64,
    },
    /// A cell has both counts and an error, or neither.
    #[error("a row has either counts and an empty `error`, or an `error` and no counts")]
    CountsAndError,
    /// A key twice.
    #[error("{key}: line {first} has the same key")]
    Duplicate {
        /// The key, for people.
        key: String,
        /// Line of the first row with it.
        first: u64,
    },
}

/// Rows that do not belong together.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MixedFault {
    /// Two rows to be written have one key.
    #[error("{0}: two rows with the same key")]
    Duplicate(String),
    /// Two results of one corpus leave out other words as punctuation.
    #[error(
        "{corpus}: the punctuation rule is {first_rule} in {first} and {second_rule} in {second}; their scores without \
         punctuation do not compare"
    )]
    Punctuation {
        /// The corpus.
        corpus: String,
        /// One side.
        first: String,
        /// Its rule.
        first_rule: String,
        /// The other side.
        second: String,
        /// Its rule.
        second_rule: String,
    },
    /// Two results of one corpus are from other files.
    #[error(
        "{part}: {first} and {second} are from other files (so the SHA-256 in their provenance.toml); what was parsed is not \
         the same, so scores do not compare"
    )]
    Treebank {
        /// The corpus and its part.
        part: String,
        /// One side, with the beginning of its checksum.
        first: String,
        /// The other side, with the beginning of its own.
        second: String,
    },
    /// Two results have nothing in common.
    #[error("{first} and {second} have no part of a corpus in common, so there is nothing to compare")]
    Nothing {
        /// One side.
        first: String,
        /// The other side.
        second: String,
    },
    /// Two cells that should have parsed the same sentences did not.
    #[error(
        "{first} and {second} are not from the same data: `{column}` is {first_value} and {second_value} (another \
         version of the corpus, another split or another punctuation rule?)"
    )]
    Data {
        /// One cell.
        first: String,
        /// The other.
        second: String,
        /// The column that differs.
        column: &'static str,
        /// What the first holds.
        first_value: u64,
        /// What the second holds.
        second_value: u64,
    },
}
