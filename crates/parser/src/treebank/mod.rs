//! Treebanks: sentences, trees and what makes them valid; readers, writers.

pub mod conll;
mod error;
pub mod penn;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::random::Folds;
pub use error::{BracketFault, LineFault, TreebankError};
pub use treebound_core::tree::{Tree, TreeFault, Word, crossing};

/// One word.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Token {
    /// The word as written.
    pub form: String,
    /// Coarse part of speech (UPOS; CPOSTAG in CoNLL-X).
    pub coarse: String,
    /// Fine part of speech (XPOS; POSTAG in CoNLL-X).
    pub fine: String,
}

/// Where a sentence was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: Arc<PathBuf>,
    /// The line of its first word, from 1.
    pub line: usize,
    /// Its number in the file, from 1.
    pub sentence: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { path: Arc::new(PathBuf::new()), line: 0, sentence: 0 }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: sentence {}", self.path.display(), self.line, self.sentence)
    }
}

/// A sentence with its gold tree, if the treebank has one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sentence {
    /// The words.
    pub tokens: Vec<Token>,
    /// The tree of the treebank: possibly non-projective, possibly with several roots.
    pub gold: Option<Tree>,
    /// Where it was read.
    pub place: Place,
}

impl Sentence {
    /// Number of words.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// True for no words.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

crate::named! {
    /// Where the fine tags of a treebank come from.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FineTags {
        /// A column of their own.
        #[default]
        Own = "own",
        /// The coarse tags: for treebanks whose fine tags say too much, such as a word's function.
        Coarse = "coarse",
    }
}

impl FineTags {
    /// Whether they are as they were read.
    pub fn are_own(&self) -> bool {
        *self == Self::Own
    }

    /// Gives words as they were read these fine tags.
    pub fn put(self, tokens: &mut [Token]) {
        if self == Self::Coarse {
            tokens.iter_mut().for_each(|token| token.fine.clone_from(&token.coarse));
        }
    }
}

/// Which column of a word is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagColumn {
    /// The fine tag.
    Fine,
    /// The coarse tag.
    Coarse,
}

/// Which words are punctuation, by their gold tag; they are left out of the scored counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Punctuation {
    /// The tag that decides.
    pub column: TagColumn,
    /// Its values.
    pub tags: Vec<String>,
}

impl Punctuation {
    /// The rules that have a name: `ud`, `ptb`, `ctb`, `none`.
    pub fn named(name: &str) -> Option<Self> {
        let rule = |column, tags: &[&str]| Self { column, tags: tags.iter().map(ToString::to_string).collect() };
        Some(match name {
            "ud" => rule(TagColumn::Coarse, &["PUNCT"]),
            "ptb" => rule(TagColumn::Fine, &["``", "''", ":", ",", "."]),
            "ctb" => rule(TagColumn::Fine, &["PU"]),
            "none" => rule(TagColumn::Fine, &[]),
            _ => return None,
        })
    }

    /// Whether a word, with its gold tags, is left out of the scored counts.
    pub fn covers(&self, token: &Token) -> bool {
        let tag = match self.column {
            TagColumn::Fine => &token.fine,
            TagColumn::Coarse => &token.coarse,
        };
        self.tags.contains(tag)
    }
}

/// Most words of a sentence that is learnt from or parsed. Time grows with more than the square of the length, and so does
/// memory: a thousand words take some hundreds of megabytes, and no sentence of a treebank has as many.
pub const MOST_WORDS: usize = 1000;

/// Refuses sentences that are too long to be parsed.
///
/// # Errors
/// [`LineFault::TooLong`], with the place of the first.
pub fn check_lengths(sentences: &[Sentence]) -> Result<(), TreebankError> {
    match sentences.iter().find(|sentence| sentence.len() > MOST_WORDS) {
        Some(long) => Err(TreebankError::Line {
            place: long.place.clone(),
            fault: LineFault::TooLong { words: long.len(), most: MOST_WORDS },
        }),
        None => Ok(()),
    }
}

