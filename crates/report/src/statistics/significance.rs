//! Paired tests over sentences, from typed rows.

use std::collections::{BTreeMap, BTreeSet};

pub use treebound_statistics::{
    CONFIDENCE, CONFIDENT_ERRORS, Draws, Interval, PairFault, Paired, Power, Randomisation, Sample, TwoWay, bootstrap,
    holm, holm_by_question, holm_of_some, power, randomisation, ratio_interval, two_way, wilson, wilson_needs,
};

use treebound_records::SentenceRow;

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
    treebound_statistics::pair(&samples(first), &samples(second))
}

fn samples<'a>(rows: impl IntoIterator<Item = &'a SentenceRow>) -> Vec<Sample> {
    let mut rows: Vec<&SentenceRow> = rows.into_iter().collect();
    rows.sort_by_key(|row| row.sentence);
    let mut seeds: BTreeMap<u64, Sample> = BTreeMap::new();
    for row in rows {
        let seed = row.cell.seed;
        let sample = seeds.entry(seed).or_insert_with(|| Sample { seed, ..Sample::default() });
        sample.right.push(row.scored_correct);
        sample.all.push(row.scored_tokens);
        sample.scored.push(row.scored_tokens);
    }
    seeds.into_values().collect()
}
