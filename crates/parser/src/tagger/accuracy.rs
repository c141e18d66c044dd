//! How often a tagger is right, as counts.

use crate::treebank::Token;

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
