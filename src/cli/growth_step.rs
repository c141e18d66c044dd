//! `treebound growth-step`: one step of `treebound growth`, in a process whose memory is that of the step. Not for people.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::flags::with_threads;
use super::output::print;
use crate::answer::WallClock;
use crate::experiment::config;
use crate::experiment::growth::memory::peak_kib;
use crate::experiment::growth::{Learning, Parsing, Recipe, Text, learn, parse};
use crate::experiment::store::Store;
use crate::parser::TrainedParser;

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

pub fn step(arguments: &StepArguments) -> Result<ExitCode> {
    let step: Step = serde_json::from_str(&arguments.step).context("this verb is for treebound growth alone")?;
    let answer = with_threads(Some(1), || match step {
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
    })?;
    print(&format!("{answer}\n"))?;
    Ok(ExitCode::SUCCESS)
}
