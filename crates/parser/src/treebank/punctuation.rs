//! Which words are punctuation, and so not scored.

use serde::Serialize;

use super::Token;

/// Which column of a word is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
