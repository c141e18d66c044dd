//! The best tree of arcs alone.

use super::FirstOrder;
use crate::decode::value::{Value, Wide};
use crate::graph::Word;
use crate::tree::Tree;

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
/// It is never a decoder of a factor graph, so its passes are no DP calls ([`Chart`](crate::decode::Chart) counts those).
pub fn decode(arcs: &ArcScores) -> Option<(Tree, i128)> {
    let mut chart = FirstOrder::default();
    let score = chart.sum(arcs.words, &arcs.scores).to_score()?;
    Some((Tree::from_decoder(chart.best_heads(&arcs.scores)), score))
}
