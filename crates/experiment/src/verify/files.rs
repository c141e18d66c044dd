//! Files of records against each other: what a row says of itself, sums over sentences, and cells of one model.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::Check;
use super::differences::differences;
use treebound_core::decode::Decoder;
use treebound_parser::answer::Proof;
use treebound_parser::cell::{CellKey, CorpusName, Setting, Split};
use treebound_parser::pruning::Rule;
use treebound_records::{Counts, LengthRow, ScoreRow, SentenceRow};

/// What each sentence's row says must go together: its counts, and score, bound and proof. Rows of a cell are numbered
/// from 1 on.
pub fn sentences(path: &Path, rows: &[SentenceRow]) -> Check {
    let mut check = Check::new(
        ["sentence", "sentences"],
        "counts go together, no score is above its bound, and a proven one is at it",
    );
    for cell in rows.chunk_by(|a, b| a.cell == b.cell) {
        for (number, row) in (1..).zip(cell) {
            let mut faults = of_itself(row);
            if row.sentence != number {
                faults.push(format!("it stands where sentence {number} should"));
            }
            check.add(faults.into_iter().map(|fault| at(path, row, &fault)));
        }
    }
    check
}

/// A fault of a sentence, with its file and place.
pub(super) fn at(path: &Path, row: &SentenceRow, fault: &str) -> String {
    format!("{}: {}, sentence {}: {fault}", path.display(), row.cell, row.sentence)
}

fn of_itself(row: &SentenceRow) -> Vec<String> {
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
pub type Known<'a> = BTreeMap<&'a CellKey, &'a [SentenceRow]>;

/// The rows of `by_sentence.csv` are those of sentences, where these are known, but for scores and bounds; no cell that was
/// parsed is missing.
pub fn by_sentence(
    path: &Path,
    scores: &[ScoreRow],
    rows: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    sentences: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
) -> Check {
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
            check.add(faults.into_iter().map(|fault| at(path, row, &format!("{fault} in sentences.csv"))));
        }
    }
    check
}

/// The rows of `scores.csv` are the sums over sentences, from wherever these are known.
pub fn scores<'a>(path: &Path, scores: impl IntoIterator<Item = &'a ScoreRow>, sentences: &Known<'_>) -> Check {
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
        rows.iter().for_each(|row| add(&mut sums, row));
        let faults = differences(counts, &sums);
        let place = format!("{}: {}", path.display(), row.cell);
        check.add(faults.into_iter().map(|fault| format!("{place}: {fault} over sentences")));
    }
    check
}

/// The rows of `by_length.csv` are the sums over the sentences of a length.
pub fn lengths(path: &Path, lengths: &[LengthRow], sentences: &Known<'_>) -> Check {
    let mut check =
        Check::new(["length of a cell", "lengths of cells"], "the counts of by_length.csv are the sums over sentences");
    for of_cell in lengths.chunk_by(|a, b| a.cell == b.cell) {
        let Some(first) = of_cell.first() else { continue };
        let Some(rows) = sentences.get(&*first.cell) else {
            check.leave_open("there are no sentences of them, nor are they in the cache", of_cell.len() as u64);
            continue;
        };
        let mut sums: BTreeMap<u64, Counts> = BTreeMap::new();
        rows.iter().for_each(|row| add(sums.entry(row.tokens).or_insert(Counts::ZERO), row));
        let place = |length: u64| format!("{}: {}, length {length}", path.display(), first.cell);
        for row in of_cell {
            let sums = sums.remove(&row.length);
            let found = sums.as_ref().map(|sums| of_length(row, sums));
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

fn of_length(row: &LengthRow, sums: &Counts) -> LengthRow {
    LengthRow {
        cell: row.cell.clone(),
        key: row.key,
        length: row.length,
        sentences: sums.sentences,
        correct: sums.correct,
        scored_tokens: sums.scored_tokens,
        scored_correct: sums.scored_correct,
        proven: sums.proven,
        effort: sums.effort,
    }
}

/// Added up apart from the sums that the run makes.
fn add(sums: &mut Counts, row: &SentenceRow) {
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
pub fn same_sentences(path: &Path, sentences: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>) -> Check {
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
            at(path, row, &format!("{words} words, {scored} of them scored, but {all} and {of_all} in {}", first.cell))
        }));
        check.add(faults);
    }
    check
}

/// Cells of one model that look at the same candidates, by several decoders, agree: each bounds the scores of all others.
/// Those that look at all arcs bound the scores of those that do not.
pub fn decoders(path: &Path, sentences: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>) -> Check {
    let mut check = Check::new(
        ["pair of cells of one model", "pairs of cells of one model"],
        "no tree that one found scores more than the other's bound",
    );
    // All cells of a model by a setting that is the same for all.
    let mut models: BTreeMap<CellKey, Vec<&Vec<SentenceRow>>> = BTreeMap::new();
    for (cell, rows) in sentences.iter().filter(|(_, rows)| rows.iter().any(|row| row.bound.is_some())) {
        let mut model = CellKey::clone(cell);
        model.setting.pruning = Some(Rule::None);
        if let Some(decoding) = &mut model.setting.decoding {
            decoding.decoder = Decoder::Bnb;
        }
        models.entry(model).or_default().push(rows);
    }
    for cells in models.values() {
        let pruning = |rows: &[SentenceRow]| rows.first().and_then(|row| row.cell.setting.pruning);
        for (i, bounds) in cells.iter().enumerate() {
            let is_bounded = |(j, rows): &(usize, &&Vec<SentenceRow>)| {
                *j != i && (pruning(rows) == pruning(bounds) || pruning(bounds) == Some(Rule::None))
            };
            for (_, rows) in cells.iter().enumerate().filter(is_bounded) {
                let beyond = rows.iter().zip(*bounds).filter_map(|(row, other)| {
                    let (score, bound) = row.score.zip(other.bound).filter(|(score, bound)| score > bound)?;
                    let fault = format!("score {score}, but {} proves that none is above {bound}", other.cell);
                    Some(at(path, row, &fault))
                });
                check.add(beyond);
            }
        }
    }
    check
}
