//! From sentences to cells and lengths, and from seeds to settings: sums of counts. A sum of which a part is not known is not
//! known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Counts, LengthRow, ScoreRow, SentenceRow};
use treebound_parser::cell::CellKey;
use treebound_records::RowKey;

/// One row a cell, sorted (`scores.csv`). Cells that ended in an error have no sentences and so no row here.
pub fn scores(sentences: &[SentenceRow]) -> Vec<ScoreRow> {
    let sums = sum_by(sentences.iter().map(|row| ((row.cell.clone(), row.key), sentence_counts(row))));
    sums.into_iter().map(|((cell, key), counts)| ScoreRow { cell, key, counts: Ok(counts) }).collect()
}

/// One row a cell and sentence length, sorted (`by_length.csv`).
pub fn by_length(sentences: &[SentenceRow]) -> Vec<LengthRow> {
    let row = |((cell, key, length), counts): ((Arc<CellKey>, RowKey, u64), Counts)| LengthRow {
        cell,
        key,
        length,
        sentences: counts.sentences,
        correct: counts.correct,
        scored_tokens: counts.scored_tokens,
        scored_correct: counts.scored_correct,
        proven: counts.proven,
        effort: counts.effort,
    };
    let sums = sum_by(sentences.iter().map(|row| ((row.cell.clone(), row.key, row.tokens), sentence_counts(row))));
    sums.into_iter().map(row).collect()
}

/// The counts of one sentence.
fn sentence_counts(row: &SentenceRow) -> Counts {
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

/// The sums of the counts that share a key.
pub fn sum_by<K: Ord>(rows: impl IntoIterator<Item = (K, Counts)>) -> BTreeMap<K, Counts> {
    let mut sums: BTreeMap<K, Counts> = BTreeMap::new();
    for (key, counts) in rows {
        sums.entry(key).or_insert(Counts::ZERO).add(&counts);
    }
    sums
}
