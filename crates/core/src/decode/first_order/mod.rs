//! The first-order dynamic program of Eisner (1996), with exactly one modifier on the root.
//!
//! The recurrence is written over a [semiring](super::semiring). With `e(h, m)` the weight of an arc and `s < t`:
//!
//! ```text
//! base(s, t)  = sum over r in s..t   of  Cr(s, r) * Cl(r+1, t)
//! Ir(s, t)    = base(s, t) * e(s, t)          Il(s, t) = base(s, t) * e(t, s)
//! Cr(s, t)    = sum over r in s+1..=t of Ir(s, r) * Cr(r, t)      Cr(s, s) = 1
//! Cl(s, t)    = sum over r in s..t   of  Cl(s, r) * Il(r, t)      Cl(s, s) = 1
//! all         = sum over m of  e(0, m) * Cl(1, m) * Cr(m, n)
//! ```
//!
//! [`decode`] maximises with it; [`Marginals`] sums, and runs it backwards. All arcs are there: the charts are dense, unlike
//! those of the parser's own programs. So it serves what comes before pruning or instead of it. Time O(n^3), space O(n^2).

mod best;
mod inside;
mod marginals;
mod outside;
mod spans;
mod trace;

pub use best::{ArcScores, decode};
pub use marginals::Marginals;

use super::semiring::Semiring;
use super::value::Value;
use crate::graph::Word;

use spans::Spans;

/// The chart, reused from sentence to sentence.
///
/// Arcs are given by `arcs[h * (words + 1) + m]` for head h and modifier m. Entries that are no arcs (m = 0, h = m) are
/// ignored.
#[derive(Clone, Debug, Default)]
pub struct FirstOrder<S> {
    words: usize,
    inside: Spans<S>,
    /// By entry of `inside`: the sum of what it stands together with.
    outside: Spans<S>,
}

impl<S: Semiring> FirstOrder<S> {
    /// The sum over all trees of the product of their arcs. An inside pass.
    pub fn sum(&mut self, words: usize, arcs: &[S]) -> S {
        self.words = words;
        self.inside.prepare(words);
        inside::inside(&mut self.inside, words, arcs);
        (1..=words).fold(S::NONE, |all, m| all.plus(self.around_root(m).times(arcs[m])))
    }

    /// Turns arcs, in place, into the sums over the trees that have them; what is no arc into nothing. An outside pass; must
    /// follow [`sum`](Self::sum) with the same arcs.
    pub fn sums_with(&mut self, arcs: &mut [S]) {
        self.outside.prepare(self.words);
        outside::outside(&self.inside, &mut self.outside, self.words, arcs);
    }

    /// What a tree has beside its arc from the root to `m`.
    fn around_root(&self, m: usize) -> S {
        self.inside.cl_by_start[self.inside.at(1, m)].times(self.inside.cr_by_start[self.inside.at(m, self.words)])
    }
}

impl<V: Value> FirstOrder<V> {
    /// The heads of the best tree of the last [`sum`](Self::sum), whose value that is. Of equal choices the first is taken.
    ///
    /// Must follow with the same arcs, if there is a tree.
    pub fn best_heads(&self, arcs: &[V]) -> Vec<Word> {
        let of_root = |m: usize| self.around_root(m).times(arcs[m]);
        let mut top = 1;
        for m in 2..=self.words {
            if of_root(m) > of_root(top) {
                top = m;
            }
        }
        trace::heads(&self.inside, self.words, top)
    }
}
