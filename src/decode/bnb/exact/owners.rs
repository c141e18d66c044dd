//! Who has multipliers for the pairs of modifiers on both sides of a head: the head, or each arc into it.
//!
//! Exactly one arc into a head is in a tree, so the relaxation may bound a pair under each of them apart, if the program
//! sees which one it is. Carreras's does not; the third-order program does: what falls to a modifier falls to its
//! grandchild part. A bound that wavers between trees that differ in what is above the head is then no longer loose there.

use std::ops::Range;

use super::instance::Instance;
use super::sides::split_of;
use crate::graph::{ArcId, ArcSpace, Word};

/// The left and the right arcs of a head, all of them or those that can stand under one arc into it.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// The arc into the head; none if all of them share the multipliers.
    pub above: Option<ArcId>,
    pub left: Range<usize>,
    pub right: Range<usize>,
}

impl Owner {
    /// Pairs, in the order of the left arcs, then of the right ones.
    pub fn pairs(&self) -> usize {
        self.left.len() * self.right.len()
    }

    /// Where what falls to a modifier goes: its grandchild part, or its arc if there is no arc above.
    pub fn modifier(&self, space: &ArcSpace, b: ArcId) -> usize {
        self.above.map_or(b.ix(), |a| space.grandchild_part(a, b))
    }

    /// The number of a pair.
    pub fn pair(&self, l: ArcId, r: ArcId) -> usize {
        (l.ix() - self.left.start) * self.right.len() + r.ix() - self.right.start
    }
}

impl Instance {
    /// All owners, whose multipliers follow one another in this order: the heads, or the arcs.
    pub fn owners(&self) -> impl Iterator<Item = Owner> {
        let (heads, arcs) = if self.by_arc { (0, self.space.arcs()) } else { (self.space.words() + 1, 0) };
        let heads = (0..heads).map(|h| self.owner_head(Word::new(h)));
        heads.chain((0..arcs).map(|a| self.owner_arc(ArcId::new(a))))
    }

    /// The owner of the pairs of `head` in a tree where `above` is the arc into it, and its number; the root's pairs have none
    /// if arcs own them, since it has no arcs to the left.
    #[inline(always)]
    pub fn owner(&self, head: Word, above: Option<ArcId>) -> Option<(usize, Owner)> {
        if self.by_arc { above.map(|a| (a.ix(), self.owner_arc(a))) } else { Some((head.ix(), self.owner_head(head))) }
    }

    /// A head as an owner.
    #[inline(always)]
    pub fn owner_head(&self, h: Word) -> Owner {
        Owner { above: None, left: self.space.left_arcs_of(h), right: self.space.right_arcs_of(h) }
    }

    /// An arc as an owner.
    #[inline(always)]
    pub fn owner_arc(&self, a: ArcId) -> Owner {
        let (children, split) = (self.space.children(a), split_of(&self.space, a));
        Owner { above: Some(a), left: children.start..split, right: split..children.end }
    }
}
