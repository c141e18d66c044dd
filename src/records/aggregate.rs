//! From sentences to cells and lengths: sums of counts.
//!
//! Whole numbers are summed, so neither the order of the rows nor the number of threads can change a result.

use std::sync::Arc;

use polars::prelude::{Column, DataFrame, PolarsResult, SortMultipleOptions};

use super::{CellKey, Counts, LengthRow, ReportError, ScoreRow, SentenceRow};

/// A column and its value in one sentence.
type Summand = (&'static str, fn(&SentenceRow) -> u64);

/// The columns that are summed, in the order of [`totals`].
const SUMMED: [Summand; 12] = [
    ("sentences", |_| 1),
    ("tokens", |row| row.tokens),
    ("correct", |row| row.correct),
    ("scored_tokens", |row| row.scored_tokens),
    ("scored_correct", |row| row.scored_correct),
    ("root_correct", |row| row.root_correct),
    ("complete", |row| row.complete),
    ("gold_kept", |row| row.gold_kept),
    ("heads_kept", |row| row.heads_kept),
    ("proven", |row| u64::from(row.is_proven())),
    ("nodes", |row| row.nodes),
    ("dp_calls", |row| row.dp_calls),
];

/// One row a cell, sorted (`scores.csv`). Cells that ended in an error have no sentences and so no row here.
///
/// # Errors
/// If the table engine refuses.
pub fn scores(sentences: &[SentenceRow]) -> Result<Vec<ScoreRow>, ReportError> {
    let groups = groups(sentences, false)?;
    Ok(groups.into_iter().map(|(cell, _, counts)| ScoreRow { cell, counts: Ok(counts) }).collect())
}

/// One row a cell and sentence length, sorted (`by_length.csv`).
///
/// # Errors
/// If the table engine refuses.
pub fn by_length(sentences: &[SentenceRow]) -> Result<Vec<LengthRow>, ReportError> {
    let row = |(cell, length, counts): (Arc<CellKey>, u64, Counts)| LengthRow {
        cell,
        length,
        sentences: counts.sentences,
        correct: counts.correct,
        scored_tokens: counts.scored_tokens,
        scored_correct: counts.scored_correct,
        proven: counts.proven,
        nodes: counts.nodes,
        dp_calls: counts.dp_calls,
    };
    Ok(groups(sentences, true)?.into_iter().map(row).collect())
}

/// The sums of each cell and, if asked for, of each of its lengths (else the length is 0), sorted.
fn groups(sentences: &[SentenceRow], lengths: bool) -> Result<Vec<(Arc<CellKey>, u64, Counts)>, ReportError> {
    let mut cells: Vec<Arc<CellKey>> = sentences.iter().map(|row| row.cell.clone()).collect();
    cells.sort_unstable();
    cells.dedup();
    // Grouping by a number is far cheaper than by the columns of a key.
    let number = |row: &SentenceRow| cells.binary_search(&row.cell).map_or(0, |i| i as u64);
    let length = |row: &SentenceRow| if lengths { row.tokens } else { 0 };
    let column = |name: &str, values: Vec<u64>| Column::new(name.into(), values);
    let mut columns = vec![
        column("cell", sentences.iter().map(number).collect()),
        column("length", sentences.iter().map(length).collect()),
    ];
    columns.extend(SUMMED.map(|(name, value)| column(name, sentences.iter().map(value).collect())));
    let sums = sums(&DataFrame::new_infer_height(columns)?)?;
    let cell = values(&sums, "cell")?;
    let length = values(&sums, "length")?;
    let summed = SUMMED.iter().map(|(name, _)| values(&sums, &format!("{name}_sum"))).collect::<PolarsResult<_>>()?;
    let rows = cell.into_iter().zip(length).zip(totals(summed));
    Ok(rows.filter_map(|((cell, length), counts)| Some((cells.get(cell as usize)?.clone(), length, counts))).collect())
}

/// The sums of all columns by `cell` and `length`, sorted.
fn sums(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let groups = frame.group_by(["cell", "length"])?.select(SUMMED.map(|(name, _)| name));
    #[expect(deprecated, reason = "the engine that should be used instead more than doubles a clean build")]
    let sums = groups.sum()?;
    sums.sort(["cell", "length"], SortMultipleOptions::default())
}

/// A column of whole numbers.
fn values(frame: &DataFrame, name: &str) -> PolarsResult<Vec<u64>> {
    Ok(frame.column(name)?.u64()?.iter().map(|value| value.unwrap_or(0)).collect())
}

/// Rows of counts from the columns of [`SUMMED`].
fn totals(columns: Vec<Vec<u64>>) -> Vec<Counts> {
    let rows = columns.first().map_or(0, Vec::len);
    let at = |column: usize, row: usize| columns.get(column).and_then(|c| c.get(row)).copied().unwrap_or(0);
    let counts = |row| Counts {
        sentences: at(0, row),
        tokens: at(1, row),
        correct: at(2, row),
        scored_tokens: at(3, row),
        scored_correct: at(4, row),
        root_correct: at(5, row),
        complete: at(6, row),
        gold_kept: at(7, row),
        heads_kept: at(8, row),
        proven: at(9, row),
        nodes: at(10, row),
        dp_calls: at(11, row),
    };
    (0..rows).map(counts).collect()
}
