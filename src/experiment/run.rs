//! Running an experiment: every training run and every cell, in parallel, each finished piece kept.
//!
//! Within a corpus, tags and seed the pruner comes first; then the baseline and all feature sets are trained side by side, for each
//! backbone,
//! and the cells of each are parsed as soon as its model is there. What comes out depends on the config and the data
//! alone, never on the number of threads or on what was in the store.

use rayon::prelude::*;
use thiserror::Error;

use super::cell::{Cell, TrainingRun, cells_of, training_runs};
use super::config::{Config, Tags};
use super::data::{DataError, Treebank};
use super::pieces::{EpochRecord, PieceError, Pruned, Workshop};
use super::prepared::Prepared;
use super::progress::Progress;
use super::store::Store;
use crate::features::template::TemplateError;
use crate::records::{SentenceRow, TaggingRow};
use crate::tagger::Tagger;

/// Why a run could not start.
#[derive(Debug, Error)]
pub enum RunError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A template file cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The tags cannot be predicted.
    #[error(transparent)]
    Piece(#[from] PieceError),
}

/// What came of one cell.
#[derive(Debug)]
pub struct CellResult {
    /// The cell.
    pub cell: Cell,
    /// Its rows, or why there are none.
    pub rows: Result<Vec<SentenceRow>, String>,
}

/// What came of one training run.
#[derive(Debug)]
pub struct TrainingResult {
    /// The run.
    pub run: TrainingRun,
    /// One record an epoch; empty if the model was not needed.
    pub epochs: Vec<EpochRecord>,
}

/// An experiment's data, ready for training and parsing.
#[derive(Debug)]
pub struct Laboratory<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// The corpora, in the order of the config.
    pub treebanks: Vec<Treebank>,
    /// Makes the pieces.
    pub workshop: Workshop<'a>,
    /// By corpus, then tags, in the order of the config.
    prepared: Vec<Vec<(Tags, Prepared)>>,
}

/// Reads the corpora of an experiment, in the order of the config.
///
/// # Errors
/// The first that cannot be used.
pub fn read_treebanks(config: &Config) -> Result<Vec<Treebank>, DataError> {
    config.corpus.iter().map(|corpus| Treebank::read(config, corpus)).collect()
}

