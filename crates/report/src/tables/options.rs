//! What tables need to know beyond records.

use std::collections::BTreeMap;

use crate::statistics::significance::Draws;
use treebound_parser::cell::CorpusName;

/// What a table needs to know beyond records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// The punctuation rule, for people.
    pub punctuation: String,
    /// The data set of the paper (`PTB`, `CTB`) whose figures stand beside a corpus, by name of the corpus.
    pub published: BTreeMap<CorpusName, String>,
    /// How much the significance tests draw.
    pub draws: Draws,
}
