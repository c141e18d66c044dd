//! Figure 5: calls to the dynamic program against sentence length. It is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use super::{Figure, Point, Quantity, Series};
use crate::answer::Count;
use crate::cell::Setting;
use crate::records::LengthRow;

/// The figure: means over all seeds, of the systems that count these calls.
pub fn figure5(rows: &[LengthRow]) -> Figure {
    let mut settings: BTreeMap<Setting, BTreeMap<u64, Vec<&LengthRow>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| calls(row).is_some()) {
        settings.entry(row.cell.setting.clone()).or_default().entry(row.length).or_default().push(row);
    }
    let point = |(length, rows): (u64, Vec<&LengthRow>)| {
        let sum = |value: fn(&LengthRow) -> u64| rows.iter().map(|row| value(row)).fold(0, u64::saturating_add);
        Point {
            length,
            sentences: rows.iter().map(|row| row.sentences).max().unwrap_or(0),
            decoded: sum(|row| row.sentences),
            total: sum(|row| calls(row).unwrap_or(0)),
        }
    };
    let series = settings.into_iter().map(|(setting, lengths)| {
        let seeds: BTreeSet<u64> = lengths.values().flatten().map(|row| row.cell.seed).collect();
        let unproven = |row: &&LengthRow| row.proven.map_or(0, |proven| row.sentences.saturating_sub(proven));
        let unproven = lengths.values().flatten().map(unproven).fold(0, u64::saturating_add);
        Series { setting, samples: seeds.len() as u64, unproven, points: lengths.into_iter().map(point).collect() }
    });
    Figure::new(Quantity::DpCalls, series.collect())
}

fn calls(row: &LengthRow) -> Option<u64> {
    row.effort.get(Count::DpCalls)
}