/// The bytes of a file in GB 18030 (GBK and GB 2312 are parts of it) as UTF-8; `path` is for messages.
///
/// Text that is UTF-8 already is refused rather than read as other characters. Plain ASCII is both.
///
/// # Errors
/// The first line that is not GB 18030, or a file in UTF-8.
pub fn from_gb18030<'a>(bytes: &'a [u8], path: &Path) -> Result<Cow<'a, str>, TreebankError> {
    if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() {
        return Err(TreebankError::IsUtf8 { path: path.to_owned() });
    }
    let decode = |bytes: &'a [u8]| encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    decode(bytes).ok_or_else(|| {
        // No character of several bytes has a line feed among them.
        let line = bytes.split(|&b| b == b'\n').position(|line| decode(line).is_none()).unwrap_or(0);
        TreebankError::NotGb18030 { path: path.to_owned(), line: line + 1 }
    })
}

/// Counts of a parsed sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentenceScore {
    /// 1, or 0 if one of the two has no tree.
    pub sentences: u64,
    /// Words.
    pub tokens: u64,
    /// Words with their gold heads.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with their gold heads.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: u64,
    /// Whether all words have their gold heads.
    pub complete: u64,
    /// Whether all words that are no punctuation have.
    pub scored_complete: u64,
}

/// Two sentences that are not of the same words.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// Sentences of different lengths.
    #[error("{0} has {1} words, but {2} has {3}: they must be the same sentences")]
    Length(Place, usize, Place, usize),
    /// Sentences that differ in a word.
    #[error("{0}: word {1} is `{2}`, but `{3}` in {4}: they must be the same sentences")]
    Word(Place, usize, String, String, Place),
}

impl SentenceScore {
    /// The counts of a sentence.
    ///
    /// # Errors
    /// If the words are not the same.
    pub fn new(gold: &Sentence, predicted: &Sentence, punctuation: &Punctuation) -> Result<Self, ScoreError> {
        let (place, other) = (&gold.place, &predicted.place);
        if gold.len() != predicted.len() {
            return Err(ScoreError::Length(place.clone(), gold.len(), other.clone(), predicted.len()));
        }
        let mut words = gold.tokens.iter().zip(&predicted.tokens).enumerate();
        if let Some((i, (a, b))) = words.find(|(_, (a, b))| a.form != b.form) {
            return Err(ScoreError::Word(place.clone(), i + 1, a.form.clone(), b.form.clone(), other.clone()));
        }
        let (Some(gold_tree), Some(tree)) = (&gold.gold, &predicted.gold) else { return Ok(Self::default()) };
        let mut score = Self { sentences: 1, ..Self::default() };
        for (i, token) in gold.tokens.iter().enumerate() {
            let right = u64::from(gold_tree.heads()[i] == tree.heads()[i]);
            let scored = u64::from(!punctuation.covers(token));
            score.tokens += 1;
            score.correct += right;
            score.scored_tokens += scored;
            score.scored_correct += right * scored;
        }
        score.root_correct = u64::from(gold_tree.roots().eq(tree.roots()));
        score.complete = u64::from(score.correct == score.tokens);
        score.scored_complete = u64::from(score.scored_correct == score.scored_tokens);
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(bytes: &[u8]) -> String {
        from_gb18030(bytes, Path::new("a.fid")).expect_err("a fault").to_string()
    }

    #[test]
    fn characters_of_two_and_four_bytes_are_read() {
        let text = "( (IP (NN 市场) (PU 。)) )\n<S ID=1>\n( (NR 㐀) )\n";
        let (bytes, ..) = encoding_rs::GB18030.encode(text);
        assert!(std::str::from_utf8(&bytes).is_err());
        assert_eq!(from_gb18030(&bytes, Path::new("a.fid")).expect("text"), text);
        assert_eq!(from_gb18030(b"(UH a)", Path::new("a.fid")).expect("text"), "(UH a)");
    }

    #[test]
    fn what_is_not_gb18030_is_refused_with_its_line() {
        let message = fault(b"(UH a)\n(UH b)\n(UH \xff)\n");
        assert!(message.starts_with("a.fid:3: the line is not GB 18030"), "{message}");
        let message = fault("(UH 市场)".as_bytes());
        assert!(message.starts_with("a.fid: the file is in UTF-8 already"), "{message}");
    }
}
