//! Jackknifing: every sentence of the training part tagged by a tagger that has not seen it.

use rayon::prelude::*;

use super::accuracy::Accuracy;
use super::decode::Scratch;
use super::model::Tagger;
use super::train::{Schedule, TaggerError};
use crate::treebank::{Folds, Token};

/// Tags each sentence by the tagger that learnt from the other folds, in parallel over the folds. Returns the sentences
/// with those tags, and how often they are right.
///
/// There are never more folds than sentences.
///
/// # Errors
/// If there are fewer than 2 folds or sentences, or if a tagger cannot be trained.
pub fn jackknife(
    sentences: &[&[Token]],
    folds: usize,
    schedule: Schedule,
) -> Result<(Vec<Vec<Token>>, Accuracy), TaggerError> {
    let n = sentences.len();
    if folds.min(n) < 2 {
        return Err(TaggerError::NothingToHoldOut { folds, sentences: n });
    }
    let folds = Folds::of(folds.min(n), n);
    let parts = (0..folds.count())
        .into_par_iter()
        .with_max_len(1)
        .map(|held_out| {
            let seen: Vec<&[Token]> = (0..n).filter(|&i| folds.fold(i) != held_out).map(|i| sentences[i]).collect();
            let tagger = Tagger::train(&seen, schedule)?;
            let mut accuracy = Accuracy::default();
            let mut scratch = Scratch::default();
            let mut tag = |i: usize| (i, tagger.tagged(sentences[i], &mut accuracy, &mut scratch));
            let tagged: Vec<_> = (0..n).filter(|&i| folds.fold(i) == held_out).map(&mut tag).collect();
            Ok((tagged, accuracy))
        })
        .collect::<Result<Vec<_>, TaggerError>>()?;
    let mut accuracy = Accuracy::default();
    let mut all = vec![Vec::new(); n];
    for (tagged, of_fold) in parts {
        accuracy += of_fold;
        for (i, tokens) in tagged {
            all[i] = tokens;
        }
    }
    Ok((all, accuracy))
}

impl Tagger {
    /// A sentence with gold tags tagged anew, and the comparison counted.
    pub fn tagged(&self, gold: &[Token], accuracy: &mut Accuracy, scratch: &mut Scratch) -> Vec<Token> {
        let mut tokens = gold.to_vec();
        self.tag(&mut tokens, scratch);
        for (gold, token) in gold.iter().zip(&tokens) {
            accuracy.count(gold, token, self.knows(&gold.form));
        }
        tokens
    }
}
