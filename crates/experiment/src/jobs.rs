//! Jobs: the training runs of an experiment with what is to be parsed by each, cut into folds where cells are
//! cross-validated.

use super::cell::{Cell, TrainingRun, runs_with_cells};
use super::config::Config;
use treebound_parser::cell::{Fold, Split, Tags};
use treebound_parser::model::TreeKind;
use treebound_parser::pruning::Rule;

/// A training run, or a fold of it, with those of its cells that are wanted.
#[derive(Debug)]
pub struct Job {
    /// The run.
    pub run: TrainingRun,
    /// The fold that it parses; none if it learns from the training part.
    pub fold: Option<Fold>,
    /// What is parsed by its model.
    pub cells: Vec<Cell>,
}

impl Job {
    /// Which sentences, with whose tags.
    pub fn data(&self) -> (usize, Tags, Option<Fold>) {
        (self.run.corpus, self.run.tags, self.fold)
    }

    /// What is learnt from: these sentences, with trees of so many words on the root.
    pub fn learnt_from(&self, config: &Config) -> ((usize, Tags, Option<Fold>), TreeKind) {
        (self.data(), self.run.tree_kind(config))
    }

    /// The fold as a line of the progress begins with it.
    pub fn in_fold(&self) -> String {
        self.fold.map_or_else(String::new, |fold| format!("fold {fold}, "))
    }
}

/// The shares in which the cells of a split are parsed: one for a part, and a fold each for cross-validation.
pub fn shares(config: &Config, split: Split) -> Vec<Option<Fold>> {
    if split == Split::Cv { config.folds().map(Some).collect() } else { vec![None] }
}

/// Cells of a training run by what it learns from: the training part, then each fold; shares without a cell are left out.
pub fn by_fold(config: &Config, cells: Vec<Cell>) -> Vec<(Option<Fold>, Vec<Cell>)> {
    let (folded, whole): (Vec<Cell>, Vec<Cell>) = cells.into_iter().partition(|cell| cell.split == Split::Cv);
    let mut shares = Vec::new();
    if !whole.is_empty() {
        shares.push((None, whole));
    }
    if !folded.is_empty() {
        shares.extend(config.folds().map(|fold| (Some(fold), folded.clone())));
    }
    shares
}

/// The rules by which the training sentences of some jobs are pruned, each once.
pub fn rules(config: &Config, jobs: &[Job]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = jobs.iter().filter_map(|job| job.run.pruning(config)).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The training runs with the cells that `wanted` lets through, in cross-validation each fold by itself; those without
/// any are left out.
pub fn jobs(config: &Config, wanted: impl Fn(&Cell) -> bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (run, cells) in runs_with_cells(config) {
        let cells: Vec<Cell> = cells.into_iter().filter(&wanted).collect();
        for (fold, cells) in by_fold(config, cells) {
            jobs.push(Job { run: run.clone(), fold, cells });
        }
    }
    jobs.sort_by_key(|job| (job.learnt_from(config), job.run.seed));
    jobs
}
