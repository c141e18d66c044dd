//! The files of an experiment: `results/NAME/` and `figures/NAME/`, below the working folder or `--out`.
//!
//! Everything that a run writes here depends on the config, the data and the program alone; what depends on the machine
//! stands in files of its own (`speed.csv`, the provenance).

use std::collections::BTreeSet;

use super::config::resolved;
use super::earlier::Earlier;
use super::folders::Folders;
use super::outcome::{Outcome, TrainingResult};
use super::run::Laboratory;
use treebound_parser::cell::{CellKey, Split, Tags};
use treebound_records::by_sentence::{self, CellSentences};
use treebound_records::csv::Record;
use treebound_records::{
    CalibrationRow, ClassRow, ReportError, ScoreRow, SearchRow, SentenceRow, SpeedRow, TaggingRow, TrainingRow,
    aggregate, csv, file,
};

/// Writes the records of a run: `scores.csv`, `sentences.csv`, `by_sentence.csv`, `by_length.csv`, `training.csv`,
/// `config.resolved.toml`, and `tagging.csv` if tags are predicted; `earlier` has the rows of cells that were not run now.
/// Returns what other files had of results that are no longer those.
///
/// # Errors
/// If the system refuses.
pub fn write(
    folders: &Folders,
    laboratory: &Laboratory,
    Outcome { training, cells, tagging }: &Outcome,
    earlier: Earlier,
) -> Result<Vec<Forgotten>, ReportError> {
    let config = laboratory.config;
    let mut sentences: Vec<SentenceRow> =
        cells.iter().filter_map(|c| c.rows.as_ref().ok()).flatten().cloned().collect();
    let mut scores = aggregate::scores(&sentences)?;
    scores.extend(cells.iter().filter_map(|c| {
        let error = c.rows.as_ref().err()?.clone();
        Some(ScoreRow { cell: c.cell.key(config).into(), counts: Err(error) })
    }));
    let mut lengths = aggregate::by_length(&sentences)?;
    let mut training = training_rows(laboratory, training);
    // The committed file keeps its own rows: the long one may be of an older state of the folder.
    let mut by_sentence = CellSentences::of(&sentences);
    scores.extend(earlier.scores);
    sentences.extend(earlier.sentences);
    by_sentence.extend(earlier.by_sentence);
    lengths.extend(earlier.lengths);
    let learnt: BTreeSet<_> = training.iter().map(|row| (row.model.clone(), row.seed, row.fold)).collect();
    let others = earlier.training.into_iter();
    training.extend(others.filter(|row| !learnt.contains(&(row.model.clone(), row.seed, row.fold))));
    let forgotten = forget(folders, &scores)?;
    csv::write(&folders.result("scores.csv"), &scores)?;
    csv::write(&folders.result("sentences.csv"), &sentences)?;
    by_sentence::write(&folders.result(by_sentence::FILE), by_sentence)?;
    csv::write(&folders.result("by_length.csv"), &lengths)?;
    csv::write(&folders.result("training.csv"), &training)?;
    let tagging_file = folders.result(TAGGING);
    let mut tagging: Vec<TaggingRow> = laboratory.tagging_rows().into_iter().chain(tagging.iter().cloned()).collect();
    // The tags of cells that were not run now stay with them.
    let stays = |row: &TaggingRow| {
        let predicted = scores.iter().filter(|score| score.cell.setting.tags == Tags::Predicted);
        let alike = |split: Split| (split == Split::Cv) == (row.split == Split::Cv);
        let mut same = predicted.map(|score| &score.cell.setting);
        same.any(|setting| setting.corpus == row.corpus && alike(setting.split))
            && tagging.iter().all(|new| new.corpus != row.corpus || !alike(new.split))
    };
    let before: Vec<TaggingRow> = csv::read_if_there(&tagging_file)?.into_iter().filter(stays).collect();
    tagging.extend(before);
    if tagging.is_empty() {
        file::remove(&tagging_file)?;
    } else {
        csv::write(&tagging_file, &tagging)?;
    }
    file::write(&folders.result(RESOLVED), resolved(config).as_bytes())?;
    Ok(forgotten)
}

/// Words of the tagger, and the config with all defaults: results that nobody reads before they are written.
const TAGGING: &str = "tagging.csv";
const RESOLVED: &str = "config.resolved.toml";

/// Whether the files of a run that it does not read first can be written, and one that it adds to in the end be read, before
/// anything is learnt.
///
/// # Errors
/// The first that cannot be.
pub fn try_to_write(folders: &Folders) -> Result<(), ReportError> {
    csv::read_if_there::<TaggingRow>(&folders.result(TAGGING))?;
    [TAGGING, RESOLVED].into_iter().try_for_each(|name| file::try_to_write(&folders.result(name)))
}

