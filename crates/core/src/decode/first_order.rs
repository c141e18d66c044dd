//! The first-order dynamic program of Eisner (1996), with one modifier on the root or several.
//!
//! The recurrence is written over a [semiring](super::semiring). With `e(h, m)` the weight of an arc and `s < t`:
//!
//! ```text
//! base(s, t)  = sum over r in s..t   of  Cr(s, r) * Cl(r+1, t)
//! Ir(s, t)    = base(s, t) * e(s, t)          Il(s, t) = base(s, t) * e(t, s)
//! Cr(s, t)    = sum over r in s+1..=t of Ir(s, r) * Cr(r, t)      Cr(s, s) = 1
//! Cl(s, t)    = sum over r in s..t   of  Cl(s, r) * Il(r, t)      Cl(s, s) = 1
//! all         = sum over m of  e(0, m) * Cl(1, m) * Cr(m, n)      with one modifier on the root
//!             = Cr(0, n)                                          with several: the root is a word with no left arcs
//! ```
//!
//! [`decode`] maximises with it; [`Marginals`] sums, and runs it backwards. All arcs are there: the charts are dense, unlike
//! those of the parser's own programs. So it serves what comes before pruning or instead of it. Time O(n^3), space O(n^2).
//!
//! First-order marginals: the probability of each arc when projective trees are drawn in proportion to `exp(score)`.
//!
//! `L` independent models are summed side by side, one a lane. Sums run in one fixed order whatever the machine, so the
//! bits of a marginal do not depend on it.

use multiversion::multiversion;

use crate::decode::semiring::{Semiring, Value, Weights, Wide};
use crate::graph::Word;
use crate::tree::Tree;

/// The chart, reused from sentence to sentence.
///
/// Arcs are given by `arcs[h * (words + 1) + m]` for head h and modifier m. Entries that are no arcs (m = 0, h = m) are
/// ignored.
#[derive(Clone, Debug, Default)]
pub struct FirstOrder<S> {
    words: usize,
    single_root: bool,
    inside: Spans<S>,
    /// By entry of `inside`: the sum of what it stands together with.
    outside: Spans<S>,
    /// Spans whose arcs are not traced back yet.
    todo: Vec<Span>,
}

impl<S: Semiring> FirstOrder<S> {
    /// The sum over all trees of the product of their arcs, with one modifier on the root or any number of them. An inside
    /// pass.
    pub fn sum(&mut self, words: usize, single_root: bool, arcs: &[S]) -> S {
        (self.words, self.single_root) = (words, single_root);
        self.inside.prepare(words);
        inside(&mut self.inside, words, single_root, arcs);
        if single_root {
            (1..=words).fold(S::NONE, |all, m| all.plus(self.around_root(m).times(arcs[m])))
        } else {
            self.inside.cr_by_start[words]
        }
    }

    /// Turns arcs, in place, into the sums over the trees that have them; what is no arc into nothing. An outside pass; must
    /// follow [`sum`](Self::sum) with the same arcs.
    pub fn sums_with(&mut self, arcs: &mut [S]) {
        self.outside.prepare(self.words);
        outside(&self.inside, &mut self.outside, self.words, self.single_root, arcs);
    }

    /// What a tree has beside its arc from the root to `m`.
    fn around_root(&self, m: usize) -> S {
        self.inside.cl_by_start[self.inside.at(1, m)].times(self.inside.cr_by_start[self.inside.at(m, self.words)])
    }
}

impl<V: Value> FirstOrder<V> {
    /// Writes the heads of the best tree of the last [`sum`](Self::sum), whose value that is: one a word. Of equal choices the
    /// first is taken.
    ///
    /// Must follow with the same arcs, if there is a tree.
    pub fn best_heads(&mut self, arcs: &[V], heads: &mut [Word]) {
        heads.fill(Word::ROOT);
        self.todo.clear();
        if self.single_root {
            let of_root = |m: usize| self.around_root(m).times(arcs[m]);
            let mut top = 1;
            for m in 2..=self.words {
                if of_root(m) > of_root(top) {
                    top = m;
                }
            }
            self.todo.extend([(Kind::CompleteLeft, 1, top), (Kind::CompleteRight, top, self.words)]);
        } else {
            self.todo.push((Kind::CompleteRight, 0, self.words));
        }
        trace(&self.inside, &mut self.todo, heads);
    }
}

