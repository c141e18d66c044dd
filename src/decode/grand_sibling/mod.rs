//! The third-order dynamic program of Koo & Collins (2010), Model 1 (grand-siblings), sparse over the kept arcs.
//!
//! A tree's score is that of Carreras's program ([`carreras`](super::carreras)) and, beside it, the sum of its pairs of
//! arcs in a chain, outermost or not, and of its grand-sibling parts: an arc g -> h with two adjacent modifiers of h on
//! one side, or with the first one. So all grandchildren are local, and every graph that Carreras's program can decode
//! gets the same score here.
//!
//! # Recurrence
//!
//! A *g-span* knows the head above its own: its state is an arc `a = (g -> h)`. A virtual arc to the root, which has no
//! grandchild parts and no grand-siblings, stands above the root's modifiers.
//!
//! ```text
//! R[a][x], x >= h    best score of words h..=x where all but h are below h, and a is the arc into h
//! L[a][r], r <  h    best score of words r+1..=h, likewise
//! I[a][b]            best score of the words from h to m, with b = (h -> m), a above h, and m the outermost so far
//! S[c][b]            best score of the words between (and with) s and m: s's outer half under c = (h -> s), the half
//!                    of m that looks inward under b, with b's own score; it does not depend on what is above h
//! F[b]               the same for a first modifier m: its inner half alone
//!
//! right b = (h -> m): F[b]    = arc(b) + first(b) + L[b][h]
//!                     S[c][b] = arc(b) + sibling(c, b) + max over r in s..m of  R[c][r] + L[b][r]
//! left b  = (h -> m): F[b]    = arc(b) + first(b) + R[b][h-1]
//!                     S[c][b] = arc(b) + sibling(c, b) + max over r in m..s of  R[b][r] + L[c][r]
//!
//! I[a][b] = any(a, b) + max( F[b] + grandsibling(a, -, b);
//!                            max over inner siblings c of b of  I[a][c] + S[c][b] + grandsibling(a, c, b) )
//! R[a][x] = 0 if x = h;   max over children b of a to the right of  I[a][b] + outermost(a, b) + R[b][x]
//! L[a][r] = 0 if r = h-1; max over children b of a to the left  of  I[a][b] + outermost(a, b) + L[b][r]
//! ```
//!
//! I is one entry a grandchild part, S and F one a sibling part; all maxima run over contiguous memory, since children and
//! inner siblings are contiguous arcs. L is kept twice, by arc for S and by place for L itself.
//!
//! # Order
//!
//! Spans by their first word s, descending, then by their last, ascending: I of right arcs from s; rows of R for the arcs
//! into s; F and S of the spans from s; I of left arcs to s; place s-1 of L.
//!
//! Where kept arcs are few, most of R and L is minus infinity: a row of R has values from its head to where chains of arcs
//! reach, a row of L from where they begin, and sums run over what two rows have in common.
//!
//! Time O((sibling parts + grandchild parts) * n + grand-sibling parts), in dense spaces O(n^4). Space O(arcs * n + sibling parts + grandchild parts + scores given) = O(n^3).

mod inside;
mod outside;
mod outward;
mod parents;
mod trace;

use super::outcome::Decoded;
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, GrandSiblings, LocalScores};
use crate::treebank::Tree;

use parents::Parent;
use trace::Span;

/// The scores that this program has and Carreras's has not.
#[derive(Clone, Debug)]
pub struct GrandScores<V> {
    /// By grandchild part: the score of every chain of two arcs, outermost or not; empty if all are 0.
    pub any: Vec<V>,
    /// Scores of grand-sibling parts.
    pub siblings: GrandSiblings<V>,
}

