//! Which sentences, and whose tags.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use super::Axis;

/// A part of a treebank, or all of it in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// For learning.
    Train,
    /// For choices.
    Dev,
    /// For results.
    Test,
    /// All sentences of all parts, by cross-validation: each is parsed by a parser that learnt from other folds.
    Cv,
}

impl Split {
    /// The parts that a treebank has, in order.
    pub const PARTS: [Self; 3] = [Self::Train, Self::Dev, Self::Test];

    /// What an experiment may parse.
    pub const PARSED: [Self; 3] = [Self::Dev, Self::Test, Self::Cv];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Dev => "dev",
            Split::Test => "test",
            Split::Cv => "cv",
        }
    }
}

impl Axis for Split {
    const NAME: &'static str = "split";
    const EXPECTED: &'static str = "`train`, `dev`, `test` or `cv`";

    fn parse(text: &str) -> Option<Self> {
        Self::PARTS.into_iter().chain([Self::Cv]).find(|split| split.name() == text)
    }
}

impl Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whose part-of-speech tags the parser sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tags {
    /// The treebank's.
    Gold,
    /// The tagger's: the training part by jackknifing.
    Predicted,
}

impl Tags {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Gold, Self::Predicted];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Tags::Gold => "gold",
            Tags::Predicted => "predicted",
        }
    }
}

impl Axis for Tags {
    const NAME: &'static str = "tags";
    const EXPECTED: &'static str = "`gold` or `predicted`";

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tags| tags.name() == text)
    }
}

impl Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
