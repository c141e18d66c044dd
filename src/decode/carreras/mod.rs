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

mod blocks;
mod inside;
mod outside;
mod outward;
mod parts;
mod trace;

use super::outcome::Decoded;
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores};
use crate::treebank::Tree;

use blocks::BLOCK;
use trace::Entry;

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Carreras<V> {
    stride: usize,
    /// One row an arc: R for a right arc, L for a left arc; minus infinity where undefined.
    rows: Vec<V>,
    /// One row a word x: 0 at place x, minus infinity elsewhere.
    units: Vec<V>,
    /// O by arc.
    open: Vec<V>,
    /// As `rows`: the best score of the rest of a tree that uses the entry.
    outside_rows: Vec<V>,
    /// As `open`: the best score of the rest of a tree around the open arc.
    outside_open: Vec<V>,
    calls: u64,
    into: Vec<ArcId>,
}

impl<V: Value> Carreras<V> {
    /// Passes since the last call of this function: DP calls, inside and outside passes alike.
    pub fn take_calls(&mut self) -> u64 {
        std::mem::take(&mut self.calls)
    }

    /// The best tree's score; minus infinity if `space` has no tree. One DP call.
    pub fn best_score(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> V {
        self.calls += 1;
        self.prepare(space);
        inside::inside(self, space, scores);
        self.root_arc(space).map_or(V::NEG_INF, |a| self.rows[a.ix() * self.stride + space.words()])
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> &[ArcId] {
        let root = self.root_arc(space).map(|a| Entry::Row(a, space.words()));
        self.trace(space, scores, root.into_iter().collect());
        &self.into
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. One DP call, an outside pass; must follow with the same arguments.
    pub fn max_marginals(&mut self, space: &ArcSpace, scores: &LocalScores<V>, marginals: &mut Vec<V>) {
        self.calls += 1;
        self.outside_rows.clear();
        self.outside_rows.resize(self.rows.len(), V::NEG_INF);
        self.outside_open.clear();
        self.outside_open.resize(self.open.len(), V::NEG_INF);
        outside::outside(self, space, scores);
        marginals.clear();
        marginals.extend(self.open.iter().zip(&self.outside_open).map(|(&a, &b)| a + b));
    }

    /// The best tree and its score.
    pub fn decode(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> Decoded {
        let before = self.calls;
        let best = self.best_score(space, scores).to_score().map(|score| {
            let heads = self.best_arcs(space, scores).iter().map(|&a| space.head(a)).collect();
            (Tree::from_decoder(heads), score)
        });
        Decoded::proven(best, self.calls - before)
    }

    fn prepare(&mut self, space: &ArcSpace) {
        let stride = (space.words() + 1).next_multiple_of(BLOCK);
        if stride != self.stride {
            self.stride = stride;
            self.units.clear();
            self.units.resize(stride * stride, V::NEG_INF);
            for x in 0..stride {
                self.units[x * stride + x] = V::ZERO;
            }
        }
        self.rows.clear();
        self.rows.resize(space.arcs() * stride, V::NEG_INF);
        self.open.clear();
        self.open.resize(space.arcs(), V::NEG_INF);
    }
}
