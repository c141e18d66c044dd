//! Running an experiment: every training run and every cell, in parallel, each finished artifact kept.
//!
//! Each fold of a cross-validation is prepared when its turn comes, and its seeds share it. Within a corpus or fold, tags
//! and seed the pruners come first, one for each pruning of training sentences; then all systems are trained side by side,
//! and the cells of each are parsed as soon as its model is there. What comes out depends on the config and the data alone,
//! never on the number of threads or on what was in the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use super::artifacts::{ArtifactBuilder, ArtifactError, DatasetView};
use super::cell::{Cell, TrainingRun, cells};
use super::config::Config;
use super::data::{DataError, Treebank};
use super::folds;
use super::jobs::{Job, jobs, rules, shares};
use super::outcome::{CellResult, Done, Outcome, TrainingResult};
use super::prepared::Prepared;
use super::progress::Progress;
use super::store::{Key, Store};
use super::versions;
use crate::rows::TaggingRow;
use treebound_parser::cell::{CellKey, Fold, Split, Tags};
use treebound_parser::model::{TreeKind, check_built};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::{PassRecord, Pruned, Trained};
use treebound_parser::tagger::Tagger;
use treebound_parser::treebank::Punctuation;
use treebound_records::RowKey;

/// A fold of a corpus, ready for training and parsing.
#[derive(Debug)]
pub struct Folded {
    treebank: Treebank,
    prepared: Prepared,
}

impl Folded {
    /// What training runs on it work with.
    pub fn dataset(&self) -> DatasetView<'_> {
        DatasetView { treebank: &self.treebank, prepared: &self.prepared }
    }
}

/// An experiment's data, ready for training and parsing.
#[derive(Debug)]
pub struct ExperimentContext<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// The corpora, in the order of the config.
    pub treebanks: Vec<Treebank>,
    /// Makes the artifacts.
    pub builder: ArtifactBuilder<'a>,
    /// By corpus, then tags, in the order of the config, and words on the root.
    prepared: Vec<Vec<(Tags, TreeKind, Prepared)>>,
    row_keys: OnceLock<BTreeMap<CellKey, RowKey>>,
}

/// Who is told how a run goes on.
#[derive(Clone, Copy)]
struct Watch<'a> {
    progress: &'a Progress,
    finished: &'a (dyn Fn(&TrainingResult, &[CellResult]) + Sync),
}

/// Reads the corpora of an experiment, in the order of the config.
///
/// # Errors
/// The first that cannot be used.
fn read_treebanks(config: &Config) -> Result<Vec<Treebank>, DataError> {
    config.corpora.iter().map(|corpus| Treebank::read(config, corpus)).collect()
}

