//! Non-local feature families: which sets of arcs they score, and which parts those are for the templates.
//!
//! A family lists its factors over an arc space (all sets of candidate arcs of its shape) and over a tree (those that the
//! tree has). Each family is a file with its definition.

mod grandchild;
mod sibling;

use super::parts::Part;
use super::template::Kind;
use crate::graph::{ArcId, ArcSpace};
use crate::treebank::Tree;

/// A family of non-local features. The order is the alphabetical order of the names, which is how sets are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Chains of two arcs.
    Grandchild,
    /// Pairs of arcs with one head.
    Sibling,
}

impl Family {
    /// All families, in order.
    pub const ALL: [Family; 2] = [Family::Grandchild, Family::Sibling];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Family::Grandchild => "grandchild",
            Family::Sibling => "sibling",
        }
    }

    /// The family of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The kind of the family's templates.
    pub fn kind(self) -> Kind {
        match self {
            Family::Grandchild => Kind::AnyGrandchild,
            Family::Sibling => Kind::AnySibling,
        }
    }

    /// Every factor of the family over the arcs of `space`, with the part that its features see.
    pub fn factors(self, space: &ArcSpace, visit: impl FnMut(&[ArcId], Part)) {
        match self {
            Family::Grandchild => grandchild::factors(space, visit),
            Family::Sibling => sibling::factors(space, visit),
        }
    }

    /// The parts of every factor that `tree` has.
    pub fn of_tree(self, tree: &Tree, visit: impl FnMut(Part)) {
        match self {
            Family::Grandchild => grandchild::of_tree(tree, visit),
            Family::Sibling => sibling::of_tree(tree, visit),
        }
    }
}

impl std::fmt::Display for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
