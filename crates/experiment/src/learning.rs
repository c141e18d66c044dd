//! Learning the weights of a training run again, with the clock running.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::artifacts::ArtifactError;
use super::cell::{Cell, TrainingRun, cells};
use super::config::Config;
use super::growth::step::{Asked, LearntAgain, Step, StepError};
use super::measured::{MeasureError, Measuring, log, refuse_to_mix};
use super::results::model_key;
use super::run::ExperimentContext;
use super::stop::unless_stopped;
use crate::rows::csv::{self, Record};
use crate::rows::{LearningRow, ModelName};
use treebound_parser::answer::Clock;
use treebound_parser::bytes::BytesWriter;
use treebound_parser::cell::{CellKey, Split};
use treebound_records::RowKey;

/// What learning took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relearnt {
    /// Training sentences.
    pub sentences: u64,
    /// Training words.
    pub words: u64,
    /// Passes over them, or steps of a descent.
    pub passes: u64,
    /// Time to learn the weights.
    pub train_ns: u64,
    /// Bytes of the model.
    pub model_bytes: u64,
}

/// Learns the weights of a run, whether they are in the store or not. What comes before (tags, pruner, the baseline that it may
/// start from) is taken from there, or made before the clock starts.
///
/// # Errors
/// See [`ArtifactError`].
pub fn relearn(
    context: &ExperimentContext,
    run: &TrainingRun,
    clock: &mut impl Clock,
) -> Result<Relearnt, ArtifactError> {
    let dataset = context.dataset(run);
    let pruned = context.builder.pruned_for(dataset.prepared, run)?;
    let (trained, train_ns) = context.builder.trained_again(dataset, pruned.as_ref(), run, clock)?;
    let system = context.builder.system(run)?;
    let learnt = dataset.prepared.train.learnt_from(|sentence, words| system.learns_from(sentence, words));
    let mut model = BytesWriter::default();
    trained.save(&mut model);
    Ok(Relearnt {
        sentences: learnt.sentences,
        words: learnt.words,
        passes: trained.passes().len() as u64,
        train_ns,
        model_bytes: model.into_bytes().len() as u64,
    })
}

const FILE: &str = "learning.csv";

impl Measuring<'_> {
    /// Learns the models of the wanted cells again, `repeats` times with each number of threads. Returns the new rows.
    ///
    /// # Errors
    /// See [`MeasureError`].
    pub fn learning(
        &self,
        wanted: &[Cell],
        threads: &BTreeSet<NonZeroUsize>,
        repeats: NonZeroUsize,
    ) -> Result<Vec<LearningRow>, MeasureError> {
        let config = self.config;
        let models = models(config);
        let asked_for: BTreeSet<Model> = wanted.iter().map(|cell| model(config, cell)).collect();
        let of_models = models.iter().filter(|(model, _)| asked_for.contains(model));
        let cells: Vec<&Cell> = of_models.map(|(_, (cell, _))| cell).collect();
        if cells.is_empty() {
            return Err(MeasureError::NothingToLearn(self.source.to_owned()));
        }
        let path = self.folders.result(FILE);
        let context = ExperimentContext::open_for(config, self.store, |corpus, tags| {
            cells.iter().any(|cell| (cell.run.corpus, cell.run.tags) == (corpus, tags))
        })?;
        // Rows of models that the config no longer has go, and those of another model; times of another program or machine do
        // not stand beside these.
        let key = |row: &LearningRow| {
            let (cell, _) = models.get(&(row.model.clone(), row.seed))?;
            Some(model_key(&context, &cell.run))
        };
        let mut rows: Vec<LearningRow> = csv::read_if_there(&path)?;
        rows.retain(|row| key(row) == Some(row.key));
        let mut log = log("learning", self.source, &context, self.folders, cells.iter().copied())?;
        if let Some(elsewhere) = log.measured_elsewhere() {
            let is_left_out = |row: &&LearningRow| !asked_for.contains(&(row.model.clone(), row.seed));
            let left_out = rows.iter().find(is_left_out).and_then(|row| models.get(&(row.model.clone(), row.seed)));
            refuse_to_mix(FILE, elsewhere, left_out.map(|(_, key)| key))?;
            rows.clear();
        }
        // So that no process makes what comes before another time.
        for cell in &cells {
            context.builder.pruned_for(context.prepared(&cell.run), &cell.run)?;
        }
        let mut new = Vec::new();
        let stopped = || (self.say)(format!("treebound: stopped; what is measured is in {}", path.display()));
        unless_stopped(stopped, || {
            for (i, &cell) in cells.iter().enumerate() {
                for &threads in threads {
                    let key = model_key(&context, &cell.run);
                    let row = self.relearnt(cell, key, threads, repeats)?;
                    self.note(|| format!("{} of {}: {}: {:.1} s", i + 1, cells.len(), row.key(), row.train_s()));
                    rows.retain(|other| !other.same_key(&row));
                    rows.push(row.clone());
                    new.push(row);
                    log.write(new.len() as u64, &path, &csv::text(&rows)?)?;
                }
            }
            Ok::<_, MeasureError>(())
        })?;
        Ok(new)
    }

    /// The middle one of the repeats of a cell's model, which has that key.
    fn relearnt(
        &self,
        cell: &Cell,
        key: RowKey,
        threads: NonZeroUsize,
        repeats: NonZeroUsize,
    ) -> Result<LearningRow, StepError> {
        let step = Step::Relearn {
            config: Asked::new(self.source, self.set, self.config),
            cell: cell.key(self.config).to_string(),
            threads: threads.get(),
            cache: self.folders.cache.clone(),
        };
        let mut repeats: Vec<LearntAgain> = (0..repeats.get()).map(|_| step.run()).collect::<Result<_, _>>()?;
        if repeats.iter().any(|again| again.key != key.to_string()) {
            return Err(StepError::Changed);
        }
        let peak_kib = repeats.iter().filter_map(|again| again.peak_kib).max();
        repeats.sort_by_key(|again| again.relearnt.train_ns);
        let relearnt = repeats[(repeats.len() - 1) / 2].relearnt;
        let ns = |again: Option<&LearntAgain>| again.map(|again| again.relearnt.train_ns);
        Ok(LearningRow {
            model: cell.run.model_name(self.config),
            seed: cell.run.seed,
            key,
            threads: threads.get() as u64,
            sentences: relearnt.sentences,
            words: relearnt.words,
            passes: relearnt.passes,
            train_ns: relearnt.train_ns,
            least_ns: ns(repeats.first()),
            largest_ns: ns(repeats.last()),
            repeats: repeats.len() as u64,
            peak_kib: peak_kib.and_then(|kib| i64::try_from(kib).ok()),
            model_bytes: Some(relearnt.model_bytes),
        })
    }
}

/// What is learnt once.
type Model = (ModelName, u64);

fn model(config: &Config, cell: &Cell) -> Model {
    (cell.run.model_name(config), cell.run.seed)
}

/// The models of a config that learn from a training part, each with the first of its cells: that by which its rows are
/// recorded, whichever part was asked for.
fn models(config: &Config) -> BTreeMap<Model, (Cell, CellKey)> {
    let mut models = BTreeMap::new();
    for cell in cells(config).into_iter().filter(|cell| cell.split != Split::Cv) {
        let key = cell.key(config);
        models.entry(model(config, &cell)).or_insert((cell, key));
    }
    models
}
