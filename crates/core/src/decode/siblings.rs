//! The second-order dynamic program of McDonald & Pereira (2006): arcs and pairs of adjacent modifiers on one side of a head,
//! over all arcs.
//!
//! The recurrence is that of [`first_order`](super::first_order), with one more kind of span, between two adjacent modifiers. With
//! `e(h, m)` the weight of an arc, `f(h, r, m)` that of modifier m after r, and `f(h, h, m)` that of a first modifier, for `s < t`:
//!
//! ```text
//! P(s, t)  = sum over r in s..t    of  Cr(s, r) * Cl(r+1, t)
//! Ir(s, t) = e(s, t) * (f(s, s, t) * Cl(s+1, t)  +  sum over r in s+1..t of  Ir(s, r) * f(s, r, t) * P(r, t))
//! Il(s, t) = e(t, s) * (f(t, t, s) * Cr(s, t-1)  +  sum over r in s+1..t of  P(s, r) * f(t, r, s) * Il(r, t))
//! Cr(s, t) = sum over r in s+1..=t of  Ir(s, r) * Cr(r, t)      Cr(s, s) = 1
//! Cl(s, t) = sum over r in s..t    of  Cl(s, r) * Il(r, t)      Cl(s, s) = 1
//! all      = sum over m of  e(0, m) * f(0, 0, m) * Cl(1, m) * Cr(m, n)      with one modifier on the root
//!          = Cr(0, n)                                                       with several
//! ```
//!
//! Time O(n^3), where [`carreras`](super::carreras), which has outermost grandchildren too, takes O(n^4) over all arcs; space
//! O(n^2) beside the scores.

use multiversion::multiversion;

use crate::decode::first_order::Spans;
use crate::decode::semiring::{Semiring, Value};
use crate::graph::Word;

/// The chart, reused from sentence to sentence.
///
/// With `w = words + 1`, arcs are given by `arcs[h * w + m]` for head h and modifier m, and siblings by
/// `siblings[(h * w + m) * w + r]` for r the modifier before m, or h itself if m is the first. Entries that are no arcs or no
/// such pairs are ignored.
#[derive(Clone, Debug, Default)]
pub struct Siblings<S> {
    words: usize,
    single_root: bool,
    spans: Spans<S>,
    pairs: Pairs<S>,
    /// Spans whose arcs are not traced back yet.
    todo: Vec<Span>,
}

/// P(s, t), twice: sums run over contiguous memory.
#[derive(Clone, Debug, Default)]
struct Pairs<S> {
    /// At `[s][t]`.
    by_start: Vec<S>,
    /// At `[t][s]`.
    by_end: Vec<S>,
}

impl<S: Semiring> Siblings<S> {
    /// The sum over all trees of the product of their parts, with one modifier on the root or any number of them. An inside
    /// pass.
    pub fn sum(&mut self, words: usize, single_root: bool, arcs: &[S], siblings: &[S]) -> S {
        (self.words, self.single_root) = (words, single_root);
        self.spans.prepare(words);
        let Pairs { by_start, by_end } = &mut self.pairs;
        for matrix in [by_start, by_end] {
            matrix.clear();
            matrix.resize((words + 1) * (words + 1), S::NONE);
        }
        inside(&mut self.spans, &mut self.pairs, words, single_root, arcs, siblings);
        if single_root {
            (1..=words).fold(S::NONE, |all, m| all.plus(self.of_root(m, arcs, siblings)))
        } else {
            self.spans.cr_by_start[words]
        }
    }

    /// The trees whose only modifier of the root is `m`.
    fn of_root(&self, m: usize, arcs: &[S], siblings: &[S]) -> S {
        let Spans { cl_by_start, cr_by_start, .. } = &self.spans;
        let around = cl_by_start[self.spans.at(1, m)].times(cr_by_start[self.spans.at(m, self.words)]);
        around.times(arcs[m]).times(siblings[m * (self.words + 1)])
    }
}

impl<V: Value> Siblings<V> {
    /// Writes the heads of the best tree of the last [`sum`](Self::sum), whose value that is: one a word. Of equal choices the
    /// first is taken.
    ///
    /// Must follow with the same arcs and siblings, if there is a tree.
    pub fn best_heads(&mut self, arcs: &[V], siblings: &[V], heads: &mut [Word]) {
        heads.fill(Word::ROOT);
        let mut todo = std::mem::take(&mut self.todo);
        todo.clear();
        if self.single_root {
            let mut top = 1;
            for m in 2..=self.words {
                if self.of_root(m, arcs, siblings) > self.of_root(top, arcs, siblings) {
                    top = m;
                }
            }
            todo.extend([(Kind::CompleteLeft, 1, top), (Kind::CompleteRight, top, self.words)]);
        } else {
            todo.push((Kind::CompleteRight, 0, self.words));
        }
        while let Some(span) = todo.pop() {
            let (kind, s, t) = span;
            if s == t {
                continue;
            }
            match kind {
                Kind::IncompleteRight => heads[t - 1] = Word::new(s),
                Kind::IncompleteLeft => heads[s - 1] = Word::new(t),
                Kind::CompleteRight | Kind::CompleteLeft | Kind::Pair => {}
            }
            todo.extend(self.best_split(span, siblings));
        }
        self.todo = todo;
    }

