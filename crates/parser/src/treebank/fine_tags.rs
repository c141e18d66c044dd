//! Which tags of a CoNLL file are the fine ones.

use serde::Serialize;

use super::sentence::Token;

/// Where the fine tags of a treebank come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FineTags {
    /// A column of their own.
    #[default]
    Own,
    /// They are the coarse ones: for treebanks whose fine tags say too much, such as a word's function.
    Coarse,
}

impl FineTags {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Own, Self::Coarse];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Coarse => "coarse",
        }
    }

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
