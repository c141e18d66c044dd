//! `treebound measure`: what is measured of a config beside its accuracy, a measurement a file.

mod cells;
mod errors;
mod growth;
mod learning;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::flags::{WorkArguments, threads};
use super::output::print;
use treebound_experiment::growth::step::Step;

#[derive(Subcommand)]
pub enum Measurement {
    /// Parsing speed: every cell again, serially, on one thread
    Time(cells::TimeArguments),
    /// DP calls and proofs of the same graphs with each idea of the search switched off (families and templates are left out by
    /// `make ablation`, and shown by `table CONFIG ablation`)
    SearchAblation(WorkArguments),
    /// Accuracy with the search stopped after 1, 2, 3 ... DP calls: what exactness buys
    Budget(WorkArguments),
    /// Right words by sentence length, arc length and distance from the root, in what was run
    Breakdown(WorkArguments),
    /// Probabilities of heads against how many are right, of the CRFs that were run
    Calibration(WorkArguments),
    /// Time and memory against sentence length, candidates, templates, families and treebank size
    Growth(growth::GrowthArguments),
    /// The time that it takes to learn each model, by number of threads
    Learning(learning::LearningArguments),
    /// The most common errors of the baseline, by cross-validation on the training part
    Errors(errors::ErrorsArguments),
    /// One step of growth or learning, in a process of its own
    #[command(hide = true)]
    Step {
        /// The step, as JSON
        step: String,
    },
}

pub fn measure(measurement: &Measurement) -> Result<ExitCode> {
    match measurement {
        Measurement::Time(a) => cells::time(a),
        Measurement::Growth(a) => growth::growth(a),
        Measurement::Learning(a) => learning::learning(a),
        Measurement::SearchAblation(a) => cells::search_ablation(a),
        Measurement::Budget(a) => cells::budget(a),
        Measurement::Breakdown(a) => cells::breakdown(a),
        Measurement::Calibration(a) => cells::calibration(a),
        Measurement::Errors(a) => errors::errors(a),
        Measurement::Step { step } => {
            let step = Step::parse(step)?;
            print(&(threads(step.threads(), || Ok(step.result()?))? + "\n"))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
