//! Maxima over rows, a block of places at a time; rows are padded to whole blocks, so that loops over them have no remainder.

use std::ops::Range;

use crate::decode::value::Value;

/// Places in a block.
pub(super) const BLOCK: usize = 8;

/// `max over b of rows[b][place] + score[b]` for the places of one block, on top of `acc`.
#[inline(always)]
pub(super) fn block_max<V: Value>(
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
            *best = best.larger(value + score);
        }
    }
    acc
}

/// A block of the unit row of `end`, plus `score`.
#[inline(always)]
pub(super) fn block_unit<V: Value>(units: &[V], stride: usize, end: usize, place: usize, score: V) -> [V; BLOCK] {
    block(units, end * stride + place).map(|v| v + score)
}

/// A block of a row.
#[inline(always)]
pub(super) fn block<V: Value>(rows: &[V], from: usize) -> [V; BLOCK] {
    rows[from..from + BLOCK].try_into().expect("a block of a padded row")
}

/// Raises one block of the rows of `arcs` to at least `around` plus the score of each.
#[inline(always)]
pub(super) fn raise<V: Value>(
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
            *to = to.larger(value + score);
        }
    }
}
