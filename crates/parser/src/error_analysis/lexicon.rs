//! Which words patterns call by their form: those of closed classes, and others that are frequent.
//!
//! Both are found by counting, so that they hold for any treebank and tag set.

use std::collections::BTreeMap;

use super::Parsed;
use crate::treebank::Token;

/// The words of a closed class are used so many times on average.
const USES_OF_A_CLOSED_CLASS: usize = 25;
/// A word is frequent if it is at least one in so many.
const ONE_IN: usize = 5_000;

/// What is known about words and tags.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// By coarse tag: words, and different ones among them.
    tags: BTreeMap<String, (usize, usize)>,
    /// By coarse tag and lower-cased form.
    words: BTreeMap<(String, String), usize>,
    total: usize,
}

/// The form in lower case.
pub fn lower(token: &Token) -> String {
    token.form.to_lowercase()
}

impl Lexicon {
    /// Counts the words of `sentences`.
    pub fn new(sentences: &[Parsed]) -> Self {
        let mut lexicon = Self::default();
        for token in sentences.iter().flat_map(|s| s.tokens) {
            let uses = lexicon.words.entry((token.coarse.clone(), lower(token))).or_default();
            *uses += 1;
            let tag = lexicon.tags.entry(token.coarse.clone()).or_default();
            *tag = (tag.0 + 1, tag.1 + usize::from(*uses == 1));
            lexicon.total += 1;
        }
        lexicon
    }

    /// Whether the word's class is closed: few words, each used often.
    pub fn is_closed(&self, token: &Token) -> bool {
        self.tags.get(&token.coarse).is_some_and(|&(uses, words)| uses >= USES_OF_A_CLOSED_CLASS * words)
    }

    /// Whether the word is of a closed class, or frequent with its tag.
    pub fn is_named(&self, token: &Token) -> bool {
        let uses = || self.words.get(&(token.coarse.clone(), lower(token))).copied().unwrap_or(0);
        self.is_closed(token) || uses() * ONE_IN >= self.total
    }

    /// The form of a word of a closed class, the coarse tag of any other.
    pub fn describe(&self, token: &Token) -> String {
        if self.is_closed(token) { lower(token) } else { token.coarse.clone() }
    }
}
