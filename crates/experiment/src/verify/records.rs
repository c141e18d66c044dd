//! Verify of records: files of results held against each other, without trust in what made them.
//!
//! A check goes through some rows and says of how many it holds, which are wrong, and which it could not look at: what a row says
//! of itself, sums over sentences, cells of one model, and words that were looked at one by one. Nothing is written.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::rows::{CalibrationRow, ClassRow, Counts, LengthRow, ScoreRow, SentenceRow, by_sentence, csv};
use crate::rows::{differences, sentence_fault};
use treebound_core::decode::Decoder;
use treebound_parser::answer::Proof;
use treebound_parser::cell::{CellKey, CorpusName, Decoding, Setting, Split};
use treebound_parser::pruning::Rule;
use treebound_records::check::Check;
use treebound_records::{ReportError, cell_numbers};

/// Rows by cell.
pub type Sentences = BTreeMap<Arc<CellKey>, Vec<SentenceRow>>;

/// Why results cannot be checked.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The folder has no scores.
    #[error(
        "{folder}: there is no scores.csv: name a folder that treebound run has made, such as results/ewt",
        folder = .0.display()
    )]
    NoScores(PathBuf),
    /// No cell is left.
    #[error("{folder}: scores.csv has no cell that is asked for", folder = .0.display())]
    NoCell(PathBuf),
    /// Rows cannot be read.
    #[error(transparent)]
    Rows(#[from] ReportError),
}

/// The rows of a results folder.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
    /// Of all cells.
    all_scores: Vec<ScoreRow>,
    /// Scores of the cells that are looked at, as are the others.
    pub scores: Vec<ScoreRow>,
    lengths: Vec<LengthRow>,
    /// By cell, as far as `sentences.csv` has them.
    pub sentences: Sentences,
    /// By cell, as far as `by_sentence.csv` has them.
    by_sentence: Sentences,
}

fn by_cell(rows: Vec<SentenceRow>) -> Sentences {
    let mut cells = Sentences::new();
    for row in rows {
        cells.entry(row.cell.clone()).or_default().push(row);
    }
    cells
}

impl Records {
    /// Reads those of the wanted cells; of all if nothing chooses some.
    ///
    /// # Errors
    /// If there are none, or they cannot be read.
    pub fn read(folder: &Path, wanted: Option<&(dyn Fn(&CellKey) -> bool + Sync)>) -> Result<Self, VerifyError> {
        let is_wanted = |cell: &CellKey| wanted.is_none_or(|wanted| wanted(cell));
        let file = |name: &str| folder.join(name);
        let is_missing =
            |error: std::io::Error| [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind());
        if std::fs::metadata(file("scores.csv")).is_err_and(is_missing) {
            return Err(VerifyError::NoScores(folder.to_owned()));
        }
        let all_scores: Vec<ScoreRow> = csv::read(&file("scores.csv"))?;
        let mut scores = all_scores.clone();
        let mut lengths: Vec<LengthRow> = csv::read_if_there(&file("by_length.csv"))?;
        let mut rows: Vec<SentenceRow> = csv::read_if_there(&file("sentences.csv"))?;
        scores.retain(|row| is_wanted(&row.cell));
        lengths.retain(|row| is_wanted(&row.cell));
        rows.retain(|row| is_wanted(&row.cell));
        if scores.is_empty() {
            return Err(VerifyError::NoCell(folder.to_owned()));
        }
        let path = file(cell_numbers::FILE);
        let mut by_sentence = by_sentence::read_if_there(&path)?;
        by_sentence.retain(|row| is_wanted(&row.cell));
        let by_sentence = by_cell(by_sentence::rows(&by_sentence, &path)?);
        let (folder, sentences) = (folder.to_owned(), by_cell(rows));
        Ok(Self { folder, all_scores, scores, lengths, sentences, by_sentence })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The words of a file that has them by class or by probability, if it is there.
    fn words<R: csv::Record + Into<Words>>(&self, name: &str) -> Result<Vec<Words>, ReportError> {
        Ok(csv::read_if_there::<R>(&self.file(name))?.into_iter().map(Into::into).collect())
    }

    /// All checks.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn checks(&self) -> Result<Vec<Check>, ReportError> {
        let rows = self.file("sentences.csv");
        let known: Known<'_> =
            self.by_sentence.iter().chain(&self.sentences).map(|(cell, rows)| (&**cell, rows.as_slice())).collect();
        let mut checks = vec![
            sentences(&rows, &self.sentences),
            same_sentences(&rows, &self.sentences),
            decoders(&rows, &self.sentences),
            scores(&self.file("scores.csv"), &self.scores, &known),
            lengths(&self.file("by_length.csv"), &self.lengths, &known),
            by_sentence(&self.file(cell_numbers::FILE), &self.scores, &self.by_sentence, &self.sentences),
        ];
        for (name, of_file) in [
            ("breakdown.csv", self.words::<ClassRow>("breakdown.csv")?),
            ("calibration.csv", self.words::<CalibrationRow>("calibration.csv")?),
        ] {
            if !of_file.is_empty() {
                checks.push(words(&self.file(name), of_file, &self.all_scores));
            }
        }
        Ok(checks)
    }
}

