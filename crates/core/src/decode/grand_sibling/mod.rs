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

mod derivations;
mod passes;

use std::ops::Range;

use self::derivations::{Entries, Item};
use super::derivations::{add_best_arcs, add_best_arcs_with, each_tree};
use super::semiring::Best;
use crate::decode::partition::{Notes, PartSums};
use crate::decode::semiring::{Semiring, Value};
use crate::graph::{ArcId, ArcSpace, GrandSiblings, LocalScores, Word};

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct GrandSibling<V> {
    spans: Spans<V>,
    into: Vec<ArcId>,
}

impl<S: Semiring> GrandSibling<S> {
    /// The sum over all trees of the product of their parts. An inside pass.
    pub fn sum(&mut self, space: &ArcSpace, local: &LocalScores<S>, grand: &GrandScores<S>) -> S {
        self.spans.prepare(space);
        passes::inside(&mut self.spans, space, local, grand);
        self.spans.right[Parent::virtual_arc(space).row * self.spans.stride + space.words()]
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
        passes::outside(&mut self.spans, space, local, grand, notes);
        let Spans { open, outside_open, .. } = &self.spans;
        sums.clear();
        sums.resize(space.arcs(), S::NONE);
        for parent in all(space) {
            for b in parent.children() {
                let part = parent.part(b);
                sums[b] = sums[b].plus(open[part].times(outside_open[part]));
            }
        }
    }
}

/// The best trees, over numbers that maximise: then [`sum`](Self::sum) is the best tree's score, minus infinity if `space` has
/// none, and [`sums_with`](Self::sums_with) gives the max-marginals, for each arc the score of the best tree that has it.
impl<V: Value> GrandSibling<V> {
    /// The arcs of the best tree of the last [`sum`](Self::sum), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, local: &LocalScores<V>, grand: &GrandScores<V>) -> &[ArcId] {
        let Self { spans, into } = self;
        into.clear();
        into.resize(space.words(), ArcId(0));
        add_best_arcs(&Entries { spans, space, local, grand }, space, vec![Item::tree(space)], into);
        into
    }

    /// Visits the trees of the last [`sum`](Self::sum), as [`Chart::each_tree`](super::Chart::each_tree) does. Must follow with
    /// the same arguments.
    pub(super) fn each_tree(
        &self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        visit: impl FnMut(&[ArcId], V, usize) -> bool,
    ) {
        each_tree(space, Entries { spans: &self.spans, space, local, grand }, Item::tree(space), visit);
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal, the arc into word `i + 1` at place `i`; none
    /// if no tree has it.
    ///
    /// Must follow [`sums_with`](Self::sums_with) with the same arguments.
    pub fn best_arcs_with(
        &mut self,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        a: ArcId,
    ) -> Option<&[ArcId]> {
        let Self { spans, into } = self;
        let entries = Entries { spans, space, local, grand };
        let mut best = Best::none();
        for parent in entries.parents(a) {
            let part = parent.part(a.ix());
            best.offer(spans.open[part] + spans.outside_open[part], Item::Open(parent.row, a));
        }
        let from = best.take()?;
        into.clear();
        into.resize(space.words(), ArcId(0));
        add_best_arcs_with(&entries, space, from, into);
        Some(into)
    }
}

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

impl<V: Copy> GrandScores<V> {
    /// Fills `into` with `f` of every score.
    pub fn map_into<W>(&self, into: &mut GrandScores<W>, f: impl Fn(V) -> W) {
        into.any.clear();
        into.any.extend(self.any.iter().map(|&score| f(score)));
        self.siblings.map_into(&mut into.siblings, f);
    }
}

/// The best scores of all spans.
#[derive(Debug, Default)]
struct Spans<V> {
    pub stride: usize,
    /// R: one row an arc, and one for the virtual arc; minus infinity where undefined.
    pub right: Vec<V>,
    /// L: one row an arc.
    pub left: Vec<V>,
    /// L again: one row a place, one value an arc.
    pub left_at: Vec<V>,
    /// F and S by sibling part.
    pub span: Vec<V>,
    /// I by grandchild part, then by arc of the root.
    pub open: Vec<V>,
    /// I with the score of an outermost child.
    pub closed: Vec<V>,
    /// As the above: the best score of the rest of a tree that uses the entry.
    pub outside_right: Vec<V>,
    pub outside_left: Vec<V>,
    pub outside_span: Vec<V>,
    pub outside_open: Vec<V>,
    /// By row of R: a word with no value after it; by row of L: the first place with one. What lies outside is minus
    /// infinity, and loops leave it out.
    pub reach: Vec<usize>,
    pub begin: Vec<usize>,
    /// By word: the first of its left arcs to words not before the one that a pass is at.
    pub left_from: Vec<usize>,
    /// What an arc may follow: memory of one maximum.
    pub choices: Vec<V>,
}

impl<V: Semiring> Spans<V> {
    /// Empties the chart for an inside pass.
    pub fn prepare(&mut self, space: &ArcSpace) {
        self.stride = space.words() + 1;
        let root_arcs = Parent::virtual_arc(space).children().len();
        for (values, len) in [
            (&mut self.right, (space.arcs() + 1) * self.stride),
            (&mut self.left, space.arcs() * self.stride),
            (&mut self.left_at, space.arcs() * self.stride),
            (&mut self.span, space.sibling_parts()),
            (&mut self.open, space.grandchild_parts() + root_arcs),
            (&mut self.closed, space.grandchild_parts() + root_arcs),
        ] {
            values.clear();
            values.resize(len, V::NONE);
        }
        for (places, len) in [(&mut self.reach, space.arcs() + 1), (&mut self.begin, space.arcs())] {
            places.clear();
            places.resize(len, 0);
        }
    }

    /// Empties the chart for an outside pass.
    pub fn prepare_outside(&mut self) {
        for (outside, inside) in [
            (&mut self.outside_right, &self.right),
            (&mut self.outside_left, &self.left),
            (&mut self.outside_span, &self.span),
            (&mut self.outside_open, &self.open),
        ] {
            outside.clear();
            outside.resize(inside.len(), V::NONE);
        }
    }
}

/// An arc as the grandparent of what is below its modifier.
#[derive(Clone, Copy, Debug)]
struct Parent {
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
    pub fn from_arc(space: &ArcSpace, a: ArcId) -> Self {
        let children = space.children(a);
        let split = space.right_arcs_of(space.modifier(a)).start.clamp(children.start, children.end);
        let parts = space.grandchild_parts_of(a).start;
        Self { row: a.ix(), start: children.start, split, end: children.end, parts, is_arc: true }
    }

    /// The virtual arc.
    #[inline(always)]
    pub fn virtual_arc(space: &ArcSpace) -> Self {
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
fn above(space: &ArcSpace, h: Word) -> impl Iterator<Item = Parent> {
    // One plain loop: a chain of the two kinds is slower.
    let into = space.arcs_into(h);
    let count = if h.is_root() { 1 } else { into.len() };
    (0..count).map(move |i| if h.is_root() { Parent::virtual_arc(space) } else { Parent::from_arc(space, into[i]) })
}

/// All arcs, the virtual one included.
fn all(space: &ArcSpace) -> impl Iterator<Item = Parent> {
    (0..=space.words()).map(Word::new).flat_map(|h| above(space, h))
}
