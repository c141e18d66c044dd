//! Running an experiment: every training run and every cell, in parallel, each finished piece kept.
//!
//! Within a corpus, tags and seed the pruners come first, one for each pruning of training sentences; then all systems are
//! trained side by side, and the cells of each are parsed as soon as its model is there. What comes out depends on the
//! config and the data alone, never on the number of threads or on what was in the store.

use rayon::prelude::*;
use thiserror::Error;

use super::cell::{Cell, TrainingRun, cells_of, training_runs};
use super::config::Config;
use super::data::{DataError, Treebank};
use super::pieces::{Material, PieceError, Workshop};
use super::prepared::Prepared;
use super::progress::Progress;
use super::store::{Key, Store};
use crate::cell::Tags;
use crate::features::template::TemplateError;
use crate::pruning::Rule;
use crate::records::{SentenceRow, TaggingRow};
use crate::systems::{PassRecord, Pruned, Trained};
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
    /// One record a pass; empty if the model was not needed.
    pub passes: Vec<PassRecord>,
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

    /// What a run works with.
    pub fn material(&self, run: &TrainingRun) -> Material<'_> {
        Material {
            prepared: self.prepared(run.corpus, run.tags),
            punctuation: &self.treebanks[run.corpus].corpus.punctuation,
        }
    }

    /// Whether the corpus of a run is prepared with its tags.
    pub fn is_ready(&self, run: &TrainingRun) -> bool {
        self.prepared[run.corpus].iter().any(|(tags, _)| *tags == run.tags)
    }

    /// What the rows of a cell are kept under; its corpus need not be prepared.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn cell_key(&self, cell: &Cell) -> Result<Key, PieceError> {
        let treebank = &self.treebanks[cell.run.corpus];
        let data = self.workshop.checksum(treebank, cell.run.tags);
        self.workshop.cell_key((&data, &treebank.corpus.punctuation), cell)
    }

    /// Whether the results of a cell are in the store.
    pub fn has(&self, cell: &Cell) -> bool {
        self.cell_key(cell).is_ok_and(|key| self.workshop.store.has(&key))
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
        let jobs = self.jobs(wanted);
        // All runs that share pruners, together.
        let groups: Vec<&[Job]> = jobs.chunk_by(|a, b| group(&a.run) == group(&b.run)).collect();
        let results: Vec<_> = groups.par_iter().with_max_len(1).map(|jobs| self.group(jobs, progress)).collect();
        let (runs, cells): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
        (runs, cells.into_iter().flatten().collect())
    }

    /// The training runs with the cells that `wanted` lets through; those without any are left out.
    fn jobs(&self, wanted: impl Fn(&Cell) -> bool) -> Vec<Job> {
        let job = |run: TrainingRun| {
            let cells: Vec<Cell> = cells_of(self.config, &run).into_iter().filter(&wanted).collect();
            (!cells.is_empty()).then_some(Job { run, cells })
        };
        training_runs(self.config).into_iter().filter_map(job).collect()
    }

    fn group(&self, jobs: &[Job], progress: &Progress) -> Vec<(TrainingResult, Vec<CellResult>)> {
        let Some(first) = jobs.first() else { return Vec::new() };
        let (prepared, seed) = (self.material(&first.run).prepared, first.run.seed);
        let pruners: Vec<(Rule, Result<Pruned, String>)> = rules(self.config, jobs)
            .into_par_iter()
            .with_max_len(1)
            .map(|rule| {
                let pruned = self.workshop.pruned(prepared, rule, seed).map_err(|e| e.to_string());
                progress.step(1, &format!("pruner {rule}, seed {seed}"));
                (rule, pruned)
            })
            .collect();
        self.train_baselines(jobs, &pruners, progress);
        jobs.par_iter()
            .with_max_len(1)
            .map(|job| {
                let rule = job.run.pruning(self.config);
                let pruned = pruners.iter().find(|pruner| Some(pruner.0) == rule).map(|pruner| &pruner.1);
                let pruned = pruned.map(|pruned| pruned.as_ref().map_err(String::clone)).transpose();
                self.job(job, pruned, progress)
            })
            .collect()
    }

    /// Trains the baselines that some jobs start from, so that each is trained once; what goes wrong the jobs will say.
    fn train_baselines(&self, jobs: &[Job], pruners: &[(Rule, Result<Pruned, String>)], progress: &Progress) {
        let Some(first) = jobs.first() else { return };
        let material = self.material(&first.run);
        let missing = self.workshop.missing_baselines(material, jobs.iter().map(|job| &job.run)).unwrap_or_default();
        missing.par_iter().with_max_len(1).for_each(|run| {
            let pruned = pruners.iter().find(|(rule, _)| Some(*rule) == run.pruning(self.config));
            if let Some((_, Ok(pruned))) = pruned {
                let mut log = |pass| progress.step(0, &format!("{run}, to start from, epoch {pass}"));
                drop(self.workshop.trained_graph(material, pruned, run, &mut log));
            }
        });
    }

    fn job(
        &self,
        Job { run, cells }: &Job,
        pruned: Result<Option<&Pruned>, String>,
        progress: &Progress,
    ) -> (TrainingResult, Vec<CellResult>) {
        let treebank = &self.treebanks[run.corpus];
        let material = self.material(run);
        let name = format!("{} {run}", treebank.corpus.name);
        let (mut passes, mut passes_done) = (0, 0);
        let trained = self.workshop.system(run).map_err(|e| e.to_string()).and_then(|system| {
            passes = system.passes();
            let pruned = pruned?;
            let mut log = |pass| {
                passes_done = pass;
                progress.step(1, &format!("{name}, epoch {pass}"));
            };
            let trained = self.workshop.trained(&*system, material, pruned, run, &mut log);
            trained.map(|trained| (pruned, trained)).map_err(|e| e.to_string())
        });
        progress.step(passes - passes_done, &name);
        let result = |cell: &Cell| {
            let gold = &treebank.part(cell.split).sentences;
            let rows = match &trained {
                Ok((pruned, trained)) => {
                    self.workshop.cell(material, gold, cell, || Ok((*pruned, &**trained))).map_err(|e| e.to_string())
                }
                Err(e) => Err(e.clone()),
            };
            progress.step(1, &format!("{}", cell.key(self.config)));
            CellResult { cell: cell.clone(), rows }
        };
        let cells = cells.iter().map(result).collect();
        let passes = trained.map(|(_, trained)| Trained::passes(&*trained).to_vec()).unwrap_or_default();
        (TrainingResult { run: run.clone(), passes }, cells)
    }

    /// Steps of a run, for its progress bar.
    pub fn steps(&self, wanted: impl Fn(&Cell) -> bool) -> usize {
        let jobs = self.jobs(wanted);
        let groups = jobs.chunk_by(|a, b| group(&a.run) == group(&b.run));
        let pruners: usize = groups.map(|jobs| rules(self.config, jobs).len()).sum();
        let passes = |job: &Job| self.workshop.system(&job.run).map_or(0, |system| system.passes());
        pruners + jobs.iter().map(|job| passes(job) + job.cells.len()).sum::<usize>()
    }
}

/// A training run with those of its cells that are wanted.
#[derive(Debug)]
struct Job {
    run: TrainingRun,
    cells: Vec<Cell>,
}

/// What training runs that share pruners have in common.
fn group(run: &TrainingRun) -> (usize, Tags, u64) {
    (run.corpus, run.tags, run.seed)
}

/// The rules by which the training sentences of some jobs are pruned, each once.
fn rules(config: &Config, jobs: &[Job]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = jobs.iter().filter_map(|job| job.run.pruning(config)).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}
