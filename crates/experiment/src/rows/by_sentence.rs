//! What tests need of each sentence, a line a cell (`by_sentence.csv`): small enough to be committed.
//!
//! `sentences.csv` has a line a sentence and cell, and is not committed. Without it no difference has a p-value: not in a clone,
//! and not between two revisions. This file has all of its counts but for scores and bounds, which only `treebound verify` needs.
//! A field has the numbers of [all sentences](treebound_records::series); one that is that of the row above, as lengths of
//! sentences mostly are, is written `=`.

use std::path::Path;
use std::sync::Arc;

use super::SentenceRow;
use super::columns::{Column, Field, Fields, columns};
use super::csv::{self, Record};
use treebound_parser::answer::{Count, Effort, Proof};
use treebound_parser::cell::CellKey;
use treebound_records::cell_numbers::MOST_SENTENCES;
use treebound_records::file;
use treebound_records::series::Series;
use treebound_records::{LineFault, ReportError, RowKey};

/// The numbers of a sentence, but for what its parse cost. Those that are mostly 0 are written short.
const NUMBERS: [&str; 9] =
    ["tokens", "not_scored", "wrong", "scored_wrong", "root_wrong", "incomplete", "gold_lost", "heads_kept", "status"];

/// Numbers of a sentence.
const LEN: usize = NUMBERS.len() + Count::ALL.len();

columns! {
    /// The sentences of a cell.
    pub struct CellSentences {
        /// The cell.
        pub cell: Arc<CellKey>,
        /// What made them.
        pub key: RowKey,
        /// Its numbers, a column each.
        pub numbers: Numbers,
    }
}

/// A series for each number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Numbers([Series; LEN]);

impl Field for Numbers {
    fn columns(_: &'static str) -> Vec<Column> {
        let numbers = NUMBERS.into_iter().flat_map(<Series as Field>::columns);
        // A count that came later is missing in older files.
        numbers.chain(Count::ALL.iter().map(|&count| Column::counted(count))).collect()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let mut numbers = Self::default();
        for series in &mut numbers.0 {
            *series = Series::parse(fields)?;
        }
        Ok(numbers)
    }

    fn print(&self, line: &mut Vec<String>) {
        self.0.iter().for_each(|series| series.print(line));
    }
}

impl Record for CellSentences {
    fn same_key(&self, other: &Self) -> bool {
        self.cell == other.cell
    }

    fn key(&self) -> String {
        self.cell.to_string()
    }
}

impl CellSentences {
    /// Those of rows, sorted by cell and sentence.
    pub fn of(rows: &[SentenceRow]) -> Vec<Self> {
        let cells = rows.chunk_by(|a, b| a.cell == b.cell);
        let of_cell = |rows: &[SentenceRow]| {
            let each: Vec<_> = rows.iter().map(numbers).collect();
            // A count that most systems do not have has no column where none of them has it.
            let is_left_out = |number: usize| {
                let count = number.checked_sub(NUMBERS.len()).and_then(|at| Count::ALL.get(at));
                count.is_some_and(|count| count.is_sparse()) && each.iter().all(|of_row| of_row[number].is_none())
            };
            let series = std::array::from_fn(|number| match is_left_out(number) {
                true => Series::default(),
                false => each.iter().map(|of_row| of_row[number]).collect(),
            });
            let first = rows.first()?;
            Some(Self { cell: first.cell.clone(), key: first.key, numbers: Numbers(series) })
        };
        cells.filter_map(of_cell).collect()
    }

    /// How many there are.
    fn sentences(&self) -> u64 {
        self.numbers.0[0].len()
    }

    /// The rows; `None` if some numbers do not go together.
    fn rows(&self) -> Option<Vec<SentenceRow>> {
        let sentences = self.sentences();
        // What is not counted is nothing for any of them.
        let is_whole = |(at, series): (usize, &Series)| {
            !series.is_as_above() && (series.len() == sentences || at >= NUMBERS.len() && series.is_empty())
        };
        if sentences == 0 || !self.numbers.0.iter().enumerate().all(is_whole) {
            return None;
        }
        let mut each = self.numbers.0.each_ref().map(Series::iter);
        let rows = 1..=sentences;
        rows.map(|sentence| self.row(sentence, each.each_mut().map(|series| series.next().flatten()))).collect()
    }

