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
mod spans;
mod trace;
mod ways;

pub use spans::GrandScores;

use super::parts::{Notes, PartSums};
use super::semiring::Semiring;
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores};

use parents::Parent;
use spans::Spans;
use trace::Span;
use ways::{Item, Ways};

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct GrandSibling<V> {
    spans: Spans<V>,
    /// Spans of a tree that are still to be taken apart.
    todo: Vec<Span>,
    into: Vec<ArcId>,
}

impl<S: Semiring> GrandSibling<S> {
    /// The sum over all trees of the product of their parts. An inside pass.
    pub fn sum(&mut self, space: &ArcSpace, local: &LocalScores<S>, grand: &GrandScores<S>) -> S {
        self.spans.prepare(space);
        inside::inside(&mut self.spans, space, local, grand);
        self.spans.right[Parent::of_root(space).row * self.spans.stride + space.words()]
    }

    /// By arc: the sum over the trees that have it. An outside pass; must follow [`sum`](Self::sum) with the same
    /// arguments.
    pub fn sums_with(&mut self, space: &ArcSpace, local: &LocalScores<S>, grand: &GrandScores<S>, sums: &mut Vec<S>) {
        self.sums_noting(space, local, grand, sums, &mut ());
    }

    /// As [`sums_with`](Self::sums_with), of all parts.
    pub fn part_sums(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<S>,
        grand: &GrandScores<S>,
        sums: &mut PartSums<S>,
    ) {
        sums.reset(space.sibling_parts(), space.grandchild_parts(), grand.siblings.len());
        let mut of_arcs = std::mem::take(&mut sums.arc);
        self.sums_noting(space, local, grand, &mut of_arcs, sums);
        sums.arc = of_arcs;
        // What is worth what inside and outside: F and S are entries of the chart, and so is I.
        let Spans { span, open, outside_span, outside_open, .. } = &self.spans;
        let both = |(&inside, &outside): (&S, &S)| inside.times(outside);
        sums.sibling.clear();
        sums.sibling.extend(span.iter().zip(outside_span).map(both));
        sums.any.extend(open.iter().zip(outside_open).take(space.grandchild_parts()).map(both));
    }

    fn sums_noting<N: Notes<S>>(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<S>,
        grand: &GrandScores<S>,
        sums: &mut Vec<S>,
        notes: &mut N,
    ) {
        self.spans.prepare_outside();
        outside::outside(&mut self.spans, space, local, grand, notes);
        let Spans { open, outside_open, .. } = &self.spans;
        sums.clear();
        sums.resize(space.arcs(), S::NONE);
        for parent in parents::all(space) {
            for b in parent.children() {
                let part = parent.part(b);
                sums[b] = sums[b].plus(open[part].times(outside_open[part]));
            }
        }
    }
}

impl<V: Value> GrandSibling<V> {
    /// The best tree's score; minus infinity if `space` has no tree. An inside pass.
    pub fn best_score(&mut self, space: &ArcSpace, local: &LocalScores<V>, grand: &GrandScores<V>) -> V {
        self.sum(space, local, grand)
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, grand: &GrandScores<V>) -> &[ArcId] {
        self.todo.push(Span::Right(Parent::of_root(space), space.words()));
        self.spans.trace(space, grand, &mut self.todo, &mut self.into);
        &self.into
    }

    /// The entries of the last [`best_score`](Self::best_score), and that of the whole tree, to be taken apart. Must follow
    /// with the same arguments.
    pub(super) fn ways<'a>(
        &'a self,
        space: &'a ArcSpace,
        local: &'a LocalScores<V>,
        grand: &'a GrandScores<V>,
    ) -> (Ways<'a, V>, Item) {
        let tree = Item::Right(Parent::of_root(space).row, space.words());
        (Ways { spans: &self.spans, space, local, grand }, tree)
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. An outside pass; must follow with the same arguments.
    pub fn max_marginals(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        marginals: &mut Vec<V>,
    ) {
        self.sums_with(space, local, grand, marginals);
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal, the arc into word `i + 1` at place `i`; none
    /// if no tree has it.
    ///
    /// Must follow [`max_marginals`](Self::max_marginals) with the same arguments.
    pub fn best_arcs_with(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        a: ArcId,
    ) -> Option<&[ArcId]> {
        if !self.spans.list_spans_with(space, local, grand, a, &mut self.todo) {
            return None;
        }
        self.spans.trace(space, grand, &mut self.todo, &mut self.into);
        Some(&self.into)
    }
}
