//! Whether arcs get labels, and when, as an axis of the graph system.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cell::Axis;

/// When the relations of arcs are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labelling {
    /// Never: results have no value on this axis then.
    #[default]
    None,
    /// When the tree has been found.
    SecondStage,
    /// Inside the search: the score of the best relation of each arc is a part of that of the arc.
    InSearch,
}

impl Labelling {
    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SecondStage => "second-stage",
            Self::InSearch => "in-search",
        }
    }
}

impl fmt::Display for Labelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Axis for Labelling {
    const NAME: &'static str = "labels";
    const EXPECTED: &'static str = "`second-stage` or `in-search`, or `-` for no labels";

    fn parse(text: &str) -> Option<Self> {
        [Self::SecondStage, Self::InSearch].into_iter().find(|labels| labels.name() == text)
    }
}
