//! Do probabilities mean what they say? Of the heads that a parser gives with a probability of 0.8, four of five should be right.
//!
//! Words fall into ten bins by the probability of their head. The expected calibration error (Naeini, Cooper & Hauskrecht 2015)
//! is the mean, over words, of how far the share that is right lies from the mean probability of their bin.

use std::collections::BTreeMap;

use treebound_parser::cell::Setting;
use treebound_records::CalibrationRow;
use treebound_records::calibration::{Bin, CERTAIN};
use treebound_records::number::percent;

/// The bins of a setting, all its seeds together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// The setting.
    pub setting: Setting,
    /// By number of the bin; those without words may be missing.
    pub bins: BTreeMap<u64, Bin>,
}

/// The calibration of each setting.
pub fn calibrations(rows: &[CalibrationRow]) -> Vec<Calibration> {
    let mut settings: BTreeMap<Setting, BTreeMap<u64, Bin>> = BTreeMap::new();
    for row in rows {
        let bin = settings.entry(row.cell.setting.clone()).or_default().entry(row.bin).or_default();
        bin.add(Bin { words: row.words, correct: row.correct, probability_e6: row.probability_e6 });
    }
    settings.into_iter().map(|(setting, bins)| Calibration { setting, bins }).collect()
}

impl Calibration {
    /// All words.
    pub fn all(&self) -> Bin {
        let mut all = Bin::default();
        self.bins.values().for_each(|bin| all.add(*bin));
        all
    }

    /// The expected calibration error in percentage points; none of no words.
    pub fn expected_error_points(&self) -> Option<f64> {
        let apart = self.bins.values().map(Bin::apart_e6).fold(0, u64::saturating_add);
        percent(apart, self.all().words.saturating_mul(CERTAIN))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn row(seed: u64, bin: u64, words: u64, correct: u64, probability_e6: u64) -> CalibrationRow {
        let axes = ["a", "test", "gold", "graph", "compact", "crf", "baseline", "k=10", "carreras/dp"];
        let cell = Arc::new(Setting::read(axes).expect("a setting").with_seed(seed));
        CalibrationRow { cell, key: Default::default(), bin, words, correct, probability_e6 }
    }

    #[test]
    fn errors_of_bins_do_not_cancel() {
        // Ten words at 0.95 of which all are right, ten at 0.45 of which four are: 0.5 and 0.5 of 20 words.
        let rows = [row(1, 10, 10, 10, 9_500_000), row(1, 5, 10, 4, 4_500_000)];
        let found = calibrations(&rows);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].expected_error_points(), Some(5.0));
        assert_eq!((found[0].all().said_pct(), found[0].all().right_pct()), (Some(70.0), Some(70.0)));
    }

    #[test]
    fn seeds_are_added_up() {
        // Together 19 of 20 are right.
        let rows = [row(1, 10, 10, 10, 9_500_000), row(2, 10, 10, 9, 9_500_000)];
        assert_eq!(calibrations(&rows)[0].expected_error_points(), Some(0.0));
        assert_eq!(calibrations(&[row(1, 1, 0, 0, 0)])[0].expected_error_points(), None);
    }
}
