//! A parsed sentence against its gold one.

use thiserror::Error;

use super::{Place, Punctuation, Sentence};

/// Counts of a parsed sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentenceScore {
    /// 1, or 0 if one of the two has no tree.
    pub sentences: u64,
    /// Words.
    pub tokens: u64,
    /// Words with their gold heads.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Those with their gold heads.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: u64,
    /// Whether all words have their gold heads.
    pub complete: u64,
    /// Whether all words that are no punctuation have.
    pub scored_complete: u64,
}

/// Two sentences that are not of the same words.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// They differ in length.
    #[error("{0} has {1} words, but {2} has {3}: they must be the same sentences")]
    Length(Place, usize, Place, usize),
    /// They differ in a word.
    #[error("{0}: word {1} is `{2}`, but `{3}` in {4}: they must be the same sentences")]
    Word(Place, usize, String, String, Place),
}

impl SentenceScore {
    /// The counts of a sentence.
    ///
    /// # Errors
    /// If the words are not the same.
    pub fn new(gold: &Sentence, predicted: &Sentence, punctuation: &Punctuation) -> Result<Self, ScoreError> {
        let (place, other) = (&gold.place, &predicted.place);
        if gold.len() != predicted.len() {
            return Err(ScoreError::Length(place.clone(), gold.len(), other.clone(), predicted.len()));
        }
        let mut words = gold.tokens.iter().zip(&predicted.tokens).enumerate();
        if let Some((i, (a, b))) = words.find(|(_, (a, b))| a.form != b.form) {
            return Err(ScoreError::Word(place.clone(), i + 1, a.form.clone(), b.form.clone(), other.clone()));
        }
        let (Some(gold_tree), Some(tree)) = (&gold.gold, &predicted.gold) else { return Ok(Self::default()) };
        let mut score = Self { sentences: 1, ..Self::default() };
        for (i, token) in gold.tokens.iter().enumerate() {
            let right = u64::from(gold_tree.heads()[i] == tree.heads()[i]);
            let scored = u64::from(!punctuation.covers(token));
            score.tokens += 1;
            score.correct += right;
            score.scored_tokens += scored;
            score.scored_correct += right * scored;
        }
        score.root_correct = u64::from(gold_tree.roots().eq(tree.roots()));
        score.complete = u64::from(score.correct == score.tokens);
        score.scored_complete = u64::from(score.scored_correct == score.scored_tokens);
        Ok(score)
    }
}
