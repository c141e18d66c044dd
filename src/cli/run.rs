//! `treebound run`: everything that a config describes, each finished artifact kept, and results as cells finish; or by others: by
//! shares of several processes or by a cluster, of which `treebound collate` takes the rows.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};

use super::engine::{EngineName, commands};
use super::filter::FilterFlags;
use super::flags::{WorkArguments, store, unless_unkept};
use super::output::say;
use treebound_experiment::cell::{Cell, cells};
use treebound_experiment::checkpoint::Checkpoint;
use treebound_experiment::config::Config;
use treebound_experiment::engine::local::Local;
use treebound_experiment::engine::shard::{Part, Shard};
use treebound_experiment::engine::slurm::{Job, Slurm};
use treebound_experiment::engine::stored::Stored;
use treebound_experiment::engine::{Came, Engine, Work, Worked};
use treebound_experiment::folders::Folders;
use treebound_experiment::measured::log;
use treebound_experiment::outcome::{CellResult, TrainingResult};
use treebound_experiment::plan::Plan;
use treebound_experiment::progress::Progress;
use treebound_experiment::provenance::{are_uncommitted_beside, own_command_line};
use treebound_experiment::results::{self, CellStates, ResultRows};
use treebound_experiment::rows::csv;
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_experiment::tasks::Tasks;
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
    /// Where artifacts are made: on this machine, or by a cluster that runs Slurm
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    engine: EngineName,
    /// Make the artifacts of a share of the cells, such as 2/8 for the second of eight, for `collate` to take
    #[arg(long, value_name = "I/N", value_parser = Part::parse, conflicts_with = "engine")]
    shard: Option<Part>,
    /// Make one artifact, as the scripts of a cluster do
    #[arg(long, value_name = "CORPUS/KEY", hide = true, conflicts_with_all = ["engine", "shard", "table", "grid", "filter"])]
    artifact: Option<String>,
    /// Where what this says is written, for who asks why an artifact is missing
    #[arg(long, value_name = "FILE", hide = true)]
    log: Option<String>,
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
    let RunArguments { work, engine, shard, artifact, log, .. } = &arguments;
    let folders = work.place.folders(&config);
    if let Some(artifact) = artifact {
        let (corpus, key) = artifact.rsplit_once('/').context("--artifact: CORPUS/KEY is expected")?;
        return make_one(work, config, &folders, corpus, key, log.as_deref());
    }
    if let Some(part) = shard {
        let wanted = keys(&config, work.filter.compile(&config)?);
        return make(work, &config, &folders, part, wanted, log.as_deref());
    }
    if are_uncommitted_beside(&folders.results) {
        say!(
            "treebound: the sources of this program are not committed, and pages will say so of the rows that it makes; commit \
             first if they are to stay"
        );
    }
    match engine {
        EngineName::Local => run_into(work, &config, &folders, &Local),
        EngineName::Slurm => submit(work, &config, &folders),
    }
}

/// `treebound collate`: rows of what others have made.
pub fn collate(arguments: &WorkArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    run_into(arguments, &config, &arguments.place.folders(&config), &Stored)
}

/// The keys of the cells that are wanted.
fn keys(config: &Config, wanted: impl Fn(&Cell) -> bool) -> BTreeSet<CellKey> {
    cells(config).into_iter().filter(wanted).map(|cell| cell.key(config)).collect()
}

/// The times of earlier artifacts. Kept ones that cannot be read cost no more than the estimate.
fn known_times(store: &Store) -> KnownTimes {
    KnownTimes::read(store.folder(), &csv::read_if_there(Path::new(KEPT)).unwrap_or_default())
}

/// Makes one artifact. Nothing of other treebanks is read.
fn make_one(
    arguments: &WorkArguments,
    mut config: Config,
    folders: &Folders,
    corpus: &str,
    key: &str,
    log: Option<&str>,
) -> Result<ExitCode> {
    let known = config.corpora.iter().find(|known| known.name.as_str() == corpus);
    let name = known.with_context(|| format!("the config has no corpus `{corpus}`"))?.name.clone();
    config.restrict_to(&name);
    let all = keys(&config, |_| true);
    make(arguments, &config, folders, &Part::Artifact(key.to_owned()), all, log)
}