    /// The row with these numbers, without score and bound.
    fn row(&self, sentence: u64, numbers: [Option<u64>; LEN]) -> Option<SentenceRow> {
        let [
            tokens,
            not_scored,
            wrong,
            scored_wrong,
            root_wrong,
            incomplete,
            gold_lost,
            heads_kept,
            status,
            counts @ ..,
        ] = numbers;
        let tokens = tokens?;
        let scored_tokens = tokens.checked_sub(not_scored?)?;
        let gold_kept = match gold_lost {
            Some(lost) => Some(tokens.checked_sub(lost)?),
            None => None,
        };
        let mut effort = Effort::default();
        Count::ALL.iter().zip(counts).for_each(|(&count, value)| effort.set(count, value));
        Some(SentenceRow {
            cell: self.cell.clone(),
            key: self.key,
            sentence,
            tokens,
            correct: tokens.checked_sub(wrong?)?,
            scored_tokens,
            scored_correct: scored_tokens.checked_sub(scored_wrong?)?,
            root_correct: 1u64.checked_sub(root_wrong?)?,
            complete: 1u64.checked_sub(incomplete?)?,
            gold_kept,
            heads_kept,
            status: Proof::from_code(status?)?,
            score: None,
            bound: None,
            effort,
        })
    }
}

/// The numbers of a row.
fn numbers(row: &SentenceRow) -> [Option<u64>; LEN] {
    let less = |all: u64, some: u64| Some(all.saturating_sub(some));
    let numbers = [
        Some(row.tokens),
        less(row.tokens, row.scored_tokens),
        less(row.tokens, row.correct),
        less(row.scored_tokens, row.scored_correct),
        less(1, row.root_correct),
        less(1, row.complete),
        row.gold_kept.and_then(|kept| less(row.tokens, kept)),
        row.heads_kept,
        Some(row.status.code().into()),
    ];
    let mut counts = Count::ALL.iter().map(|&count| row.effort.get(count));
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or_else(|| counts.next().flatten()))
}

/// Parses the bytes of a file; `path` is for messages. What was written as that of the row above is filled in.
///
/// # Errors
/// As [`csv::parse`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<CellSentences>, ReportError> {
    csv::parse_filled(bytes, path, fill)
}

/// Reads the file if it is there.
///
/// # Errors
/// As [`csv::read_if_there`].
pub fn read_if_there(path: &Path) -> Result<Vec<CellSentences>, ReportError> {
    file::bytes_if_there(path)?.map_or_else(|| Ok(Vec::new()), |bytes| parse(&bytes, path))
}

/// Puts in the numbers of the row above where a row repeats them.
fn fill(cells: &mut [(CellSentences, u64)]) {
    for at in 1..cells.len() {
        let (above, cell) = cells.split_at_mut(at);
        for (series, above) in cell[0].0.numbers.0.iter_mut().zip(&above[at - 1].0.numbers.0) {
            if series.is_as_above() {
                series.clone_from(above);
            }
        }
    }
}

/// Writes the file.
///
/// # Errors
/// If two rows are of one cell, or the system refuses.
pub fn write(path: &Path, cells: Vec<CellSentences>) -> Result<(), ReportError> {
    csv::write(path, &repeated(cells))
}

/// What stands in the file.
///
/// # Errors
/// If two rows are of one cell.
pub fn text(cells: Vec<CellSentences>) -> Result<Vec<u8>, ReportError> {
    csv::text(&repeated(cells))
}

/// Sorted, with [`Series::as_above`] where a series repeats that of the row above.
fn repeated(mut cells: Vec<CellSentences>) -> Vec<CellSentences> {
    cells.sort();
    for at in (1..cells.len()).rev() {
        let (above, cell) = cells.split_at_mut(at);
        for (series, above) in cell[0].numbers.0.iter_mut().zip(&above[at - 1].numbers.0) {
            if series == above && !series.is_empty() {
                *series = Series::as_above();
            }
        }
    }
    cells
}