    /// What a span is worth.
    fn value(&self, (kind, s, t): Span) -> V {
        match kind {
            Kind::IncompleteRight => self.spans.ir_by_start[self.spans.at(s, t)],
            Kind::IncompleteLeft => self.spans.il_by_end[self.spans.at(t, s)],
            Kind::CompleteRight => self.spans.cr_by_start[self.spans.at(s, t)],
            Kind::CompleteLeft => self.spans.cl_by_start[self.spans.at(s, t)],
            Kind::Pair => self.pairs.by_start[self.spans.at(s, t)],
        }
    }

    /// The halves of the best split of a span. Of a span whose modifier is the first, the second half is empty.
    fn best_split(&self, span: Span, siblings: &[V]) -> [Span; 2] {
        let (kind, s, t) = span;
        let row = |h: usize, m: usize| self.spans.at(h, m) * (self.words + 1);
        // Splits, and beside the halves the score of a pair of modifiers; the arc itself is the same in all.
        let split = |r: usize| -> ([Span; 2], V) {
            match kind {
                Kind::Pair => ([(Kind::CompleteRight, s, r), (Kind::CompleteLeft, r + 1, t)], V::ZERO),
                Kind::CompleteRight => ([(Kind::IncompleteRight, s, r + 1), (Kind::CompleteRight, r + 1, t)], V::ZERO),
                Kind::CompleteLeft => ([(Kind::CompleteLeft, s, r), (Kind::IncompleteLeft, r, t)], V::ZERO),
                Kind::IncompleteRight if r == s => {
                    ([(Kind::CompleteLeft, s + 1, t), (Kind::CompleteLeft, t, t)], siblings[row(s, t) + s])
                }
                Kind::IncompleteRight => ([(Kind::IncompleteRight, s, r), (Kind::Pair, r, t)], siblings[row(s, t) + r]),
                Kind::IncompleteLeft if r == s => {
                    ([(Kind::CompleteRight, s, t - 1), (Kind::CompleteRight, s, s)], siblings[row(t, s) + t])
                }
                Kind::IncompleteLeft => ([(Kind::Pair, s, r), (Kind::IncompleteLeft, r, t)], siblings[row(t, s) + r]),
            }
        };
        let worth =
            |(halves, score): ([Span; 2], V)| halves.into_iter().fold(score, |sum, half| sum.times(self.value(half)));
        let mut best = (s, worth(split(s)));
        for r in s + 1..t {
            let here = worth(split(r));
            if here > best.1 {
                best = (r, here);
            }
        }
        split(best.0).0
    }
}

/// The kinds of spans.
#[derive(Clone, Copy, Debug)]
enum Kind {
    IncompleteRight,
    IncompleteLeft,
    CompleteRight,
    CompleteLeft,
    Pair,
}

/// A span and its two ends.
type Span = (Kind, usize, usize);

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn inside<S: Semiring>(
    chart: &mut Spans<S>,
    pairs: &mut Pairs<S>,
    words: usize,
    single_root: bool,
    arcs: &[S],
    siblings: &[S],
) {
    let n = words;
    let first = usize::from(single_root);
    chart.put_words(first, n);
    for len in 1..n + 1 - first {
        for s in first..=n - len {
            let t = s + len;
            let (by_start, by_end) = (chart.at(s, 0), chart.at(t, 0));
            let (r, r_by_end) = (by_start + s + 1..by_start + t, by_end + s + 1..by_end + t);

            // Siblings of s -> t between the two words; before it the pair without any.
            let row = (by_start + t) * (n + 1);
            let alone = siblings[row + s].times(chart.cl_by_end[by_end + s + 1]);
            let after =
                dot3(&chart.ir_by_start[r.clone()], &siblings[row + s + 1..row + t], &pairs.by_end[r_by_end.clone()]);
            chart.ir_by_start[by_start + t] = arcs[by_start + t].times(alone.plus(after));
            // Nothing is the head of the root.
            chart.il_by_end[by_end + s] = if s == 0 {
                S::NONE
            } else {
                let row = (by_end + s) * (n + 1);
                let alone = siblings[row + t].times(chart.cr_by_start[by_start + t - 1]);
                let after = dot3(&pairs.by_start[r], &siblings[row + s + 1..row + t], &chart.il_by_end[r_by_end]);
                arcs[by_end + s].times(alone.plus(after))
            };

            let pair = chart.base(s, t);
            pairs.by_start[by_start + t] = pair;
            pairs.by_end[by_end + s] = pair;
            chart.complete(s, t);
        }
    }
}

