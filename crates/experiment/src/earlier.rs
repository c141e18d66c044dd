//! Results of the cells that a filter leaves out: it chooses what to do, not what to forget.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::cell::{Cell, TrainingRun, cells, cells_of, training_runs};
use super::config::Config;
use super::folders::Folders;
use super::jobs::shares;
use treebound_parser::cell::{CellKey, Fold, Split};
use treebound_records::by_sentence::{self, CellSentences};
use treebound_records::{LengthRow, ModelName, ReportError, ScoreRow, SentenceRow, TrainingRow, aggregate, csv};

/// Rows of an earlier run of the same experiment.
#[derive(Debug, Default)]
pub struct Earlier {
    /// Of `scores.csv`.
    pub scores: Vec<ScoreRow>,
    /// Of `sentences.csv`, which need not have all cells: it is not committed.
    pub sentences: Vec<SentenceRow>,
    /// Of `by_sentence.csv`.
    pub by_sentence: Vec<CellSentences>,
    /// Of `by_length.csv`.
    pub lengths: Vec<LengthRow>,
    /// Of `training.csv`: runs without a chosen cell.
    pub training: Vec<TrainingRow>,
    /// Where `by_sentence` was read.
    by_sentence_file: PathBuf,
}

impl Earlier {
    /// The rows of those cells of the experiment that are not `chosen`.
    ///
    /// # Errors
    /// If a file of the results is damaged, or cannot be read.
    pub fn read(folders: &Folders, config: &Config, chosen: &[Cell]) -> Result<Self, ReportError> {
        let mut earlier = Self {
            scores: csv::read_if_there(&folders.result("scores.csv"))?,
            sentences: csv::read_if_there(&folders.result("sentences.csv"))?,
            by_sentence: by_sentence::read_if_there(&folders.result(by_sentence::FILE))?,
            lengths: csv::read_if_there(&folders.result("by_length.csv"))?,
            training: csv::read_if_there(&folders.result("training.csv"))?,
            by_sentence_file: folders.result(by_sentence::FILE),
        };
        let chosen: BTreeSet<CellKey> = chosen.iter().map(|cell| cell.key(config)).collect();
        earlier.retain(config, |cell| !chosen.contains(cell));
        Ok(earlier)
    }

    /// Keeps the rows of those cells of the experiment that `keep` lets through, and of the training runs whose cells here
    /// it lets through all.
    pub fn retain(&mut self, config: &Config, keep: impl Fn(&CellKey) -> bool) {
        let kept: BTreeSet<CellKey> = cells(config).iter().map(|c| c.key(config)).filter(&keep).collect();
        let here: BTreeSet<CellKey> = self.cells().collect();
        let scored: BTreeSet<CellKey> = self.scores.iter().map(|row| CellKey::clone(&row.cell)).collect();
        // What learns from the training part and what learns from folds are done each for its own cells. A config may have
        // got other cells of a run since. Files that are not committed may have cells of an older state: they count where
        // no cell of the run has its scores.
        let is_left = |run: &TrainingRun, in_folds: bool| {
            let cells = cells_of(config, run).into_iter().filter(|cell| (cell.split == Split::Cv) == in_folds);
            let cells: Vec<CellKey> = cells.map(|cell| cell.key(config)).collect();
            let among = |there: &BTreeSet<CellKey>| cells.iter().any(|cell| there.contains(cell));
            let there = if among(&scored) { &scored } else { &here };
            among(there) && cells.iter().filter(|cell| there.contains(cell)).all(|cell| kept.contains(cell))
        };
        let mut runs: BTreeSet<(ModelName, u64, bool)> = BTreeSet::new();
        for run in training_runs(config) {
            let left = [false, true].into_iter().filter(|&in_folds| is_left(&run, in_folds));
            runs.extend(left.map(|in_folds| (run.model_name(config), run.seed, in_folds)));
        }
        self.scores.retain(|row| kept.contains(&*row.cell));
        self.sentences.retain(|row| kept.contains(&*row.cell));
        self.by_sentence.retain(|row| kept.contains(&*row.cell));
        self.lengths.retain(|row| kept.contains(&*row.cell));
        self.training.retain(|row| runs.contains(&(row.model.clone(), row.seed, row.fold.is_some())));
    }

    /// The cells of which it has all rows, in each file, with those of their training run: `learns` says of a run whether it
    /// has any. Rows of sentences must add up to those of the cell: a file that is not committed may be of an older state.
    ///
    /// # Errors
    /// If rows are damaged.
    pub fn whole(
        &self,
        config: &Config,
        learns: impl Fn(&TrainingRun) -> bool,
    ) -> Result<BTreeSet<CellKey>, ReportError> {
        let in_short = by_sentence::rows(&self.by_sentence, &self.by_sentence_file)?;
        let sums = [aggregate::scores(&self.sentences)?, aggregate::scores(&in_short)?]
            .map(|sums| sums.into_iter().map(|row| (row.cell.clone(), row)).collect::<BTreeMap<_, _>>());
        let [summed, found] = [aggregate::by_length(&self.sentences)?, self.lengths.clone()].map(by_cell);
        let mut whole: BTreeSet<&CellKey> = BTreeSet::new();
        for row in &self.scores {
            let cell = &*row.cell;
            if sums.iter().all(|sums| sums.get(cell) == Some(row)) && summed.get(cell) == found.get(cell) {
                whole.insert(cell);
            }
        }
        let learnt: BTreeSet<(&ModelName, u64, Option<Fold>)> =
            self.training.iter().map(|row| (&row.model, row.seed, row.fold)).collect();
        let is_learnt = |cell: &Cell| {
            let (run, model) = (&cell.run, cell.run.model_name(config));
            !learns(run)
                || shares(config, cell.split).into_iter().all(|fold| learnt.contains(&(&model, run.seed, fold)))
        };
        let cells = cells(config).into_iter().map(|cell| (cell.key(config), cell));
        Ok(cells.filter(|(key, cell)| whole.contains(key) && is_learnt(cell)).map(|(key, _)| key).collect())
    }

    /// The cells that it has rows of.
    pub fn cells(&self) -> impl Iterator<Item = CellKey> {
        let cells: BTreeSet<&CellKey> = (self.scores.iter().map(|row| &*row.cell))
            .chain(self.sentences.iter().map(|row| &*row.cell))
            .chain(self.by_sentence.iter().map(|row| &*row.cell))
            .chain(self.lengths.iter().map(|row| &*row.cell))
            .collect();
        cells.into_iter().cloned().collect::<Vec<_>>().into_iter()
    }

    /// The files that have rows of other cells.
    pub fn files(&self) -> Vec<&'static str> {
        let files = [
            ("scores.csv", self.scores.is_empty()),
            ("sentences.csv", self.sentences.is_empty()),
            (by_sentence::FILE, self.by_sentence.is_empty()),
            ("by_length.csv", self.lengths.is_empty()),
            ("training.csv", self.training.is_empty()),
        ];
        files.into_iter().filter(|(_, is_empty)| !is_empty).map(|(name, _)| name).collect()
    }
}

/// Rows by length of each cell, in order.
fn by_cell(mut rows: Vec<LengthRow>) -> BTreeMap<CellKey, Vec<LengthRow>> {
    rows.sort_by(|a, b| (&a.cell, a.length).cmp(&(&b.cell, b.length)));
    let mut cells: BTreeMap<CellKey, Vec<LengthRow>> = BTreeMap::new();
    for row in rows {
        cells.entry(CellKey::clone(&row.cell)).or_default().push(row);
    }
    cells
}
