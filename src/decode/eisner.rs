//! Eisner's (1996) first-order dynamic program.
//!
//! For `s < t`, with exactly one modifier on the root:
//!
//! ```text
//! Ir(s, t) = arc(s, t) + max over r in s..t    of Cr(s, r) + Cl(r+1, t)
//! Il(s, t) = arc(t, s) + max over r in s..t    of Cr(s, r) + Cl(r+1, t)
//! Cr(s, t) =             max over r in s+1..=t of Ir(s, r) + Cr(r, t)       Cr(s, s) = 0
//! Cl(s, t) =             max over r in s..t    of Cl(s, r) + Il(r, t)       Cl(s, s) = 0
//! best     =             max over m            of arc(0, m) + Cl(1, m) + Cr(m, n)
//! ```
//!
//! Of equal choices the first is taken. Time O(n^3), space O(n^2).

use super::value::{Value, Wide};
use crate::graph::Word;
use crate::tree::Tree;

/// Scores of all arcs of a sentence.
#[derive(Clone, Debug)]
pub struct ArcScores {
    words: usize,
    /// `scores[h * (words + 1) + m]`; none for an arc that may not be used.
    scores: Vec<Option<i64>>,
}

impl ArcScores {
    /// No arc is allowed yet.
    pub fn new(words: usize) -> Self {
        Self { words, scores: vec![None; (words + 1) * (words + 1)] }
    }

    /// Allows an arc.
    pub fn set(&mut self, h: Word, m: Word, score: i64) {
        self.scores[h.ix() * (self.words + 1) + m.ix()] = Some(score);
    }

    fn get(&self, h: usize, m: usize) -> Wide {
        self.scores[h * (self.words + 1) + m].map_or(Wide::NEG_INF, Wide::from_score)
    }
}

/// The four kinds of spans.
#[derive(Clone, Copy)]
enum Span {
    IncompleteRight,
    IncompleteLeft,
    CompleteRight,
    CompleteLeft,
}

struct Chart<'a> {
    arcs: &'a ArcScores,
    /// By span kind, start and end.
    best: [Vec<Wide>; 4],
}

/// The best projective tree with one modifier on the root, with its score; none if the arcs allow no tree.
///
/// It is never a decoder of a factor graph, so its passes are no DP calls ([`Chart`](super::Chart) counts those).
pub fn decode(arcs: &ArcScores) -> Option<(Tree, i128)> {
    let n = arcs.words;
    let cells = vec![Wide::NEG_INF; (n + 1) * (n + 1)];
    let mut chart = Chart { arcs, best: [cells.clone(), cells.clone(), cells.clone(), cells] };
    for s in 1..=n {
        *chart.at_mut(Span::CompleteRight, s, s) = Wide::ZERO;
        *chart.at_mut(Span::CompleteLeft, s, s) = Wide::ZERO;
    }
    for len in 1..n {
        for s in 1..=n - len {
            let t = s + len;
            for span in [Span::IncompleteRight, Span::IncompleteLeft, Span::CompleteRight, Span::CompleteLeft] {
                *chart.at_mut(span, s, t) = chart.best_split(span, s, t).1;
            }
        }
    }
    let root = |m: usize| arcs.get(0, m) + chart.at(Span::CompleteLeft, 1, m) + chart.at(Span::CompleteRight, m, n);
    let mut best = (0, Wide::NEG_INF);
    for m in 1..=n {
        if root(m) > best.1 {
            best = (m, root(m));
        }
    }
    let score = best.1.to_score()?;
    Some((Tree::from_decoder(chart.heads(best.0)), score))
}

impl Chart<'_> {
    fn at(&self, span: Span, s: usize, t: usize) -> Wide {
        self.best[span as usize][s * (self.arcs.words + 1) + t]
    }

    fn at_mut(&mut self, span: Span, s: usize, t: usize) -> &mut Wide {
        &mut self.best[span as usize][s * (self.arcs.words + 1) + t]
    }

    /// The two halves of a span split at `r`, with the span kind of each.
    fn halves(span: Span, s: usize, t: usize, r: usize) -> [(Span, usize, usize); 2] {
        match span {
            Span::IncompleteRight | Span::IncompleteLeft => {
                [(Span::CompleteRight, s, r), (Span::CompleteLeft, r + 1, t)]
            }
            Span::CompleteRight => [(Span::IncompleteRight, s, r + 1), (Span::CompleteRight, r + 1, t)],
            Span::CompleteLeft => [(Span::CompleteLeft, s, r), (Span::IncompleteLeft, r, t)],
        }
    }

    fn best_split(&self, span: Span, s: usize, t: usize) -> (usize, Wide) {
        let mut best = (s, Wide::NEG_INF);
        for r in s..t {
            let [a, b] = Self::halves(span, s, t, r);
            let score = self.at(a.0, a.1, a.2) + self.at(b.0, b.1, b.2);
            if score > best.1 {
                best = (r, score);
            }
        }
        let arc = match span {
            Span::IncompleteRight => self.arcs.get(s, t),
            Span::IncompleteLeft => self.arcs.get(t, s),
            Span::CompleteRight | Span::CompleteLeft => Wide::ZERO,
        };
        (best.0, best.1 + arc)
    }

    /// The heads of the best tree whose root modifier is `top`.
    fn heads(&self, top: usize) -> Vec<Word> {
        let n = self.arcs.words;
        let mut heads = vec![Word::ROOT; n];
        let mut todo = vec![(Span::CompleteLeft, 1, top), (Span::CompleteRight, top, n)];
        while let Some((span, s, t)) = todo.pop() {
            if s == t {
                continue;
            }
            match span {
                Span::IncompleteRight => heads[t - 1] = Word::new(s),
                Span::IncompleteLeft => heads[s - 1] = Word::new(t),
                Span::CompleteRight | Span::CompleteLeft => {}
            }
            todo.extend(Self::halves(span, s, t, self.best_split(span, s, t).0));
        }
        heads
    }
}
