//! What a CRF is asked to be.

use serde::Serialize;

use super::lbfgs::Settings;
use crate::parser::Roots;

/// Which features there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Features {
    /// Those whose address a right tree of the training part has: what their bundle sees with coarse tags and without forms
    /// in full was seen there.
    #[default]
    Gold,
    /// Those of all parts of all candidates.
    All,
}

impl Features {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Gold, Self::All];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::All => "all",
        }
    }
}

/// What is to be learnt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// How little large weights are held against them: the penalty is |w|² / 2C.
    pub c: f64,
    /// What a wrong head adds to the score of a tree that a right one is held against; 0 for the likelihood.
    pub charge: f64,
    /// Which features there are.
    pub features: Features,
    /// How many words its trees may have on the root.
    pub roots: Roots,
    /// How it is sought.
    pub descent: Settings,
}
