//! What can be wrong with a treebank file, always with file, line and sentence.

use std::path::PathBuf;

use thiserror::Error;

use super::sentence::Place;
use super::tree::TreeFault;

/// A treebank that cannot be used.
#[derive(Debug, Error)]
pub enum TreebankError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the file: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file has no sentence.
    #[error("{}: the file has no sentences", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line is not UTF-8.
    #[error("{}:{line}: sentence {sentence}: byte {column} of the line is not UTF-8; convert the file to UTF-8 (for example with iconv)", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Sentence, from 1.
        sentence: usize,
        /// The first bad byte of the line, from 1.
        column: usize,
    },
    /// A line that is no token.
    #[error("{place}: {fault}")]
    Line {
        /// The line.
        place: Place,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The heads of a sentence are no tree.
    #[error("{place}: {fault}")]
    Tree {
        /// The line of the word at fault, or of the sentence's first word.
        place: Place,
        /// What is wrong.
        fault: TreeFault,
    },
}

/// What is wrong with one line.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LineFault {
    /// Not ten columns.
    #[error(
        "{found} tab-separated columns where ten were expected (ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC)"
    )]
    Columns {
        /// Columns found.
        found: usize,
    },
    /// The first column is no id.
    #[error("the id `{0}` is neither a number, nor a range such as 1-2, nor an empty node such as 1.1")]
    Id(String),
    /// Ids must count 1, 2, 3.
    #[error("the id is {found} where {expected} was expected: ids count up from 1 without gaps")]
    Skip {
        /// The id found.
        found: u64,
        /// The id that should stand there.
        expected: usize,
    },
    /// The head is no number.
    #[error("the head `{0}` is not a number (column 7 of a word must hold the id of its head, or 0)")]
    Head(String),
    /// Some words of the sentence have heads and this one has none.
    #[error("this word has no head (`_`), but other words of the sentence have one")]
    MissingHead,
    /// Heads are needed and absent.
    #[error("the word has no head (`_`); a gold treebank needs one for every word")]
    NoGold,
    /// No form.
    #[error("the word has no form (column 2 is empty)")]
    Form,
}
