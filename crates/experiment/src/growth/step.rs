//! One step of a measurement of growth or of learning, in a process whose memory is that of the step.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::memory::peak_kib;
use super::{GrowthError, Learning, Parsing, Recipe, Text, learn, parse};
use crate::cell::cells;
use crate::config::{self, Config};
use crate::learning::{Relearnt, relearn};
use crate::results::model_key;
use crate::run::ExperimentContext;
use crate::store::{Store, sha256};
use treebound_parser::answer::WallClock;
use treebound_parser::child::end_with_parent;
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
    /// It read something else than this process did.
    #[error("the config, or something that it names, has changed since this began; nothing of it is kept; run again")]
    Changed,
    /// What it has written is no result.
    #[error("a measurement has ended without a result")]
    Json(#[source] serde_json::Error),
    /// It is not known.
    #[error("this verb is for treebound measure growth and treebound measure learning alone")]
    Unknown(#[source] serde_json::Error),
}

/// A config that a step reads again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// Its file.
    pub config: PathBuf,
    /// What the command line sets in it.
    pub set: Vec<String>,
    /// SHA-256 of all its settings: who reads others than were read at first is told so.
    pub settings: String,
}

impl Asked {
    /// The config that was read from a file.
    pub fn new(source: &Path, set: &[String], config: &Config) -> Self {
        Self { config: source.to_owned(), set: set.to_vec(), settings: sha256(config::settings(config).as_bytes()) }
    }

    /// Reads it.
    fn read(&self) -> Result<Config, GrowthError> {
        let config = config::read_with(&self.config, &self.set)?;
        let is_same = sha256(config::settings(&config).as_bytes()) == self.settings;
        is_same.then_some(config).ok_or_else(|| StepError::Changed.into())
    }
}

/// A step.
#[derive(Debug, Serialize, Deserialize)]
pub enum Step {
    /// Learn a parser and write it to a model file.
    Learn {
        /// The config.
        config: Asked,
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
        config: Asked,
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
        config: Asked,
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
        let mut command = Command::new(program().map_err(StepError::Program)?);
        end_with_parent(&mut command, None);
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
            Self::Learn { config, recipe, model, cache } => {
                let config = config.read()?;
                let (parser, learning) = learn(&config, &recipe, &Store::new(cache), &mut WallClock::default())?;
                parser.write(&model)?;
                serde_json::to_string(&Learnt { learning, peak_kib: peak_kib() })
            }
            Self::Parse { config, recipe, text, model, repeats } => {
                let config = config.read()?;
                let trained = TrainedParser::read(&model)?;
                let parsing = parse(&config, &recipe, text, &trained, repeats, &mut WallClock::default())?;
                serde_json::to_string(&Parsed { parsing, peak_kib: peak_kib() })
            }
            Self::Relearn { config, cell, cache, .. } => {
                let config = config.read()?;
                let store = Store::new(cache);
                let known = cells(&config).into_iter().find(|known| known.key(&config).to_string() == cell);
                let run = known.ok_or(GrowthError::Missing("such cell"))?.run;
                let needed = |corpus, tags| (corpus, tags) == (run.corpus, run.tags);
                let context = ExperimentContext::open_for(&config, &store, needed)?;
                let relearnt = relearn(&context, &run, &mut WallClock::default())?;
                let key = model_key(&context, &run).to_string();
                serde_json::to_string(&LearntAgain { relearnt, key, peak_kib: peak_kib() })
            }
        };
        Ok(json.map_err(StepError::Json)?)
    }
}

/// The program that this process runs, whatever stands in its place by now.
fn program() -> std::io::Result<PathBuf> {
    let itself = PathBuf::from("/proc/self/exe");
    if itself.exists() { Ok(itself) } else { std::env::current_exe() }
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LearntAgain {
    /// The key of the model, as rows have it.
    pub key: String,
    /// Counts and the time.
    pub relearnt: Relearnt,
    /// The most memory that the process has had.
    pub peak_kib: Option<u64>,
}
