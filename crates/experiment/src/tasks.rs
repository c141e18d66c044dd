//! Tasks: the artifacts of an experiment, each once, in an order in which they can be made, with what each needs.

use std::collections::BTreeMap;

use super::artifacts::{ArtifactError, DatasetView};
use super::cell::{Cell, TrainingRun};
use super::folds;
use super::jobs::{Job, jobs};
use super::run::ExperimentContext;
use super::store::Key;
use super::times::Kind;
use treebound_parser::cell::{CellKey, Fold, Split, Tags};
use treebound_parser::systems::PassRecord;

/// The kinds of artifacts, in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Predicted tags.
    Tags,
    /// Pruners.
    Pruners,
    /// Labellers.
    Labellers,
    /// Models.
    Models,
    /// What chooses among trees.
    Rerankers,
    /// Rows of cells.
    Cells,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 6] = [Self::Tags, Self::Pruners, Self::Labellers, Self::Models, Self::Rerankers, Self::Cells];

    /// What its artifacts are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Pruners => "pruners",
            Self::Labellers => "labellers",
            Self::Models => "models",
            Self::Rerankers => "rerankers",
            Self::Cells => "cells",
        }
    }

    /// What one of them is called.
    pub fn one(self) -> &'static str {
        match self {
            Self::Tags => "the tags of",
            Self::Pruners => "the pruner",
            Self::Labellers => "the labeller",
            Self::Models => "the model",
            Self::Rerankers => "the reranker of",
            Self::Cells => "the cell",
        }
    }
}

/// An artifact that is needed.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its kind.
    pub stage: Stage,
    /// Its name for people, without seed and fold.
    pub name: String,
    /// What it is kept under.
    pub key: Key,
    /// What is alike in time.
    pub kind: Kind,
    /// Words that are passed over to make it.
    pub words: u64,
    /// Places of the tasks that come before it.
    pub needs: Vec<usize>,
    run: TrainingRun,
    fold: Option<Fold>,
    /// What is parsed, if it is of a cell.
    cell: Option<Cell>,
}

impl Task {
    /// The corpus, by index.
    pub fn corpus(&self) -> usize {
        self.run.corpus
    }

    /// Its name with seed and fold, which tell it from others of that name.
    pub fn full_name(&self) -> String {
        let fold = self.fold.map_or_else(String::new, |fold| format!(", fold {fold}"));
        let seed = if self.stage == Stage::Tags { String::new() } else { format!(", seed {}", self.run.seed) };
        format!("{}{seed}{fold}", self.name)
    }

    /// Makes the artifact, and what it needs and the store lacks.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn make(&self, context: &ExperimentContext, log: &mut dyn FnMut(&[PassRecord])) -> Result<(), ArtifactError> {
        let (builder, run) = (&context.builder, &self.run);
        let whole = &context.treebanks[run.corpus];
        let cut = self.fold.map(|fold| folds::cut(whole, fold));
        let treebank = cut.as_ref().unwrap_or(whole);
        let prepared = &builder.prepared(treebank, run.tags, run.tree_kind(context.config))?;
        if self.stage == Stage::Tags {
            return Ok(());
        }
        if self.stage == Stage::Labellers {
            return builder.labeller(prepared, run).map(drop);
        }
        let pruned = builder.pruned_for(prepared, run)?;
        if self.stage == Stage::Pruners {
            return Ok(());
        }
        let (dataset, system) = (DatasetView { treebank, prepared }, builder.system(run)?);
        let trained = builder.trained(&*system, dataset, pruned.as_ref(), run, log)?;
        if let Some(cell) = &self.cell {
            builder.cell(dataset, cell, || Ok((pruned.as_ref(), &*trained)))?;
        }
        Ok(())
    }
}

/// The tasks of some cells.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    /// Each comes after those that it needs.
    pub all: Vec<Task>,
    /// The cells, in cross-validation as often as there are folds, each with the place of the task that makes its rows.
    pub cells: Vec<(CellKey, usize)>,
    places: BTreeMap<Key, usize>,
}

impl Tasks {
    /// Those of the cells that are wanted. Nothing is made; treebanks must be read, and need not be prepared.
    ///
    /// # Errors
    /// If the key of an artifact cannot be found out.
    pub fn new(context: &ExperimentContext, wanted: impl Fn(&Cell) -> bool) -> Result<Self, ArtifactError> {
        let mut tasks = Self::default();
        for job in jobs(context.config, wanted) {
            tasks.add_job(context, &job)?;
        }
        Ok(tasks)
    }