/// What each sentence's row says must go together: its counts, and score, bound and proof. Rows of a cell are numbered
/// from 1 on.
fn sentences(path: &Path, sentences: &Sentences) -> Check {
    let mut check = Check::new(
        ["sentence", "sentences"],
        "counts go together, no score is above its bound, and a proven one is at it",
    );
    for cell in sentences.values() {
        for (number, row) in (1..).zip(cell) {
            let mut faults = own_faults(row);
            if row.sentence != number {
                faults.push(format!("it stands where sentence {number} should"));
            }
            check.add(faults.into_iter().map(|fault| sentence_fault(path, row, &fault)));
        }
    }
    check
}

/// What is wrong with a row by what it says itself.
fn own_faults(row: &SentenceRow) -> Vec<String> {
    let SentenceRow { tokens, correct, scored_tokens, scored_correct, root_correct, complete, .. } = *row;
    let mut faults = Vec::new();
    if complete != u64::from(correct == tokens) {
        faults.push(format!("complete {complete}, but {correct} of {tokens} heads are right"));
    }
    if complete == 1 && (root_correct != 1 || scored_correct != scored_tokens) {
        faults.push(format!(
            "complete 1, but root_correct {root_correct} and {scored_correct} of {scored_tokens} scored heads are right"
        ));
    }
    // What is right beside the scored words is punctuation.
    if correct < scored_correct || correct - scored_correct > tokens - scored_tokens {
        faults.push(format!(
            "{correct} of {tokens} heads are right, but {scored_correct} of {scored_tokens} scored ones"
        ));
    }
    if let Some(heads) = row.heads_kept.filter(|&heads| heads < tokens && row.status == Proof::Optimal) {
        faults.push(format!("heads_kept {heads} leaves some of {tokens} words without a head"));
    }
    match (row.status, row.score, row.bound) {
        (Proof::Optimal, Some(score), Some(bound)) if score != bound => {
            faults.push(format!("score {score} is proven, but bound {bound}"));
        }
        (Proof::Optimal, score, bound) if score.is_none() || bound.is_none() => {
            faults.push("it is proven without a score and a bound".to_owned());
        }
        (_, Some(score), Some(bound)) if score > bound => faults.push(format!("score {score} is above bound {bound}")),
        _ => {}
    }
    faults
}

/// Rows of sentences, from wherever those of a cell are known.
type Known<'a> = BTreeMap<&'a CellKey, &'a [SentenceRow]>;

