//! The files of a run: `results/NAME/`, below the working folder or `--out`.
//!
//! Everything that a run writes here depends on the config, the data and the program alone; what depends on the machine
//! stands in files of its own (`speed.csv`, the provenance). A row has the key of what made it, so rows of several programs may
//! stand in one file: a run replaces the rows of the cells that it makes, and leaves all others as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::cell::{Cell, TrainingRun, cells, cells_of, runs_with_cells};
use super::config::{Config, resolved};
use super::folders::Folders;
use super::jobs::shares;
use super::outcome::{Outcome, TrainingResult};
use super::run::ExperimentContext;
use crate::rows::by_sentence::{self, CellSentences};
use crate::rows::{LengthRow, ModelName, ScoreRow, SentenceRow, TaggingRow, TrainingRow, aggregate, csv};
use treebound_files::input;
use treebound_parser::cell::{CellKey, Fold, Split, Tags};
use treebound_records::{ReportError, RowKey, cell_numbers, file};

/// The rows of the files that a run writes.
#[derive(Clone, Debug, Default)]
pub struct ResultRows {
    /// Of `scores.csv`.
    pub scores: Vec<ScoreRow>,
    /// Of `sentences.csv`, which need not have all cells: it is not committed.
    pub sentences: Vec<SentenceRow>,
    /// Of `by_sentence.csv`.
    pub by_sentence: Vec<CellSentences>,
    /// Of `by_length.csv`, which is not committed.
    pub lengths: Vec<LengthRow>,
    /// Of `training.csv`: runs without a chosen cell.
    pub training: Vec<TrainingRow>,
    /// Of `tagging.csv`.
    pub tagging: Vec<TaggingRow>,
}

/// A file with what is to stand in it; none if it is to go.
type File = (PathBuf, Option<Vec<u8>>);

/// The cells whose rows in `scores.csv` have the key that the program would give them now, and those whose rows have another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellStates {
    /// As they would be made now; a cell that failed is none.
    pub current: BTreeSet<CellKey>,
    /// Made of something else: by another version of the program, or of its config, template files or treebanks.
    pub stale: BTreeSet<CellKey>,
}

impl CellStates {
    /// Those of the cells of an experiment that have a row.
    pub fn of(context: &ExperimentContext, scores: &[ScoreRow]) -> Self {
        let keys = context.row_keys();
        let mut states = Self::default();
        for row in scores {
            let Some(now) = keys.get(&*row.cell) else { continue };
            let cell = CellKey::clone(&row.cell);
            if !is_key(*now, row.key) {
                states.stale.insert(cell);
            } else if row.counts.is_ok() {
                states.current.insert(cell);
            }
        }
        states
    }
}

/// Whether a row has the key of now. A parser of somebody else that is not on this machine has none: its rows count as they are.
fn is_key(now: RowKey, of_row: RowKey) -> bool {
    now == RowKey::default() || now == of_row
}

impl ResultRows {
    /// What stands in the files.
    ///
    /// # Errors
    /// If a file is damaged, or cannot be read.
    pub fn read(folders: &Folders) -> Result<Self, ReportError> {
        Ok(Self {
            scores: csv::read_if_there(&folders.result("scores.csv"))?,
            sentences: csv::read_if_there(&folders.result("sentences.csv"))?,
            by_sentence: by_sentence::read_if_there(&folders.result(cell_numbers::FILE))?,
            lengths: csv::read_if_there(&folders.result("by_length.csv"))?,
            training: csv::read_if_there(&folders.result("training.csv"))?,
            tagging: csv::read_if_there(&folders.result(TAGGING))?,
        })
    }

    /// Drops the rows of cells that the experiment has no more, and of their training runs. Returns these cells.
    pub fn drop_others(&mut self, config: &Config) -> BTreeSet<CellKey> {
        let all = cells(config);
        let known: BTreeSet<CellKey> = all.iter().map(|cell| cell.key(config)).collect();
        let others = self.scores.iter().filter(|row| !known.contains(&*row.cell));
        let others: BTreeSet<CellKey> = others.map(|row| CellKey::clone(&row.cell)).collect();
        self.scores.retain(|row| known.contains(&*row.cell));
        self.sentences.retain(|row| known.contains(&*row.cell));
        self.by_sentence.retain(|row| known.contains(&*row.cell));
        self.lengths.retain(|row| known.contains(&*row.cell));
        let mut runs: BTreeSet<(ModelName, u64, bool)> = BTreeSet::new();
        for (run, cells) in runs_with_cells(config) {
            runs.extend(cells.iter().map(|cell| (run.model_name(config), run.seed, cell.split == Split::Cv)));
        }
        self.training.retain(|row| runs.contains(&(row.model.clone(), row.seed, row.fold.is_some())));
        let tagged = |row: &TaggingRow, cell: &Cell| {
            let run = &cell.run;
            let is_alike = (cell.split == Split::Cv) == (row.split == Split::Cv);
            is_alike && run.tags == Tags::Predicted && config.corpora[run.corpus].name == row.corpus
        };
        self.tagging.retain(|row| all.iter().any(|cell| tagged(row, cell)));
        others
    }

