//! Results of the cells that a filter leaves out: it chooses what to do, not what to forget.

use std::collections::BTreeSet;

use super::cell::{Cell, TrainingRun, cells, cells_of, training_runs};
use super::config::Config;
use super::results::Folders;
use crate::cell::show_optional;
use crate::report::csv;
use crate::report::error::ReportError;
use crate::report::record::{CellKey, LengthRow, ScoreRow, SentenceRow};
use crate::report::training::TrainingRow;

/// Rows of an earlier run of the same experiment.
#[derive(Debug, Default)]
pub struct Earlier {
    /// Of `scores.csv`.
    pub scores: Vec<ScoreRow>,
    /// Of `sentences.csv`, which need not have all cells: it is not committed.
    pub sentences: Vec<SentenceRow>,
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
        let chosen: BTreeSet<CellKey> = chosen.iter().map(|cell| cell.key(config)).collect();
        let kept: BTreeSet<CellKey> =
            cells(config).iter().map(|c| c.key(config)).filter(|c| !chosen.contains(c)).collect();
        let is_done = |run: &TrainingRun| cells_of(config, run).iter().any(|c| chosen.contains(&c.key(config)));
        let runs: BTreeSet<RunName> =
            training_runs(config).iter().filter(|run| !is_done(run)).map(|run| name(config, run)).collect();
        let mut earlier = Self {
            scores: csv::read_if_there(&folders.result("scores.csv"))?,
            sentences: csv::read_if_there(&folders.result("sentences.csv"))?,
            lengths: csv::read_if_there(&folders.result("by_length.csv"))?,
            training: csv::read_if_there(&folders.result("training.csv"))?,
        };
        earlier.scores.retain(|row| kept.contains(&*row.cell));
        earlier.sentences.retain(|row| kept.contains(&*row.cell));
        earlier.lengths.retain(|row| kept.contains(&*row.cell));
        earlier.training.retain(|row| runs.contains(&name_of(row)));
        Ok(earlier)
    }

    /// The files that have rows of other cells.
    pub fn files(&self) -> Vec<&'static str> {
        let files = [
            ("scores.csv", self.scores.is_empty()),
            ("sentences.csv", self.sentences.is_empty()),
            ("by_length.csv", self.lengths.is_empty()),
            ("training.csv", self.training.is_empty()),
        ];
        files.into_iter().filter(|(_, is_empty)| !is_empty).map(|(name, _)| name).collect()
    }
}

/// Corpus, tags, learner, features, backbone and seed of a training run.
type RunName = (String, String, String, String, String, u64);

fn name(config: &Config, run: &TrainingRun) -> RunName {
    let TrainingRun { corpus, tags, learner, set, seed, .. } = run;
    let corpus = config.corpora[*corpus].name.to_string();
    let (learner, set) = (show_optional(learner.as_ref()), show_optional(set.as_ref()));
    (corpus, tags.name().to_owned(), learner, set, run.backbone_name(), *seed)
}

fn name_of(row: &TrainingRow) -> RunName {
    let TrainingRow { corpus, tags, trainer, features, backbone, seed, .. } = row.clone();
    (corpus, tags, trainer, features, backbone, seed)
}
