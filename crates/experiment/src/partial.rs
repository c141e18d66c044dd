//! What is finished of a run that goes on: results appear as cells finish, and who stops a run has them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::config::Config;
use super::data::Treebank;
use super::jobs::shares;
use super::outcome::{CellResult, Done, Outcome, TrainingResult};
use treebound_parser::cell::CellKey;

/// The jobs of a run that are done, shared by its threads.
#[derive(Debug, Default)]
pub struct Partial {
    done: Mutex<Finished>,
}

#[derive(Debug, Default)]
struct Finished {
    jobs: Vec<(TrainingResult, Vec<CellResult>)>,
    is_closed: bool,
}

impl Partial {
    /// A job is done.
    pub fn add(&self, training: &TrainingResult, cells: &[CellResult]) {
        let mut done = self.finished();
        if !done.is_closed {
            done.jobs.push((training.clone(), cells.to_vec()));
        }
    }

    /// What is done from now on does not count: commands are about to be ended, and their cells have not failed.
    pub fn close(&self) {
        self.finished().is_closed = true;
    }

    fn finished(&self) -> MutexGuard<'_, Finished> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What came of the cells that are finished: those of cross-validation only once all their folds are.
    pub fn outcome(&self, config: &Config, treebanks: &[Treebank]) -> Outcome {
        let done = self.finished().jobs.clone();
        let mut found: BTreeMap<CellKey, usize> = BTreeMap::new();
        for result in done.iter().flat_map(|(_, cells)| cells) {
            *found.entry(result.cell.key(config)).or_default() += 1;
        }
        let is_whole =
            |result: &CellResult| found.get(&result.cell.key(config)) == Some(&shares(config, result.cell.split).len());
        let mut whole = Done::default();
        for (training, mut cells) in done {
            cells.retain(is_whole);
            // A run that has none is not known to be whole.
            if !cells.is_empty() {
                whole.results.push((training, cells));
            }
        }
        Outcome::of(vec![whole], config, treebanks)
    }
}
