//! Words per second, from the passes that were timed.
//!
//! A pass parses all sentences of a cell on one thread. Of several passes the median counts, and their spread is the median
//! distance from it. Passes are those of a line's first seed: models of other seeds have other speeds, and lines that were timed
//! with several would stand beside lines of one.

use std::collections::HashMap;

use polars::prelude::{Column, DataFrame, DataType, Expr, IntoLazy, LazyFrame, NULL, col, lit, when};

use crate::frame::Frame;
use treebound_records::number::{median, ratio};
use treebound_records::{MixedFault, ReportError};

/// The stretches of a parse that are timed: the first, to start, is no part of the time from tokens to trees.
pub const PHASES: [&str; 5] = ["start_ns", "prune_ns", "score_ns", "decode_ns", "label_ns"];

/// The rows of each line's first seed.
///
/// # Errors
/// If the table engine refuses.
pub fn of_first_seeds(times: &Frame) -> Result<Frame, ReportError> {
    let first = times.lazy().group_by_stable([col("line")]).agg([col("seed").min().alias("first_seed")]);
    times.joined(first, "line")?.filtered(col("seed").eq(col("first_seed")))
}

/// One row a pass of a timed cell: `line`, `cell`, `seed`, `repeat`, `sentences`, `words` and the time of each phase, and `total_ns`
/// from tokens to trees. `scores` say how many words a pass has that is not timed by sentence length.
///
/// # Errors
/// If the table engine refuses.
pub fn passes(times: &Frame, scores: &Frame) -> Result<Frame, ReportError> {
    let tokens = scores.lazy().select([col("cell"), col("tokens").alias("words_of_cell")]);
    let by_length =
        when(col("length").is_null()).then(col("words_of_cell")).otherwise(col("sentences") * col("length"));
    let whole = |name: &str| {
        let is_known = col(name).null_count().eq(lit(0));
        when(is_known).then(col(name).sum()).otherwise(lit(NULL)).alias(name)
    };
    let phase = |name: &&str| {
        let is_known = col(*name).count().gt(lit(0));
        when(is_known).then(col(*name).sum()).otherwise(lit(NULL)).alias(*name)
    };
    let mut sums = times.first_of_axes();
    sums.extend([col("line").first(), col("seed").first(), col("sentences").sum(), whole("words")]);
    sums.extend(PHASES.iter().map(phase));
    let total = PHASES[1..].iter().map(|name| col(*name).fill_null(lit(0))).reduce(|sum, one| sum + one);
    let passes = of_first_seeds(times)?.joined(tokens, "cell")?.query(|rows| {
        let rows = rows.with_columns([by_length.alias("words")]);
        rows.group_by_stable([col("cell"), col("repeat")]).agg(sums)
    })?;
    passes.query(|rows| rows.with_columns(total.map(|total| total.cast(DataType::UInt64).alias("total_ns")).as_slice()))
}

