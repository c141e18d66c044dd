//! The rows of the chart: a block of places at a time; rows are padded to whole blocks, so that loops over them have no
//! remainder.

use std::ops::Range;

use crate::decode::semiring::Semiring;
use crate::graph::{ArcId, ArcSpace};

/// Places in a block.
pub(super) const BLOCK: usize = 8;

/// The chart, one row an arc.
#[derive(Debug, Default)]
pub(super) struct Rows<V> {
    pub stride: usize,
    /// One row an arc: R for a right arc, L for a left arc; minus infinity where undefined.
    pub rows: Vec<V>,
    /// One row a word x: 0 at place x, minus infinity elsewhere.
    pub units: Vec<V>,
    /// O by arc.
    pub open: Vec<V>,
    /// As `rows`: the best score of the rest of a tree that uses the entry.
    pub outside_rows: Vec<V>,
    /// As `open`: the best score of the rest of a tree around the open arc.
    pub outside_open: Vec<V>,
}

impl<V: Semiring> Rows<V> {
    /// Empties the rows for an inside pass.
    pub fn prepare(&mut self, space: &ArcSpace) {
        let stride = (space.words() + 1).next_multiple_of(BLOCK);
        if stride != self.stride {
            self.stride = stride;
            self.units.clear();
            self.units.resize(stride * stride, V::NONE);
            for x in 0..stride {
                self.units[x * stride + x] = V::ONE;
            }
        }
        self.rows.clear();
        self.rows.resize(space.arcs() * stride, V::NONE);
        self.open.clear();
        self.open.resize(space.arcs(), V::NONE);
    }

    /// Empties the rows for an outside pass.
    pub fn prepare_outside(&mut self) {
        self.outside_rows.clear();
        self.outside_rows.resize(self.rows.len(), V::NONE);
        self.outside_open.clear();
        self.outside_open.resize(self.open.len(), V::NONE);
    }
}

/// The grandchild parts of `a` with `children`, a subrange of its children.
#[inline(always)]
pub(super) fn part_range(space: &ArcSpace, a: ArcId, children: &Range<usize>) -> Range<usize> {
    let first = space.grandchild_parts_of(a).start + children.start - space.children(a).start;
    first..first + children.len()
}

/// `max over b of rows[b][place] + score[b]` for the places of one block, on top of `acc`.
#[inline(always)]
pub(super) fn block_max<V: Semiring>(
    mut acc: [V; BLOCK],
    rows: &[V],
    stride: usize,
    place: usize,
    arcs: Range<usize>,
    scores: &[V],
) -> [V; BLOCK] {
    for (b, &score) in arcs.zip(scores) {
        let from = b * stride + place;
        for (best, value) in acc.iter_mut().zip(block(rows, from)) {
            *best = best.plus(value.times(score));
        }
    }
    acc
}

/// A block of the unit row of `end`, plus `score`.
#[inline(always)]
pub(super) fn block_unit<V: Semiring>(units: &[V], stride: usize, end: usize, place: usize, score: V) -> [V; BLOCK] {
    block(units, end * stride + place).map(|v| v.times(score))
}

/// A block of a row.
#[inline(always)]
pub(super) fn block<V: Semiring>(rows: &[V], from: usize) -> [V; BLOCK] {
    rows[from..from + BLOCK].try_into().expect("a block of a padded row")
}

/// Raises one block of the rows of `arcs` to at least `around` plus the score of each.
#[inline(always)]
pub(super) fn raise<V: Semiring>(
    rows: &mut [V],
    stride: usize,
    place: usize,
    arcs: Range<usize>,
    scores: &[V],
    around: [V; BLOCK],
) {
    for (b, &score) in arcs.zip(scores) {
        let from = b * stride + place;
        for (to, value) in rows[from..from + BLOCK].iter_mut().zip(around) {
            *to = to.plus(value.times(score));
        }
    }
}
