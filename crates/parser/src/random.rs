//! Seeded randomness: one generator, named and portable, for everything that is drawn.
//!
//! Folds for jackknifing: what is learnt for a training sentence is learnt without it.
//!
//! Neighbouring sentences mostly come from one document, and who has seen the rest of a document knows too much about it. So
//! sentences are dealt out to folds by blocks of neighbours, in turn.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A number below `n`, without bias; `n` must not be 0.
pub fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    // Rejecting the incomplete last run of multiples keeps every remainder equally likely.
    let limit = u64::MAX - u64::MAX % n;
    loop {
        let draw = random.next_u64();
        if draw < limit {
            return draw % n;
        }
    }
}

/// A random permutation (Fisher and Yates).
pub fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(random, i as u64 + 1) as usize);
    }
}

/// Neighbouring sentences that go into one fold, where there are enough.
const BLOCK: usize = 16;

/// How the sentences of a training part are dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folds {
    count: usize,
    block: usize,
}

impl Folds {
    /// `count` folds of `sentences` sentences. None is empty if there are at least as many sentences: blocks are shorter then.
    ///
    /// # Panics
    /// If there are no folds: who reads a number of folds refuses it.
    pub fn new(count: usize, sentences: usize) -> Self {
        Self { count, block: BLOCK.min(sentences / count).max(1) }
    }

    /// `count` folds of whole blocks: the last ones stay empty if there are few sentences.
    pub const fn whole_blocks(count: usize) -> Self {
        Self { count, block: BLOCK }
    }

    /// The fold of a sentence, by its number from 0.
    pub const fn fold(self, sentence: usize) -> usize {
        sentence / self.block % self.count
    }

    /// How many there are.
    pub const fn count(self) -> usize {
        self.count
    }

    /// Neighbouring sentences that go into one fold.
    pub const fn block(self) -> usize {
        self.block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_sentences_and_neighbours_stay_together() {
        for (count, sentences) in [(2, 2), (5, 60), (7, 12), (10, 159), (10, 161), (5, 12_544)] {
            let folds = Folds::new(count, sentences);
            let mut sizes = vec![0; count];
            (0..sentences).for_each(|i| sizes[folds.fold(i)] += 1);
            assert!(sizes.iter().all(|&s| s > 0), "{count} folds of {sentences}: {sizes:?}");
        }
        assert_eq!([0, 15, 16, 79, 80].map(|i| Folds::new(5, 12_544).fold(i)), [0, 0, 1, 4, 0]);
        assert_eq!([0, 1, 2, 7].map(|i| Folds::new(7, 12).fold(i)), [0, 1, 2, 0], "blocks of one");
        assert_eq!([0, 15, 16, 112].map(|i| Folds::whole_blocks(7).fold(i)), [0, 0, 1, 0]);
    }
}