/// Makes a share of the artifacts, and no results.
fn make(
    arguments: &WorkArguments,
    config: &Config,
    folders: &Folders,
    part: &Part,
    wanted: BTreeSet<CellKey>,
    log: Option<&str>,
) -> Result<ExitCode> {
    let (store, pool) = (store(folders), arguments.jobs.pool()?);
    let mut context = pool.install(|| ExperimentContext::open_for(config, &store, |_, _| false))?;
    let engine = Shard { part: part.clone(), pool: &pool, log };
    engine.prepare(&mut context, &wanted)?;
    let progress = Progress::new(0, None, true);
    let work = Work { context: &context, cells: &wanted, progress: &progress, finished: &|_, _| {} };
    let Came::Artifacts(worked) = engine.run(work)? else { return Ok(ExitCode::SUCCESS) };
    let Worked { made, found, failed } = &worked;
    if !arguments.quiet {
        let made = counted(*made as u64, "artifact", "artifacts");
        say!("{made} made; {found} were there, or made by others, in {}", store.folder().display());
    }
    for (name, why) in failed {
        say!("treebound: {name}: {why}");
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Submits what is missing to Slurm.
fn submit(arguments: &WorkArguments, config: &Config, folders: &Folders) -> Result<ExitCode> {
    let asked_for = arguments.filter.compile(config)?;
    let store = store(folders);
    let context = ExperimentContext::open_for(config, &store, |_, _| false)?;
    let current = ResultRows::read(folders)?.current(&context, folders)?;
    let asked_for = keys(config, asked_for);
    let path = folders.result("scores.csv");
    let missing: BTreeSet<CellKey> = asked_for.difference(&current).cloned().collect();
    if missing.is_empty() {
        let all = counted(asked_for.len() as u64, "cell", "cells");
        say!("{all} asked for are in {} as this program makes them", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let times = known_times(&store);
    let flags = (&arguments.config, &arguments.place, &arguments.filter);
    let engine = Slurm { settings: &config.engine, commands: commands(config, flags, folders)?, times: &times };
    let progress = Progress::new(0, None, true);
    let work = Work { context: &context, cells: &missing, progress: &progress, finished: &|_, _| {} };
    let Came::Jobs(jobs) = engine.run(work)? else { return Ok(ExitCode::SUCCESS) };
    for Job { name, id, tasks } in &jobs {
        let tasks = tasks.map_or_else(String::new, |tasks| format!(", {}", counted(tasks as u64, "task", "tasks")));
        say!("job {id}: {name}{tasks}");
    }
    let cells = counted(missing.len() as u64, "cell", "cells");
    say!("{cells} will be in {} when the last job has ended; squeue --me shows how far they are", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Runs what is asked for of a config, into these folders.
pub fn run_into(
    arguments: &WorkArguments,
    config: &Config,
    folders: &Folders,
    engine: &dyn Engine,
) -> Result<ExitCode> {
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
        engine.prepare(&mut context, &of_chosen)?;
        let context = &context;
        let (_, missing) = Plan::new(&Tasks::new(context, wanted)?, &store, &known_times(&store)).missing();
        let expected = (missing.unknown == 0).then(|| Duration::from_secs_f64(missing.seconds));
        let progress = Progress::new(context.steps(wanted), expected, arguments.quiet);
        let log = log("run", &arguments.config.config, context, folders, chosen.iter().copied())?;
        let checkpoint = Checkpoint::new(context, (folders, &lock), standing, log);
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
        let finished = |training: &TrainingResult, cells: &[CellResult]| {
            checkpoint.add(training, cells);
            checkpoint.write_now_and_then();
        };
        let work = Work { context, cells: &of_chosen, progress: &progress, finished: &finished };
        let came = unless_stopped(stopped, || engine.run(work))?;
        progress.finish();
        let Came::Rows(outcome) = came else { return Ok(Vec::new()) };
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
