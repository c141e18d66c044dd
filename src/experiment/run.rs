//! Running an experiment: every training run and every cell, in parallel, each finished piece kept.
//!
//! Within a corpus, tags and seed the pruner comes first; then the baseline and all feature sets are trained side by side, for each
//! backbone,
//! and the cells of each are parsed as soon as its model is there. What comes out depends on the config and the data
//! alone, never on the number of threads or on what was in the store.

use rayon::prelude::*;
use thiserror::Error;

use super::cell::{Cell, TrainingRun, cells_of, training_runs};
use super::config::Config;
use super::data::{DataError, Treebank};
use super::pieces::{EpochRecord, PieceError, Pruned, Workshop};
use super::prepared::Prepared;
use super::progress::Progress;
use super::store::Store;
use crate::cell::{Tags, show_optional};
use crate::features::template::TemplateError;
use crate::pruning::Rule;
use crate::report::record::SentenceRow;
use crate::report::tagging::TaggingRow;
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
    config.corpora.iter().map(|corpus| Treebank::read(config, corpus)).collect()
}

impl<'a> Laboratory<'a> {
    /// Reads all corpora and prepares them with all tags that some grid has.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn open(config: &'a Config, store: &'a Store) -> Result<Self, RunError> {
        Self::open_for(config, store, |_, _| true)
    }

    /// Reads all corpora and prepares those, by index, and with those tags that are `needed`.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn open_for(
        config: &'a Config,
        store: &'a Store,
        needed: impl Fn(usize, Tags) -> bool,
    ) -> Result<Self, RunError> {
        let workshop = Workshop::new(config, store)?;
        let treebanks = read_treebanks(config)?;
        let mut prepared = Vec::new();
        for (corpus, treebank) in treebanks.iter().enumerate() {
            let mut by_tags = Vec::new();
            for tags in config.tags_of(corpus).into_iter().filter(|&tags| needed(corpus, tags)) {
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
        let run = &cell.run;
        let is_prepared = self.prepared[run.corpus].iter().any(|(tags, _)| *tags == run.tags);
        let punctuation = &self.treebanks[run.corpus].corpus.punctuation;
        is_prepared && self.workshop.has_cell(self.prepared(run.corpus, run.tags), cell, punctuation)
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
        let shared = all.chunk_by(|a, b| self.shares(a) == self.shares(b));
        let groups: Vec<&[TrainingRun]> = shared.collect();
        let results: Vec<_> =
            groups.par_iter().with_max_len(1).map(|runs| self.group(runs, &wanted, progress)).collect();
        let (runs, cells): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
        (runs, cells.into_iter().flatten().collect())
    }

    /// What runs have in common that share a pruner and a pruned training part.
    fn shares(&self, run: &TrainingRun) -> (usize, Tags, u64, bool, Option<Rule>) {
        (run.corpus, run.tags, run.seed, run.is_graph(), run.pruning(self.config))
    }

    /// Passes over the training part.
    fn epochs(&self, run: &TrainingRun) -> usize {
        self.workshop.made(run).map_or(0, |made| made.schedule.epochs)
    }

    fn group(
        &self,
        runs: &[TrainingRun],
        wanted: &(impl Fn(&Cell) -> bool + Sync),
        progress: &Progress,
    ) -> Vec<(TrainingResult, Vec<CellResult>)> {
        let Some(first) = runs.first() else { return Vec::new() };
        let any = runs.iter().flat_map(|run| cells_of(self.config, run)).any(|cell| wanted(&cell));
        if !any {
            return Vec::new();
        }
        let prepared = self.prepared(first.corpus, first.tags);
        let made = self.workshop.made(first);
        let pruned = made.and_then(|made| self.workshop.pruned(prepared, made.schedule.pruning, first.seed));
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
        let (set, backbone) = (show_optional(run.set.as_ref()), run.backbone_name());
        let name = format!("{} {set} {backbone} seed {}", treebank.corpus.name, run.seed);
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
        progress.step(self.epochs(run) - epochs_done, &name);
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
                progress.step(1, &format!("{name}, {}", cell.split));
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
                let group = self.shares(&run);
                steps += usize::from(last != Some(group)) + self.epochs(&run) + cells;
                last = Some(group);
            }
        }
        steps
    }
}
