//! Means over the seeds of a setting: what a line of a table shows.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use treebound_parser::answer::Count;
use treebound_parser::cell::{CorpusName, Setting, Split};
use treebound_records::aggregate::sum_by;
use treebound_records::number::{deviation, percent, ratio};
use treebound_records::{Counts, ReportError, ScoreRow};

/// A setting with all its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Averaged {
    /// The setting.
    pub setting: Setting,
    /// The seeds that have counts, ascending.
    pub seeds: Vec<u64>,
    /// The seeds that failed, with their errors.
    pub failed: Vec<(u64, String)>,
    /// Sums over the seeds; every seed parses the same words, so a ratio of sums is a mean over seeds.
    pub sums: Counts,
    /// Standard deviation over seeds of the accuracy without punctuation, in percentage points.
    pub uas_sd_points: Option<f64>,
}

impl Averaged {
    /// Accuracy over the words that are no punctuation.
    pub fn uas_pct(&self) -> Option<f64> {
        percent(self.sums.scored_correct, self.sums.scored_tokens)
    }

    /// Accuracy over all words.
    pub fn uas_all_pct(&self) -> Option<f64> {
        percent(self.sums.correct, self.sums.tokens)
    }

    /// Share of sentences whose words on the root are right.
    pub fn root_pct(&self) -> Option<f64> {
        percent(self.sums.root_correct, self.sums.sentences)
    }

    /// Share of sentences with every head right.
    pub fn complete_pct(&self) -> Option<f64> {
        percent(self.sums.complete, self.sums.sentences)
    }

    /// Share of words whose gold head was kept by pruning.
    pub fn gold_kept_pct(&self) -> Option<f64> {
        percent(self.sums.gold_kept?, self.sums.tokens)
    }

    /// Candidate heads a word.
    pub fn heads_per_word(&self) -> Option<f64> {
        ratio(self.sums.heads_kept?, self.sums.tokens)
    }

    /// A count over sentences; none if the system does not count it.
    pub fn per_sentence(&self, count: Count) -> Option<f64> {
        ratio(self.sums.effort.get(count)?, self.sums.sentences)
    }

    /// Searches without a proof, over all seeds; none of a system that proves nothing by design.
    pub fn unproven(&self) -> Option<u64> {
        Some(self.sums.sentences.saturating_sub(self.sums.proven?))
    }

    /// Sentences, words and scored words of one seed; none if all failed.
    pub fn data(&self) -> Option<[u64; 3]> {
        let seeds = self.seeds.len() as u64;
        let each = |sum: u64| sum.checked_div(seeds);
        Some([each(self.sums.sentences)?, each(self.sums.tokens)?, each(self.sums.scored_tokens)?])
    }
}

/// One entry a setting, sorted by setting.
///
/// # Errors
/// If two cells of one corpus and split differ in sentences, words or scored words.
pub fn average(rows: &[ScoreRow]) -> Result<Vec<Averaged>, ReportError> {
    same_data(rows.iter().map(|row| (row, &row.cell)))?;
    let counted = rows.iter().filter_map(|row| Some((&row.cell.setting, row.counts.as_ref().ok()?.clone())));
    let mut sums: BTreeMap<&Setting, Counts> = sum_by(counted);
    let mut settings: BTreeMap<&Setting, Vec<&ScoreRow>> = BTreeMap::new();
    for row in rows {
        settings.entry(&row.cell.setting).or_default().push(row);
    }
    let averaged = settings.into_iter().map(|(setting, rows)| {
        let sums = sums.remove(setting).unwrap_or(Counts::ZERO);
        of_seeds(setting.clone(), sums, rows)
    });
    Ok(averaged.collect())
}

fn of_seeds(setting: Setting, sums: Counts, mut rows: Vec<&ScoreRow>) -> Averaged {
    rows.sort();
    let mut averaged = Averaged { setting, seeds: Vec::new(), failed: Vec::new(), sums, uas_sd_points: None };
    let mut uas_pct = Vec::new();
    for row in rows {
        match &row.counts {
            Ok(counts) => {
                averaged.seeds.push(row.cell.seed);
                uas_pct.extend(percent(counts.scored_correct, counts.scored_tokens));
            }
            Err(error) => averaged.failed.push((row.cell.seed, error.clone())),
        }
    }
    averaged.uas_sd_points = deviation(&uas_pct);
    averaged
}

/// Refuses cells of one corpus and split that did not parse and score the same words. Each comes with its name.
///
/// # Errors
/// The first column that differs, with the names of both cells.
pub fn same_data<'a, N: std::fmt::Display>(rows: impl Iterator<Item = (&'a ScoreRow, N)>) -> Result<(), ReportError> {
    let mut first: BTreeMap<(&CorpusName, Split), (N, &Counts)> = BTreeMap::new();
    for (row, name) in rows {
        let Ok(counts) = &row.counts else { continue };
        match first.entry((&row.cell.setting.corpus, row.cell.setting.split)) {
            Entry::Vacant(entry) => {
                entry.insert((name, counts));
            }
            Entry::Occupied(entry) => {
                let (expected_name, expected) = entry.get();
                expected.same_data(expected_name, counts, &name)?;
            }
        }
    }
    Ok(())
}
