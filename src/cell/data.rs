//! Which sentences, and whose tags.

use std::fmt::{self, Display};

use serde::Serialize;

use super::Axis;

/// A part of a treebank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// For learning.
    Train,
    /// For choices.
    Dev,
    /// For results.
    Test,
}

impl Split {
    /// All parts, in order.
    pub const ALL: [Self; 3] = [Self::Train, Self::Dev, Self::Test];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Dev => "dev",
            Split::Test => "test",
        }
    }
}

impl Axis for Split {
    const NAME: &'static str = "split";
    const EXPECTED: &'static str = "`train`, `dev` or `test`";

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|split| split.name() == text)
    }
}

impl Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whose part-of-speech tags the parser sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
