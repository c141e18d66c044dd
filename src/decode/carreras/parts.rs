//! Which parts an arc has with which others.

use std::ops::Range;

use crate::graph::{ArcId, ArcSpace};

/// The grandchild parts of `a` with `children`, a subrange of its children.
#[inline(always)]
pub(super) fn part_range(space: &ArcSpace, a: ArcId, children: &Range<usize>) -> Range<usize> {
    let first = space.grandchild_parts_of(a).start + children.start - space.children(a).start;
    first..first + children.len()
}

/// The inner siblings that `a` may follow: none for a root arc when the root takes one modifier.
#[inline(always)]
pub(super) fn siblings_of(space: &ArcSpace, a: ArcId) -> Range<usize> {
    let inner = space.inner_siblings(a);
    if space.single_root() && space.head(a).is_root() { inner.start..inner.start } else { inner }
}
