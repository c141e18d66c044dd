//! How the search went in several ways, and how time and memory grow; for people.

use polars::prelude::{col, lit, when};

use super::table::{Section, Table};
use crate::frame::Frame;
use treebound_records::ReportError;
use treebound_records::number::{fixed, grouped};
use treebound_records::sheet::Sheet;

/// The ways of each cell (`search.csv`, `budget.csv`); `way` heads the column of ways.
///
/// # Errors
/// If rows are not those of such a file.
pub fn ways(rows: &Frame, way: &str) -> Result<Table, ReportError> {
    let mut sections = Vec::new();
    for cell in rows.blocks(&["cell"])? {
        let over = |part: &str, whole: &str, times: f64| {
            let counts = cell.counts(part)?.into_iter().zip(cell.counts(whole)?);
            Ok::<_, ReportError>(counts.map(move |(part, whole)| {
                fixed(times * part.unwrap_or(0) as f64 / whole.unwrap_or(0).max(1) as f64, 2)
            }))
        };
        let name = cell.words("cell")?.into_iter().next().unwrap_or_default();
        let heading = format!("{name}, {} sentences", cell.first_count("sentences")?.unwrap_or(0));
        sections.push(
            Section::new(heading)
                .left(way, cell.words("way")?)
                .right("DP calls\na sentence", over("dp_calls", "sentences", 1.0)?)
                .right("nodes\na sentence", over("nodes", "sentences", 1.0)?)
                .right("proven\n%", over("proven", "sentences", 100.0)?)
                .right("at root\n%", over("at_root", "sentences", 100.0)?)
                .right("UAS", over("scored_correct", "scored_tokens", 100.0)?),
        );
    }
    Ok(Table::new(sections, Sheet::default()))
}

/// How time and memory grow (`growth.csv`): the rows of each axis, small sets first.
///
/// # Errors
/// If rows are not those of such a file.
pub fn growth(rows: &Frame) -> Result<Table, ReportError> {
    // The sets of the axis of families grow with the value; all heads are more than any number of them.
    let place = col("features.order");
    let set = when(col("axis").eq(lit("families"))).then(lit(0_u32)).otherwise(place).alias("set");
    let is_all = col("value").is_null().alias("is_all");
    let rows = rows
        .clone()
        .with_order("features")?
        .query(|rows| rows.with_columns([set, is_all]))?
        .sorted(&["axis", "set", "is_all", "value"])?;
    let mut sections = Vec::new();
    for axis in rows.blocks(&["axis"])? {
        let count = |name: &str| {
            let counts = axis.counts(name)?.into_iter();
            Ok::<Vec<u64>, ReportError>(counts.map(|count| count.unwrap_or(0)).collect())
        };
        let grouped_counts = |name: &str| Ok::<_, ReportError>(count(name)?.into_iter().map(grouped));
        let mib = |name: &str| {
            let peaks = axis.counts(name)?.into_iter();
            Ok::<_, ReportError>(peaks.map(|kib| kib.map_or_else(String::new, |kib| fixed(kib as f64 / 1024.0, 0))))
        };
        let seconds = |names: &[&str]| {
            let mut sums = vec![0_u64; axis.height()];
            for name in names {
                sums.iter_mut().zip(count(name)?).for_each(|(sum, ns)| *sum = sum.saturating_add(ns));
            }
            Ok::<Vec<f64>, ReportError>(sums.into_iter().map(|ns| ns as f64 / 1e9).collect())
        };
        let (sentences, words) = (count("sentences")?, count("words")?);
        let parsing = seconds(&["prune_ns", "score_ns", "decode_ns"])?;
        let learning = seconds(&["pruner_ns", "train_ns"])?;
        let of_each = |values: Vec<f64>| {
            let shown = values.into_iter().zip(&sentences);
            shown
                .map(|(value, &all)| if all > 0 { fixed(value / all as f64, 2) } else { String::new() })
                .collect::<Vec<_>>()
        };
        let calls = of_each(count("dp_calls")?.into_iter().map(|calls| calls as f64).collect());
        let ms = of_each(parsing.iter().map(|s| 1e3 * s).collect());
        let rates = words.iter().zip(&parsing);
        let rates: Vec<String> = rates
            .map(|(&words, &s)| if s > 0.0 { grouped((words as f64 / s) as u64) } else { String::new() })
            .collect();
        let proven = count("proven")?.into_iter().zip(&sentences);
        let proven: Vec<String> =
            proven.map(|(proven, &all)| format!("{} of {}", grouped(proven), grouped(all))).collect();
        let values = axis.numbers("value")?.into_iter();
        let values = values.map(|value| value.map_or_else(|| "all".to_owned(), |value| grouped(value.abs() as u64)));
        let templates = count("templates")?.into_iter().zip(axis.words("template_set")?);
        let name = axis.words("axis")?.into_iter().next().unwrap_or_default();
        sections.push(
            Section::default()
                .right(&name, values)
                .left("features", axis.words("features")?)
                .left("templates", templates.map(|(count, set)| format!("{} {set}", grouped(count))))
                .right("training\nwords", grouped_counts("train_words")?)
                .right("learnt\nfeatures", grouped_counts("learnt_features")?)
                .right("training\ns", learning.into_iter().map(|s| fixed(s, 1)))
                .right("training\npeak MiB", mib("train_peak_kib")?)
                .right("DP calls\na sentence", calls)
                .right("proven of", proven)
                .right("ms a\nsentence", ms)
                .right("words/s", rates)
                .right("parsing\npeak MiB", mib("parse_peak_kib")?),
        );
    }
    Ok(Table::new(sections, Sheet::default()))
}
