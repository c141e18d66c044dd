//! What accuracy is the accuracy of: words, roots or whole sentences.

use serde::{Serialize, Serializer};

use super::average::Averaged;
use treebound_records::SentenceRow;

/// A share of what a parser gets right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Accuracy {
    /// Of words that are no punctuation, those with the right head.
    #[default]
    Uas,
    /// Of sentences, those whose words on the root are right.
    Root,
    /// Of sentences, those with every head right.
    Complete,
}

impl Accuracy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Uas, Self::Root, Self::Complete];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uas => "uas",
            Self::Root => "root",
            Self::Complete => "complete",
        }
    }

    /// The column of tables and published figures that has it.
    pub fn column(self) -> &'static str {
        match self {
            Self::Uas => "uas_pct",
            Self::Root => "root_pct",
            Self::Complete => "complete_pct",
        }
    }

    /// In words, behind a number of points; nothing of the one that goes without saying.
    pub fn behind_points(self) -> &'static str {
        match self {
            Self::Uas => "",
            Self::Root => " in root accuracy",
            Self::Complete => " in complete matches",
        }
    }

    /// Of a sentence: how many are right, of how many.
    pub fn of_sentence(self, row: &SentenceRow) -> [u64; 2] {
        match self {
            Self::Uas => [row.scored_correct, row.scored_tokens],
            Self::Root => [row.root_correct, 1],
            Self::Complete => [row.complete, 1],
        }
    }

    /// Of a row in percent; none of nothing.
    pub fn of_row(self, row: &Averaged) -> Option<f64> {
        match self {
            Self::Uas => row.uas_pct(),
            Self::Root => row.root_pct(),
            Self::Complete => row.complete_pct(),
        }
    }
}

impl Serialize for Accuracy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
