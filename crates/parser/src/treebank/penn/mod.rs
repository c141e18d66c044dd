//! Penn Treebank brackets, read as dependency trees.
//!
//! A treebank in brackets has constituents, not heads: `( (S (NP (DT the) (NN cat)) (VP (VBD sat))) )`. A table of
//! [head rules](HeadRules) picks one child of every constituent as its head child; following head children down from
//! a constituent ends at its head word. Every word then hangs on the head word of the smallest constituent above it
//! whose head word it is not, and the head word of the whole tree hangs on the root. Such a tree has one root, and no
//! two of its arcs cross, because a constituent's words are contiguous.
//!
//! The steps are a file each: `brackets` reads text into constituent trees, `label` cuts labels to categories, `rules` and
//! `rule_file` choose head children, `convert` makes the words and their heads, `coarse` shortens the tags.
//!
//! # What is read
//!
//! * Several trees a file, each over any number of lines, with or without the unlabelled outer bracket. If the outer
//!   bracket holds several constituents (a slip known from the Chinese Treebank) it is one more constituent, whose
//!   label is in no rule.
//! * The markup of the Chinese Treebank between trees: `<S ID=1>`, `</S>`, and elements with text on one line such as
//!   `<DOCID> x </DOCID>`. Any other text outside brackets is an error.
//! * Lines between trees that begin with `*x*`: the headers of files of the Treebank.
//! * Empty categories (`-NONE-`) are dropped, and so are the constituents that they leave without words.
//! * Function tags and indices are cut from labels and tags: `NP-SBJ-1` and `NP=2` are NP, `NN-SHORT` is NN; but
//!   `-LRB-` and `-RRB-` stay. The forms of words stay exactly as written: `-LRB-`, `1\/2`.
//! * UTF-8 only; a Chinese Treebank in GB 2312 must be [decoded](crate::treebank::Encoding) first, and the error says so.
//!
//! # A tree without words
//!
//! A tree of nothing but empty categories, `( )` or `(())`, is no sentence, yet dropping it silently would hide a damaged file.
//! It is passed over and listed, so that a caller can say so.

mod brackets;
mod rules;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::treebank::error::TreebankError;
use crate::treebank::penn::brackets::{Bracketing, Node};
use crate::treebank::{Place, Sentence, Token, files};
use treebound_core::tree::{Tree, Word};

pub use rules::{HeadRules, RuleFault, RulesError};

/// A file of brackets as sentences with gold trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PennFile {
    /// The sentences, in order. A sentence's number counts the trees of the file, those without words too.
    pub sentences: Vec<Sentence>,
    /// The trees that have no word, by the line on which they begin; none of them is in `sentences`.
    pub wordless: Vec<Place>,
}

/// Reads a file of brackets, passing over trees without words.
///
/// # Errors
/// Anything [`TreebankError`] names, with file, line and sentence; a file of nothing else has no sentences, which is an error.
pub fn read_file(path: &Path, rules: &HeadRules) -> Result<PennFile, TreebankError> {
    let file = parse(&files::read(path)?, path, rules)?;
    file.check_not_empty(path)?;
    Ok(file)
}

/// Parses the bytes of a file, which may have no sentences; `path` is for messages.
///
/// # Errors
/// As [`read_file`].
pub fn parse(bytes: &[u8], path: &Path, rules: &HeadRules) -> Result<PennFile, TreebankError> {
    let mut file = PennFile { sentences: Vec::new(), wordless: Vec::new() };
    for tree in brackets::parse(bytes, path)? {
        match sentence(&tree, rules)? {
            Some(sentence) => file.sentences.push(sentence),
            None => file.wordless.push(tree.place),
        }
    }
    Ok(file)
}

