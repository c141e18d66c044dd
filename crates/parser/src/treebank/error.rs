//! What can be wrong with a treebank file, always with file, line and sentence.

use std::path::PathBuf;

use thiserror::Error;

use crate::treebank::Place;
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
    #[error("{}:{line}: sentence {sentence}: byte {column} of the line is not UTF-8; convert the file to UTF-8 (for example with iconv), or, for a treebank of a config, say there what it is in, such as encoding = \"gb18030\"", path.display())]
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
    /// A line is not in the encoding that the config names.
    #[error("{}:{line}: the line is not GB 18030, which the config says the file is in (encoding)", path.display())]
    NotGb18030 {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
    },
    /// A file need not be decoded.
    #[error("{}: the file is in UTF-8 already; remove encoding = \"gb18030\" from the config", path.display())]
    IsUtf8 {
        /// The file.
        path: PathBuf,
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
    #[error("the head `{0}` is no word's number (column 7 of a word must hold the id of its head, or 0)")]
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
    #[error("the {what} {text:?} has a control character; remove it")]
    Control {
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
    #[error("the markup `{markup}` inside the tree that began at line {began}: is that tree closed?")]
    Markup {
        /// Its first characters, up to a blank.
        markup: String,
        /// The line of the tree.
        began: usize,
    },
    /// A word among constituents or other words.
    #[error("the word `{0}` has no tag; expected a bracket of its own such as (NN {0})")]
    Untagged(String),
    /// Nothing in a bracket, or a single text, which may be tag or word.
    #[error("the bracket ({0}) is hollow; expected a tag and a word such as (NN dog), or a label and constituents")]
    Hollow(String),
    /// A word or label that no text has.
    #[error("{0:?} has a control character; remove it")]
    Control(String),
    /// Text where a tree should begin.
    #[error("text outside brackets: `{0}`")]
    Outside(String),
    /// A tree of nothing, or of nothing but empty categories.
    #[error("the tree has no words (at most empty categories, -NONE-), so it is no sentence")]
    Wordless,
}
