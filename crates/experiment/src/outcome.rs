//! What comes of a run: rows by cell, where those of folds are put together.

use std::collections::BTreeMap;

use super::cell::{Cell, TrainingRun};
use super::config::Config;
use super::data::Treebank;
use super::folds;
use super::jobs::Job;
use crate::rows::{SentenceRow, TaggingRow};
use treebound_parser::cell::{CellKey, CorpusName, Fold, Split};
use treebound_parser::systems::{LearntFrom, PassRecord};
use treebound_records::RowKey;

/// What came of one cell.
#[derive(Clone, Debug)]
pub struct CellResult {
    /// The cell.
    pub cell: Cell,
    /// Its rows, or why there are none.
    pub rows: Result<Vec<SentenceRow>, String>,
}

/// What came of one training run, or of a fold of it.
#[derive(Clone, Debug)]
pub struct TrainingResult {
    /// The run.
    pub run: TrainingRun,
    /// The fold that it did not learn from; none if it learnt from the training part.
    pub fold: Option<Fold>,
    /// What made its model.
    pub key: RowKey,
    /// The sentences that it learnt from.
    pub learnt: LearntFrom,
    /// One record a pass; empty if the model was not needed.
    pub passes: Vec<PassRecord>,
}

/// What came of an experiment.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By training run and fold.
    pub training: Vec<TrainingResult>,
    /// By cell; those of cross-validation have the rows of all folds.
    pub cells: Vec<CellResult>,
    /// How often the tags of folds are right: a row a corpus.
    pub tagging: Vec<TaggingRow>,
}

/// What came of the jobs on some sentences.
#[derive(Debug, Default)]
pub struct Done {
    /// Of each job.
    pub results: Vec<(TrainingResult, Vec<CellResult>)>,
    /// How often the tags of a fold are right.
    pub tagging: Option<TaggingRow>,
}

impl Done {
    /// That all of the jobs failed.
    pub fn failed(jobs: &[Job], error: &str) -> Self {
        let of_job = |job: &Job| {
            let cell = |cell: &Cell| CellResult { cell: cell.clone(), rows: Err(error.to_owned()) };
            let (run, passes) = (job.run.clone(), Vec::new());
            let training =
                TrainingResult { run, fold: job.fold, key: RowKey::default(), learnt: LearntFrom::default(), passes };
            (training, job.cells.iter().map(cell).collect())
        };
        Self { results: jobs.iter().map(of_job).collect(), tagging: None }
    }
}

impl Outcome {
    /// The results of all jobs, where those of folds are put together.
    pub fn of(done: Vec<Done>, config: &Config, treebanks: &[Treebank]) -> Self {
        let mut outcome = Self::default();
        let mut places: BTreeMap<CellKey, usize> = BTreeMap::new();
        let mut tagged: BTreeMap<CorpusName, (TaggingRow, usize)> = BTreeMap::new();
        for Done { results, tagging } in done {
            for (training, cells) in results {
                let sentences = treebanks[training.run.corpus].sentences();
                for result in cells {
                    let result = match training.fold {
                        None => result,
                        Some(fold) => result.in_pool(fold, sentences),
                    };
                    let next = outcome.cells.len();
                    let place = *places.entry(result.cell.key(config)).or_insert(next);
                    match outcome.cells.get_mut(place) {
                        None => outcome.cells.push(result),
                        Some(all) => all.add(result),
                    }
                }
                outcome.training.push(training);
            }
            let Some(row) = tagging else { continue };
            match tagged.get_mut(&row.corpus) {
                None => drop(tagged.insert(row.corpus.clone(), (row, 1))),
                Some((sum, folds)) => {
                    sum.add(&row);
                    *folds += 1;
                }
            }
        }
        // Without a fold that failed, the rest says nothing of the whole.
        let folds = config.folds().count();
        let whole = tagged.into_values().filter(|(_, found)| *found == folds);
        outcome.tagging = whole.map(|(row, _)| TaggingRow { split: Split::Cv, ..row }).collect();
        outcome
    }
}

impl CellResult {
    /// The results of a fold, whose sentences are numbered as they stand in the pool of all.
    fn in_pool(mut self, fold: Fold, sentences: usize) -> Self {
        let before = folds::numbers(fold, sentences).start as u64;
        match &mut self.rows {
            Ok(rows) => rows.iter_mut().for_each(|row| row.sentence += before),
            Err(e) => *e = format!("fold {fold}: {e}"),
        }
        self
    }

    /// Adds those of another fold; the first error stands.
    fn add(&mut self, other: Self) {
        match (&mut self.rows, other.rows) {
            (Ok(all), Ok(rows)) => all.extend(rows),
            (all @ Ok(_), Err(e)) => *all = Err(e),
            (Err(_), _) => {}
        }
    }
}
