//! Checkpoints of a run that goes on: results appear as cells finish, and who stops a run has them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::folders::Folders;
use super::jobs::shares;
use super::lock::Lock;
use super::outcome::{CellResult, Done, Outcome, TrainingResult};
use super::provenance::LogWriter;
use super::results::ResultRows;
use super::run::ExperimentContext;
use treebound_parser::cell::CellKey;
use treebound_records::ReportError;

/// How often what is finished is written while a run goes on: rows of a large experiment take seconds to write.
const WRITE_EVERY: Duration = Duration::from_secs(60);

/// When that is done first: who waits wants to see something, and a run that ends before has no need of it.
const WRITE_FIRST: Duration = Duration::from_secs(20);

/// What is done of a run, shared by its threads, and how it is written.
#[derive(Debug)]
pub struct Checkpoint<'a> {
    context: &'a ExperimentContext<'a>,
    folders: &'a Folders,
    /// The lock on the results, until it is given back.
    lock: &'a Mutex<Option<Lock>>,
    /// What stood in the results when the run began.
    standing: ResultRows,
    done: Mutex<Finished>,
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Finished {
    jobs: Vec<(TrainingResult, Vec<CellResult>)>,
    is_closed: bool,
}

/// When it was written, and how long after that it is done again.
#[derive(Debug)]
struct Written {
    when: Instant,
    wait: Duration,
    log: LogWriter,
}

impl<'a> Checkpoint<'a> {
    /// Of a run that begins.
    pub fn new(
        context: &'a ExperimentContext<'a>,
        (folders, lock): (&'a Folders, &'a Mutex<Option<Lock>>),
        standing: ResultRows,
        log: LogWriter,
    ) -> Self {
        let written = Mutex::new(Written { when: Instant::now(), wait: WRITE_FIRST, log });
        Self { context, folders, lock, standing, done: Mutex::default(), written }
    }

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
    fn outcome(&self) -> Outcome {
        let config = self.context.config;
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
        Outcome::of(vec![whole], config, &self.context.treebanks)
    }

    /// Writes what is finished. Returns the number of finished cells.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write_finished(&self) -> Result<usize, ReportError> {
        self.write_finished_into(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn write_finished_into(&self, written: &mut Written) -> Result<usize, ReportError> {
        let outcome = self.outcome();
        if !outcome.cells.is_empty() {
            self.write(&outcome, written)?;
        }
        (written.when, written.wait) = (Instant::now(), WRITE_EVERY);
        Ok(outcome.cells.len())
    }

    /// Writes what is finished if that was not done for a while and nobody is at it. What cannot be written now is told in the
    /// end, when it is written again.
    pub fn write_now_and_then(&self) {
        let Ok(mut written) = self.written.try_lock() else { return };
        if written.when.elapsed() >= written.wait {
            let _ = self.write_finished_into(&mut written);
        }
    }

    /// Writes the outcome of the whole run.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write_all(&self, outcome: &Outcome) -> Result<(), ReportError> {
        self.write(outcome, &mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, outcome: &Outcome, written: &mut Written) -> Result<(), ReportError> {
        let mut rows = self.standing.clone();
        rows.replace(self.context, outcome);
        let made = outcome.cells.len() as u64;
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(source)) = lock.as_ref().map(Lock::check) {
            return Err(ReportError::Write { path: self.folders.results.clone(), source });
        }
        drop(lock);
        rows.write(self.folders, self.context.config, |files| {
            written.log.record(made, files.iter().map(|(path, bytes)| (&**path, bytes.as_deref())))
        })
    }
}
