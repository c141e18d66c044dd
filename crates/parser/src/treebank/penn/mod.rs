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
//! * Empty categories (`-NONE-`) are dropped, and so are the constituents that they leave without words.
//! * Function tags and indices are cut from labels and tags: `NP-SBJ-1` and `NP=2` are NP, `NN-SHORT` is NN; but
//!   `-LRB-` and `-RRB-` stay. The forms of words stay exactly as written: `-LRB-`, `1\/2`.
//! * UTF-8 only; a Chinese Treebank in GB 2312 must be [decoded](super::encoding) first, and the error says so.
//!
//! # A tree without words
//!
//! A tree of nothing but empty categories is no sentence, yet dropping it silently would hide a damaged file. [`read`]
//! refuses it; [`read_file`] passes over it and lists it, so that a caller can go on and say so.

mod brackets;
mod coarse;
mod convert;
mod label;
mod rule_file;
mod rules;

use std::fs;
use std::path::Path;

use super::error::{BracketFault, TreebankError};
use super::sentence::{Place, Sentence};

pub use coarse::CoarseTags;
pub use rule_file::{RuleFault, RulesError};
pub use rules::HeadRules;

/// A file of brackets as sentences with gold trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PennFile {
    /// The sentences, in order. A sentence's number counts the trees of the file, those without words too.
    pub sentences: Vec<Sentence>,
    /// The trees that have no word, by the line on which they begin; none of them is in `sentences`.
    pub wordless: Vec<Place>,
}

/// Reads a file of brackets as a gold treebank.
///
/// # Errors
/// Anything [`TreebankError`] names, with file, line and sentence; a tree without words too.
pub fn read(path: &Path, rules: &HeadRules) -> Result<Vec<Sentence>, TreebankError> {
    let bytes = fs::read(path).map_err(|source| TreebankError::Io { path: path.to_owned(), source })?;
    parse_gold(&bytes, path, rules)
}

/// Parses the bytes of a gold treebank; `path` is for messages.
///
/// # Errors
/// As [`read`].
pub fn parse_gold(bytes: &[u8], path: &Path, rules: &HeadRules) -> Result<Vec<Sentence>, TreebankError> {
    let file = parse(bytes, path, rules)?;
    match file.wordless.into_iter().next() {
        Some(place) => Err(TreebankError::Brackets { place, fault: BracketFault::Wordless }),
        None => Ok(file.sentences),
    }
}

/// Reads a file of brackets, passing over trees without words.
///
/// # Errors
/// As [`read`], but for trees without words; a file of nothing else has no sentences, which is an error.
pub fn read_file(path: &Path, rules: &HeadRules) -> Result<PennFile, TreebankError> {
    let bytes = fs::read(path).map_err(|source| TreebankError::Io { path: path.to_owned(), source })?;
    parse(&bytes, path, rules)
}

/// Parses the bytes of a file; `path` is for messages.
///
/// # Errors
/// As [`read_file`].
pub fn parse(bytes: &[u8], path: &Path, rules: &HeadRules) -> Result<PennFile, TreebankError> {
    let mut file = PennFile { sentences: Vec::new(), wordless: Vec::new() };
    for tree in brackets::parse(bytes, path)? {
        match convert::sentence(&tree, rules)? {
            Some(sentence) => file.sentences.push(sentence),
            None => file.wordless.push(tree.place),
        }
    }
    if file.sentences.is_empty() {
        return Err(TreebankError::Empty { path: path.to_owned() });
    }
    Ok(file)
}

#[cfg(test)]
mod tests;