impl<'a> Laboratory<'a> {
    /// Reads all corpora and prepares them.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn open(config: &'a Config, store: &'a Store) -> Result<Self, RunError> {
        let workshop = Workshop::new(config, store)?;
        let treebanks = read_treebanks(config)?;
        let mut prepared = Vec::new();
        for treebank in &treebanks {
            let mut by_tags = Vec::new();
            for &tags in &config.tags {
                by_tags.push((tags, workshop.prepared(treebank, tags)?));
            }
            prepared.push(by_tags);
        }
        Ok(Self { config, treebanks, workshop, prepared })
    }

    /// The prepared corpus of a run.
    pub fn prepared(&self, corpus: usize, tags: Tags) -> &Prepared {
        let by_tags = &self.prepared[corpus];
        // A run's tags come from the same config as the list.
        &by_tags[by_tags.iter().position(|(t, _)| *t == tags).unwrap_or(0)].1
    }

    /// Whether the results of a cell are in the store.
    pub fn has(&self, cell: &Cell) -> bool {
        let prepared = self.prepared(cell.corpus, cell.tags);
        self.workshop.has_cell(prepared, cell, &self.treebanks[cell.corpus].corpus.punctuation)
    }

    /// The tagger of a run, if its tags are predicted; the laboratory has it no longer.
    pub fn take_tagger(&mut self, corpus: usize, tags: Tags) -> Option<Tagger> {
        let prepared = self.prepared[corpus].iter_mut().find(|(t, _)| *t == tags)?;
        Some(prepared.1.tagging.take()?.tagger)
    }

    /// The rows of `tagging.csv`: how often predicted tags are right. None if all tags are the treebank's.
    pub fn tagging_rows(&self) -> Vec<TaggingRow> {
        let taggings = self.prepared.iter().flatten().filter_map(|(_, prepared)| prepared.tagging.as_ref());
        taggings.flat_map(|tagging| tagging.rows.iter().cloned()).collect()
    }

    /// Runs everything that `wanted` lets through. Results come in the order of the runs and cells.
    pub fn run(
        &self,
        wanted: impl Fn(&Cell) -> bool + Copy + Sync,
        progress: &Progress,
    ) -> (Vec<TrainingResult>, Vec<CellResult>) {
        let all = training_runs(self.config);
        // All runs that share a pruner, together.
        let shared = all.chunk_by(|a, b| (a.corpus, a.tags, a.seed) == (b.corpus, b.tags, b.seed));
        let groups: Vec<&[TrainingRun]> = shared.collect();
        let results: Vec<_> =
            groups.par_iter().with_max_len(1).map(|runs| self.group(runs, &wanted, progress)).collect();
        let (runs, cells): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
        (runs, cells.into_iter().flatten().collect())
    }

    fn group(
        &self,
        runs: &[TrainingRun],
        wanted: &(impl Fn(&Cell) -> bool + Sync),
        progress: &Progress,
    ) -> Vec<(TrainingResult, Vec<CellResult>)> {
        let Some(first) = runs.first() else { return Vec::new() };
        let prepared = self.prepared(first.corpus, first.tags);
        let any = runs.iter().flat_map(|run| cells_of(self.config, run)).any(|cell| wanted(&cell));
        if !any {
            return Vec::new();
        }
        let pruned = self.workshop.pruned(prepared, first.seed);
        progress.step(1, &format!("pruner, seed {}", first.seed));
        runs.par_iter()
            .with_max_len(1)
            .map(|run| {
                let cells: Vec<Cell> = cells_of(self.config, run).into_iter().filter(wanted).collect();
                self.training_run(run, cells, prepared, pruned.as_ref().map_err(ToString::to_string), progress)
            })
            .collect()
    }

    fn training_run(
        &self,
        run: &TrainingRun,
        cells: Vec<Cell>,
        prepared: &Prepared,
        pruned: Result<&Pruned, String>,
        progress: &Progress,
    ) -> (TrainingResult, Vec<CellResult>) {
        let treebank = &self.treebanks[run.corpus];
        let punctuation = &treebank.corpus.punctuation;
        let name = format!("{} {} {} seed {}", treebank.corpus.name, run.set, run.backbone, run.seed);
        let mut result = TrainingResult { run: run.clone(), epochs: Vec::new() };
        if cells.is_empty() {
            return (result, Vec::new());
        }
        let mut epochs_done = 0;
        let trained = pruned.and_then(|pruned| {
            let on_epoch = |epoch| {
                epochs_done = epoch;
                progress.step(1, &format!("{name}, epoch {epoch}"));
            };
            let trained = self.workshop.trained(prepared, pruned, run, punctuation, on_epoch);
            trained.map(|t| (pruned, t)).map_err(|e| e.to_string())
        });
        progress.step(self.config.training.epochs - epochs_done, &name);
        let cells = cells
            .into_iter()
            .map(|cell| {
                let rows = match &trained {
                    Ok((pruned, trained)) => self
                        .workshop
                        .cell(prepared, &treebank.part(cell.split).sentences, &cell, punctuation, || {
                            Ok((*pruned, &trained.model))
                        })
                        .map_err(|e| e.to_string()),
                    Err(e) => Err(e.clone()),
                };
                progress.step(1, &format!("{name}, {} {} {}", cell.split.name(), cell.rule, cell.decoder));
                CellResult { cell, rows }
            })
            .collect();
        if let Ok((_, trained)) = trained {
            result.epochs = trained.epochs;
        }
        (result, cells)
    }

    /// Steps of a run, for its progress bar.
    pub fn steps(&self, wanted: impl Fn(&Cell) -> bool) -> usize {
        let mut steps = 0;
        let mut last = None;
        for run in training_runs(self.config) {
            let cells = cells_of(self.config, &run).iter().filter(|c| wanted(c)).count();
            if cells > 0 {
                let group = (run.corpus, run.tags, run.seed);
                steps += usize::from(last != Some(group)) + self.config.training.epochs + cells;
                last = Some(group);
            }
        }
        steps
    }
}
