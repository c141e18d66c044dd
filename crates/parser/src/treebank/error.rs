//! What can be wrong with a treebank file, always with file, line and sentence.

use std::path::PathBuf;

use thiserror::Error;

use crate::treebank::Place;
use treebound_core::shown::shown;
use treebound_core::tree::TreeFault;

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
    #[error(
        "{place}: byte {column} of the line is not UTF-8; say what the file is in (--encoding latin-1, or, for a treebank of a config, encoding = \"gb18030\"), or convert it to UTF-8 (for example with iconv)"
    )]
    NotUtf8 {
        /// The line.
        place: Place,
        /// The first bad byte of the line, from 1.
        column: usize,
    },
    /// A line is not in the encoding that is named.
    #[error("{}:{line}: the line is not in {encoding}, which the file is said to be in (encoding)", path.display())]
    NotEncoded {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The encoding.
        encoding: String,
    },
    /// A file need not be decoded.
    #[error("{}: the file is in UTF-8 already; remove encoding = \"{encoding}\" from the config, or --encoding", path.display())]
    IsUtf8 {
        /// The file.
        path: PathBuf,
        /// The encoding that it is said to be in.
        encoding: String,
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
    /// Brackets that are no constituent tree.
    #[error("{place}: {fault}")]
    Brackets {
        /// The line at fault, which for a fault of a whole tree is the one on which the tree begins.
        place: Place,
        /// What is wrong.
        fault: BracketFault,
    },
}

/// What is wrong with one line.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LineFault {
    /// Not the columns that the file has: ten, or those that `# global.columns` names.
    #[error("{found} tab-separated columns where {} were expected", columns(*expected))]
    Columns {
        /// Columns found.
        found: usize,
        /// Columns expected.
        expected: usize,
    },
    /// Columns that are not enough to read sentences or to write trees.
    #[error("`# global.columns` names no {0}")]
    NoColumn(&'static str),
    /// The first column is no id.
    #[error("the id `{id}` is neither a number, nor a range such as 1-2, nor an empty node such as 1.1", id = shown(.0))]
    Id(String),
    /// A range that does not stand before its first word, or begins within another one.
    #[error("the range `{id}` stands before word {next}: it must begin there, after the last word of the range before")]
    Range {
        /// The range.
        id: String,
        /// The word that follows.
        next: usize,
    },
    /// A range that is longer than its sentence.
    #[error("the range ends with word {end}, and the sentence with word {words}")]
    RangeEnd {
        /// The last word of the range.
        end: u64,
        /// Words of the sentence.
        words: usize,
    },
    /// An empty node that stands elsewhere.
    #[error("the empty node `{id}` stands after word {last}: its id must begin with that number")]
    Empty {
        /// The id.
        id: String,
        /// The word before.
        last: usize,
    },
    /// Ids must count 1, 2, 3.
    #[error("the id is {found} where {expected} was expected: ids count up from 1 without gaps")]
    Skip {
        /// The id found.
        found: u64,
        /// The id that should stand there.
        expected: usize,
    },
    /// The head is no number, or a very large one.
    #[error("the head `{head}` is no word's number (column 7 of a word must hold the id of its head, or 0)", head = shown(.0))]
    Head(String),
    /// Some words of the sentence have heads and this one has none.
    #[error("this word has no head (`_`), but other words of the sentence have one")]
    MissingHead,
    /// Heads are needed and absent.
    #[error("the word has no head (`_`), and here every word needs one")]
    NoGold,
    /// No form.
    #[error("the word has no form (column 2 is empty)")]
    Form,
    /// What no text has.
    #[error("the {what} `{}` has a NUL character; remove it", shown(text))]
    Nul {
        /// What holds it.
        what: &'static str,
        /// All of it.
        text: String,
    },
    /// A sentence that is too long to be parsed.
    #[error(
        "a sentence of {words} words, where at most {most} can be parsed (time and memory grow with more than the square of its length); cut it into sentences"
    )]
    TooLong {
        /// Its words.
        words: usize,
        /// Most words.
        most: usize,
    },
}

fn columns(expected: usize) -> String {
    match expected {
        10 => "ten".to_owned(),
        other => format!("the {other} of `# global.columns`"),
    }
}

/// What is wrong with brackets.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BracketFault {
    /// A closing bracket too many.
    #[error("this `)` closes nothing: every bracket before it is closed already")]
    Unopened,
    /// The file ends inside a tree.
    #[error("the tree that begins here is still open at the end of the file (brackets without their `)`: {open})")]
    Unclosed {
        /// Brackets that are open.
        open: usize,
    },
    /// A bracket that begins a tree, inside a tree.
    #[error("a bracket without a label inside the tree that began at line {began}: is that tree closed?")]
    Unlabelled {
        /// The line of the tree.
        began: usize,
    },
    /// Markup, which ends a sentence, inside a tree.
    #[error("the markup `{}` inside the tree that began at line {began}: is that tree closed?", shown(markup))]
    Markup {
        /// Its first characters, up to a blank.
        markup: String,
        /// The line of the tree.
        began: usize,
    },
    /// A word among constituents or other words.
    #[error("the word `{word}` has no tag; expected a bracket of its own such as (NN {word})", word = shown(.0))]
    Untagged(String),
    /// Nothing in a bracket, or a single text, which may be tag or word.
    #[error("the bracket ({label}) is hollow; expected a tag and a word such as (NN dog), or a label and constituents", label = shown(.0))]
    Hollow(String),
    /// A word or label that no text has.
    #[error("`{}` has a NUL character; remove it", shown(.0))]
    Nul(String),
    /// Text where a tree should begin.
    #[error("text outside brackets: `{}`", shown(.0))]
    Outside(String),
}