    /// The cells that need not be made: each file has all of their rows, under the key of now, and those of their training runs.
    /// Rows of sentences must add up to those of the cell.
    ///
    /// # Errors
    /// If rows are damaged.
    pub fn current(&self, context: &ExperimentContext, folders: &Folders) -> Result<BTreeSet<CellKey>, ReportError> {
        let config = context.config;
        let in_short = by_sentence::rows(&self.by_sentence, &folders.result(cell_numbers::FILE))?;
        let sums = [aggregate::scores(&self.sentences), aggregate::scores(&in_short)]
            .map(|sums| sums.into_iter().map(|row| (row.cell.clone(), row)).collect::<BTreeMap<_, _>>());
        let [summed, found] = [aggregate::by_length(&self.sentences), self.lengths.clone()].map(by_cell);
        let whole: BTreeSet<&CellKey> = self
            .scores
            .iter()
            .filter(|row| {
                sums.iter().all(|sums| sums.get(&row.cell) == Some(*row))
                    && summed.get(&*row.cell) == found.get(&*row.cell)
            })
            .map(|row| &*row.cell)
            .collect();
        let learnt: BTreeMap<_, RowKey> =
            self.training.iter().map(|row| ((&row.model, row.seed, row.fold), row.key)).collect();
        let is_learnt = |cell: &Cell| {
            let (run, model) = (&cell.run, cell.run.model_name(config));
            let keys = context.model_keys(cell);
            let has = |(fold, key): (Option<Fold>, RowKey)| {
                learnt.get(&(&model, run.seed, fold)).is_some_and(|found| is_key(key, *found))
            };
            !context.learns(run) || shares(config, cell.split).into_iter().zip(keys).all(has)
        };
        let is_tagged = |cell: &Cell| {
            let corpus = &config.corpora[cell.run.corpus].name;
            let key = context.tags_row_key(cell);
            let split = if cell.split == Split::Cv { Split::Cv } else { Split::Train };
            cell.run.tags == Tags::Gold
                || self.tagging.iter().any(|row| row.corpus == *corpus && row.split == split && row.key == key)
        };
        let states = CellStates::of(context, &self.scores);
        let is_current = |(key, cell): &(CellKey, Cell)| {
            states.current.contains(key) && whole.contains(key) && is_learnt(cell) && is_tagged(cell)
        };
        let all = cells(config).into_iter().map(|cell| (cell.key(config), cell));
        Ok(all.filter(is_current).map(|(key, _)| key).collect())
    }

    /// Puts the outcome of a run in the place of what there was of its cells.
    pub fn replace(&mut self, context: &ExperimentContext, Outcome { training, cells, tagging }: &Outcome) {
        let config = context.config;
        let keys = context.row_keys();
        let made: BTreeMap<CellKey, RowKey> = cells
            .iter()
            .map(|result| result.cell.key(config))
            .map(|cell| (cell.clone(), keys.get(&cell).copied().unwrap_or_default()))
            .collect();
        let key = |cell: &CellKey| made.get(cell).copied().unwrap_or_default();
        self.scores.retain(|row| !made.contains_key(&*row.cell));
        self.sentences.retain(|row| !made.contains_key(&*row.cell));
        self.by_sentence.retain(|row| !made.contains_key(&*row.cell));
        self.lengths.retain(|row| !made.contains_key(&*row.cell));
        let mut sentences = Vec::new();
        for result in cells {
            match &result.rows {
                Ok(rows) => sentences.extend(rows.iter().map(|row| SentenceRow { key: key(&row.cell), ..row.clone() })),
                Err(error) => {
                    let cell = result.cell.key(config);
                    self.scores.push(ScoreRow { key: key(&cell), cell: cell.into(), counts: Err(error.clone()) });
                }
            }
        }
        self.scores.extend(aggregate::scores(&sentences));
        self.lengths.extend(aggregate::by_length(&sentences));
        self.by_sentence.extend(CellSentences::of(&sentences));
        self.sentences.extend(sentences);

        // All folds of a run are made together, and there may have been others.
        let learnt = |result: &TrainingResult| (result.run.model_name(config), result.run.seed, result.fold.is_some());
        let learnt: BTreeSet<_> = training.iter().map(learnt).collect();
        self.training.retain(|row| !learnt.contains(&(row.model.clone(), row.seed, row.fold.is_some())));
        self.training.extend(training_rows(config, training));

        let tagged: Vec<TaggingRow> = context.tagging_rows().into_iter().chain(tagging.iter().cloned()).collect();
        let is_cv = |row: &TaggingRow| row.split == Split::Cv;
        self.tagging.retain(|row| tagged.iter().all(|new| new.corpus != row.corpus || is_cv(new) != is_cv(row)));
        self.tagging.extend(tagged);
    }