/// A file of measurements that had rows of results which are no longer those.
pub struct Forgotten {
    /// The file.
    pub file: &'static str,
    /// The verb that writes it.
    pub verb: &'static str,
    /// The cells whose rows are removed.
    pub removed: BTreeSet<CellKey>,
    /// Those whose rows stay.
    pub standing: BTreeSet<CellKey>,
}

/// Drops from the files of other verbs the cells whose results are no longer those of the run before, or that it did not have:
/// another program was timed, or another model looked at, and its numbers must not stand beside these.
fn forget(folders: &Folders, scores: &[ScoreRow]) -> Result<Vec<Forgotten>, ReportError> {
    // Results that cannot be read are none that anybody knows.
    let before: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv")).unwrap_or_default();
    let row =
        |rows: &[ScoreRow], cell: &CellKey| rows.iter().find(|row| *row.cell == *cell).map(|row| row.counts.clone());
    let is_other = |cell: &CellKey| row(&before, cell).is_some_and(|before| row(scores, cell) != Some(before));
    let is_stale = |cell: &CellKey| row(&before, cell).is_none() || is_other(cell);
    let of_files = [
        forget_in(folders, "speed.csv", "time", |row: &SpeedRow| &row.cell, &is_stale)?,
        forget_in(folders, "breakdown.csv", "breakdown", |row: &ClassRow| &row.cell, &is_stale)?,
        forget_in(folders, "calibration.csv", "calibration", |row: &CalibrationRow| &row.cell, &is_stale)?,
        // These are made without a run, too.
        forget_in(folders, "budget.csv", "budget", |row: &SearchRow| &row.cell, &is_other)?,
        forget_in(folders, "search.csv", "ablation", |row: &SearchRow| &row.cell, &is_other)?,
    ];
    Ok(of_files.into_iter().flatten().collect())
}

/// The same in one file; nothing if all rows stay.
fn forget_in<R: Record>(
    folders: &Folders,
    file: &'static str,
    verb: &'static str,
    cell: fn(&R) -> &CellKey,
    is_stale: &dyn Fn(&CellKey) -> bool,
) -> Result<Option<Forgotten>, ReportError> {
    let path = folders.result(file);
    // A file that cannot be read says nothing; the verbs that need it complain.
    let Ok(mut rows) = csv::read_if_there::<R>(&path) else { return Ok(None) };
    let cells: BTreeSet<CellKey> = rows.iter().map(|row| cell(row).clone()).collect();
    let (removed, standing): (BTreeSet<CellKey>, BTreeSet<CellKey>) = cells.into_iter().partition(is_stale);
    if removed.is_empty() {
        return Ok(None);
    }
    rows.retain(|row| standing.contains(cell(row)));
    csv::write(&path, &rows)?;
    Ok(Some(Forgotten { file, verb, removed, standing }))
}

fn millionths(value: f64) -> i64 {
    (value * 1e6).round() as i64
}

fn training_rows(laboratory: &Laboratory, training: &[TrainingResult]) -> Vec<TrainingRow> {
    let mut rows = Vec::new();
    for TrainingResult { run, fold, learnt, passes } in training {
        for (i, epoch) in passes.iter().enumerate() {
            // Steps of a descent parse nothing.
            let statistics = Some(epoch.statistics).filter(|_| epoch.descent.is_none());
            let descent = epoch.descent;
            rows.push(TrainingRow {
                model: run.model_name(laboratory.config),
                fold: *fold,
                seed: run.seed,
                epoch: i as u64 + 1,
                sentences: learnt.sentences,
                projectivized: learnt.projectivized,
                dropped: learnt.dropped,
                mistakes: statistics.map(|s| s.mistakes as u64),
                wrong_heads: statistics.map(|s| s.wrong_heads as u64),
                unproven: statistics.map(|s| s.unproven as u64),
                dp_calls: statistics.map(|s| s.dp_calls),
                dev_scored_correct: epoch.dev_scored_correct.and_then(|c| i64::try_from(c).ok()),
                chosen: epoch.chosen.into(),
                objective_e6: descent.map(|d| millionths(d.objective)),
                gradient_norm_e6: descent.and_then(|d| d.gradient_norm).map(millionths),
                objective_of_model_e6: descent.and_then(|d| d.whole_numbers).map(millionths),
            });
        }
    }
    rows
}