/// `sum of a[i] * b[i] * c[i]`, in four interleaved sums as those of the [first-order program](super::first_order).
#[inline(always)]
fn dot3<S: Semiring>(a: &[S], b: &[S], c: &[S]) -> S {
    let mut sums = [S::NONE; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let (c4, c_rest) = c.as_chunks::<4>();
    for ((a, b), c) in a4.iter().zip(b4).zip(c4) {
        for i in 0..4 {
            sums[i] = sums[i].plus(a[i].times(b[i]).times(c[i]));
        }
    }
    for ((&a, &b), &c) in a_rest.iter().zip(b_rest).zip(c_rest) {
        sums[0] = sums[0].plus(a.times(b).times(c));
    }
    sums[0].plus(sums[1]).plus(sums[2].plus(sums[3]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::brute;
    use crate::decode::first_order::FirstOrder;
    use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores, TreeArcs, tree_score};
    use proptest::prelude::*;

    /// A graph of arcs and, where `pairs` says so, siblings, with few scores apart, so that there are ties.
    fn graph(words: usize, single_root: bool, pairs: bool, draws: &[i64]) -> FactorGraph {
        let mut draws = draws.iter().copied().cycle();
        let mut draw = || draws.next().unwrap_or(0);
        let all = (0..=words).flat_map(|h| (1..=words).map(move |m| (h, m))).filter(|(h, m)| h != m);
        // One arc in eight is missing.
        let kept: Vec<_> = all.filter(|_| draw() % 8 != 0).map(|(h, m)| (Word::new(h), Word::new(m))).collect();
        let space = ArcSpace::new(words, single_root, &kept).expect("valid arcs");
        let mut local = LocalScores::filled(&space, 0);
        local.arc.iter_mut().for_each(|score| *score = draw());
        if pairs {
            local.sibling.iter_mut().for_each(|score| *score = draw());
        }
        FactorGraph { space, local, ..FactorGraph::default() }
    }

    /// The scores of a graph as both dense programs have them, with numbers where there are no arcs that must not matter.
    fn dense(graph: &FactorGraph) -> (Vec<f64>, Vec<f64>) {
        let (space, w) = (&graph.space, graph.space.words() + 1);
        let mut arcs = vec![f64::NEG_INFINITY; w * w];
        (0..w).for_each(|m| (arcs[m * w], arcs[m * w + m]) = (1e9, 1e9));
        let mut siblings = vec![1e9; w * w * w];
        for a in (0..space.arcs()).map(ArcId::new) {
            let at = space.head(a).ix() * w + space.modifier(a).ix();
            arcs[at] = graph.local.arc[a.ix()] as f64;
            siblings[at * w + space.head(a).ix()] = graph.local.sibling[space.first_modifier_part(a)] as f64;
            for b in space.inner_siblings(a).map(ArcId::new) {
                let score = graph.local.sibling[space.sibling_part(a, b)] as f64;
                siblings[at * w + space.modifier(b).ix()] = score;
            }
        }
        (arcs, siblings)
    }

    fn check(graph: &FactorGraph, score: f64, heads: &[Word]) -> Result<(), TestCaseError> {
        let truth = brute::decode(graph);
        prop_assert_eq!(score.to_score(), truth.score);
        if truth.score.is_some() {
            let tree = crate::tree::Tree::new(heads.to_vec()).expect("a tree");
            prop_assert!(tree.is_projective() && (!graph.space.single_root() || tree.roots().count() == 1));
            let mut arcs = TreeArcs::default();
            prop_assert!(arcs.find(&graph.space, heads));
            prop_assert_eq!(Some(tree_score(graph, &arcs)), truth.score);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// Brute force over the same graph, with one modifier on the root and several.
        #[test]
        fn siblings_are_exact(words in 1usize..=6, single in any::<bool>(), draws in prop::collection::vec(-9i64..10, 211)) {
            let graph = graph(words, single, true, &draws);
            let (arcs, siblings) = dense(&graph);
            let (mut program, mut heads) = (Siblings::default(), vec![Word::ROOT; words]);
            let score = program.sum(words, single, &arcs, &siblings);
            if score > f64::NEG_INFINITY {
                program.best_heads(&arcs, &siblings, &mut heads);
            }
            check(&graph, score, &heads)?;
        }

        /// The first-order program too, which must not care for siblings.
        #[test]
        fn arcs_alone_are_exact(words in 1usize..=6, single in any::<bool>(), draws in prop::collection::vec(-9i64..10, 211)) {
            let graph = graph(words, single, false, &draws);
            let (arcs, _) = dense(&graph);
            let (mut program, mut heads) = (FirstOrder::default(), vec![Word::ROOT; words]);
            let score = program.sum(words, single, &arcs);
            if score > f64::NEG_INFINITY {
                program.best_heads(&arcs, &mut heads);
            }
            check(&graph, score, &heads)?;
        }
    }
}
