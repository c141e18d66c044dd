//! From the chart back to the best tree, from the top down. Choices are made again, not stored; of equals the first is taken.

use super::spans::Spans;
use crate::decode::value::Value;
use crate::graph::Word;

/// The four kinds of spans.
#[derive(Clone, Copy)]
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

/// The heads of the best tree whose root modifier is `top`.
pub(super) fn heads<V: Value>(chart: &Spans<V>, words: usize, top: usize) -> Vec<Word> {
    let mut heads = vec![Word::ROOT; words];
    let mut todo = vec![(Kind::CompleteLeft, 1, top), (Kind::CompleteRight, top, words)];
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
    heads
}
