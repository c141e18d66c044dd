//! Why a claim does not hold: what a config's author found by an experiment of the same config.
//!
//! A verdict is the program's, its explanation a person's. So an explanation names the grid that shows it, and stands beside
//! claims that do not hold alone: of others it has [outlived](super::ClaimTable::outlived) its reason.

use std::fmt;

use serde::Deserialize;

use super::Verdict;

/// An explanation of claims that do not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The names of the claims.
    pub claims: Vec<String>,
    /// What they fail by.
    pub cause: Cause,
    /// In a sentence.
    pub text: String,
    /// The grids of the config that show it; none if the cause is unknown.
    pub grids: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.cause.name(), self.text)?;
        if self.grids.is_empty() { Ok(()) } else { write!(f, " (grid {})", self.grids.join(" and ")) }
    }
}

/// What a claim fails by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Sentences or seeds happened to fall so.
    Chance,
    /// Language, guidelines or length of sentences.
    Treebank,
    /// So many sentences to learn from.
    Size,
    /// The local features.
    Templates,
    /// How weights are learnt.
    Learner,
    /// The search, its reading of the paper, or its limit.
    Search,
    /// What the program spends its time on.
    Program,
    /// No experiment tells.
    Unknown,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 8] = [
        Self::Chance,
        Self::Treebank,
        Self::Size,
        Self::Templates,
        Self::Learner,
        Self::Search,
        Self::Program,
        Self::Unknown,
    ];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::Treebank => "treebank",
            Self::Size => "size",
            Self::Templates => "templates",
            Self::Learner => "learner",
            Self::Search => "search",
            Self::Program => "program",
            Self::Unknown => "unknown",
        }
    }
}

/// The explanation of a claim with a verdict: none if it does not fail, or if nobody has explained it.
pub fn explanation<'f>(failures: &'f [Failure], claim: &str, verdict: Verdict) -> Option<&'f Failure> {
    let fails = verdict == Verdict::DoesNotHold;
    failures.iter().find(|failure| fails && failure.claims.iter().any(|name| name == claim))
}
