//! The arcs of a head on one side, counted outward: rank 0 is the nearest.

use crate::graph::{ArcId, ArcSpace, Word};

/// One side of a head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    start: usize,
    len: usize,
    right: bool,
}

impl Side {
    #[inline(always)]
    pub fn left(space: &ArcSpace, h: Word) -> Self {
        let arcs = space.left_arcs_of(h);
        Self { start: arcs.start, len: arcs.len(), right: false }
    }

    #[inline(always)]
    pub fn right(space: &ArcSpace, h: Word) -> Self {
        let arcs = space.right_arcs_of(h);
        Self { start: arcs.start, len: arcs.len(), right: true }
    }

    /// Arcs on the side.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// The arc of a rank.
    #[inline(always)]
    pub fn arc(self, rank: usize) -> ArcId {
        ArcId::new(if self.right { self.start + rank } else { self.start + self.len - 1 - rank })
    }

    /// The sibling part of the arcs of two ranks, `inner < outer`.
    #[inline(always)]
    pub fn part(self, space: &ArcSpace, inner: usize, outer: usize) -> usize {
        let first = space.first_modifier_part(self.arc(outer));
        // Inner siblings are listed by arc number: nearest first on the right, nearest last... counted from the outer arc
        // on the left.
        if self.right { first + 1 + inner } else { first + outer - inner }
    }
}

/// Where the right arcs begin among the children of `a`.
#[inline(always)]
pub(super) fn split_of(space: &ArcSpace, a: ArcId) -> usize {
    let all = space.children(a);
    space.right_arcs_of(space.modifier(a)).start.clamp(all.start, all.end)
}

/// The children of an arc on one side of its modifier, counted outward, as offsets into its list of children.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildSide {
    arcs: usize,
    parts: usize,
    len: usize,
    right: bool,
}

impl ChildSide {
    /// Both sides of `a`'s modifier.
    #[inline(always)]
    pub fn both(space: &ArcSpace, a: ArcId) -> [Self; 2] {
        let all = space.children(a);
        let parts = space.grandchild_parts_of(a).start;
        let split = split_of(space, a);
        [
            Self { arcs: all.start, parts, len: split - all.start, right: false },
            Self { arcs: split, parts: parts + split - all.start, len: all.end - split, right: true },
        ]
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// The child's arc and the grandchild part, by rank.
    #[inline(always)]
    pub fn get(self, rank: usize) -> (ArcId, usize) {
        let offset = if self.right { rank } else { self.len - 1 - rank };
        (ArcId::new(self.arcs + offset), self.parts + offset)
    }
}
