//! `treebound measure time|search-ablation|budget|breakdown|calibration`: measurements of cells beside their results.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cli::filter::FilterFlags;
use crate::cli::flags::{ConfigFlags, LockFlags, PlaceFlags, WorkArguments, store, threads, unless_unkept};
use crate::cli::output::{print, say, tell};
use crate::cli::results::rows_frame;
use treebound_experiment::config::Config;
use treebound_experiment::folders::Folders;
use treebound_experiment::measured::{ABLATION, BREAKDOWN, BUDGET, CALIBRATION, Measuring, SearchMeasurement};
use treebound_experiment::store::Store;
use treebound_records::schema;
use treebound_report::tables;

#[derive(Args)]
pub struct TimeArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    place: PlaceFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    lock: LockFlags,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn time(arguments: &TimeArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile_usual(&config, &["figure 4", "table 3"])?;
    let folders = arguments.place.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let run = run_command(&arguments.config, &arguments.place, &arguments.filter);
    let measuring = measuring(&arguments.config, &run, &config, &folders, &store, arguments.quiet);
    let failed = threads(1, || Ok(measuring.time(wanted)?))?;
    let code = unless_unkept(&store);
    for cell in &failed {
        say!("treebound: {cell}: not timed, since it failed when it was run");
    }
    Ok(if failed.is_empty() { code } else { ExitCode::FAILURE })
}

pub fn search_ablation(arguments: &WorkArguments) -> Result<ExitCode> {
    search(arguments, &ABLATION, "search", &[])
}

pub fn budget(arguments: &WorkArguments) -> Result<ExitCode> {
    search(arguments, &BUDGET, "DP calls\nat most", &["figure budget"])
}

/// An experiment on the search, what a line of its table is of, and what shows its cells.
fn search(arguments: &WorkArguments, measurement: &SearchMeasurement, line: &str, shown: &[&str]) -> Result<ExitCode> {
    let rows = work(arguments, |measuring, config| {
        Ok(measuring.search(measurement, arguments.filter.compile_usual(config, shown)?)?)
    })?;
    print(&tables::search::ways(&rows_frame(&rows.0, &schema::SEARCH)?, line)?.text())?;
    Ok(rows.1)
}

pub fn breakdown(arguments: &WorkArguments) -> Result<ExitCode> {
    let ((_, path), code) = work(arguments, |measuring, config| {
        Ok(measuring.look(&BREAKDOWN, arguments.filter.compile_shown(config, &["figure breakdown"])?)?)
    })?;
    print(&format!("wrote {}\n", path.display()))?;
    Ok(code)
}

pub fn calibration(arguments: &WorkArguments) -> Result<ExitCode> {
    let ((rows, _), code) = work(arguments, |measuring, config| {
        Ok(measuring.look(
            &CALIBRATION,
            arguments.filter.compile_shown(config, &["figure calibration", "table calibration"])?,
        )?)
    })?;
    print(&tables::learners::calibration(&rows_frame(&rows, &schema::CALIBRATION)?)?.text())?;
    Ok(code)
}

/// What is measured on the threads that are asked for, with the results locked.
fn work<T: Send>(
    arguments: &WorkArguments,
    measure: impl FnOnce(&Measuring, &Config) -> Result<T> + Send,
) -> Result<(T, ExitCode)> {
    let config = arguments.config.read()?;
    let folders = arguments.place.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let run = run_command(&arguments.config, &arguments.place, &arguments.filter);
    let measuring = measuring(&arguments.config, &run, &config, &folders, &store, arguments.quiet);
    let measured = arguments.jobs.install(|| measure(&measuring, &config))?;
    Ok((measured, unless_unkept(&store)))
}

/// The command that makes the results of cells.
pub fn run_command(config: &ConfigFlags, place: &PlaceFlags, filter: &FilterFlags) -> String {
    format!("treebound run {config}{place}{filter}")
}

/// What the verbs of this folder work on; `run` is the command that makes its results.
pub fn measuring<'a>(
    flags: &'a ConfigFlags,
    run: &str,
    config: &'a Config,
    folders: &'a Folders,
    store: &'a Store,
    quiet: bool,
) -> Measuring<'a> {
    let (source, set) = (&flags.config, &flags.set);
    Measuring { config, source, set, run: run.to_owned(), folders, store, quiet, say: tell }
}