/// Row-major matrices; rows and columns run from 0 to n. Those of Cr and Cl stand twice, so that every sum runs over
/// contiguous memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans<S> {
    stride: usize,
    /// Cr(s, t) at `[s][t]`.
    pub cr_by_start: Vec<S>,
    /// Cr(s, t) at `[t][s]`.
    pub cr_by_end: Vec<S>,
    /// Cl(s, t) at `[s][t]`.
    pub cl_by_start: Vec<S>,
    /// Cl(s, t) at `[t][s]`.
    pub cl_by_end: Vec<S>,
    /// Ir(s, t) at `[s][t]`.
    pub ir_by_start: Vec<S>,
    /// Il(s, t) at `[t][s]`.
    pub il_by_end: Vec<S>,
}

impl<S: Semiring> Spans<S> {
    /// Empties all matrices.
    pub fn prepare(&mut self, words: usize) {
        self.stride = words + 1;
        let Self { stride, cr_by_start, cr_by_end, cl_by_start, cl_by_end, ir_by_start, il_by_end } = self;
        for matrix in [cr_by_start, cr_by_end, cl_by_start, cl_by_end, ir_by_start, il_by_end] {
            matrix.clear();
            matrix.resize(*stride * *stride, S::NONE);
        }
    }

    /// Makes each word from `first` on a complete span of its own, on both sides.
    #[inline(always)]
    pub fn put_words(&mut self, first: usize, words: usize) {
        for s in first..=words {
            let at = self.at(s, s);
            for matrix in [&mut self.cr_by_start, &mut self.cr_by_end, &mut self.cl_by_start, &mut self.cl_by_end] {
                matrix[at] = S::ONE;
            }
        }
    }

    /// base(s, t).
    #[inline(always)]
    pub fn base(&self, s: usize, t: usize) -> S {
        let (by_start, by_end) = (self.at(s, 0), self.at(t, 0));
        dot(&self.cr_by_start[by_start + s..by_start + t], &self.cl_by_end[by_end + s + 1..=by_end + t])
    }

    /// Sets Cr(s, t) and Cl(s, t), of incomplete spans that are there up to `t - s` words.
    #[inline(always)]
    pub fn complete(&mut self, s: usize, t: usize) {
        let (by_start, by_end) = (self.at(s, 0), self.at(t, 0));
        let right = by_start + s + 1..=by_start + t;
        let cr = dot(&self.ir_by_start[right], &self.cr_by_end[by_end + s + 1..=by_end + t]);
        let cl = dot(&self.cl_by_start[by_start + s..by_start + t], &self.il_by_end[by_end + s..by_end + t]);
        self.cr_by_start[by_start + t] = cr;
        self.cr_by_end[by_end + s] = cr;
        self.cl_by_start[by_start + t] = cl;
        self.cl_by_end[by_end + s] = cl;
    }