impl<'a> ExperimentContext<'a> {
    /// Reads all corpora and prepares them with all tags that some grid has.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn open(config: &'a Config, store: &'a Store) -> Result<Self, ArtifactError> {
        Self::open_for(config, store, |corpus, tags| config.tags_of(corpus).contains(&tags))
    }

    /// Reads all corpora and prepares those of the wanted cells; folds are prepared when their turn comes.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn open_cells(
        config: &'a Config,
        store: &'a Store,
        wanted: impl Fn(&Cell) -> bool,
    ) -> Result<Self, ArtifactError> {
        let mut context = Self::open_for(config, store, |_, _| false)?;
        context.prepare_cells(wanted)?;
        Ok(context)
    }

    /// Prepares the corpora of the wanted cells, and no others.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn prepare_cells(&mut self, wanted: impl Fn(&Cell) -> bool) -> Result<(), ArtifactError> {
        let wanted: Vec<Cell> =
            cells(self.config).into_iter().filter(|cell| cell.split != Split::Cv && wanted(cell)).collect();
        self.prepare(|corpus, tags| wanted.iter().any(|cell| (cell.run.corpus, cell.run.tags) == (corpus, tags)))
    }

    /// Reads all corpora and prepares those, by index, and with those tags that are `needed`, also with tags that no grid has.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn open_for(
        config: &'a Config,
        store: &'a Store,
        needed: impl Fn(usize, Tags) -> bool,
    ) -> Result<Self, ArtifactError> {
        let builder = ArtifactBuilder::new(config, store)?;
        let treebanks = read_treebanks(config)?;
        for (corpus, treebank) in treebanks.iter().enumerate() {
            folds::check(treebank, config.folds_of(corpus))?;
        }
        let mut context = Self { config, treebanks, builder, prepared: Vec::new(), row_keys: OnceLock::new() };
        context.prepare(needed)?;
        Ok(context)
    }

    /// Prepares the corpora, by index, with those tags that are `needed`, and no others.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn prepare(&mut self, needed: impl Fn(usize, Tags) -> bool) -> Result<(), ArtifactError> {
        let kinds = self.config.tree_kinds();
        let mut prepared = Vec::new();
        for (corpus, treebank) in self.treebanks.iter().enumerate() {
            let mut by_tags = Vec::new();
            for tags in Tags::ALL.into_iter().filter(|&tags| needed(corpus, tags)) {
                for &kind in &kinds {
                    by_tags.push((tags, kind, self.builder.prepared(treebank, tags, kind)?));
                }
            }
            prepared.push(by_tags);
        }
        self.prepared = prepared;
        Ok(())
    }

    /// The prepared corpus of a run.
    pub fn prepared(&self, run: &TrainingRun) -> &Prepared {
        let (by_tags, of) = (&self.prepared[run.corpus], (run.tags, run.tree_kind(self.config)));
        let of_run = by_tags.iter().find(|(tags, kind, _)| (*tags, *kind) == of);
        &of_run.expect("a run is asked for that was needed, and its learner comes from the same config as the list").2
    }

    /// What a run works with that learns from the training part.
    pub fn dataset(&self, run: &TrainingRun) -> DatasetView<'_> {
        DatasetView { treebank: &self.treebanks[run.corpus], prepared: self.prepared(run) }
    }

    /// A fold of the corpus of a run, with its tags.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn folded(&self, run: &TrainingRun, fold: Fold) -> Result<Folded, ArtifactError> {
        let treebank = folds::cut(&self.treebanks[run.corpus], fold);
        let prepared = self.builder.prepared(&treebank, run.tags, run.tree_kind(self.config))?;
        Ok(Folded { treebank, prepared })
    }

    /// What the rows of a cell are kept under; its corpus need not be prepared. Those of cross-validation are kept by fold,
    /// and the key of the cell is made of all of these.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn cell_key(&self, cell: &Cell) -> Result<Key, ArtifactError> {
        let mut keys = self.share_keys(cell)?;
        match (cell.split, keys.pop()) {
            (Split::Train | Split::Dev | Split::Test, Some(key)) => Ok(key),
            (_, last) => {
                keys.extend(last);
                Ok(ArtifactBuilder::joined_key("rows", versions::ROWS, &keys))
            }
        }
    }

    /// What the rows of a cell are kept under: one key, or in cross-validation one a fold.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn share_keys(&self, cell: &Cell) -> Result<Vec<Key>, ArtifactError> {
        self.of_shares(cell, |decisive| self.builder.cell_key(decisive, cell))
    }

    /// The key of each cell of the experiment, as its rows have it; the usual one where it cannot be found out.
    pub fn row_keys(&self) -> &BTreeMap<CellKey, RowKey> {
        self.row_keys.get_or_init(|| {
            let key = |cell: &Cell| self.cell_key(cell).map(|key| key.of_row()).unwrap_or_default();
            cells(self.config).iter().map(|cell| (cell.key(self.config), key(cell))).collect()
        })
    }

    /// The key of a cell, as its rows have it.
    pub fn row_key(&self, cell: &CellKey) -> RowKey {
        self.row_keys().get(cell).copied().unwrap_or_default()
    }

    /// The keys of the models of a cell, as rows have them: one, or in cross-validation one a fold.
    pub fn model_keys(&self, cell: &Cell) -> Vec<RowKey> {
        let key = |decisive: (&str, &Punctuation)| {
            let system = self.builder.system(&cell.run)?;
            Ok(self.builder.model_key(&*system, decisive, &cell.run)?.of_row())
        };
        let unknown = || shares(self.config, cell.split).iter().map(|_| RowKey::default()).collect();
        self.of_shares(cell, key).unwrap_or_else(|_: ArtifactError| unknown())
    }

    /// The key of the predicted tags of a cell's corpus, as rows have it: in cross-validation that of all folds.
    pub fn tags_row_key(&self, cell: &Cell) -> RowKey {
        self.tags_row_key_of(cell.run.corpus, cell.split == Split::Cv)
    }

    fn tags_row_key_of(&self, corpus: usize, in_folds: bool) -> RowKey {
        let treebank = &self.treebanks[corpus];
        match in_folds {
            false => self.builder.tags_key(&treebank.checksums()).of_row(),
            true => {
                let key = |fold| self.builder.tags_key(&folds::checksums(treebank, fold));
                ArtifactBuilder::joined_key("tags", versions::TAGS, &self.config.folds().map(key).collect::<Vec<_>>())
                    .of_row()
            }
        }
    }

    /// Something of each share of a cell, by what decides its data and which words are punctuation.
    fn of_shares<T>(
        &self,
        cell: &Cell,
        of: impl Fn((&str, &Punctuation)) -> Result<T, ArtifactError>,
    ) -> Result<Vec<T>, ArtifactError> {
        let treebank = &self.treebanks[cell.run.corpus];
        let of_share = |fold: Option<Fold>| {
            let sums = fold.map_or_else(|| treebank.checksums(), |fold| folds::checksums(treebank, fold));
            let data = self.builder.checksum(&sums, cell.run.tags, cell.run.tree_kind(self.config));
            of((&data, &treebank.corpus.punctuation))
        };
        shares(self.config, cell.split).into_iter().map(of_share).collect()
    }

    /// Whether the models of a cell are in the store, and the pruners that they were made with: those of all folds in
    /// cross-validation.
    pub fn has_models(&self, cell: &Cell) -> bool {
        let (builder, run) = (&self.builder, &cell.run);
        let are_there = |decisive: (&str, &Punctuation)| {
            let pruner = builder.training_pruning(run).map(|rule| builder.pruner_key(decisive.0, rule, run.seed));
            let model = builder.model_key(&*builder.system(run)?, decisive, run)?;
            let labeller = builder.labeller_key(decisive.0, run);
            let reranker = builder.reranker_key(decisive, run)?;
            let more = labeller.iter().chain(&reranker);
            Ok(pruner.iter().chain([&model]).chain(more).all(|key| builder.store.has(key)))
        };
        self.of_shares(cell, are_there).is_ok_and(|shares| shares.into_iter().all(|are_there| are_there))
    }

    /// Whether the trees of a cell are in the store.
    pub fn has_trees(&self, cell: &Cell) -> bool {
        let has = |rows: &Key| self.builder.store.has(&ArtifactBuilder::trees_key(rows));
        self.share_keys(cell).is_ok_and(|keys| keys.iter().all(has))
    }

    /// Whether a run has passes, which `training.csv` tells of.
    pub fn learns(&self, run: &TrainingRun) -> bool {
        self.builder.system(run).is_ok_and(|system| system.passes() > 0)
    }

    /// Whether the results of a cell are in the store.
    pub fn has(&self, cell: &Cell) -> bool {
        self.share_keys(cell).is_ok_and(|keys| keys.iter().all(|key| self.builder.store.has(key)))
    }

    /// Checks that the decoders of the wanted cells, and of their learners, are there, where they have something left to do.
    ///
    /// # Errors
    /// The first cell without.
    pub fn check_decoders(&self, wanted: impl Fn(&Cell) -> bool) -> Result<(), ArtifactError> {
        for cell in cells(self.config).iter().filter(|cell| wanted(cell)) {
            let learner = cell.run.schedule(self.config).filter(|_| !cell.axes.is_baseline());
            let training = learner.map(|schedule| schedule.decoder).filter(|_| !self.has_models(cell));
            for decoder in cell.axes.decoder().into_iter().chain(training).filter(|decoder| decoder.is_program()) {
                let missing = |error| ArtifactError::NoSolver(cell.key(self.config).to_string(), error);
                check_built(decoder).or_else(|error| if self.has(cell) { Ok(()) } else { Err(missing(error)) })?;
            }
        }
        Ok(())
    }

    /// The tagger of a run, if its tags are predicted; the context has it no longer.
    pub fn take_tagger(&mut self, corpus: usize, tags: Tags) -> Option<Tagger> {
        let prepared = self.prepared[corpus].iter_mut().find(|(t, ..)| *t == tags)?;
        Some(prepared.2.tagging.take()?.tagger)
    }

    /// The rows of `tagging.csv`: how often predicted tags are right. None if all tags are the treebank's.
    pub fn tagging_rows(&self) -> Vec<TaggingRow> {
        let mut rows = Vec::new();
        for (corpus, prepared) in self.prepared.iter().enumerate() {
            // Tags do not depend on what there may be on the root: those of a corpus are told once.
            let tagging = prepared.iter().find_map(|(.., prepared)| prepared.tagging.as_ref());
            let key = tagging.map(|_| self.tags_row_key_of(corpus, false)).unwrap_or_default();
            rows.extend(tagging.iter().flat_map(|tagging| tagging.rows.clone()).map(|row| TaggingRow { key, ..row }));
        }
        rows
    }

    /// Runs everything that `wanted` lets through. Results come in the order of the runs and cells; `finished` hears of each
    /// job as it is done.
    pub fn run(
        &self,
        wanted: impl Fn(&Cell) -> bool + Copy + Sync,
        progress: &Progress,
        finished: &(dyn Fn(&TrainingResult, &[CellResult]) + Sync),
    ) -> Outcome {
        let watch = Watch { progress, finished };
        let jobs = jobs(self.config, wanted);
        // All runs that learn from the same trees with the same tags, together.
        let from = |job: &Job| job.learnt_from(self.config);
        let groups: Vec<&[Job]> = jobs.chunk_by(|a, b| from(a) == from(b)).collect();
        let mut done: Vec<Done> = groups.par_iter().with_max_len(1).map(|jobs| self.on_data(jobs, watch)).collect();
        // The tags of a fold are told once, whatever there may be on the root.
        let mut tagged = BTreeSet::new();
        for (done, job) in done.iter_mut().zip(groups.iter().filter_map(|jobs| jobs.first())) {
            done.tagging = done.tagging.take().filter(|_| tagged.insert(job.data()));
        }
        let mut outcome = Outcome::of(done, self.config, &self.treebanks);
        for row in &mut outcome.tagging {
            row.key =
                self.config.corpus_index(&row.corpus).map(|at| self.tags_row_key_of(at, true)).unwrap_or_default();
        }
        outcome
    }

    /// Jobs that learn from the same trees with the same tags.
    fn on_data(&self, jobs: &[Job], watch: Watch) -> Done {
        let Some(first) = jobs.first() else { return Done::default() };
        let folded = match first.fold.map(|fold| self.folded(&first.run, fold)).transpose() {
            Ok(folded) => folded,
            Err(e) => {
                watch.progress.step(self.steps_of(jobs), 0, "failed");
                return Done::failed(jobs, &e.to_string());
            }
        };
        let dataset = folded.as_ref().map_or_else(|| self.dataset(&first.run), Folded::dataset);
        // All runs that share pruners, together.
        let groups: Vec<&[Job]> = jobs.chunk_by(|a, b| a.run.seed == b.run.seed).collect();
        let results: Vec<_> = groups.par_iter().with_max_len(1).map(|jobs| self.group(jobs, dataset, watch)).collect();
        let tagging = folded.as_ref().and_then(|folded| folded.prepared.tagging.as_ref());
        Done { results: results.into_iter().flatten().collect(), tagging: tagging.map(|t| t.rows[2].clone()) }
    }

    fn group(&self, jobs: &[Job], dataset: DatasetView, watch: Watch) -> Vec<(TrainingResult, Vec<CellResult>)> {
        let progress = watch.progress;
        let Some(first) = jobs.first() else { return Vec::new() };
        let (prepared, seed) = (dataset.prepared, first.run.seed);
        let in_fold = first.in_fold();
        let pruners: Vec<(Rule, Result<Pruned, String>)> = rules(self.config, jobs)
            .into_par_iter()
            .with_max_len(1)
            .map(|rule| {
                let pruned = self.builder.pruned(prepared, rule, seed).map_err(|e| e.to_string());
                progress.step(1, 0, &format!("{in_fold}pruner {rule}, seed {seed}"));
                (rule, pruned)
            })
            .collect();
        self.train_baselines(jobs, dataset, &pruners, progress);
        jobs.par_iter()
            .with_max_len(1)
            .map(|job| {
                let rule = job.run.pruning(self.config);
                let pruned = pruners.iter().find(|pruner| Some(pruner.0) == rule).map(|pruner| &pruner.1);
                let pruned = pruned.map(|pruned| pruned.as_ref().map_err(String::clone)).transpose();
                self.job(job, dataset, pruned, watch)
            })
            .collect()
    }

    /// Trains the baselines that some jobs start from, so that each is trained once; what goes wrong the jobs will say.
    fn train_baselines(
        &self,
        jobs: &[Job],
        dataset: DatasetView,
        pruners: &[(Rule, Result<Pruned, String>)],
        progress: &Progress,
    ) {
        let sentences = dataset.prepared.train.sentences.len();
        let missing = self.builder.missing_baselines(dataset, jobs.iter().map(|job| &job.run)).unwrap_or_default();
        missing.par_iter().with_max_len(1).for_each(|run| {
            let pruned = pruners.iter().find(|(rule, _)| Some(*rule) == run.pruning(self.config));
            if let Some((_, Ok(pruned))) = pruned {
                let running = progress.begin(&format!("{run}, to start from"));
                let mut log = |passes: &[PassRecord]| running.tell(sentences, &format!("epoch {}", passes.len()));
                drop(self.builder.trained_graph(dataset, pruned, run, &mut log));
            }
        });
    }

    fn job(
        &self,
        job: &Job,
        dataset: DatasetView,
        pruned: Result<Option<&Pruned>, String>,
        Watch { progress, finished }: Watch,
    ) -> (TrainingResult, Vec<CellResult>) {
        let Job { run, fold, cells } = job;
        let name = format!("{} {}{run}", dataset.treebank.corpus.name, job.in_fold());
        let sentences = dataset.prepared.train.sentences.len();
        let running = progress.begin(&name);
        let (mut passes, mut passes_done) = (0, 0);
        let system = self.builder.system(run).map_err(|e| e.to_string());
        let trained = system.as_ref().map_err(Clone::clone).and_then(|system| {
            passes = system.passes();
            let pruned = pruned?;
            let mut log = |passes: &[PassRecord]| {
                let pass = passes.len();
                passes_done = pass;
                running.step(sentences, &format!("epoch {pass}"));
            };
            let trained = self.builder.trained(&**system, dataset, pruned, run, &mut log);
            trained.map(|trained| (pruned, trained)).map_err(|e| e.to_string())
        });
        // Taken from the store, or failed.
        progress.pass_over(passes - passes_done, &name);
        let result = |cell: &Cell| {
            let mut parsed = false;
            let rows = trained.as_ref().map_err(Clone::clone).and_then(|(pruned, trained)| {
                let parser = || {
                    parsed = true;
                    Ok((*pruned, &**trained))
                };
                self.builder.cell(dataset, cell, parser).map_err(|e| e.to_string())
            });
            let name = format!("{}{}", job.in_fold(), cell.key(self.config));
            match &rows {
                Ok(rows) if parsed => progress.step(1, rows.len(), &name),
                _ => progress.pass_over(1, &name),
            }
            CellResult { cell: cell.clone(), rows }
        };
        let cells: Vec<CellResult> = cells.iter().map(result).collect();
        let passes = trained.map(|(_, trained)| Trained::passes(&*trained).to_vec()).unwrap_or_default();
        let key = system.as_ref().ok().and_then(|system| {
            let key = self.builder.model_key(&**system, dataset.decisive(), run);
            key.ok().map(|key| key.of_row())
        });
        let learns_from = |sentence, words| system.as_ref().is_ok_and(|system| system.learns_from(sentence, words));
        let learnt = dataset.prepared.train.learnt_from(learns_from);
        let training = TrainingResult { run: run.clone(), fold: *fold, key: key.unwrap_or_default(), learnt, passes };
        finished(&training, &cells);
        (training, cells)
    }

    /// Steps of a run, for its progress bar.
    pub fn steps(&self, wanted: impl Fn(&Cell) -> bool) -> usize {
        self.steps_of(&jobs(self.config, wanted))
    }

    fn steps_of(&self, jobs: &[Job]) -> usize {
        let of = |job: &Job| (job.learnt_from(self.config), job.run.seed);
        let groups = jobs.chunk_by(|a, b| of(a) == of(b));
        let pruners: usize = groups.map(|jobs| rules(self.config, jobs).len()).sum();
        let passes = |job: &Job| self.builder.system(&job.run).map_or(0, |system| system.passes());
        pruners + jobs.iter().map(|job| passes(job) + job.cells.len()).sum::<usize>()
    }
}