impl<V> Default for GrandScores<V> {
    fn default() -> Self {
        Self { any: Vec::new(), siblings: GrandSiblings::default() }
    }
}

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct GrandSibling<V> {
    stride: usize,
    /// R: one row an arc, and one for the virtual arc; minus infinity where undefined.
    right: Vec<V>,
    /// L: one row an arc.
    left: Vec<V>,
    /// L again: one row a place, one value an arc.
    left_at: Vec<V>,
    /// F and S by sibling part.
    span: Vec<V>,
    /// I by grandchild part, then by arc of the root.
    open: Vec<V>,
    /// I with the score of an outermost child.
    closed: Vec<V>,
    /// As the above: the best score of the rest of a tree that uses the entry.
    outside_right: Vec<V>,
    outside_left: Vec<V>,
    outside_span: Vec<V>,
    outside_open: Vec<V>,
    /// By row of R: a word with no value after it; by row of L: the first place with one. What lies outside is minus
    /// infinity, and loops leave it out.
    reach: Vec<usize>,
    begin: Vec<usize>,
    /// By word: the first of its left arcs to words not before the one that a pass is at.
    left_from: Vec<usize>,
    /// What an arc may follow: memory of one maximum.
    choices: Vec<V>,
    calls: u64,
    /// Spans of a tree that are still to be taken apart.
    todo: Vec<Span>,
    into: Vec<ArcId>,
}

impl<V: Value> GrandSibling<V> {
    /// Passes since the last call of this function: DP calls, inside and outside passes alike.
    pub fn take_calls(&mut self) -> u64 {
        std::mem::take(&mut self.calls)
    }

    /// The best tree's score; minus infinity if `space` has no tree. One DP call.
    pub fn best_score(&mut self, space: &ArcSpace, local: &LocalScores<V>, grand: &GrandScores<V>) -> V {
        self.calls += 1;
        self.prepare(space);
        inside::inside(self, space, local, grand);
        self.right[Parent::of_root(space).row * self.stride + space.words()]
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, grand: &GrandScores<V>) -> &[ArcId] {
        self.todo.push(Span::Right(Parent::of_root(space), space.words()));
        self.trace(space, grand);
        &self.into
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. One DP call, an outside pass; must follow with the same arguments.
    pub fn max_marginals(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        marginals: &mut Vec<V>,
    ) {
        self.calls += 1;
        for (outside, inside) in [
            (&mut self.outside_right, &self.right),
            (&mut self.outside_left, &self.left),
            (&mut self.outside_span, &self.span),
            (&mut self.outside_open, &self.open),
        ] {
            outside.clear();
            outside.resize(inside.len(), V::NEG_INF);
        }
        outside::outside(self, space, local, grand);
        marginals.clear();
        marginals.resize(space.arcs(), V::NEG_INF);
        for parent in parents::all(space) {
            for b in parent.children() {
                let part = parent.part(b);
                marginals[b] = marginals[b].larger(self.open[part] + self.outside_open[part]);
            }
        }
    }

    /// The best tree and its score.
    pub fn decode(&mut self, space: &ArcSpace, local: &LocalScores<V>, grand: &GrandScores<V>) -> Decoded {
        let before = self.calls;
        let best = self.best_score(space, local, grand).to_score().map(|score| {
            let heads = self.best_arcs(space, grand).iter().map(|&a| space.head(a)).collect();
            (Tree::from_decoder(heads), score)
        });
        Decoded::proven(best, self.calls - before)
    }

    fn prepare(&mut self, space: &ArcSpace) {
        self.stride = space.words() + 1;
        let root_arcs = Parent::of_root(space).children().len();
        for (values, len) in [
            (&mut self.right, (space.arcs() + 1) * self.stride),
            (&mut self.left, space.arcs() * self.stride),
            (&mut self.left_at, space.arcs() * self.stride),
            (&mut self.span, space.sibling_parts()),
            (&mut self.open, space.grandchild_parts() + root_arcs),
            (&mut self.closed, space.grandchild_parts() + root_arcs),
        ] {
            values.clear();
            values.resize(len, V::NEG_INF);
        }
        for (places, len) in [(&mut self.reach, space.arcs() + 1), (&mut self.begin, space.arcs())] {
            places.clear();
            places.resize(len, 0);
        }
    }
}
