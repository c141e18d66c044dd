//! How far the probabilities of heads are to be believed, by CRF.

use super::models::{Group, named_once, place, ways};
use super::table::{Section, Table};
use crate::statistics::calibration::{Calibration, calibrations};
use treebound_records::CalibrationRow;
use treebound_records::number::{fixed, grouped};
use treebound_records::sheet::Sheet;

/// The table: one line a setting, all its seeds together.
pub fn calibration(rows: &[CalibrationRow]) -> Table {
    let mut lines = calibrations(rows);
    lines.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let groups = lines.chunk_by(|a, b| Group::of(&a.setting) == Group::of(&b.setting));
    let notes = vec![
        "said: mean probability of the heads that were given. right: words with the right head (UAS). error: expected \
         calibration error over ten bins of probabilities, in points."
            .to_owned(),
    ];
    Table::new(groups.map(section).collect(), sheet(&lines)).with_notes(notes)
}

/// The columns of `calibration_error.csv`.
fn sheet(lines: &[Calibration]) -> Sheet {
    let lines = || lines.iter();
    Sheet::default()
        .settings(lines().map(|line| &line.setting))
        .count("words", lines().map(|line| Some(line.all().words)))
        .fixed("probability_pct", 4, lines().map(|line| line.all().said_pct()))
        .fixed("uas_pct", 4, lines().map(|line| line.all().right_pct()))
        .fixed("expected_error_points", 4, lines().map(Calibration::expected_error_points))
}

fn section(group: &[Calibration]) -> Section {
    let Some(first) = group.first() else { return Section::default() };
    let two = |value: Option<f64>| value.map_or_else(String::new, |value| fixed(value, 2));
    let way = |at: usize| group.iter().map(move |line| ways(&line.setting).swap_remove(at));
    Section::new(format!("Calibration: {}", Group::of(&first.setting).words()))
        .left("model", named_once(group.iter().map(|line| &line.setting)))
        .left("learner", way(0))
        .left("decoder", way(1))
        .right("words", group.iter().map(|line| grouped(line.all().words)))
        .right("said %", group.iter().map(|line| two(line.all().said_pct())))
        .right("right %", group.iter().map(|line| two(line.all().right_pct())))
        .right("error", group.iter().map(|line| two(line.expected_error_points())))
}