    /// The place of the task of that key.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.all.iter().position(|task| task.key.to_string() == key)
    }

    /// The places of some tasks and of all that they need, in order.
    pub fn with_needs(&self, places: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut is_needed = vec![false; self.all.len()];
        for place in places {
            is_needed[place] = true;
        }
        for place in (0..self.all.len()).rev() {
            if is_needed[place] {
                self.all[place].needs.iter().for_each(|&need| is_needed[need] = true);
            }
        }
        (0..self.all.len()).filter(|&place| is_needed[place]).collect()
    }

    fn add(&mut self, task: Task) -> usize {
        let next = self.all.len();
        let place = *self.places.entry(task.key.clone()).or_insert(next);
        if place == next {
            self.all.push(task);
        }
        place
    }

    fn add_job(&mut self, context: &ExperimentContext, job: &Job) -> Result<(), ArtifactError> {
        let (builder, config, run) = (&context.builder, context.config, &job.run);
        let treebank = &context.treebanks[run.corpus];
        let corpus = &treebank.corpus.name;
        let words = Words::of(context, job);
        let sums = job.fold.map_or_else(|| treebank.checksums(), |fold| folds::checksums(treebank, fold));
        let data = builder.checksum(&sums, run.tags, run.tree_kind(config));
        let decisive = (&*data, &treebank.corpus.punctuation);
        let task = |stage, name, key, kind, words, needs: &[usize]| Task {
            stage,
            name,
            key,
            kind,
            words,
            needs: needs.to_vec(),
            run: run.clone(),
            fold: job.fold,
            cell: None,
        };
        let mut needs = Vec::new();
        if run.tags == Tags::Predicted {
            let (kind, words) = (builder.kind_of_tags(corpus), builder.words_of_tags(words.train));
            needs.push(self.add(task(Stage::Tags, corpus.to_string(), builder.tags_key(&sums), kind, words, &[])));
        }
        let of_tags = needs.clone();
        if let Some(key) = builder.labeller_key(&data, run) {
            let (kind, words) = (builder.kind_of_labeller(), builder.words_of_labeller(words.train));
            let name = format!("{corpus}/{}", run.tags);
            needs.push(self.add(task(Stage::Labellers, name, key, kind, words, &of_tags)));
        }
        if let Some(rule) = builder.training_pruning(run) {
            let (name, key) = (format!("{corpus}/{}/{rule}", run.tags), builder.pruner_key(&data, rule, run.seed));
            let (kind, words) = (builder.kind_of_pruner(rule), builder.words_of_pruner(words.train));
            needs.push(self.add(task(Stage::Pruners, name, key, kind, words, &of_tags)));
        }
        let model = |run: &TrainingRun, needs: &[usize]| -> Result<Task, ArtifactError> {
            let system = builder.system(run)?;
            let (name, key) = (run.model_name(config).to_string(), builder.model_key(&*system, decisive, run)?);
            let (kind, words) = (builder.kind_of_model(run), builder.words_of_model(&*system, words.train));
            Ok(Task { run: run.clone(), ..task(Stage::Models, name, key, kind, words, needs) })
        };
        let mut of_model = needs.clone();
        if let Some(baseline) = builder.baseline_of(run) {
            of_model.push(self.add(model(&baseline, &needs)?));
        }
        needs.push(self.add(model(run, &of_model)?));
        if let Some(key) = builder.reranker_key(decisive, run)? {
            let (name, kind) = (run.model_name(config).to_string(), builder.kind_of_reranker(run));
            needs.push(self.add(task(Stage::Rerankers, name, key, kind, words.dev as u64, &needs)));
        }
        for cell in &job.cells {
            let cell_key = cell.key(config);
            let (name, key) = (cell_key.setting.to_string(), builder.cell_key(decisive, cell)?);
            let rows = task(Stage::Cells, name, key, builder.kind_of_rows(cell), words.of_cell(cell), &needs);
            let place = self.add(Task { cell: Some(cell.clone()), ..rows });
            self.cells.push((cell_key, place));
        }
        Ok(())
    }
}

/// The words of what a job learns from and parses.
struct Words {
    train: usize,
    /// Of the fold; none if it has none.
    fold: Option<usize>,
    dev: usize,
    test: usize,
}

impl Words {
    fn of(context: &ExperimentContext, job: &Job) -> Self {
        let treebank = &context.treebanks[job.run.corpus];
        let [train, dev, test] = Split::PARTS.map(|split| treebank.part(split).tokens());
        let Some(fold) = job.fold else { return Self { train, fold: None, dev, test } };
        let pool = Split::PARTS.iter().flat_map(|&split| &treebank.part(split).sentences);
        let lengths: Vec<usize> = pool.map(treebound_parser::treebank::Sentence::len).collect();
        let of = |fold: Fold| lengths[folds::numbers(fold, lengths.len())].iter().sum::<usize>();
        let (parsed, chosen) = (of(fold), of(fold.next()));
        Self { train: train + dev + test - parsed - chosen, fold: Some(parsed), dev, test }
    }

    fn of_cell(&self, cell: &Cell) -> u64 {
        let words = match cell.split {
            Split::Train => self.train,
            Split::Dev => self.dev,
            Split::Test => self.test,
            Split::Cv => self.fold.unwrap_or_default(),
        };
        words as u64
    }
}
