//! From sentences to cells and lengths, and from seeds to settings: sums of counts.
//!
//! Sums are group-bys of the table engine over whole numbers, so neither the order of the rows nor the number of threads can
//! change a result. A sum of which a part is not known is not known.

use std::sync::Arc;

use polars::prelude::{Column, DataFrame, PolarsResult, SortMultipleOptions};

use super::{Counts, LengthRow, ReportError, ScoreRow, SentenceRow};
use treebound_parser::answer::{Count, Effort};
use treebound_parser::cell::CellKey;

/// One row a cell, sorted (`scores.csv`). Cells that ended in an error have no sentences and so no row here.
///
/// # Errors
/// If the table engine refuses.
pub fn scores(sentences: &[SentenceRow]) -> Result<Vec<ScoreRow>, ReportError> {
    let sums = sum_by(sentences.iter().map(|row| (row.cell.clone(), of_sentence(row))).collect())?;
    Ok(sums.into_iter().map(|(cell, counts)| ScoreRow { cell, counts: Ok(counts) }).collect())
}

/// One row a cell and sentence length, sorted (`by_length.csv`).
///
/// # Errors
/// If the table engine refuses.
pub fn by_length(sentences: &[SentenceRow]) -> Result<Vec<LengthRow>, ReportError> {
    let row = |((cell, length), counts): ((Arc<CellKey>, u64), Counts)| LengthRow {
        cell,
        length,
        sentences: counts.sentences,
        correct: counts.correct,
        scored_tokens: counts.scored_tokens,
        scored_correct: counts.scored_correct,
        proven: counts.proven,
        effort: counts.effort,
    };
    let sums = sum_by(sentences.iter().map(|row| ((row.cell.clone(), row.tokens), of_sentence(row))).collect())?;
    Ok(sums.into_iter().map(row).collect())
}

/// The counts of one sentence.
fn of_sentence(row: &SentenceRow) -> Counts {
    Counts {
        sentences: 1,
        tokens: row.tokens,
        correct: row.correct,
        scored_tokens: row.scored_tokens,
        scored_correct: row.scored_correct,
        root_correct: row.root_correct,
        complete: row.complete,
        gold_kept: row.gold_kept,
        heads_kept: row.heads_kept,
        proven: row.status.is_optimal().map(u64::from),
        effort: row.effort,
    }
}

/// The sums of the counts that share a key, sorted by key.
///
/// # Errors
/// If the table engine refuses.
pub fn sum_by<K: Ord + Clone>(rows: Vec<(K, Counts)>) -> Result<Vec<(K, Counts)>, ReportError> {
    let mut keys: Vec<K> = rows.iter().map(|(key, _)| key.clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    // Grouping by a number is far cheaper than by the columns of a key.
    let group = rows.iter().map(|(key, _)| keys.binary_search(key).map_or(0, |i| i as u64));
    let mut columns = vec![Column::new(GROUP.into(), group.collect::<Vec<u64>>())];
    let lines: Vec<Vec<Option<u64>>> = rows.iter().map(|(_, counts)| values(counts)).collect();
    for (at, name) in names().iter().enumerate() {
        let values: Vec<Option<u64>> = lines.iter().map(|line| line[at]).collect();
        // A sum passes over what is not known; how much that is, is summed beside it.
        let unknown: Vec<u64> = values.iter().map(|value| u64::from(value.is_none())).collect();
        columns.push(Column::new(unknown_of(name).into(), unknown));
        columns.push(Column::new((*name).into(), values));
    }
    let sums = sums(&DataFrame::new_infer_height(columns)?)?;
    let known = |name: &str, row: usize| sums.column(&format!("{name}_sum"))?.u64().map(|c| c.get(row).unwrap_or(0));
    let sum = |name: &str, row: usize| Ok((known(&unknown_of(name), row)? == 0).then_some(known(name, row)?));
    let counts = |(row, key): (usize, K)| {
        let values = names().iter().map(|name| sum(name, row)).collect::<PolarsResult<Vec<Option<u64>>>>()?;
        Ok((key, of_values(&values)))
    };
    Ok(keys.into_iter().enumerate().map(counts).collect::<PolarsResult<_>>()?)
}

/// The column of groups.
const GROUP: &str = "group";

/// The column that counts the values of another which are not known.
fn unknown_of(name: &str) -> String {
    format!("{name}_unknown")
}

/// The sums of all columns by group, in order.
fn sums(frame: &DataFrame) -> PolarsResult<DataFrame> {
    #[expect(deprecated, reason = "the engine that should be used instead more than doubles a clean build")]
    let sums = frame.group_by([GROUP])?.sum()?;
    sums.sort([GROUP], SortMultipleOptions::default())
}

/// Those that every system counts, and those that some do.
const ALWAYS: [&str; 7] =
    ["sentences", "tokens", "correct", "scored_tokens", "scored_correct", "root_correct", "complete"];
const SOMETIMES: [&str; 3] = ["gold_kept", "heads_kept", "proven"];

/// The columns of counts.
fn names() -> Vec<&'static str> {
    ALWAYS.into_iter().chain(SOMETIMES).chain(Count::ALL.iter().map(|count| count.name())).collect()
}

/// Counts by column.
fn values(counts: &Counts) -> Vec<Option<u64>> {
    let Counts { sentences, tokens, correct, scored_tokens, scored_correct, root_correct, complete, .. } = *counts;
    let always = [sentences, tokens, correct, scored_tokens, scored_correct, root_correct, complete].map(Some);
    let sometimes = [counts.gold_kept, counts.heads_kept, counts.proven];
    let effort = Count::ALL.iter().map(|&count| counts.effort.get(count));
    always.into_iter().chain(sometimes).chain(effort).collect()
}

/// The counts of such columns.
fn of_values(values: &[Option<u64>]) -> Counts {
    let value =
        |name: &str| names().iter().position(|column| *column == name).and_then(|at| values.get(at).copied()?);
    let [sentences, tokens, correct, scored_tokens, scored_correct, root_correct, complete] =
        ALWAYS.map(|name| value(name).unwrap_or(0));
    let [gold_kept, heads_kept, proven] = SOMETIMES.map(value);
    let mut effort = Effort::default();
    for &count in Count::ALL {
        effort.set(count, value(count.name()));
    }
    Counts {
        sentences,
        tokens,
        correct,
        scored_tokens,
        scored_correct,
        root_correct,
        complete,
        gold_kept,
        heads_kept,
        proven,
        effort,
    }
}