/// The rows of `by_sentence.csv` are those of sentences, where these are known, but for scores and bounds; no cell that was
/// parsed is missing.
fn by_sentence(path: &Path, scores: &[ScoreRow], rows: &Sentences, sentences: &Sentences) -> Check {
    let mut check = Check::new(["sentence", "sentences"], "by_sentence.csv has the counts of sentences.csv");
    for row in scores {
        if let Ok(counts) = row.counts.as_ref()
            && !rows.contains_key(&row.cell)
        {
            check.leave_open("by_sentence.csv does not have their cells", counts.sentences);
        }
    }
    for (cell, rows) in rows {
        let Some(wanted) = sentences.get(cell) else {
            check.leave_open("sentences.csv has no row of their cells, nor has the cache", rows.len() as u64);
            continue;
        };
        if rows.len() != wanted.len() {
            let (rows, wanted) = (rows.len(), wanted.len());
            check.add([format!("{}: {cell}: {rows} sentences, but {wanted} in sentences.csv", path.display())]);
        }
        for (row, wanted) in rows.iter().zip(wanted) {
            let wanted = SentenceRow { score: None, bound: None, ..wanted.clone() };
            let faults = differences(row, &wanted);
            check.add(faults.into_iter().map(|fault| sentence_fault(path, row, &format!("{fault} in sentences.csv"))));
        }
    }
    check
}

/// The rows of `scores.csv` are the sums over sentences, from wherever these are known.
fn scores<'a>(path: &Path, scores: impl IntoIterator<Item = &'a ScoreRow>, sentences: &Known<'_>) -> Check {
    let mut check = Check::new(["cell", "cells"], "the counts of scores.csv are the sums over sentences");
    for row in scores {
        let Ok(counts) = &row.counts else {
            check.leave_open("they ended in an error", 1);
            continue;
        };
        let Some(rows) = sentences.get(&*row.cell) else {
            check.leave_open("there are no sentences of them, nor are they in the cache", 1);
            continue;
        };
        let mut sums = Counts::ZERO;
        rows.iter().for_each(|row| add_sentence(&mut sums, row));
        let faults = differences(counts, &sums);
        let place = format!("{}: {}", path.display(), row.cell);
        check.add(faults.into_iter().map(|fault| format!("{place}: {fault} over sentences")));
    }
    check
}

/// The rows of `by_length.csv` are the sums over the sentences of a length.
fn lengths(path: &Path, lengths: &[LengthRow], sentences: &Known<'_>) -> Check {
    let mut check =
        Check::new(["length of a cell", "lengths of cells"], "the counts of by_length.csv are the sums over sentences");
    for of_cell in lengths.chunk_by(|a, b| a.cell == b.cell) {
        let Some(first) = of_cell.first() else { continue };
        let Some(rows) = sentences.get(&*first.cell) else {
            check.leave_open("there are no sentences of them, nor are they in the cache", of_cell.len() as u64);
            continue;
        };
        let mut sums: BTreeMap<u64, Counts> = BTreeMap::new();
        rows.iter().for_each(|row| add_sentence(sums.entry(row.tokens).or_insert(Counts::ZERO), row));
        let place = |length: u64| format!("{}: {}, length {length}", path.display(), first.cell);
        for row in of_cell {
            let sums = sums.remove(&row.length);
            let found = sums.map(|sums| LengthRow {
                sentences: sums.sentences,
                correct: sums.correct,
                scored_tokens: sums.scored_tokens,
                scored_correct: sums.scored_correct,
                proven: sums.proven,
                effort: sums.effort,
                ..row.clone()
            });
            let faults = match &found {
                Some(found) => differences(row, found),
                None => vec!["the cell has no such sentence, but none".to_owned()],
            };
            check.add(faults.into_iter().map(|fault| format!("{}: {fault} over sentences", place(row.length))));
        }
        for (length, sums) in sums {
            let fault = format!("{}: there is no line of {} sentences", place(length), sums.sentences);
            check.add([fault]);
        }
    }
    check
}

