//! `treebound measure step`: one step of `measure growth` or `measure learning`, in a process whose memory is that of the
//! step. Not for people.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::cli::flags::with_threads;
use crate::cli::output::print;
use treebound_experiment::cell::cells;
use treebound_experiment::config;
use treebound_experiment::growth::memory::peak_kib;
use treebound_experiment::growth::{Learning, Parsing, Recipe, Text, learn, parse};
use treebound_experiment::learning::{Relearnt, relearn};
use treebound_experiment::run::Laboratory;
use treebound_experiment::store::Store;
use treebound_parser::answer::WallClock;
use treebound_parser::parser::TrainedParser;

#[derive(Args)]
pub struct StepArguments {
    /// The step, as JSON
    step: String,
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
    fn threads(&self) -> usize {
        match self {
            Self::Learn { .. } | Self::Parse { .. } => 1,
            Self::Relearn { threads, .. } => *threads,
        }
    }

    /// Makes the step in a process of its own.
    pub fn run<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut command = std::process::Command::new(&program);
        command.args(["measure", "step"]).arg(serde_json::to_string(self)?).stderr(std::process::Stdio::inherit());
        let output = command.output().with_context(|| format!("cannot run {}", program.display()))?;
        if !output.status.success() {
            bail!("a measurement has failed ({})", output.status);
        }
        serde_json::from_slice(&output.stdout).context("a measurement has ended without a result")
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

pub fn step(arguments: &StepArguments) -> Result<ExitCode> {
    let step: Step = serde_json::from_str(&arguments.step)
        .context("this verb is for treebound measure growth and treebound measure learning alone")?;
    let answer = with_threads(Some(step.threads()), || match step {
        Step::Learn { config, set, recipe, model, cache } => {
            let config = config::read_with(&config, &set)?;
            let (parser, learning) = learn(&config, &recipe, &Store::new(cache), &mut WallClock::default())?;
            parser.write(&model)?;
            Ok(serde_json::to_string(&Learnt { learning, peak_kib: peak_kib() })?)
        }
        Step::Parse { config, set, recipe, text, model, repeats } => {
            let config = config::read_with(&config, &set)?;
            let trained = TrainedParser::read(&model)?;
            let parsing = parse(&config, &recipe, text, &trained, repeats, &mut WallClock::default())?;
            Ok(serde_json::to_string(&Parsed { parsing, peak_kib: peak_kib() })?)
        }
        Step::Relearn { config, set, cell, cache, .. } => {
            let config = config::read_with(&config, &set)?;
            let store = Store::new(cache);
            let run =
                cells(&config).into_iter().find(|of| of.key(&config).to_string() == cell).context("no such cell")?.run;
            let laboratory =
                Laboratory::open_for(&config, &store, |corpus, tags| (corpus, tags) == (run.corpus, run.tags))?;
            let relearnt = relearn(&laboratory, &run, &mut WallClock::default())?;
            Ok(serde_json::to_string(&LearntAgain { relearnt, peak_kib: peak_kib() })?)
        }
    })?;
    print(&format!("{answer}\n"))?;
    Ok(ExitCode::SUCCESS)
}