/// One row a line that was timed: `passes`, `timed_sentences` and `timed_words` of a pass, the median times of a pass, of it and
/// its phases, and what is made of them: `words_per_second`, `spread_pct`, `start_s`, and milliseconds a sentence, of all and of
/// each phase.
///
/// # Errors
/// If passes of one line did not parse the same sentences.
pub fn speeds(times: &Frame, scores: &Frame) -> Result<LazyFrame, ReportError> {
    let passes = passes(times, scores)?;
    let names = ["total_ns", PHASES[0], PHASES[1], PHASES[2], PHASES[3], PHASES[4]];
    let (lines, cells, repeats) = (passes.words("line")?, passes.words("cell")?, passes.words("repeat")?);
    let [sentences, words] = [passes.counts("sentences")?, passes.counts("words")?];
    let timed = names.iter().map(|name| passes.counts(name)).collect::<Result<Vec<_>, _>>()?;
    let mut of_line: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut place: HashMap<&str, usize> = HashMap::new();
    for (row, line) in lines.iter().enumerate() {
        let at = *place.entry(line).or_insert_with(|| {
            of_line.push((line, Vec::new()));
            of_line.len() - 1
        });
        of_line[at].1.push(row);
    }
    let mut medians: Vec<Vec<Option<u64>>> = vec![Vec::new(); names.len()];
    let mut spreads: Vec<Option<u64>> = Vec::new();
    for (_, rows) in &of_line {
        let first = rows[0];
        for &row in rows {
            let pairs = [("sentences", &sentences), ("words", &words)];
            if let Some((column, values)) =
                pairs.iter().find(|(_, values)| values[first].unwrap_or(0) != values[row].unwrap_or(0))
            {
                let name = |row: usize| format!("{}, repeat {}", cells[row], repeats[row]);
                let [first_value, second_value] = [first, row].map(|row| values[row].unwrap_or(0));
                let fault =
                    MixedFault::Data { first: name(first), second: name(row), column, first_value, second_value };
                return Err(ReportError::Mixed(fault));
            }
        }
        let middle =
            |values: &[Option<u64>]| median(&mut rows.iter().filter_map(|&row| values[row]).collect::<Vec<_>>());
        for (medians, values) in medians.iter_mut().zip(&timed) {
            medians.push(middle(values));
        }
        let total = medians[0].last().copied().flatten().unwrap_or(0);
        spreads.push(middle(&timed[0].iter().map(|time| time.map(|time| time.abs_diff(total))).collect::<Vec<_>>()));
    }
    let first = |values: &[Option<u64>]| of_line.iter().map(|(_, rows)| values[rows[0]]).collect::<Vec<Option<u64>>>();
    let over = |parts: &[Option<u64>], wholes: &[Option<u64>], times: f64| -> Vec<Option<f64>> {
        parts.iter().zip(wholes).map(|(part, whole)| Some(ratio((*part)?, (*whole)?)? * times)).collect()
    };
    let (timed_sentences, timed_words) = (first(&sentences), first(&words));
    // The milliseconds are those of the nanoseconds over sentences, and so in this order.
    let ms = |at: usize| -> Vec<Option<f64>> {
        let of_line = medians[at].iter().zip(&timed_sentences);
        of_line.map(|(ns, sentences)| Some(ratio((*ns)?, (*sentences)?)? / 1e6)).collect()
    };
    let column = |name: &str, values: Vec<Option<f64>>| Column::new(name.into(), values);
    let mut columns = vec![
        Column::new("line".into(), of_line.iter().map(|(line, _)| (*line).to_owned()).collect::<Vec<String>>()),
        Column::new("passes".into(), of_line.iter().map(|(_, rows)| Some(rows.len() as u64)).collect::<Vec<_>>()),
        column("words_per_second", over(&timed_words, &medians[0], 1e9)),
        column("spread_pct", over(&spreads, &medians[0], 100.0)),
        column("start_s", medians[1].iter().map(|ns| ns.map(|ns| ns as f64 / 1e9)).collect()),
        column("ms_per_sentence", ms(0)),
        column("prune_ms_per_sentence", ms(2)),
        column("score_ms_per_sentence", ms(3)),
        column("decode_ms_per_sentence", ms(4)),
        column("label_ms_per_sentence", ms(5)),
        Column::new("timed_sentences".into(), timed_sentences.clone()),
        Column::new("timed_words".into(), timed_words),
    ];
    columns.extend(names.iter().zip(&medians).map(|(name, medians)| Column::new((*name).into(), medians.clone())));
    Ok(DataFrame::new_infer_height(columns)?.lazy())
}

/// The names of what [`speeds`] says, where nothing was timed.
pub fn untimed() -> Vec<Expr> {
    let numbers = ["words_per_second", "spread_pct", "start_s"].into_iter();
    numbers.map(|name| lit(NULL).cast(DataType::Float64).alias(name)).collect()
}
