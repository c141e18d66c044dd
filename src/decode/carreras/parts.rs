//! Which parts an arc has with which others.

use std::ops::Range;

use crate::graph::{ArcId, ArcSpace};

/// The grandchild parts of `a` with `children`, a subrange of its children.
#[inline(always)]
pub(super) fn part_range(space: &ArcSpace, a: ArcId, children: &Range<usize>) -> Range<usize> {
    let first = space.grandchild_parts_of(a).start + children.start - space.children(a).start;
    first..first + children.len()
}
