//! The arcs above a head, the virtual arc above the root among them, and where the spans of their children lie.

use std::ops::Range;

use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// An arc as the grandparent of what is below its modifier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    /// Its row in R and L; that of the virtual arc comes after all others.
    pub row: usize,
    /// The arcs of its modifier that do not cross it: left ones from `start`, right ones from `split` to `end`.
    start: usize,
    split: usize,
    end: usize,
    /// The place in I of its first child.
    parts: usize,
    /// Whether it has grandchild parts: not so the virtual arc.
    pub is_arc: bool,
}

impl Parent {
    /// A candidate arc.
    #[inline(always)]
    pub fn of_arc(space: &ArcSpace, a: ArcId) -> Self {
        let children = space.children(a);
        let split = space.right_arcs_of(space.modifier(a)).start.clamp(children.start, children.end);
        let parts = space.grandchild_parts_of(a).start;
        Self { row: a.ix(), start: children.start, split, end: children.end, parts, is_arc: true }
    }

    /// The virtual arc.
    #[inline(always)]
    pub fn of_root(space: &ArcSpace) -> Self {
        let Range { start, end } = space.right_arcs_of(Word::ROOT);
        Self { row: space.arcs(), start, split: start, end, parts: space.grandchild_parts(), is_arc: false }
    }

    /// All children.
    #[inline(always)]
    pub fn children(self) -> Range<usize> {
        self.start..self.end
    }

    /// The children to the left of the head.
    #[inline(always)]
    pub fn left(self) -> Range<usize> {
        self.start..self.split
    }

    /// The children to the right of the head.
    #[inline(always)]
    pub fn right(self) -> Range<usize> {
        self.split..self.end
    }

    /// The place in I of a child.
    #[inline(always)]
    pub fn part(self, b: usize) -> usize {
        self.parts + (b - self.start)
    }

    /// The places in I of neighbouring children.
    #[inline(always)]
    pub fn parts(self, children: &Range<usize>) -> Range<usize> {
        self.part(children.start)..self.part(children.start) + children.len()
    }

    /// The last word that a chain of its right children may reach.
    #[inline(always)]
    pub fn last(self, space: &ArcSpace) -> usize {
        if !self.is_arc {
            return space.words();
        }
        let a = ArcId::new(self.row);
        let (h, m) = (space.head(a), space.modifier(a));
        if h > m { h.ix() - 1 } else { space.words() }
    }

    /// What a child gains for being outermost.
    #[inline(always)]
    pub fn outermost<V: Copy>(self, local: &LocalScores<V>, part: usize, zero: V) -> V {
        if self.is_arc { local.grandchild[part] } else { zero }
    }
}

/// The arcs above head `h`.
#[inline(always)]
pub(super) fn above(space: &ArcSpace, h: Word) -> impl Iterator<Item = Parent> {
    // One plain loop: a chain of the two kinds is slower.
    let into = space.arcs_into(h);
    let count = if h.is_root() { 1 } else { into.len() };
    (0..count).map(move |i| if h.is_root() { Parent::of_root(space) } else { Parent::of_arc(space, into[i]) })
}

/// All arcs, the virtual one included.
pub(super) fn all(space: &ArcSpace) -> impl Iterator<Item = Parent> {
    (0..=space.words()).map(Word::new).flat_map(|h| above(space, h))
}
