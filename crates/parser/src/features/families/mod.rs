//! Non-local feature families: which sets of arcs they score, and which parts those are for the templates.
//!
//! A family lists its factors over an arc space (all sets of candidate arcs of its shape, but for some that no tree can
//! have) and over a tree (those that the tree has). Each family is a file with its definition.

mod comb;
mod grandchild;
mod great_grandchild;
mod hand;
mod sibling;
mod tri_sibling;

use super::hand::Sites;
use super::parts::Part;
use super::template::Kind;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace};

crate::named! {
    /// A family of non-local features. The order is the alphabetical order of the names, which is how sets are written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Family {
        /// Runs of four or more neighbouring words with one head.
        Comb = "comb",
        /// Chains of two arcs.
        Grandchild = "grandchild",
        /// Chains of three arcs.
        GreatGrandchild = "great-grandchild",
        /// Hand-crafted patterns.
        Hand = "hand",
        /// Pairs of arcs with one head.
        Sibling = "sibling",
        /// Triples of arcs with one head.
        TriSibling = "tri-sibling",
    }
}

impl Family {
    /// The kind of the family's templates.
    pub fn kind(self) -> Kind {
        match self {
            Family::Comb => Kind::Comb,
            Family::Grandchild => Kind::AnyGrandchild,
            Family::GreatGrandchild => Kind::GreatGrandchild,
            Family::Hand => Kind::Hand,
            Family::Sibling => Kind::AnySibling,
            Family::TriSibling => Kind::TriSibling,
        }
    }

    /// Every factor of the family over the arcs of `space`, with the part that its features see. `sites` are those of the
    /// hand-crafted patterns in the sentence; no other family looks at them.
    #[inline]
    pub fn factors(self, space: &ArcSpace, sites: &Sites, visit: impl FnMut(&[ArcId], Part)) {
        match self {
            Family::Comb => comb::factors(space, visit),
            Family::Grandchild => grandchild::factors(space, visit),
            Family::GreatGrandchild => great_grandchild::factors(space, visit),
            Family::Hand => hand::factors(space, sites, visit),
            Family::Sibling => sibling::factors(space, visit),
            Family::TriSibling => tri_sibling::factors(space, visit),
        }
    }

    /// The parts of every factor that `tree` has.
    pub fn parts_in(self, tree: &Tree, sites: &Sites, visit: impl FnMut(Part)) {
        match self {
            Family::Comb => comb::parts_in(tree, visit),
            Family::Grandchild => grandchild::parts_in(tree, visit),
            Family::GreatGrandchild => great_grandchild::parts_in(tree, visit),
            Family::Hand => hand::parts_in(tree, sites, visit),
            Family::Sibling => sibling::parts_in(tree, visit),
            Family::TriSibling => tri_sibling::parts_in(tree, visit),
        }
    }
}