impl PennFile {
    /// An error if there are no sentences, for who learns from them.
    ///
    /// # Errors
    /// [`TreebankError::Empty`].
    pub fn check_not_empty(&self, path: &Path) -> Result<(), TreebankError> {
        if self.sentences.is_empty() { Err(TreebankError::Empty { path: path.to_owned() }) } else { Ok(()) }
    }
}

/// The tag of what stands for nothing that is said.
const EMPTY_CATEGORY: &str = "-NONE-";

/// The sentence of a constituent tree; none if the tree has no words.
///
/// One pass, children before parents: a constituent's head word is that of its head child, and becomes the head of the
/// head words of its other children. Nodes without words are as if they were not there.
fn sentence(tree: &Bracketing, rules: &HeadRules) -> Result<Option<Sentence>, TreebankError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut heads: Vec<Word> = Vec::new();
    let mut first_line = tree.place.line;
    // The head word of each node; none for a node without words.
    let mut head_words: Vec<Option<Word>> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let head = match node {
            Node::Word { tag, .. } if tag == EMPTY_CATEGORY => None,
            Node::Word { tag, form, line } => {
                if tokens.is_empty() {
                    first_line = *line;
                }
                let fine = category(tag).to_owned();
                let coarse = rules.coarse().coarsen(&fine).to_owned();
                tokens.push(Token { form: form.clone(), coarse, fine, ..Token::default() });
                heads.push(Word::ROOT);
                Some(Word::new(tokens.len()))
            }
            Node::Constituent { label, children } => {
                let (labels, words): (Vec<&str>, Vec<Word>) =
                    children.iter().filter_map(|&c| Some((tree.nodes[c].category(), head_words[c]?))).unzip();
                let head = rules.head_child(category(label), &labels).map(|c| words[c]);
                if let Some(head) = head {
                    for word in words.into_iter().filter(|&w| w != head) {
                        heads[word.ix() - 1] = head;
                    }
                }
                head
            }
        };
        head_words.push(head);
    }
    if tokens.is_empty() {
        return Ok(None);
    }
    let place = Place { line: first_line, ..tree.place.clone() };
    match Tree::new(heads) {
        Ok(gold) => Ok(Some(Sentence { tokens, gold: Some(gold), relations: None, place })),
        Err(fault) => Err(TreebankError::Tree { place, fault }),
    }
}

/// A label without function tags and indices: `NP-SBJ-1` and `NP=2` are `NP`. A label that begins with a hyphen has
/// none of them and is kept: `-LRB-`, `-NONE-`.
fn category(label: &str) -> &str {
    if label.starts_with('-') {
        return label;
    }
    match label.char_indices().skip(1).find(|&(_, c)| c == '-' || c == '=') {
        Some((end, _)) => &label[..end],
        None => label,
    }
}

/// How a coarse tag is made from a fine one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoarseTags {
    /// The first two characters (`VBD` is `VB`); `PRP` and `PRP$` stay, and so do shorter tags.
    #[default]
    English,
    /// All but the last character (`VV` is `V`); `PU` and `CD` stay, and so do tags of one character, which would
    /// leave nothing.
    Chinese,
    /// The fine tag itself.
    Fine,
}

impl CoarseTags {
    /// All, by the names that [`Self::named`] knows.
    pub const NAMES: [(&str, Self); 3] = [("english", Self::English), ("chinese", Self::Chinese), ("fine", Self::Fine)];

    /// By name: `english`, `chinese` or `fine`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|&(_, tags)| tags)
    }

    /// The coarse tag of `fine`.
    pub fn coarsen(self, fine: &str) -> &str {
        match (self, fine) {
            (Self::English, "PRP" | "PRP$") | (Self::Chinese, "PU" | "CD") | (Self::Fine, _) => fine,
            (Self::English, _) => fine.char_indices().nth(2).map_or(fine, |(end, _)| &fine[..end]),
            (Self::Chinese, _) => match fine.char_indices().next_back() {
                Some((end, _)) if end > 0 => &fine[..end],
                _ => fine,
            },
        }
    }
}