    /// The files with these rows: those that are committed, and those that are not.
    fn files(&self, folders: &Folders, config: &Config) -> Result<[Vec<File>; 2], ReportError> {
        let file = |name: &str, bytes| (folders.result(name), Some(bytes));
        let tagging = if self.tagging.is_empty() { None } else { Some(csv::text(&self.tagging)?) };
        let committed = vec![
            file("scores.csv", csv::text(&self.scores)?),
            file(cell_numbers::FILE, by_sentence::text(self.by_sentence.clone())?),
            file("training.csv", csv::text(&self.training)?),
            (folders.result(TAGGING), tagging),
            file(RESOLVED, resolved(config).into_bytes()),
        ];
        let others =
            vec![file("sentences.csv", csv::text(&self.sentences)?), file("by_length.csv", csv::text(&self.lengths)?)];
        Ok([committed, others])
    }

    /// Writes the files that hold something else. Before some of those that are committed are, `record` is given all of these.
    ///
    /// # Errors
    /// If the system refuses, or those of `record`.
    pub fn write(
        &self,
        folders: &Folders,
        config: &Config,
        record: impl FnOnce(&[File]) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        let [committed, others] = self.files(folders, config)?;
        let is_other = |(path, bytes): &File| input::read(path).ok() != *bytes;
        if committed.iter().any(is_other) {
            record(&committed)?;
        }
        for (path, bytes) in committed.into_iter().chain(others).filter(is_other) {
            match bytes {
                Some(bytes) => file::write(&path, &bytes)?,
                None => file::remove(&path)?,
            }
        }
        Ok(())
    }
}

/// Words of the tagger.
const TAGGING: &str = "tagging.csv";
/// The config with all defaults.
pub const RESOLVED: &str = "config.resolved.toml";

/// Whether the files of a run can be written, before anything is learnt.
///
/// # Errors
/// The first that cannot be.
pub fn try_to_write(folders: &Folders) -> Result<(), ReportError> {
    [TAGGING, RESOLVED].into_iter().try_for_each(|name| file::try_to_write(&folders.result(name)))
}

/// Rows by length of each cell, in order.
fn by_cell(mut rows: Vec<LengthRow>) -> BTreeMap<CellKey, Vec<LengthRow>> {
    rows.sort();
    let mut cells: BTreeMap<CellKey, Vec<LengthRow>> = BTreeMap::new();
    for row in rows {
        cells.entry(CellKey::clone(&row.cell)).or_default().push(row);
    }
    cells
}

fn millionths(value: f64) -> i64 {
    (value * 1e6).round() as i64
}

fn training_rows(config: &Config, training: &[TrainingResult]) -> Vec<TrainingRow> {
    let mut rows = Vec::new();
    for TrainingResult { run, fold, key, learnt, passes } in training {
        for (i, epoch) in passes.iter().enumerate() {
            // Steps of a descent parse nothing.
            let statistics = Some(epoch.statistics).filter(|_| epoch.descent.is_none());
            let descent = epoch.descent;
            rows.push(TrainingRow {
                model: run.model_name(config),
                fold: *fold,
                seed: run.seed,
                key: *key,
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

/// The rows of a file of measurements that stay beside what a verb makes now of the cells that are `remade`, until it has made
/// it: those whose key is that of their cell's row in `scores.csv`, or where there is none, that of now. Rows of cells that the
/// config has no more go.
pub fn standing_measurements<R>(
    mut rows: Vec<R>,
    row_key: impl Fn(&R) -> (&CellKey, RowKey),
    scores: &[ScoreRow],
    context: &ExperimentContext,
) -> Vec<R> {
    let scored: BTreeMap<&CellKey, RowKey> = scores.iter().map(|row| (&*row.cell, row.key)).collect();
    let now = context.row_keys();
    rows.retain(|row| {
        let (cell, key) = row_key(row);
        let expected = now.get(cell).map(|now| scored.get(cell).unwrap_or(now));
        expected.is_some_and(|expected| is_key(*expected, key))
    });
    rows
}

/// The key of the model of a run that learns from the training part, as `learning.csv` has it.
pub fn model_key(context: &ExperimentContext, run: &TrainingRun) -> RowKey {
    let cell = cells_of(context.config, run).into_iter().find(|cell| cell.split != Split::Cv);
    cell.and_then(|cell| context.model_keys(&cell).into_iter().next()).unwrap_or_default()
}
