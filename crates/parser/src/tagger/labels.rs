//! Labels: the pairs of fine and coarse tag that occur in the training part, numbered in sorted order.

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::treebank::Token;

/// Most labels of a tagger.
pub const MOST_LABELS: usize = 4096;

/// All labels of a tagger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Fine tag, coarse tag; sorted, distinct.
    pairs: Vec<(String, String)>,
}

impl Labels {
    /// The labels of these words.
    pub fn of<'a>(tokens: impl IntoIterator<Item = &'a Token>) -> Self {
        let pairs: std::collections::BTreeSet<(&str, &str)> =
            tokens.into_iter().map(|t| (t.fine.as_str(), t.coarse.as_str())).collect();
        Self { pairs: pairs.into_iter().map(|(fine, coarse)| (fine.to_owned(), coarse.to_owned())).collect() }
    }

    /// Number of labels.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The label of a word's tags, if it is one.
    pub fn find(&self, token: &Token) -> Option<u32> {
        let wanted = (token.fine.as_str(), token.coarse.as_str());
        let found = self.pairs.binary_search_by(|(fine, coarse)| (fine.as_str(), coarse.as_str()).cmp(&wanted));
        found.ok().map(|i| i as u32)
    }

    /// Gives a word the tags of a label.
    pub fn write(&self, label: u32, token: &mut Token) {
        if let Some((fine, coarse)) = self.pairs.get(label as usize) {
            token.fine.clone_from(fine);
            token.coarse.clone_from(coarse);
        }
    }

    /// Appends the labels to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        out.u64(self.pairs.len() as u64);
        for (fine, coarse) in &self.pairs {
            out.text(fine).text(coarse);
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for _ in 0..from.u64()? {
            pairs.push((from.text()?.to_owned(), from.text()?.to_owned()));
        }
        // Memory for transitions grows with the square of their number.
        let sound = pairs.len() <= MOST_LABELS && pairs.is_sorted_by(|a, b| a < b);
        if sound { Ok(Self { pairs }) } else { Err(Damaged) }
    }
}
