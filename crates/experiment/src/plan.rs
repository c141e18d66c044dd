//! What a run would make: its artifacts, which of them are finished, and about how long the others take here.

use std::collections::{BTreeMap, BTreeSet};

use super::artifacts::ArtifactError;
use super::cell::Cell;
use super::folds;
use super::jobs::{Job, jobs};
use super::run::ExperimentContext;
use super::store::Key;
use super::times::Kind;
use super::times::known::KnownTimes;
use treebound_parser::cell::{CellKey, Fold, Split, Tags};

/// The kinds of artifacts, in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Predicted tags.
    Tags,
    /// Pruners.
    Pruners,
    /// Models.
    Models,
    /// Rows of cells.
    Cells,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 4] = [Self::Tags, Self::Pruners, Self::Models, Self::Cells];

    /// What its artifacts are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Pruners => "pruners",
            Self::Models => "models",
            Self::Cells => "cells",
        }
    }
}

/// About how long some missing artifacts take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct About {
    /// Seconds of those of which something is known, with as many threads as when like ones were made.
    pub seconds: f64,
    /// Artifacts of which nothing is known.
    pub unknown: usize,
    /// Artifacts of which only the time of artifacts is known that are not alike.
    pub rough: usize,
    /// Artifacts of which only kept times are known, which may be another machine's.
    pub kept: usize,
}

impl About {
    fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.unknown += other.unknown;
        self.rough += other.rough;
        self.kept += other.kept;
    }
}

/// A line of a plan: artifacts that differ in seed and fold alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Finished artifacts.
    pub finished: usize,
    /// Those that are to be made.
    pub missing: usize,
    /// How long these take.
    pub about: About,
    /// The cells, if it is a line of cells.
    pub cells: BTreeSet<CellKey>,
}

/// What a run would make, by stage and name.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    lines: Vec<((Stage, String), Line)>,
    /// The kinds of all artifacts, finished and missing.
    pub kinds: BTreeSet<Kind>,
}

impl Plan {
    /// Of the cells that are wanted, with what is known of the `times` of artifacts. Nothing is made; treebanks must be read, and need
    /// not be prepared.
    ///
    /// # Errors
    /// If the key of an artifact cannot be found out.
    pub fn new(
        context: &ExperimentContext,
        times: &KnownTimes,
        wanted: impl Fn(&Cell) -> bool,
    ) -> Result<Self, ArtifactError> {
        let mut planner =
            Planner { context, times, seen: BTreeSet::new(), lines: BTreeMap::new(), plan: Self::default() };
        for job in jobs(context.config, wanted) {
            planner.job(&job)?;
        }
        Ok(planner.plan)
    }

    /// The lines of a stage, in the order of the work.
    pub fn of(&self, stage: Stage) -> impl Iterator<Item = (&str, &Line)> {
        self.lines.iter().filter(move |(name, _)| name.0 == stage).map(|(name, line)| (name.1.as_str(), line))
    }

    /// Missing artifacts of all stages, and how long they take.
    pub fn missing(&self) -> (usize, About) {
        let mut sum = (0, About::default());
        for (_, line) in &self.lines {
            sum.0 += line.missing;
            sum.1.add(line.about);
        }
        sum
    }
}

/// An artifact of a plan.
struct Artifact {
    stage: Stage,
    name: String,
    key: Key,
    kind: Kind,
    words: u64,
}

struct Planner<'l> {
    context: &'l ExperimentContext<'l>,
    times: &'l KnownTimes,
    /// Artifacts that are counted: several runs share some.
    seen: BTreeSet<Key>,
    /// Places of lines.
    lines: BTreeMap<(Stage, String), usize>,
    plan: Plan,
}

impl Planner<'_> {
    fn job(&mut self, job: &Job) -> Result<(), ArtifactError> {
        let (builder, run) = (&self.context.builder, &job.run);
        let treebank = &self.context.treebanks[run.corpus];
        let (corpus, punctuation) = (&treebank.corpus.name, &treebank.corpus.punctuation);
        let words = Words::of(self.context, job);
        let sums = job.fold.map_or_else(|| treebank.checksums(), |fold| folds::checksums(treebank, fold));
        let data = builder.checksum(&sums, run.tags, run.roots(self.context.config));
        if run.tags == Tags::Predicted {
            self.add(Artifact {
                stage: Stage::Tags,
                name: corpus.to_string(),
                key: builder.tags_key(&sums),
                kind: builder.kind_of_tags(corpus),
                words: builder.words_of_tags(words.train),
            });
        }
        if let Some(rule) = builder.training_pruning(run) {
            self.add(Artifact {
                stage: Stage::Pruners,
                name: format!("{corpus}/{}/{rule}", run.tags),
                key: builder.pruner_key(&data, rule, run.seed),
                kind: builder.kind_of_pruner(rule),
                words: builder.words_of_pruner(words.train),
            });
        }
        let system = builder.system(run)?;
        self.add(Artifact {
            stage: Stage::Models,
            name: run.model_name(self.context.config).to_string(),
            key: builder.model_key(&*system, (&data, punctuation), run)?,
            kind: builder.kind_of_model(run),
            words: builder.words_of_model(&*system, words.train),
        });
        for cell in &job.cells {
            let (key, parsed) = (cell.key(self.context.config), words.of_cell(cell));
            let name = key.setting.to_string();
            self.add(Artifact {
                stage: Stage::Cells,
                name: name.clone(),
                key: builder.cell_key((&data, punctuation), cell)?,
                kind: builder.kind_of_rows(cell),
                words: parsed,
            });
            self.line(Stage::Cells, name).cells.insert(key);
        }
        Ok(())
    }

    fn line(&mut self, stage: Stage, name: String) -> &mut Line {
        let (next, name) = (self.plan.lines.len(), (stage, name));
        let at = *self.lines.entry(name.clone()).or_insert(next);
        if at == next {
            self.plan.lines.push((name, Line::default()));
        }
        &mut self.plan.lines[at].1
    }

    fn add(&mut self, Artifact { stage, name, key, kind, words }: Artifact) {
        if !self.seen.insert(key.clone()) {
            return;
        }
        let is_finished = self.context.builder.store.has(&key);
        let estimate = self.times.estimate(&kind, words);
        self.plan.kinds.insert(kind);
        let line = self.line(stage, name);
        if is_finished {
            line.finished += 1;
            return;
        }
        line.missing += 1;
        line.about.add(match estimate {
            None => About { unknown: 1, ..About::default() },
            Some(found) => {
                About { seconds: found.seconds, unknown: 0, rough: found.is_rough.into(), kept: found.is_kept.into() }
            }
        });
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
