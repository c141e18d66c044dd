//! Figure 4: parse time against sentence length, from timed passes. It depends on the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::{Figure, Point, Quantity, Series};
use crate::cell::Setting;
use crate::records::SpeedRow;
use crate::records::number::median;

/// The figure, of the settings that were timed by sentence length. The time of a length is the median over all passes (repeats and seeds) of that for all its sentences.
pub fn figure4(rows: &[SpeedRow]) -> Figure {
    let mut settings: BTreeMap<Setting, BTreeMap<u64, Vec<&SpeedRow>>> = BTreeMap::new();
    for row in rows {
        let Some(length) = row.length else { continue };
        settings.entry(row.cell.setting.clone()).or_default().entry(length).or_default().push(row);
    }
    let point = |(length, rows): (u64, Vec<&SpeedRow>)| {
        let mut times: Vec<u64> = rows.iter().map(|row| row.phases.total_ns()).collect();
        let sentences = rows.iter().map(|row| row.sentences).max().unwrap_or(0);
        Point { length, sentences, decoded: sentences, total: median(&mut times).unwrap_or(0) }
    };
    let series = settings.into_iter().map(|(setting, lengths)| {
        let passes: BTreeSet<(u64, u64)> = lengths.values().flatten().map(|row| (row.cell.seed, row.repeat)).collect();
        Series { setting, samples: passes.len() as u64, unproven: 0, points: lengths.into_iter().map(point).collect() }
    });
    Figure::new(Quantity::ParseTime, series.collect())
}