/// Added up apart from the sums that the run makes.
fn add_sentence(sums: &mut Counts, row: &SentenceRow) {
    let known = |sum: &mut Option<u64>, value: Option<u64>| *sum = sum.zip(value).map(|(sum, value)| sum + value);
    sums.sentences += 1;
    sums.tokens += row.tokens;
    sums.correct += row.correct;
    sums.scored_tokens += row.scored_tokens;
    sums.scored_correct += row.scored_correct;
    sums.root_correct += row.root_correct;
    sums.complete += row.complete;
    known(&mut sums.gold_kept, row.gold_kept);
    known(&mut sums.heads_kept, row.heads_kept);
    known(&mut sums.proven, row.status.is_optimal().map(u64::from));
    sums.effort.add(&row.effort);
}

/// All cells of a part have the same sentences: as many, of the same words, of which the same number is scored.
fn same_sentences(path: &Path, sentences: &Sentences) -> Check {
    let mut check = Check::new(["cell", "cells"], "its sentences are those of the other cells of the part");
    let mut parts: BTreeMap<(&CorpusName, Split), &[SentenceRow]> = BTreeMap::new();
    for (cell, rows) in sentences {
        let Setting { corpus, split, .. } = &cell.setting;
        let first = *parts.entry((corpus, *split)).or_insert(rows);
        let words = |row: &SentenceRow| [row.tokens, row.scored_tokens];
        let mut faults: Vec<String> = Vec::new();
        if rows.len() != first.len() {
            let [here, there] = [rows, first].map(<[_]>::len);
            faults.push(format!("{}: {cell}: {here} sentences, but {there} of other cells", path.display()));
        }
        let differ = rows.iter().zip(first).filter(|(row, first)| words(row) != words(first));
        faults.extend(differ.map(|(row, first)| {
            let ([words, scored], [all, of_all]) = (words(row), words(first));
            sentence_fault(
                path,
                row,
                &format!("{words} words, {scored} of them scored, but {all} and {of_all} in {}", first.cell),
            )
        }));
        check.add(faults);
    }
    check
}

/// Cells of one model that look at the same candidates, by several decoders, agree: each bounds the scores of all others.
/// Those that look at all arcs bound the scores of those that do not.
fn decoders(path: &Path, sentences: &Sentences) -> Check {
    let mut check = Check::new(
        ["pair of cells of one model", "pairs of cells of one model"],
        "no tree that one found scores more than the other's bound",
    );
    // All cells of a model by a setting that is the same for all.
    let mut models: BTreeMap<CellKey, Vec<&Vec<SentenceRow>>> = BTreeMap::new();
    for (cell, rows) in sentences.iter().filter(|(_, rows)| rows.iter().any(|row| row.bound.is_some())) {
        let mut model = CellKey::clone(cell);
        let mut axes = model.setting.axes.with(Rule::None);
        if let Some(decoding) = axes.decoding() {
            axes = axes.with(Decoding { decoder: Decoder::Bnb, ..decoding });
        }
        model.setting.axes = axes;
        models.entry(model).or_default().push(rows);
    }
    for cells in models.values() {
        let pruning = |rows: &[SentenceRow]| rows.first().and_then(|row| row.cell.setting.pruning());
        for (i, bounds) in cells.iter().enumerate() {
            let is_bounded = |(j, rows): &(usize, &&Vec<SentenceRow>)| {
                *j != i && (pruning(rows) == pruning(bounds) || pruning(bounds) == Some(Rule::None))
            };
            for (_, rows) in cells.iter().enumerate().filter(is_bounded) {
                let beyond = rows.iter().zip(*bounds).filter_map(|(row, other)| {
                    let (score, bound) = row.score.zip(other.bound).filter(|(score, bound)| score > bound)?;
                    let fault = format!("score {score}, but {} proves that none is above {bound}", other.cell);
                    Some(sentence_fault(path, row, &fault))
                });
                check.add(beyond);
            }
        }
    }
    check
}

/// Some words of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Words {
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
fn words(path: &Path, words: impl IntoIterator<Item = Words>, scores: &[ScoreRow]) -> Check {
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
