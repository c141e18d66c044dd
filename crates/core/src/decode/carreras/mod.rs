//! The second-order dynamic program of Carreras (2007), sparse over the kept arcs.
//!
//! A tree's score is the sum of its arcs, of its pairs of adjacent modifiers on one side of a head, and of its arcs
//! paired with the outermost child that their modifier has on each side.
//!
//! # Recurrence
//!
//! The chart has one row an arc. For a right arc `a = (s -> t)` and a left arc `a = (t -> s)`, always `s < t`:
//!
//! ```text
//! R[a][x], x >= t   best score of words s..=x where a is the outermost arc of s to the right
//! L[a][r], r <  s   best score of words r+1..=t where a is the outermost arc of t to the left
//! O[a]              best score of words s..=t with a between them
//!
//! right a:  O[a]    = arc(a) + max over r in s..t of  S[r] + I[r]
//!           S[r]    = first(a) if r = s;     max over inner siblings b of  R[b][r] + sibling(a, b)
//!           I[r]    = 0 if r = t-1;          max over inside children b of L[b][r] + grandchild(a, b)
//!           R[a][x] = O[a] + (0 if x = t;    max over outside children b of R[b][x] + grandchild(a, b))
//!
//! left a:   O[a]    = arc(a) + max over r in s..t of  I[r] + S[r]
//!           I[r]    = 0 if r = s;            max over inside children b of R[b][r] + grandchild(a, b)
//!           S[r]    = first(a) if r = t-1;   max over inner siblings b of  L[b][r] + sibling(a, b)
//!           L[a][r] = O[a] + (0 if r = s-1;  max over outside children b of L[b][r] + grandchild(a, b))
//! ```
//!
//! `r` is the last word of the left half of a split, so the rows of both halves line up and a split is a sum of two rows,
//! place by place. "0 if r = x" is one more row, the unit row of `x`; then every maximum above is a maximum over rows
//! plus a constant each, over contiguous memory, with no case left to branch on.
//!
//! # Order
//!
//! `s` descends and `t` ascends within it. Everything inside `s+1..` is complete when `s` is reached, so a whole row of R
//! is computed at once. A row of L is filled one place at a time: place `s-1` of all rows, once the arcs of `s` are open.
//!
//! Time O(parts * n), where dense spaces have O(n^3) parts; space O(arcs * n).
//!
//! The rows of the chart: a block of places at a time; rows are padded to whole blocks, so that loops over them have no
//! remainder.

mod derivations;
mod passes;

use std::ops::Range;

use self::derivations::{Entries, Item};
use super::derivations::{add_best_arcs, add_best_arcs_with, each_tree};
use crate::decode::partition::{Notes, PartSums};
use crate::decode::semiring::{Semiring, Value};
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Carreras<V> {
    rows: Rows<V>,
    into: Vec<ArcId>,
}

impl<S: Semiring> Carreras<S> {
    /// The sum over all trees of the product of their parts. An inside pass.
    pub fn sum(&mut self, space: &ArcSpace, scores: &LocalScores<S>) -> S {
        self.rows.prepare(space);
        passes::inside(&mut self.rows, space, scores);
        space.arcs_of(Word::ROOT).map(|a| self.rows.at(a, space.words())).fold(S::NONE, S::plus)
    }

    /// By arc: the sum over the trees that have it. An outside pass; must follow [`sum`](Self::sum) with the same
    /// arguments.
    pub fn sums_with(&mut self, space: &ArcSpace, scores: &LocalScores<S>, sums: &mut Vec<S>) {
        self.sums_noting(space, scores, sums, &mut ());
    }

    /// As [`sums_with`](Self::sums_with), of all parts.
    pub fn part_sums(&mut self, space: &ArcSpace, scores: &LocalScores<S>, sums: &mut PartSums<S>) {
        sums.reset(space.sibling_parts(), space.grandchild_parts(), 0);
        let mut of_arcs = std::mem::take(&mut sums.arc);
        self.sums_noting(space, scores, &mut of_arcs, sums);
        sums.arc = of_arcs;
    }

    fn sums_noting<N: Notes<S>>(
        &mut self,
        space: &ArcSpace,
        scores: &LocalScores<S>,
        of_arcs: &mut Vec<S>,
        notes: &mut N,
    ) {
        self.rows.prepare_outside();
        passes::outside(&mut self.rows, space, scores, notes);
        of_arcs.clear();
        of_arcs.extend(self.rows.open.iter().zip(&self.rows.outside_open).map(|(&a, &b)| a.times(b)));
    }
}

/// The best trees, over numbers that maximise: then [`sum`](Self::sum) is the best tree's score, minus infinity if `space` has
/// none, and [`sums_with`](Self::sums_with) gives the max-marginals, for each arc the score of the best tree that has it.
impl<V: Value> Carreras<V> {
    /// The arcs of the best tree of the last [`sum`](Self::sum), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> &[ArcId] {
        let Self { rows, into } = self;
        into.clear();
        into.resize(space.words(), ArcId(0));
        add_best_arcs(&Entries { rows, space, scores }, space, vec![Item::Tree], into);
        into
    }

    /// Visits the trees of the last [`sum`](Self::sum), as [`Chart::each_tree`](super::Chart::each_tree) does. Must follow with
    /// the same arguments.
    pub(super) fn each_tree(
        &self,
        space: &ArcSpace,
        scores: &LocalScores<V>,
        visit: impl FnMut(&[ArcId], V, usize) -> bool,
    ) {
        each_tree(space, Entries { rows: &self.rows, space, scores }, Item::Tree, visit);
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal, the arc into word `i + 1` at place `i`; none
    /// if no tree has it.
    ///
    /// Must follow [`sums_with`](Self::sums_with) with the same arguments.
    pub fn best_arcs_with(&mut self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId) -> Option<&[ArcId]> {
        let Self { rows, into } = self;
        if rows.open[a.ix()] + rows.outside_open[a.ix()] == V::NEG_INF {
            return None;
        }
        into.clear();
        into.resize(space.words(), ArcId(0));
        add_best_arcs_with(&Entries { rows, space, scores }, space, Item::Open(a), into);
        Some(into)
    }
}

/// Places in a block.
const BLOCK: usize = 8;

/// The chart, one row an arc.
#[derive(Debug, Default)]
struct Rows<V> {
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

    /// Place `r` of the row of an arc.
    #[inline(always)]
    fn at(&self, b: usize, r: usize) -> V {
        self.rows[b * self.stride + r]
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
fn part_range(space: &ArcSpace, a: ArcId, children: &Range<usize>) -> Range<usize> {
    let first = space.grandchild_parts_of(a).start + children.start - space.children(a).start;
    first..first + children.len()
}

/// `max over b of rows[b][place] + score[b]` for the places of one block, on top of `acc`.
#[inline(always)]
fn block_max<V: Semiring>(
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
fn block_unit<V: Semiring>(units: &[V], stride: usize, end: usize, place: usize, score: V) -> [V; BLOCK] {
    block(units, end * stride + place).map(|v| v.times(score))
}

/// A block of a row.
#[inline(always)]
fn block<V: Semiring>(rows: &[V], from: usize) -> [V; BLOCK] {
    rows[from..from + BLOCK].try_into().expect("a block of a padded row")
}

/// Raises one block of the rows of `arcs` to at least `around` plus the score of each.
#[inline(always)]
fn raise<V: Semiring>(
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
