//! Results of the cells that a filter leaves out: it chooses what to do, not what to forget.

use std::collections::BTreeSet;

use super::cell::{Cell, TrainingRun, cells, cells_of, training_runs};
use super::config::Config;
use super::folders::Folders;
use crate::cell::{CellKey, Split};
use crate::records::by_sentence::{self, CellSentences};
use crate::records::{LengthRow, ModelName, ReportError, ScoreRow, SentenceRow, TrainingRow, csv};

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
        };
        let chosen: BTreeSet<CellKey> = chosen.iter().map(|cell| cell.key(config)).collect();
        earlier.retain(config, |cell| !chosen.contains(cell));
        Ok(earlier)
    }

    /// Keeps the rows of those cells of the experiment that `keep` lets through, and of the training runs all of whose cells
    /// it does.
    pub fn retain(&mut self, config: &Config, keep: impl Fn(&CellKey) -> bool) {
        let kept: BTreeSet<CellKey> = cells(config).iter().map(|c| c.key(config)).filter(&keep).collect();
        // What learns from the training part and what learns from folds are done each for its own cells.
        let is_left = |run: &TrainingRun, in_folds: bool| {
            let cells = cells_of(config, run).into_iter().filter(|cell| (cell.split == Split::Cv) == in_folds);
            let cells: Vec<CellKey> = cells.map(|cell| cell.key(config)).collect();
            !cells.is_empty() && cells.iter().all(|cell| kept.contains(cell))
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
