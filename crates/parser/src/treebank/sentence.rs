//! Sentences as a treebank gives them, and where in its files they stand.

use std::path::PathBuf;
use std::sync::Arc;

use treebound_core::tree::Tree;

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
