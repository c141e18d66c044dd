//! What a parser says of its heads, and how many are right: bins of probabilities.
//!
//! Probabilities are whole numbers of a millionth, so that their sums depend on no order and no machine.

use super::number::percent;

/// A probability of 1.
pub const CERTAIN: u64 = 1_000_000;

/// Bins of equal width.
pub const BINS: u64 = 10;

/// The bin of a probability in millionths.
pub fn bin_of(probability_e6: u64) -> u64 {
    (probability_e6 * BINS / CERTAIN).min(BINS - 1) + 1
}

/// Words whose heads are about as probable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bin {
    /// Words.
    pub words: u64,
    /// Those with the right head.
    pub correct: u64,
    /// Their probabilities, added up, in millionths.
    pub probability_e6: u64,
}

impl Bin {
    /// Adds the words of another one.
    pub fn add(&mut self, other: Self) {
        self.words += other.words;
        self.correct += other.correct;
        self.probability_e6 += other.probability_e6;
    }

    /// Mean probability in percent; none of no words.
    pub fn said_pct(&self) -> Option<f64> {
        percent(self.probability_e6, self.words.saturating_mul(CERTAIN))
    }

    /// Words with the right head in percent; none of no words.
    pub fn right_pct(&self) -> Option<f64> {
        percent(self.correct, self.words)
    }

    /// How many millionths of words more or fewer are right than was said.
    pub fn apart_e6(&self) -> u64 {
        self.correct.saturating_mul(CERTAIN).abs_diff(self.probability_e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_end_below_the_next() {
        assert_eq!([0, 99_999, 100_000, 899_999, 900_000, CERTAIN].map(bin_of), [1, 1, 2, 9, 10, 10]);
    }
}