    /// Where an entry stands.
    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> usize {
        row * self.stride + column
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn inside<S: Semiring>(chart: &mut Spans<S>, words: usize, single_root: bool, arcs: &[S]) {
    let n = words;
    let first = usize::from(single_root);
    chart.put_words(first, n);
    for len in 1..n + 1 - first {
        for s in first..=n - len {
            let t = s + len;
            let (by_start, by_end) = (chart.at(s, 0), chart.at(t, 0));
            let base = chart.base(s, t);
            chart.ir_by_start[by_start + t] = base.times(arcs[by_start + t]);
            // Nothing is the head of the root.
            chart.il_by_end[by_end + s] = if s == 0 { S::NONE } else { base.times(arcs[by_end + s]) };
            chart.complete(s, t);
        }
    }
}

/// `sum of a[i] * b[i]`, in four interleaved sums that are added up at the end: one fixed order, whatever the machine.
#[inline(always)]
fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    let mut sums = [S::NONE; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            sums[i] = sums[i].plus(a[i].times(b[i]));
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sums[0] = sums[0].plus(a.times(b));
    }
    sums[0].plus(sums[1]).plus(sums[2].plus(sums[3]))
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn outside<S: Semiring>(inside: &Spans<S>, chart: &mut Spans<S>, words: usize, single_root: bool, arcs: &mut [S]) {
    let n = words;
    let first = usize::from(single_root);
    if single_root {
        for (m, arc) in arcs.iter_mut().enumerate().take(n + 1).skip(1) {
            let (to_left, to_right) = (inside.at(1, m), inside.at(m, n));
            let (left, right) = (inside.cl_by_start[to_left], inside.cr_by_start[to_right]);
            chart.cl_by_start[to_left] = chart.cl_by_start[to_left].plus(arc.times(right));
            chart.cr_by_start[to_right] = chart.cr_by_start[to_right].plus(arc.times(left));
            *arc = left.times(right).times(*arc);
        }
    } else {
        chart.cr_by_start[n] = S::ONE;
    }
    for m in 0..=n {
        arcs[inside.at(m, 0)] = S::NONE;
        arcs[inside.at(m, m)] = S::NONE;
    }
    for len in (1..n + 1 - first).rev() {
        for s in first..=n - len {
            let t = s + len;
            let (by_start, by_end) = (inside.at(s, 0), inside.at(t, 0));
            let (r, r_by_end) = (by_start + s + 1..=by_start + t, by_end + s + 1..=by_end + t);
            let (l, l_by_end) = (by_start + s..by_start + t, by_end + s..by_end + t);

            let cr = chart.cr_by_start[by_start + t].plus(chart.cr_by_end[by_end + s]);
            add(&mut chart.ir_by_start[r.clone()], cr, &inside.cr_by_end[r_by_end.clone()]);
            add(&mut chart.cr_by_end[r_by_end.clone()], cr, &inside.ir_by_start[r]);
            let cl = chart.cl_by_start[by_start + t].plus(chart.cl_by_end[by_end + s]);
            add(&mut chart.cl_by_start[l.clone()], cl, &inside.il_by_end[l_by_end.clone()]);
            add(&mut chart.il_by_end[l_by_end], cl, &inside.cl_by_start[l.clone()]);

            let (ir, il) = (chart.ir_by_start[by_start + t], chart.il_by_end[by_end + s]);
            let base = ir.times(arcs[by_start + t]).plus(il.times(arcs[by_end + s]));
            add(&mut chart.cr_by_start[l.clone()], base, &inside.cl_by_end[r_by_end.clone()]);
            add(&mut chart.cl_by_end[r_by_end], base, &inside.cr_by_start[l]);
            arcs[by_start + t] = ir.times(inside.ir_by_start[by_start + t]);
            arcs[by_end + s] = il.times(inside.il_by_end[by_end + s]);
        }
    }
}

/// `to[i] += c * x[i]`.
#[inline(always)]
fn add<S: Semiring>(to: &mut [S], c: S, x: &[S]) {
    for (to, &x) in to.iter_mut().zip(x) {
        *to = to.plus(c.times(x));
    }
}

/// The four kinds of spans.
#[derive(Clone, Copy, Debug)]
enum Kind {
    IncompleteRight,
    IncompleteLeft,
    CompleteRight,
    CompleteLeft,
}

/// A span and its two ends.
type Span = (Kind, usize, usize);

/// The two halves of a span split at `r`.
fn halves((kind, s, t): Span, r: usize) -> [Span; 2] {
    match kind {
        Kind::IncompleteRight | Kind::IncompleteLeft => [(Kind::CompleteRight, s, r), (Kind::CompleteLeft, r + 1, t)],
        Kind::CompleteRight => [(Kind::IncompleteRight, s, r + 1), (Kind::CompleteRight, r + 1, t)],
        Kind::CompleteLeft => [(Kind::CompleteLeft, s, r), (Kind::IncompleteLeft, r, t)],
    }
}

fn value<V: Value>(chart: &Spans<V>, (kind, s, t): Span) -> V {
    match kind {
        Kind::IncompleteRight => chart.ir_by_start[chart.at(s, t)],
        Kind::IncompleteLeft => chart.il_by_end[chart.at(t, s)],
        Kind::CompleteRight => chart.cr_by_start[chart.at(s, t)],
        Kind::CompleteLeft => chart.cl_by_start[chart.at(s, t)],
    }
}

fn best_split<V: Value>(chart: &Spans<V>, span: Span) -> [Span; 2] {
    let (_, s, t) = span;
    let worth = |r: usize| halves(span, r).into_iter().fold(V::ZERO, |sum, half| sum.times(value(chart, half)));
    let mut best = (s, worth(s));
    for r in s + 1..t {
        let here = worth(r);
        if here > best.1 {
            best = (r, here);
        }
    }
    halves(span, best.0)
}

/// Writes the heads of the words of the spans `todo`, those of their ends that are heads there left as they are.
fn trace<V: Value>(chart: &Spans<V>, todo: &mut Vec<Span>, heads: &mut [Word]) {
    while let Some(span) = todo.pop() {
        let (kind, s, t) = span;
        if s == t {
            continue;
        }
        match kind {
            Kind::IncompleteRight => heads[t - 1] = Word::new(s),
            Kind::IncompleteLeft => heads[s - 1] = Word::new(t),
            Kind::CompleteRight | Kind::CompleteLeft => {}
        }
        todo.extend(best_split(chart, span));
    }
}

/// Scores of all arcs of a sentence.
#[derive(Clone, Debug)]
pub struct ArcScores {
    words: usize,
    /// Minus infinity for an arc that may not be used.
    scores: Vec<Wide>,
}

impl ArcScores {
    /// No arc is allowed yet.
    pub fn new(words: usize) -> Self {
        Self { words, scores: vec![Wide::NEG_INF; (words + 1) * (words + 1)] }
    }

    /// Allows an arc.
    pub fn set(&mut self, h: Word, m: Word, score: i64) {
        self.scores[h.ix() * (self.words + 1) + m.ix()] = Wide::from_score(score);
    }
}

/// The best projective tree with one modifier on the root, with its score; none if the arcs allow no tree. Of equal choices
/// the first is taken.
///
/// The program is never a decoder of a factor graph, so its passes are no DP calls ([`Chart`](crate::decode::Chart) counts those).
pub fn decode(arcs: &ArcScores) -> Option<(Tree, i128)> {
    let mut chart = FirstOrder::default();
    let score = chart.sum(arcs.words, true, &arcs.scores).to_score()?;
    let mut heads = vec![Word::ROOT; arcs.words];
    chart.best_heads(&arcs.scores, &mut heads);
    Some((Tree::from_decoder(heads), score))
}

/// The charts, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct Marginals<const L: usize> {
    chart: FirstOrder<Weights<L>>,
}

impl<const L: usize> Marginals<L> {
    /// Turns arc weights into arc marginals, in place: `arcs[h * (words + 1) + m]` for head h and modifier m. Entries that
    /// are no arcs (m = 0, h = m) are ignored and become 0.
    ///
    /// Where the sum over trees leaves the range of `f64` (it takes hundreds of words), a lane gets the weights normalised
    /// by modifier instead: the marginals of heads drawn independently.
    pub fn apply(&mut self, words: usize, arcs: &mut [Weights<L>]) {
        let Weights(all) = self.chart.sum(words, true, arcs);
        // A sum that is not a normal number has no inverse that is one.
        let in_range = all.map(|z| z.is_normal() && z > 0.0);
        let inverse: [f64; L] = std::array::from_fn(|lane| if in_range[lane] { 1.0 / all[lane] } else { 0.0 });
        let independent = if in_range == [true; L] { Vec::new() } else { normalised(words, arcs) };
        self.chart.sums_with(arcs);
        for Weights(arc) in &mut *arcs {
            for (weight, inverse) in arc.iter_mut().zip(inverse) {
                *weight *= inverse;
            }
        }
        for (arc, independent) in arcs.iter_mut().zip(&independent) {
            for lane in (0..L).filter(|&lane| !in_range[lane]) {
                arc.0[lane] = independent.0[lane];
            }
        }
    }
}

/// Weights divided by their sum over the heads of a modifier.
fn normalised<const L: usize>(words: usize, arcs: &[Weights<L>]) -> Vec<Weights<L>> {
    let w = words + 1;
    let mut result = arcs.to_vec();
    for m in 1..=words {
        let heads = || (0..=words).filter(|&h| h != m).map(|h| h * w + m);
        for lane in 0..L {
            let sum: f64 = heads().map(|a| arcs[a].0[lane]).sum();
            heads().for_each(|a| result[a].0[lane] /= sum);
        }
    }
    result
}