/// The rows of all sentences of the cells, sorted, without scores and bounds. `path` is for messages.
///
/// # Errors
/// If numbers of a cell do not go together, or there are more than [`MOST_SENTENCES`].
pub fn rows(cells: &[CellSentences], path: &Path) -> Result<Vec<SentenceRow>, ReportError> {
    let sentences = cells.iter().fold(0u64, |sum, cell| sum.saturating_add(cell.sentences()));
    if sentences > MOST_SENTENCES {
        return Err(ReportError::ManySentences { path: path.to_owned(), sentences, most: MOST_SENTENCES });
    }
    let mut rows = Vec::new();
    for cell in cells {
        let fail = || ReportError::Sentences { path: path.to_owned(), cell: cell.cell.to_string() };
        rows.extend(cell.rows().ok_or_else(fail)?);
    }
    rows.sort();
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::columns::Row;
    use treebound_parser::answer::Limit;
    use treebound_parser::cell::Setting;
    use treebound_records::cell_numbers::{FILE, STATUSES};

    fn rows() -> Vec<SentenceRow> {
        let key = |seed: u64| {
            let axes = ["c", "test", "gold", "graph", "compact", "perceptron", "sibling", "k=10", "carreras/bnb"];
            Arc::new(Setting::read(axes).expect("a setting").with_seed(seed))
        };
        let row = |cell: &Arc<CellKey>, sentence: u64| SentenceRow {
            cell: cell.clone(),
            key: RowKey::default(),
            sentence,
            tokens: 60 + sentence,
            correct: 58,
            scored_tokens: 55,
            scored_correct: 50,
            root_correct: sentence % 2,
            complete: 0,
            gold_kept: Some(60),
            heads_kept: Some(600),
            status: if sentence == 2 { Proof::Stopped(Limit::DpCalls) } else { Proof::Optimal },
            score: None,
            bound: None,
            effort: Effort::default().with(Count::Nodes, sentence).with(Count::DpCalls, 100 * cell.seed),
        };
        let cells = [key(1), key(2)];
        cells.iter().flat_map(|cell| (1..=3).map(|sentence| row(cell, sentence))).collect()
    }

    fn read(path: &Path) -> Result<Vec<SentenceRow>, ReportError> {
        super::rows(&read_if_there(path)?, path)
    }

    #[test]
    fn reports_know_all_statuses() {
        let known: Vec<bool> = (0..=STATUSES).map(|code| Proof::from_code(code).is_some()).collect();
        assert_eq!(known.iter().position(|known| !known), Some(STATUSES as usize));
    }

    #[test]
    fn what_is_written_is_read_and_repeats_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        write(&path, CellSentences::of(&rows())).expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        let last = text.lines().last().expect("lines");
        assert!(last.ends_with(",2,,=,=,=,=,=,=,=,=,=,=,(200)(200)(200)"), "{text}");
        assert_eq!(read(&path).expect("rows"), rows());
        // Without a count.
        let lines = text.lines().map(|line| line.rsplit_once(',').expect("fields").0.to_owned() + "\n");
        std::fs::write(&path, lines.collect::<String>()).expect("written");
        let without = rows().into_iter().map(|mut row| {
            row.effort.set(Count::DpCalls, None);
            row
        });
        assert_eq!(read(&path).expect("rows"), without.collect::<Vec<_>>());
    }

    /// The row above is that of the file, whatever the order of cells is.
    #[test]
    fn rows_repeat_the_row_above_in_the_file() {
        let names: Vec<&str> = CellSentences::columns().iter().map(|column| column.name).collect();
        let line = |seed: u64, tokens: &str| {
            let zeros = ["0"; NUMBERS.len() - 1].join(",");
            let counts = ",".repeat(Count::ALL.len());
            format!("c,test,gold,graph,compact,mira,sibling,k=10,carreras/bnb,{seed},,{tokens},{zeros}{counts}\n")
        };
        let text = format!("{}\n{}{}{}", names.join(","), line(3, "7"), line(1, "="), line(2, "9"));
        let cells = parse(text.as_bytes(), Path::new("FILE")).expect("sound");
        let rows = super::rows(&cells, Path::new("FILE")).expect("rows");
        let found: Vec<(u64, u64)> = rows.iter().map(|row| (row.cell.seed, row.tokens)).collect();
        assert_eq!(found, [(1, 7), (2, 9), (3, 7)]);
    }

    #[test]
    fn numbers_that_do_not_go_together_are_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        write(&path, CellSentences::of(&rows()[..3])).expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        let faults = [
            (",345,", ",34,"),
            // More words that are wrong, or not scored, than there are; two roots of one; no such status.
            (",345,", ",(64)45,"),
            (",678,", ",(64)78,"),
            (",010,", ",020,"),
            (",123,(600)", ",12(64),(600)"),
            (",030,", ",0Z0,"),
            ("Z(62)(63)", "="),
        ];
        for (from, to) in faults {
            assert!(text.contains(from), "{text}");
            std::fs::write(&path, text.replacen(from, to, 1)).expect("written");
            let error = read(&path).expect_err("damaged").to_string();
            assert!(error.contains("do not go together"), "{error}");
        }
    }

    #[test]
    fn a_short_line_of_many_sentences_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        write(&path, CellSentences::of(&rows()[..3])).expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, text.replacen("Z(62)(63)", "Z{2097153}", 1)).expect("written");
        let error = read(&path).expect_err("too many").to_string();
        assert!(error.contains("2097153") && error.contains("2097152"), "{error}");
    }
}
