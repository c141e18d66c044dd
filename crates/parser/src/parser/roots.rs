//! How many words may hang on the root.

use serde::Serialize;

use treebound_core::graph::ArcSpace;
use treebound_core::tree::Tree;

/// How many words may hang on the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Roots {
    /// Exactly one (paper, section 2.1).
    #[default]
    One,
    /// One or more (Ma & Zhao 2012, section 2.5).
    Several,
}

impl Roots {
    /// Both.
    pub const ALL: [Self; 2] = [Self::One, Self::Several];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Several => "several",
        }
    }

    /// What the trees of a graph have.
    pub fn of(space: &ArcSpace) -> Self {
        if space.single_root() { Self::One } else { Self::Several }
    }

    /// Whether so many words may hang on the root.
    pub fn allow(self, words: usize) -> bool {
        words == 1 || (words > 1 && self == Self::Several)
    }

    /// Whether a parser may give the tree, as far as candidates go.
    pub fn allow_tree(self, tree: &Tree) -> bool {
        tree.is_projective() && self.allow(tree.roots().count())
    }
}
