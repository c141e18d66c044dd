//! One step of a measurement of growth or of learning, in a process whose memory is that of the step.

use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::memory::peak_kib;
use super::{GrowthError, Learning, Parsing, Recipe, Text, learn, parse};
use crate::cell::cells;
use crate::config;
use crate::learning::{Relearnt, relearn};
use crate::run::ExperimentContext;
use crate::store::Store;
use treebound_parser::answer::WallClock;
use treebound_parser::model::TrainedParser;

/// Why a step has no result.
#[derive(Debug, Error)]
pub enum StepError {
    /// This program cannot be started again.
    #[error("cannot run this program again")]
    Program(#[source] std::io::Error),
    /// Its process has failed.
    #[error("a measurement has failed ({0})")]
    Failed(ExitStatus),
    /// What it has written is no result.
    #[error("a measurement has ended without a result")]
    Json(#[source] serde_json::Error),
    /// It is not known.
    #[error("this verb is for treebound measure growth and treebound measure learning alone")]
    Unknown(#[source] serde_json::Error),
}

/// A step.
#[derive(Debug, Serialize, Deserialize)]
pub enum Step {
    /// Learn a parser and write it to a model file.
    Learn {
        /// The config.
        config: PathBuf,
        /// What the command line sets in it.
        set: Vec<String>,
        /// What to learn.
        recipe: Recipe,
        /// Where to write the model.
        model: PathBuf,
        /// For finished work; it should be empty.
        cache: PathBuf,
    },
    /// Parse a text.
    Parse {
        /// The config.
        config: PathBuf,
        /// What the command line sets in it.
        set: Vec<String>,
        /// What the model was learnt by.
        recipe: Recipe,
        /// What to parse.
        text: Text,
        /// The model.
        model: PathBuf,
        /// Timed passes.
        repeats: u64,
    },
    /// Learn the weights of a cell's model once more.
    Relearn {
        /// The config.
        config: PathBuf,
        /// What the command line sets in it.
        set: Vec<String>,
        /// The name of the cell.
        cell: String,
        /// Threads.
        threads: usize,
        /// Where what comes before is kept.
        cache: PathBuf,
    },
}

impl Step {
    /// The threads that it takes.
    pub fn threads(&self) -> usize {
        match self {
            Self::Learn { .. } | Self::Parse { .. } => 1,
            Self::Relearn { threads, .. } => *threads,
        }
    }

    /// Reads a step.
    ///
    /// # Errors
    /// If the text is none.
    pub fn parse(text: &str) -> Result<Self, StepError> {
        serde_json::from_str(text).map_err(StepError::Unknown)
    }

    /// Makes the step in a process of its own.
    ///
    /// # Errors
    /// If there can be no such process, or it fails.
    pub fn run<T: DeserializeOwned>(&self) -> Result<T, StepError> {
        let mut command = Command::new(std::env::current_exe().map_err(StepError::Program)?);
        command.args(["measure", "step"]).arg(serde_json::to_string(self).map_err(StepError::Json)?);
        let output = command.stderr(Stdio::inherit()).output().map_err(StepError::Program)?;
        if !output.status.success() {
            return Err(StepError::Failed(output.status));
        }
        serde_json::from_slice(&output.stdout).map_err(StepError::Json)
    }

    /// Makes the step in this process. Returns its result as JSON.
    ///
    /// # Errors
    /// If something of it cannot be had.
    pub fn result(self) -> Result<String, GrowthError> {
        let json = match self {
            Self::Learn { config, set, recipe, model, cache } => {
                let config = config::read_with(&config, &set)?;
                let (parser, learning) = learn(&config, &recipe, &Store::new(cache), &mut WallClock::default())?;
                parser.write(&model)?;
                serde_json::to_string(&Learnt { learning, peak_kib: peak_kib() })
            }
            Self::Parse { config, set, recipe, text, model, repeats } => {
                let config = config::read_with(&config, &set)?;
                let trained = TrainedParser::read(&model)?;
                let parsing = parse(&config, &recipe, text, &trained, repeats, &mut WallClock::default())?;
                serde_json::to_string(&Parsed { parsing, peak_kib: peak_kib() })
            }
            Self::Relearn { config, set, cell, cache, .. } => {
                let config = config::read_with(&config, &set)?;
                let store = Store::new(cache);
                let known = cells(&config).into_iter().find(|known| known.key(&config).to_string() == cell);
                let run = known.ok_or(GrowthError::Missing("such cell"))?.run;
                let needed = |corpus, tags| (corpus, tags) == (run.corpus, run.tags);
                let context = ExperimentContext::open_for(&config, &store, needed)?;
                let relearnt = relearn(&context, &run, &mut WallClock::default())?;
                serde_json::to_string(&LearntAgain { relearnt, peak_kib: peak_kib() })
            }
        };
        Ok(json.map_err(StepError::Json)?)
    }
}

/// What learning comes to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learnt {
    /// Counts and times.
    pub learning: Learning,
    /// The most memory that the process has had.
    pub peak_kib: Option<u64>,
}

/// What parsing comes to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parsed {
    /// Counts and times.
    pub parsing: Parsing,
    /// The most memory that the process has had.
    pub peak_kib: Option<u64>,
}

/// What learning once more comes to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LearntAgain {
    /// Counts and the time.
    pub relearnt: Relearnt,
    /// The most memory that the process has had.
    pub peak_kib: Option<u64>,
}
