//! The part-of-speech tagger: an averaged perceptron over label sequences (Collins, 2002).
//!
//! A label is a pair of a fine and a coarse tag that some training word has, so that both columns are predicted together
//! and never contradict each other. The labels of a sentence are a [sequence](crate::sequence). Templates look at the words around
//! a word, not at tags ([`features`]). Which labels it can have follows from the words of the training part ([`lexicon`]): a
//! frequent word has the labels that it was seen with, any other those of rare words too.
//!
//! A parser must learn from tags as wrong as those that it will see. [`jackknife`] therefore tags the training part with
//! taggers that have not seen the sentence.
//!
//! Jackknifing: every sentence of the training part tagged by a tagger that has not seen it.

pub mod features;
pub mod lexicon;
mod search;
mod train;

use rayon::prelude::*;

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::sequence::{Transitions, transitions_of};
use crate::tagger::lexicon::Lexicon;
use crate::tagger::search::Words;
use crate::treebank::{Folds, Token};
use crate::weights::table::{FeatureKey, Table, decode_features, encode_features};

pub use lexicon::Labels;
pub use search::Scratch;
pub use train::{Schedule, TaggerError};

/// Tags sentences.
#[derive(Debug)]
pub struct Tagger {
    labels: Labels,
    lexicon: Lexicon,
    features: Vec<(FeatureKey, i32)>,
    table: Table,
    transitions: Transitions,
}

impl Tagger {
    /// A tagger of distinct features.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    fn new(labels: Labels, lexicon: Lexicon, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Self> {
        let table = Table::build(&features)?;
        let transitions = transitions_of(labels.len(), table.lines());
        Ok(Self { labels, lexicon, features, table, transitions })
    }

    /// All labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Number of features with a weight.
    pub fn features(&self) -> usize {
        self.features.len()
    }

    /// Whether a form occurs in the training part.
    pub fn knows(&self, form: &str) -> bool {
        self.lexicon.find(form).is_some()
    }

    /// Finds the labels of a sentence, of which only the forms are looked at.
    pub fn find<'s>(&self, tokens: &[Token], scratch: &'s mut Scratch) -> &'s [u32] {
        let mut numbers = std::mem::take(&mut scratch.numbers);
        let mut unknown = std::mem::take(&mut scratch.unknown);
        numbers.clear();
        unknown.clear();
        for token in tokens {
            numbers.push(self.lexicon.find(&token.form).unwrap_or_else(|| {
                unknown.push(self.lexicon.atoms_of(&token.form, &mut scratch.text));
                (self.lexicon.len() + unknown.len() - 1) as u32
            }));
        }
        let words = Words { lexicon: &self.lexicon, numbers: &numbers, unknown: &unknown };
        scratch.decode(words, self.table.lines(), &self.transitions);
        (scratch.numbers, scratch.unknown) = (numbers, unknown);
        &scratch.path
    }

    /// Gives the words of a sentence their tags; whatever tags they had are lost.
    pub fn tag(&self, tokens: &mut [Token], scratch: &mut Scratch) {
        let path = self.find(tokens, scratch);
        tokens.iter_mut().zip(path).for_each(|(token, &label)| self.labels.write(label, token));
    }

    /// Appends the tagger to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        self.labels.encode(out);
        self.lexicon.encode(out);
        encode_features(&self.features, out);
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let labels = Labels::decode(from)?;
        let lexicon = Lexicon::decode(from, labels.len())?;
        Self::new(labels, lexicon, decode_features(from)?).map_err(|_| Damaged)
    }
}

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
    let folds = Folds::new(folds.min(n), n);
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

/// Counts over tagged words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// Words.
    pub tokens: u64,
    /// Words with the right fine tag.
    pub fine: u64,
    /// Words with the right coarse tag.
    pub coarse: u64,
    /// Words with both tags right.
    pub both: u64,
    /// Words whose form the tagger had not seen in training.
    pub unknown: u64,
    /// Such words with the right fine tag.
    pub unknown_fine: u64,
}

impl Accuracy {
    /// Counts one word.
    pub fn count(&mut self, gold: &Token, predicted: &Token, known: bool) {
        let fine = gold.fine == predicted.fine;
        let coarse = gold.coarse == predicted.coarse;
        self.tokens += 1;
        self.fine += u64::from(fine);
        self.coarse += u64::from(coarse);
        self.both += u64::from(fine && coarse);
        self.unknown += u64::from(!known);
        self.unknown_fine += u64::from(!known && fine);
    }

    /// The counts in the order of the fields.
    pub fn to_array(self) -> [u64; 6] {
        [self.tokens, self.fine, self.coarse, self.both, self.unknown, self.unknown_fine]
    }

    /// Counts in the order of the fields.
    pub fn from_array([tokens, fine, coarse, both, unknown, unknown_fine]: [u64; 6]) -> Self {
        Self { tokens, fine, coarse, both, unknown, unknown_fine }
    }
}

impl std::ops::AddAssign for Accuracy {
    fn add_assign(&mut self, other: Self) {
        let (a, b) = (self.to_array(), other.to_array());
        *self = Self::from_array(std::array::from_fn(|i| a[i] + b[i]));
    }
}
