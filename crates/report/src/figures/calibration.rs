//! The calibration figure: how many heads are right against how probable they were said to be, and how many are so probable.
//! It is the same on every machine.

use super::axis::Axis;
use super::figure::Figure;
use super::names::Names;
use super::plots::{Plot, Plots, Row};
use crate::statistics::calibration::{Bin, Calibration, calibrations};
use crate::tables::models::{Group, model, model_words, place, ways};
use treebound_parser::cell::Setting;
use treebound_records::CalibrationRow;
use treebound_records::calibration::BINS;
use treebound_records::number::{fixed, percent};
use treebound_records::sheet::Sheet;

/// Bins of fewer words are not drawn: their accuracies move by chance.
const LEAST_WORDS: u64 = 20;

/// The line on which heads are as often right as was said.
const EXACT: &str = "as said";

/// The figure: a row a model, a line a learner and decoder, all seeds together.
pub fn calibration(rows: &[CalibrationRow]) -> Figure {
    let mut found = calibrations(rows);
    found.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let mut names = Names::of(found.iter().map(|one| &one.setting), ways);
    names.lines.push(EXACT.to_owned());
    let exact = names.lines.len() - 1;
    let rows = found.chunk_by(|a, b| row_of(&a.setting) == row_of(&b.setting)).map(|of_row| Row {
        heading: heading(&names, of_row),
        plots: vec![reliability(&names, exact, of_row), sizes(&names, of_row)],
    });
    let note = format!(
        "Scored words by the probability of the head that they were given, in {BINS} bins; those of fewer than {LEAST_WORDS} words \
         are left out on the left. error: expected calibration error in points, in the order of the legend."
    );
    let plots = Plots { rows: rows.collect(), lines: names.lines.clone(), note };
    Figure::of_plots("calibration", sheet(&found), plots)
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> impl Ord + '_ {
    (Group::of(setting), model(setting))
}

fn heading(names: &Names, row: &[Calibration]) -> String {
    let Some(Calibration { setting, .. }) = row.first() else { return String::new() };
    let mut parts = vec![Group::of(setting).words(), model_words(setting)];
    parts.extend(names.parts(setting, false));
    let errors: Vec<String> =
        row.iter().filter_map(Calibration::expected_error_points).map(|error| fixed(error, 2)).collect();
    format!("{}: error {}", parts.join(", "), errors.join(", "))
}

fn reliability(names: &Names, exact: usize, row: &[Calibration]) -> Plot {
    let point = |bin: &Bin| Some((bin.said_pct()?, bin.right_pct()?));
    let mut lines = vec![(exact, vec![(0.0, 0.0), (100.0, 100.0)])];
    lines.extend(row.iter().map(|one| {
        let drawn = one.bins.values().filter(|bin| bin.words >= LEAST_WORDS);
        (names.place(&one.setting), drawn.filter_map(point).collect())
    }));
    Plot {
        x: Axis::between(0.0, 100.0, 10),
        x_label: "mean probability of the heads (%)".to_owned(),
        y: Axis::between(0.0, 100.0, 10),
        y_label: "right (%)".to_owned(),
        lines,
    }
}

fn sizes(names: &Names, row: &[Calibration]) -> Plot {
    let middle = |bin: u64| (2 * bin - 1) as f64 * 50.0 / BINS as f64;
    let lines: Vec<(usize, Vec<(f64, f64)>)> = row
        .iter()
        .map(|one| {
            let all = one.all().words;
            let share = |(bin, found): (&u64, &Bin)| Some((middle(*bin), percent(found.words, all)?));
            (names.place(&one.setting), one.bins.iter().filter_map(share).collect())
        })
        .collect();
    let high = lines.iter().flat_map(|(_, points)| points).map(|point| point.1).fold(0.0, f64::max);
    Plot {
        x: Axis::between(0.0, 100.0, 10),
        x_label: "bin of probabilities (%)".to_owned(),
        y: Axis::between(0.0, high, 6),
        y_label: "words (%)".to_owned(),
        lines,
    }
}

fn sheet(found: &[Calibration]) -> Sheet {
    let rows: Vec<(&Calibration, u64, &Bin)> =
        found.iter().flat_map(|one| one.bins.iter().map(move |(bin, counts)| (one, *bin, counts))).collect();
    let rows = || rows.iter();
    let percent_of = |value: fn(&Bin) -> Option<f64>| rows().map(move |row| value(row.2));
    Sheet::default()
        .settings(rows().map(|row| &row.0.setting))
        .count("bin", rows().map(|row| Some(row.1)))
        .count("words", rows().map(|row| Some(row.2.words)))
        .count("correct", rows().map(|row| Some(row.2.correct)))
        .fixed("probability_pct", 4, percent_of(Bin::said_pct))
        .fixed("right_pct", 4, percent_of(Bin::right_pct))
        .fixed("expected_error_points", 4, rows().map(|row| row.0.expected_error_points()))
}
