//! `treebound run`: everything that a config describes, each finished artifact kept, and results as cells finish.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};

use super::filter::FilterFlags;
use super::flags::{WorkArguments, store, unless_unkept};
use super::output::say;
use treebound_experiment::cell::{Cell, cells};
use treebound_experiment::checkpoint::Checkpoint;
use treebound_experiment::config::Config;
use treebound_experiment::folders::Folders;
use treebound_experiment::measured::log;
use treebound_experiment::outcome::CellResult;
use treebound_experiment::plan::Plan;
use treebound_experiment::progress::Progress;
use treebound_experiment::provenance::{are_uncommitted_beside, own_command_line};
use treebound_experiment::results::{self, CellStates, ResultRows};
use treebound_experiment::rows::csv;
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::times::known::{KEPT, KnownTimes};
use treebound_parser::cell::CellKey;
use treebound_records::number::counted;

#[derive(clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    work: WorkArguments,
    /// Only the cells that this table of the config shows: the grids and filter of [[table]] NAME
    #[arg(long, value_name = "NAME", conflicts_with_all = ["grid", "filter"])]
    table: Option<String>,
}

pub fn run(mut arguments: RunArguments) -> Result<ExitCode> {
    let config = arguments.work.config.read()?;
    if let Some(name) = &arguments.table {
        let entry = config.tables.iter().find(|entry| entry.name == *name);
        let missing = || {
            let path = arguments.work.config.config.display();
            format!("{path}: no [[table]] has the name `{name}`; add one: name = \"{name}\", grids = [\"GRID\"]")
        };
        arguments.work.filter = FilterFlags::of_entry(entry.with_context(missing)?);
    }
    let arguments = &arguments.work;
    let folders = arguments.place.folders(&config);
    if are_uncommitted_beside(&folders.results) {
        say!(
            "treebound: the sources of this program are not committed, and pages will say so of the rows that it makes; commit \
             first if they are to stay"
        );
    }
    run_into(arguments, &config, &folders)
}

/// Runs what is asked for of a config, into these folders.
pub fn run_into(arguments: &WorkArguments, config: &Config, folders: &Folders) -> Result<ExitCode> {
    let asked_for = arguments.filter.compile(config)?;
    let lock = Mutex::new(Some(arguments.lock.take(folders)?));
    results::try_to_write(folders)?;
    let store = store(folders);
    let path = folders.result("scores.csv");
    let made: Vec<CellResult> = arguments.jobs.install(|| {
        let mut context = ExperimentContext::open_for(config, &store, |_, _| false)?;
        for treebank in &context.treebanks {
            for shared in treebank.shared() {
                let corpus = &treebank.corpus.name;
                say!("treebound: corpus `{corpus}`: {shared}: parsers are judged on sentences that they know");
            }
        }
        let mut standing = ResultRows::read(folders)?;
        let removed = standing.drop_others(config);
        let current = standing.current(&context, folders)?;
        let asked_for: Vec<Cell> = cells(config).into_iter().filter(asked_for).collect();
        let chosen: Vec<&Cell> = asked_for.iter().filter(|cell| !current.contains(&cell.key(config))).collect();
        let states = CellStates::of(&context, &standing.scores);
        let of_chosen: BTreeSet<CellKey> = chosen.iter().map(|cell| cell.key(config)).collect();
        if !arguments.quiet {
            tell(&path, &asked_for, &of_chosen, &states, &removed);
        }
        let wanted = |cell: &Cell| of_chosen.contains(&cell.key(config));
        context.prepare_cells(wanted)?;
        let context = &context;
        // Kept times that cannot be read cost no more than the estimate.
        let times = KnownTimes::read(store.folder(), &csv::read_if_there(Path::new(KEPT)).unwrap_or_default());
        let (_, missing) = Plan::new(context, &times, wanted)?.missing();
        let expected = (missing.unknown == 0).then(|| Duration::from_secs_f64(missing.seconds));
        let progress = Progress::new(context.steps(wanted), expected, arguments.quiet);
        let log = log("run", &arguments.config.config, context, folders, chosen.iter().copied())?;
        let checkpoint = Checkpoint::new(context, folders, standing, log);
        let stopped = || {
            progress.finish();
            // Before anything that takes time: nobody waits for them any more.
            checkpoint.close();
            context.builder.end_commands();
            let finished = checkpoint.write_finished();
            // Nobody should be told that this process still writes there.
            lock.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (all, path) = (chosen.len(), path.display());
            match finished {
                Ok(0) => say!("treebound: stopped; none of the {all} cells of this run are finished"),
                Ok(finished) => {
                    say!("treebound: stopped; {finished} of the {all} cells of this run are finished, and in {path}");
                }
                Err(e) => say!("treebound: stopped; {path} could not be written: {e:#}"),
            }
            let (cache, command) = (store.folder().display(), own_command_line());
            say!("what is finished is kept in {cache}: the same command goes on from there: {command}");
        };
        let outcome = unless_stopped(stopped, || {
            context.run(wanted, &progress, &|training, cells| {
                checkpoint.add(training, cells);
                checkpoint.write_now_and_then();
            })
        });
        progress.finish();
        checkpoint.write_all(&outcome)?;
        Ok::<_, anyhow::Error>(outcome.cells)
    })?;
    if !arguments.quiet {
        say!("{} cells of this run are in {}", made.len(), path.display());
    }
    let mut code = unless_unkept(&store);
    for CellResult { cell, rows } in &made {
        if let Err(e) = rows {
            say!("treebound: {}: {e}", cell.key(config));
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// Says what is not made since it is in the results, what is replaced and removed there, and what stays though it is stale.
fn tell(path: &Path, asked_for: &[Cell], chosen: &BTreeSet<CellKey>, states: &CellStates, removed: &BTreeSet<CellKey>) {
    let path = path.display();
    let current = asked_for.len() - chosen.len();
    if current > 0 {
        say!(
            "{} of those asked for are in {path} as this program makes them",
            counted(current as u64, "cell", "cells")
        );
    }
    let (replaced, stale): (Vec<&CellKey>, Vec<&CellKey>) = states.stale.iter().partition(|cell| chosen.contains(cell));
    if !replaced.is_empty() {
        let replaced = counted(replaced.len() as u64, "stale cell", "stale cells");
        say!(
            "{replaced} in {path} will be replaced; treebound diff shows what changed, if the earlier rows were committed"
        );
    }
    if !stale.is_empty() {
        let stale = counted(stale.len() as u64, "cell", "cells");
        say!(
            "{stale} in {path} that this run does not make are stale: made by another version of the program, of its config, \
             template files or treebanks"
        );
    }
    if !removed.is_empty() {
        let removed = counted(removed.len() as u64, "cell", "cells");
        say!("{removed} in {path} that the config no longer has will be removed; git has them, if they were committed");
    }
}
