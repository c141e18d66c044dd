//! Two cells side by side, sentence by sentence.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::statistics::accuracy::Accuracy;
use treebound_records::SentenceRow;

/// What each sentence says of the difference of two cells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Paired {
    /// What is right, first cell less second, summed over seeds: heads of scored words, or the sentence.
    pub difference: Vec<i64>,
    /// Of how many, summed over seeds: scored words, or one a seed.
    pub scored: Vec<u64>,
    /// The differences of each seed, seeds ascending, sentence by sentence; empty if not every seed has every sentence.
    pub by_seed: Vec<Vec<i64>>,
}

/// Why two cells cannot be compared sentence by sentence.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PairFault {
    /// One of the cells has no sentences.
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
        /// Scored words in the first cell.
        first: u64,
        /// Scored words in the second cell.
        second: u64,
    },
}

/// The rows of a setting, if they are of all `seeds` and no other; else none. A test must be of what its difference is of, and
/// sentences of some seeds alone are not.
pub fn of_all_seeds<'a>(rows: Vec<&'a SentenceRow>, seeds: &[u64]) -> Vec<&'a SentenceRow> {
    let found: BTreeSet<u64> = rows.iter().map(|row| row.cell.seed).collect();
    if found == seeds.iter().copied().collect() { rows } else { Vec::new() }
}

/// Pairs the sentences of two cells by UAS; the rows of each may come from several seeds and in any order.
///
/// # Errors
/// If the cells do not have the same seeds, sentences and scored words.
pub fn pair<'a>(
    first: impl IntoIterator<Item = &'a SentenceRow>,
    second: impl IntoIterator<Item = &'a SentenceRow>,
) -> Result<Paired, PairFault> {
    pair_by(Accuracy::Uas, first, second)
}

/// As [`pair`], by any accuracy.
///
/// # Errors
/// If the cells do not have the same seeds, sentences and scored words.
pub fn pair_by<'a>(
    accuracy: Accuracy,
    first: impl IntoIterator<Item = &'a SentenceRow>,
    second: impl IntoIterator<Item = &'a SentenceRow>,
) -> Result<Paired, PairFault> {
    let key = |row: &SentenceRow| (row.sentence, row.cell.seed);
    let mut first: Vec<&SentenceRow> = first.into_iter().collect();
    let mut second: Vec<&SentenceRow> = second.into_iter().collect();
    first.sort_by_key(|row| key(row));
    second.sort_by_key(|row| key(row));
    if first.is_empty() || second.is_empty() {
        return Err(PairFault::Empty);
    }
    let alone = |(sentence, seed)| PairFault::Alone { sentence, seed };
    let mut sums: BTreeMap<u64, (i64, u64)> = BTreeMap::new();
    let mut by_seed: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    for (a, b) in first.iter().zip(&second) {
        if key(a) != key(b) {
            return Err(alone(key(a).min(key(b))));
        }
        if a.scored_tokens != b.scored_tokens {
            let (sentence, seed) = key(a);
            return Err(PairFault::Scored { sentence, seed, first: a.scored_tokens, second: b.scored_tokens });
        }
        let sum = sums.entry(a.sentence).or_default();
        let [[right, all], [other, _]] = [a, b].map(|row| accuracy.of_sentence(row));
        let difference = right as i64 - other as i64;
        sum.0 += difference;
        sum.1 += all;
        // Rows stand in the order of sentences.
        by_seed.entry(a.cell.seed).or_default().push(difference);
    }
    let shorter = first.len().min(second.len());
    if let Some(row) = first.get(shorter).or(second.get(shorter)) {
        return Err(alone(key(row)));
    }
    let (difference, scored): (Vec<i64>, Vec<u64>) = sums.into_values().unzip();
    let is_whole = by_seed.values().all(|one| one.len() == difference.len());
    let by_seed = if is_whole { by_seed.into_values().collect() } else { Vec::new() };
    Ok(Paired { difference, scored, by_seed })
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
