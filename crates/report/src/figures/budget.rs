//! The budget figure: accuracy and proofs with the search stopped after so many DP calls. It is the same on every machine.

use std::collections::BTreeSet;
use std::ops::Range;

use polars::prelude::col;

use super::Figure;
use super::axis::Axis;
use super::line::{self, Names, other_backbones, range, seeds_together, words_if_any};
use super::panel::Panel;
use crate::frame::Frame;
use crate::measures::UAS;
use crate::tables::blocks::{PLACE, TableOptions, block_words, placed, pruning_labels};
use crate::tables::table::plain_sheet;
use treebound_records::ReportError;
use treebound_records::number::{percent, ratio};
use treebound_records::sheet::Sheet;

/// What is summed over the seeds of a line.
const SUMS: [&str; 5] = ["sentences", "proven", "dp_calls", "scored_tokens", "scored_correct"];

/// The rows of some lines, each with one budget, summed over seeds.
struct Sums {
    rows: Frame,
    /// Most DP calls of a search, by row; the one without a limit is the largest.
    budgets: Vec<u64>,
    uas: Vec<Option<f64>>,
    proven: Vec<Option<f64>>,
}

/// The way of searches without a limit.
const NO_LIMIT: u64 = u64::MAX;

/// The figure of `budget.csv`: one line a setting, sums over all seeds.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn budget(all: &Frame, options: &TableOptions) -> Result<Figure, ReportError> {
    let mut sums = all.first_of_axes();
    sums.extend(SUMS.map(|name| col(name).sum()));
    let budgets = all.words("way")?.into_iter().map(|way| way.parse().unwrap_or(NO_LIMIT));
    let budgets = polars::prelude::Column::new("budget".into(), budgets.collect::<Vec<u64>>());
    let rows = all.clone().with(budgets)?;
    let rows = rows.query(|rows| rows.group_by_stable([col("line"), col("budget")]).agg(sums))?;
    let parser = ["backbone.order", "features.order", "pruning.order", "decoder.order", "line", "budget"];
    let rows = placed(&rows, options)?.sorted(&[&PLACE[..], &parser].concat())?;
    let ratios = |part: &str, whole: &str| {
        let counts = rows.counts(part)?.into_iter().zip(rows.counts(whole)?);
        Ok::<Vec<Option<f64>>, ReportError>(counts.map(|(part, whole)| percent(part?, whole?)).collect())
    };
    let uas = rows.query(|rows| rows.with_columns([UAS.value().alias("uas_pct")]))?.numbers("uas_pct")?;
    let budgets: Vec<u64> = rows.counts("budget")?.into_iter().flatten().collect();
    let sums = Sums { budgets, uas, proven: ratios("proven", "sentences")?, rows };
    let rows = &sums.rows;
    let names = Names::new(&[words_if_any(rows, "features")?, pruning_labels(rows)?, rows.words("decoder")?]);
    let backbones = other_backbones(rows)?;
    let mut panels = Vec::new();
    for block in rows.runs(&["block", "backbone"])? {
        let first = block.start;
        let mut heading = vec![block_words(&rows.rows(&[first])?)?];
        heading.extend(Some(backbones[first].clone()).filter(|backbone| !backbone.is_empty()));
        let lines: Vec<Range<usize>> =
            rows.runs(&["line"])?.into_iter().filter(|run| block.contains(&run.start)).collect();
        let both = vec![
            panel(&names, &sums, &lines, "UAS (%)", &sums.uas),
            panel(&names, &sums, &lines, "sentences proven (%)", &sums.proven),
        ];
        panels.push((names.heading(heading, first), both));
    }
    let note = format!(
        "The search stops after so many calls to the dynamic program and gives the best tree found; {}.",
        seeds_together(all)?
    );
    Ok(Figure::new("budget", sheet(&sums)?, line::draw(panels, &names.lines, note)))
}

fn panel(names: &Names, sums: &Sums, lines: &[Range<usize>], label: &str, values: &[Option<f64>]) -> Panel {
    let budgets: BTreeSet<u64> = sums.budgets.iter().copied().collect();
    let place = |row: usize| budgets.iter().position(|budget| *budget == sums.budgets[row]);
    let point = |row: usize| Some((place(row)? as f64, values[row]?));
    let line = |run: &Range<usize>| line::line(names.place(run.start), run.clone().filter_map(point).collect());
    let lines: Vec<_> = lines.iter().map(line).collect();
    let (low, high) = range(&lines, (100.0, 0.0));
    // Differences of a hundredth of a point should not look like mountains, and nothing lies above 100 %.
    let (low, high) = match (low, high) {
        _ if high >= 99.5 => (low.min(99.0), 100.0),
        _ if high - low < 0.5 => (low - 0.25, high + 0.25),
        ends => ends,
    };
    let name = |&budget: &u64| if budget == NO_LIMIT { "no limit".to_owned() } else { budget.to_string() };
    let x = Axis::categories(budgets.iter().map(name));
    line::panel((x, "DP calls a sentence at most"), (Axis::between(low, high, 6), label.to_owned()), lines)
}

fn sheet(sums: &Sums) -> Result<Sheet, ReportError> {
    let Sums { rows, budgets, uas, proven } = sums;
    let calls = rows.counts("dp_calls")?.into_iter().zip(rows.counts("sentences")?);
    let sheet = plain_sheet(rows, &[])?
        .count("dp_calls_at_most", budgets.iter().map(|&budget| Some(budget).filter(|&budget| budget != NO_LIMIT)));
    let sheet =
        SUMS.iter().try_fold(sheet, |sheet, name| Ok::<_, ReportError>(sheet.count(name, rows.counts(name)?)))?;
    Ok(sheet.fixed("uas_pct", 4, uas.iter().copied()).fixed("proven_pct", 4, proven.iter().copied()).fixed(
        "dp_calls_per_sentence",
        4,
        calls.map(|(calls, sentences)| ratio(calls?, sentences?.max(1))),
    ))
}
