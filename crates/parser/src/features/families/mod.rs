//! Non-local feature families: which sets of arcs they score, and which parts those are for the templates.
//!
//! A family lists its factors over an arc space (all sets of candidate arcs of its shape, but for some that no tree can
//! have) and over a tree (those that the tree has). Each family is a file: its definition, its [`Facts`], and the two
//! functions. `with_families` lists them; [`Family`] and the kinds of their parts are made from that list.

mod comb;
mod grandchild;
mod great_grandchild;
mod hand;
mod nonprojective;
mod or;
mod sibling;
mod tri_sibling;
mod valency;

use super::geometry::BINS;
use super::hand::Sites;
use super::parts::Part;
use super::template::Kind;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees};

/// The families, handed to the macro `$then`: the family, its file, and the kind of its parts. That is a kind of its own,
/// which has the family's name, or the `twin` of a kind that the dynamic program scores. The order is the alphabetical
/// order of the names, which is how sets are written.
macro_rules! with_families {
    ($then:ident) => {
        $then! {
            /// Runs of four or more neighbouring words with one head.
            Comb = comb, kind Comb;
            /// Chains of two arcs.
            Grandchild = grandchild, twin AnyGrandchild;
            /// Chains of three arcs.
            GreatGrandchild = great_grandchild, kind GreatGrandchild;
            /// Hand-crafted patterns.
            Hand = hand, kind Hand;
            /// Arcs that are not projective.
            Nonprojective = nonprojective, kind Nonprojective;
            /// Words of a class below a head, on one side.
            Or = or, kind Or;
            /// Pairs of arcs with one head.
            Sibling = sibling, twin AnySibling;
            /// Triples of arcs with one head.
            TriSibling = tri_sibling, kind TriSibling;
            /// Numbers of modifiers.
            Valency = valency, kind Valency;
        }
    };
}
pub(super) use with_families;

/// What is known of a family beside its factors.
pub(super) struct Facts {
    /// The name in configs, files and results.
    pub name: &'static str,
    /// The letters that templates use for the words of its parts, at most
    /// [`MAX_ROLES`](super::template::MAX_ROLES), in the order in which the parts give them.
    pub roles: &'static str,
    /// Number of arcs whose directions its parts tell apart, at most three.
    pub directions: usize,
    /// Its place among the paper's families, which are added one by one to measure growth: those that are searched fast come
    /// first. None of a family that the paper has not.
    pub growth: Option<usize>,
    /// When a tree has a factor.
    pub shape: Shape,
}

/// When a tree has a factor over some arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// When it has all of them.
    All,
    /// When it has one of them, or more.
    Any,
    /// When it has as many of them as the [number](crate::features::Geometry::from_code) of the part says; [`MOST_COUNTED`] stands
    /// for that and more. A family visits all numbers of one set of arcs one after the other, from 0 on.
    Number,
    /// When it has the one arc, and that is not projective in it.
    NonProjective,
}

/// The last number that parts tell apart.
pub const MOST_COUNTED: usize = BINS - 1;

macro_rules! families {
    ($($(#[$doc:meta])* $Family:ident = $file:ident, $(kind $Kind:ident)? $(twin $Twin:ident)?;)+) => {
        crate::named! {
            /// A family of non-local features.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum Family {
                $($(#[$doc])* $Family = $file::FAMILY.name,)+
            }
        }

        impl Family {
            pub(super) fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$Family => &$file::FAMILY,)+
                }
            }

            /// The kind of the family's templates.
            pub fn kind(self) -> Kind {
                match self {
                    $(Self::$Family => Kind::$($Kind)?$($Twin)?,)+
                }
            }

            /// Every factor of the family over the arcs of `space` that one of these trees may have, with the part that its
            /// features see. `sites` are what families look at of the words: places of hand-crafted patterns, and words of one
            /// class.
            #[inline]
            pub fn factors(self, space: &ArcSpace, trees: Trees, sites: &Sites, visit: impl FnMut(&[ArcId], Part)) {
                match self {
                    $(Self::$Family => $file::factors(space, trees, sites, visit),)+
                }
            }

            /// The parts of every factor that `tree` has.
            pub fn parts_in(self, tree: &Tree, sites: &Sites, visit: impl FnMut(Part)) {
                match self {
                    $(Self::$Family => $file::parts_in(tree, sites, visit),)+
                }
            }
        }
    };
}

with_families!(families);

impl Family {
    /// When a tree has a factor of the family.
    pub fn shape(self) -> Shape {
        self.facts().shape
    }

    /// The families of Qian & Liu (2013).
    pub fn of_paper() -> Vec<Self> {
        Self::ALL.into_iter().filter(|family| family.facts().growth.is_some()).collect()
    }

    /// These in the order in which they are added to the baseline to measure growth.
    pub fn by_growth() -> Vec<Self> {
        let mut families = Self::of_paper();
        families.sort_by_key(|family| family.facts().growth);
        families
    }
}
