//! From sentences to cells and lengths: sums of counts.
//!
//! Whole numbers are summed, so neither the order of the rows nor the number of threads can change a result.

use std::sync::Arc;

use polars::prelude::{Column, DataFrame, PolarsResult, SortMultipleOptions};

use super::{Counts, LengthRow, ReportError, ScoreRow, SentenceRow};
use crate::answer::{Count, Effort};
use crate::cell::CellKey;

/// A column and its value in one sentence, if it is known.
type Summand = (&'static str, fn(&SentenceRow) -> Option<u64>);

/// The columns that are summed but for those of [`Count::ALL`].
const SUMMED: [Summand; 10] = [
    ("sentences", |_| Some(1)),
    ("tokens", |row| Some(row.tokens)),
    ("correct", |row| Some(row.correct)),
    ("scored_tokens", |row| Some(row.scored_tokens)),
    ("scored_correct", |row| Some(row.scored_correct)),
    ("root_correct", |row| Some(row.root_correct)),
    ("complete", |row| Some(row.complete)),
    ("gold_kept", |row| row.gold_kept),
    ("heads_kept", |row| row.heads_kept),
    ("proven", |row| row.status.is_optimal().map(u64::from)),
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
        effort: counts.effort,
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
    let column = |name: &str, values: Vec<Option<u64>>| Column::new(name.into(), values);
    let values = |value: &dyn Fn(&SentenceRow) -> Option<u64>| sentences.iter().map(value).collect::<Vec<_>>();
    let mut summed: Vec<(&str, Vec<Option<u64>>)> = SUMMED.map(|(name, value)| (name, values(&value))).into();
    summed.extend(Count::ALL.iter().map(|&count| (count.name(), values(&|row| row.effort.get(count)))));
    let mut columns =
        vec![column("cell", values(&|row| Some(number(row)))), column("length", values(&|row| Some(length(row))))];
    for (name, values) in summed {
        // A sum passes over what is not known; how much that is, is summed beside it.
        columns.push(column(&unknown(name), values.iter().map(|value| Some(u64::from(value.is_none()))).collect()));
        columns.push(column(name, values));
    }
    let sums = sums(&DataFrame::new_infer_height(columns)?)?;
    let rows = (0..sums.height()).map(|row| {
        let known = |name: &str| value(&sums, name, row);
        let sum = |name: &str| if known(&unknown(name))? == 0 { known(name).map(Some) } else { Ok(None) };
        let mut effort = Effort::default();
        for &count in Count::ALL {
            effort.set(count, sum(count.name())?);
        }
        let counts = Counts {
            sentences: known("sentences")?,
            tokens: known("tokens")?,
            correct: known("correct")?,
            scored_tokens: known("scored_tokens")?,
            scored_correct: known("scored_correct")?,
            root_correct: known("root_correct")?,
            complete: known("complete")?,
            gold_kept: sum("gold_kept")?,
            heads_kept: sum("heads_kept")?,
            proven: sum("proven")?,
            effort,
        };
        let cell = usize::try_from(sums.column("cell")?.u64()?.get(row).unwrap_or(0)).unwrap_or(0);
        Ok((cells[cell].clone(), sums.column("length")?.u64()?.get(row).unwrap_or(0), counts))
    });
    Ok(rows.collect::<PolarsResult<_>>()?)
}

/// The column that counts the values which are not known.
fn unknown(name: &str) -> String {
    format!("{name}_unknown")
}

/// The sums of all columns by `cell` and `length`, sorted.
fn sums(frame: &DataFrame) -> PolarsResult<DataFrame> {
    #[expect(deprecated, reason = "the engine that should be used instead more than doubles a clean build")]
    let sums = frame.group_by(["cell", "length"])?.sum()?;
    sums.sort(["cell", "length"], SortMultipleOptions::default())
}

/// The sum of a column in one group.
fn value(sums: &DataFrame, name: &str, row: usize) -> PolarsResult<u64> {
    Ok(sums.column(&format!("{name}_sum"))?.u64()?.get(row).unwrap_or(0))
}
