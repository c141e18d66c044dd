//! What is right in an answer.

use super::{Answer, Effort, Proof};
use crate::treebank::{Punctuation, Sentence, Tree};
use treebound_core::graph::Word;

/// What is counted of one parsed sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// Words.
    pub tokens: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: bool,
    /// Whether every head is right.
    pub complete: bool,
    /// Words whose gold head was among the candidates, if the system chose some.
    pub gold_kept: Option<u64>,
    /// Candidate heads, over all words.
    pub heads_kept: Option<u64>,
    /// What is proven of the tree.
    pub proof: Proof,
    /// Score of the tree; the largest number if it does not fit.
    pub score: Option<i64>,
    /// Proven bound on the score of any tree.
    pub bound: Option<i64>,
    /// What it cost.
    pub effort: Effort,
}

impl Evaluated {
    /// Holds an answer against `gold`: the same sentence with gold tags, which say what is punctuation, and gold tree.
    pub fn new(answer: &Answer, gold: &Sentence, punctuation: &Punctuation) -> Self {
        let heads: &[Word] = answer.tree.as_ref().map_or(&[], Tree::heads);
        let gold_heads: &[Word] = gold.gold.as_ref().map_or(&[], Tree::heads);
        let fitted = |score: i128| score.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let candidates = answer.candidates.as_deref();
        let mut counts = Self {
            tokens: gold.len() as u64,
            correct: 0,
            scored_tokens: 0,
            scored_correct: 0,
            root_correct: heads.iter().map(|h| h.is_root()).eq(gold_heads.iter().map(|h| h.is_root())),
            complete: heads == gold_heads,
            gold_kept: candidates.map(|arcs| {
                let arc = |(i, &head): (usize, &Word)| (head, Word::new(i + 1));
                gold_heads.iter().enumerate().map(arc).filter(|arc| arcs.binary_search(arc).is_ok()).count() as u64
            }),
            heads_kept: candidates.map(|arcs| arcs.len() as u64),
            proof: answer.proof,
            score: answer.score.map(fitted),
            bound: answer.bound.map(fitted),
            effort: answer.effort,
        };
        for (i, (token, &head)) in gold.tokens.iter().zip(gold_heads).enumerate() {
            let right = u64::from(heads.get(i) == Some(&head));
            let scored = u64::from(!punctuation.covers(token));
            counts.correct += right;
            counts.scored_tokens += scored;
            counts.scored_correct += right * scored;
        }
        counts
    }
}
