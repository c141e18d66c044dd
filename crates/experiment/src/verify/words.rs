//! Words that were looked at one by one: in each view those of a cell are the scored words of its row.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::Check;
use treebound_parser::cell::CellKey;
use treebound_records::{CalibrationRow, ClassRow, ScoreRow};

/// Some words of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    cell: Arc<CellKey>,
    view: String,
    words: u64,
    correct: u64,
}

impl From<ClassRow> for Words {
    fn from(ClassRow { cell, by, words, correct, .. }: ClassRow) -> Self {
        Self { cell, view: by, words, correct }
    }
}

impl From<CalibrationRow> for Words {
    fn from(CalibrationRow { cell, words, correct, .. }: CalibrationRow) -> Self {
        Self { cell, view: "bins".to_owned(), words, correct }
    }
}

/// The words of each cell of a file, and those of them that are right, are as many in each view as its row says.
pub fn words(path: &Path, words: impl IntoIterator<Item = Words>, scores: &[ScoreRow]) -> Check {
    let mut check = Check::new(["view of a cell", "views of cells"], "its words are the scored words of scores.csv");
    let mut sums: BTreeMap<(Arc<CellKey>, String), [u64; 2]> = BTreeMap::new();
    for Words { cell, view, words, correct } in words {
        let [all, right] = sums.entry((cell, view)).or_default();
        *all = all.saturating_add(words);
        *right = right.saturating_add(correct);
    }
    for ((cell, view), [all, right]) in sums {
        let place = format!("{}: {cell}, {view}", path.display());
        let row = scores.iter().find(|row| row.cell == cell);
        let Some(counts) = row.and_then(|row| row.counts.as_ref().ok()) else {
            check.add([format!("{place}: scores.csv has no counts of the cell")]);
            continue;
        };
        let fault = format!(
            "{place}: {right} of {all} words are right, but {} of {} by scores.csv",
            counts.scored_correct, counts.scored_tokens
        );
        check.add(([all, right] != [counts.scored_tokens, counts.scored_correct]).then_some(fault));
    }
    check
}
