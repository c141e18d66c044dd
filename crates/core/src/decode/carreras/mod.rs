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

mod inside;
mod outside;
mod outward;
mod rows;
mod trace;
mod ways;

use super::parts::{Notes, PartSums};
use super::semiring::Semiring;
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

use rows::Rows;
use trace::Entry;
use ways::{Item, Ways};

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
        inside::inside(&mut self.rows, space, scores);
        let outermost = |a: usize| self.rows.rows[a * self.rows.stride + space.words()];
        space.arcs_of(Word::ROOT).map(outermost).fold(S::NONE, S::plus)
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
        outside::outside(&mut self.rows, space, scores, notes);
        of_arcs.clear();
        of_arcs.extend(self.rows.open.iter().zip(&self.rows.outside_open).map(|(&a, &b)| a.times(b)));
    }
}

impl<V: Value> Carreras<V> {
    /// The best tree's score; minus infinity if `space` has no tree. An inside pass.
    pub fn best_score(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> V {
        self.sum(space, scores)
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> &[ArcId] {
        let root = self.rows.root_arc(space).map(|a| Entry::Row(a, space.words()));
        self.rows.trace(space, scores, root.into_iter().collect(), &mut self.into);
        &self.into
    }

    /// The entries of the last [`best_score`](Self::best_score), and that of the whole tree, to be taken apart. Must follow
    /// with the same arguments.
    pub(super) fn ways<'a>(&'a self, space: &'a ArcSpace, scores: &'a LocalScores<V>) -> (Ways<'a, V>, Item) {
        (Ways { rows: &self.rows, space, scores }, Item::Tree)
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. An outside pass; must follow with the same arguments.
    pub fn max_marginals(&mut self, space: &ArcSpace, scores: &LocalScores<V>, marginals: &mut Vec<V>) {
        self.sums_with(space, scores, marginals);
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal, the arc into word `i + 1` at place `i`; none
    /// if no tree has it.
    ///
    /// Must follow [`max_marginals`](Self::max_marginals) with the same arguments.
    pub fn best_arcs_with(&mut self, space: &ArcSpace, scores: &LocalScores<V>, a: ArcId) -> Option<&[ArcId]> {
        let entries = self.rows.entries_with(space, scores, a)?;
        self.rows.trace(space, scores, entries, &mut self.into);
        Some(&self.into)
    }
}
