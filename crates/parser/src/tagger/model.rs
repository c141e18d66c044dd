//! A trained tagger.

use super::decode::{Scratch, Words};
use super::emission::{add_rows, key};
use super::labels::Labels;
use super::lexicon::Lexicon;
use super::viterbi::Transitions;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::atoms::mix;
use crate::treebank::Token;
use crate::weights::table::{FeatureKey, Table, decode_features, encode_features};

/// Tags sentences.
#[derive(Debug)]
pub struct Tagger {
    labels: Labels,
    lexicon: Lexicon,
    features: Vec<(FeatureKey, i32)>,
    table: Table,
    transitions: Transitions,
}

/// The key of a label's row of transitions: the weights of what follows it.
pub(super) fn transition_key(before: u32) -> u64 {
    // Keys of templates come out of the same function, so the odds of confusion are those of any two features.
    key(mix(!u64::from(before)))
}

impl Tagger {
    /// A tagger of distinct features.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub(super) fn new(labels: Labels, lexicon: Lexicon, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Self> {
        let table = Table::of(&features)?;
        let transitions = Transitions::from_rows(labels.len(), |before, row| {
            add_rows(table.lines(), &[transition_key(before as u32)], row);
        });
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
