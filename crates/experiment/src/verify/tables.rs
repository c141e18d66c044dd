//! Tables that are made of scores: the columns that are no test of significance.

use std::path::Path;

use super::Check;
use treebound_parser::answer::Count;
use treebound_parser::cell::Setting;
use treebound_records::number::fixed;
use treebound_records::{ReportError, ScoreRow, sheet};
use treebound_report::statistics::average::{Averaged, average};

/// The tables, by file.
pub const FILES: [&str; 2] = ["table2.csv", "table3.csv"];

/// The columns that say which seeds a line is of.
const SEEDS: [&str; 2] = ["seeds", "failed_seeds"];

/// The columns that are made anew; a table has some of them.
const COLUMNS: [&str; 13] = [
    "sentences",
    "tokens",
    "scored_tokens",
    "uas_pct",
    "uas_sd_points",
    "uas_all_pct",
    "root_pct",
    "complete_pct",
    "decoded",
    "proven",
    "dp_calls_per_sentence",
    "gold_kept_pct",
    "heads_per_word",
];

/// What stands in [`COLUMNS`].
fn columns(line: &Averaged) -> [Option<String>; COLUMNS.len()] {
    let count = |value: Option<u64>| value.map(|value| value.to_string());
    let share = |value: Option<f64>| value.map(|value| fixed(value, 2));
    let data = |at: usize| count(line.data().map(|data| data[at]));
    [
        data(0),
        data(1),
        data(2),
        share(line.uas_pct()),
        share(line.uas_sd_points),
        share(line.uas_all_pct()),
        share(line.root_pct()),
        share(line.complete_pct()),
        count(Some(line.sums.sentences)),
        count(line.sums.proven),
        share(line.per_sentence(Count::DpCalls)),
        share(line.gold_kept_pct()),
        share(line.heads_per_word()),
    ]
}

/// The lines of a table whose settings are wanted are means of the rows of `scores.csv`.
///
/// # Errors
/// If the table cannot be read.
pub fn means(path: &Path, scores: &[ScoreRow], is_wanted: impl Fn(&Setting) -> bool) -> Result<Check, ReportError> {
    let mut check = Check::new(["line of a table", "lines of tables"], "accuracies and counts are those of scores.csv");
    let averaged = match average(scores) {
        Ok(averaged) => averaged,
        Err(error) => {
            check.add([error.to_string()]);
            return Ok(check);
        }
    };
    let lines = sheet::read_settings(path, SEEDS, COLUMNS)?;
    for (setting, seeds, fields) in lines.into_iter().filter(|(setting, ..)| is_wanted(setting)) {
        let place = format!("{}: {setting}", path.display());
        let Some(line) = averaged.iter().find(|line| line.setting == setting) else {
            check.add([format!("{place}: scores.csv has no such cell")]);
            continue;
        };
        if seeds != [line.seeds.len(), line.failed.len()].map(|seeds| seeds.to_string()) {
            check.leave_open("the line is of other seeds than scores.csv has", 1);
            continue;
        }
        if line.seeds.is_empty() {
            check.leave_open("every seed ended in an error", 1);
            continue;
        }
        let found = COLUMNS.iter().zip(&fields).zip(columns(line));
        let differ = found.filter_map(|((column, stands), found)| {
            // A table that does not have the column has no fields of it.
            let found = found.filter(|found| !stands.is_empty() && found != stands)?;
            Some(format!("{place}: {column} {stands}, but {found} by scores.csv"))
        });
        check.add(differ.collect::<Vec<_>>());
    }
    Ok(check)
}
