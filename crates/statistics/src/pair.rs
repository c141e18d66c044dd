//! Two rows of results side by side, sentence by sentence.

use thiserror::Error;

/// The sentences of a row with one seed, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// What is right of each sentence: words, or the sentence itself.
    pub right: Vec<u64>,
    /// Of how many.
    pub all: Vec<u64>,
    /// Its words that are scored, which must be the same in both rows.
    pub scored: Vec<u64>,
}

/// What each sentence says of the difference of two rows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Paired {
    /// What is right, first row less second, summed over seeds: heads of scored words, or the sentence.
    pub difference: Vec<i64>,
    /// Of how many, summed over seeds: scored words, or one a seed.
    pub scored: Vec<u64>,
    /// The differences of each seed, seeds ascending, sentence by sentence.
    pub by_seed: Vec<Vec<i64>>,
}

/// Why two rows cannot be compared sentence by sentence.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PairFault {
    /// One of the rows has no sentences.
    #[error("there are no sentences to compare")]
    Empty,
    /// Not the same seeds, or not the same sentences.
    #[error("sentence {sentence} of seed {seed} is in one cell only")]
    Alone {
        /// Number of the sentence.
        sentence: u64,
        /// The seed.
        seed: u64,
    },
    /// Not the same data or punctuation rule.
    #[error("sentence {sentence} of seed {seed} has {first} scored words in one cell and {second} in the other")]
    Scored {
        /// Number of the sentence.
        sentence: u64,
        /// The seed.
        seed: u64,
        /// Scored words in the first row.
        first: u64,
        /// Scored words in the second row.
        second: u64,
    },
}

/// Pairs the sentences of two rows; the seeds of each ascend.
///
/// # Errors
/// If the rows do not have the same seeds, sentences and scored words.
pub fn pair(first: &[Sample], second: &[Sample]) -> Result<Paired, PairFault> {
    if [first, second].iter().any(|row| row.iter().all(|sample| sample.right.is_empty())) {
        return Err(PairFault::Empty);
    }
    let mut paired = Paired::default();
    for at in 0..first.len().max(second.len()) {
        let (a, b) = match (first.get(at), second.get(at)) {
            (Some(a), Some(b)) if a.seed == b.seed => (a, b),
            (a, b) => {
                let seed = a.into_iter().chain(b).map(|sample| sample.seed).min().unwrap_or(0);
                return Err(PairFault::Alone { sentence: 1, seed });
            }
        };
        let (seed, shorter) = (a.seed, a.right.len().min(b.right.len()));
        if a.right.len() != b.right.len() {
            return Err(PairFault::Alone { sentence: shorter as u64 + 1, seed });
        }
        if let Some(i) = (0..shorter).find(|&i| a.scored[i] != b.scored[i]) {
            return Err(PairFault::Scored { sentence: i as u64 + 1, seed, first: a.scored[i], second: b.scored[i] });
        }
        let difference = |i: usize| a.right[i] as i64 - b.right[i] as i64;
        let differences: Vec<i64> = (0..shorter).map(difference).collect();
        let longest = paired.difference.len().max(shorter);
        paired.difference.resize(longest, 0);
        paired.scored.resize(longest, 0);
        for (i, one) in differences.iter().enumerate() {
            paired.difference[i] += one;
            paired.scored[i] += a.all[i];
        }
        paired.by_seed.push(differences);
    }
    if paired.by_seed.iter().any(|seed| seed.len() != paired.difference.len()) {
        paired.by_seed.clear();
    }
    Ok(paired)
}

impl Paired {
    /// Difference of the accuracies in percentage points; none if nothing is scored.
    pub fn difference_points(&self) -> Option<f64> {
        let (difference, scored) = self.totals();
        (scored > 0).then(|| 100.0 * difference as f64 / scored as f64)
    }

    /// Differences and scored words of all sentences and seeds.
    pub(super) fn totals(&self) -> (i128, i128) {
        let difference = self.difference.iter().map(|&d| i128::from(d)).sum();
        let scored = self.scored.iter().map(|&s| i128::from(s)).sum();
        (difference, scored)
    }
}
