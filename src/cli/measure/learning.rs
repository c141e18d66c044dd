//! `treebound measure learning`: how long it takes to learn each model, by number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::step::{LearntAgain, Step};
use treebound_experiment::measured::{log, refuse_to_mix};
use crate::cli::filter::FilterFlags;
use crate::cli::flags::{ConfigFlags, LockFlags, OutFlags, store};
use crate::cli::output::{print, say};
use treebound_experiment::cell::{Cell, cells};
use treebound_experiment::config::Config;
use treebound_experiment::results::model_key;
use treebound_experiment::run::Laboratory;
use treebound_experiment::stop::unless_stopped;
use treebound_parser::cell::{CellKey, Split};
use treebound_records::csv::Record;
use treebound_records::schema;
use treebound_records::{LearningRow, ModelName, RowKey, csv};
use treebound_report::frame::Frame;
use treebound_report::tables::learners::learning as table;

const VERB: &str = "learning";
const FILE: &str = "learning.csv";

#[derive(Args)]
pub struct LearningArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Numbers of threads
    #[arg(short = 'j', long, value_name = "N", value_delimiter = ',', default_values = ["1", "2"])]
    threads: Vec<NonZeroUsize>,
    /// How often each model is learnt
    #[arg(long, value_name = "N", default_value = "1")]
    repeats: NonZeroUsize,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    lock: LockFlags,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

pub fn learning(arguments: &LearningArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let models = models(&config);
    let asked_for: BTreeSet<Model> =
        arguments.filter.wanted(&config)?.iter().map(|cell| model(&config, cell)).collect();
    let cells: Vec<&Cell> =
        models.iter().filter(|(model, _)| asked_for.contains(model)).map(|(_, (cell, _))| cell).collect();
    if cells.is_empty() {
        bail!("there is nothing to learn; see treebound check {} --cells", arguments.config);
    }
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let path = folders.result(FILE);
    let store = store(&folders);
    let laboratory = Laboratory::open_for(&config, &store, |corpus, tags| {
        cells.iter().any(|cell| (cell.run.corpus, cell.run.tags) == (corpus, tags))
    })?;
    // Rows of models that the config no longer has go, and those of another model; times of another program or machine do not
    // stand beside these.
    let key_of = |row: &LearningRow| {
        let (cell, _) = models.get(&(row.model.clone(), row.seed))?;
        Some(model_key(&laboratory, &cell.run))
    };
    let mut rows: Vec<LearningRow> = csv::read_if_there(&path)?;
    rows.retain(|row| key_of(row) == Some(row.key));
    let mut log = log(VERB, &arguments.config.config, &laboratory, &folders, cells.iter().copied())?;
    if let Some(elsewhere) = log.measured_elsewhere() {
        let is_left_out = |row: &&LearningRow| !asked_for.contains(&(row.model.clone(), row.seed));
        let left_out = rows.iter().find(is_left_out).and_then(|row| models.get(&(row.model.clone(), row.seed)));
        refuse_to_mix(FILE, elsewhere, left_out.map(|(_, key)| key))?;
        rows.clear();
    }
    // So that no process makes what comes before another time.
    for cell in &cells {
        let prepared = laboratory.prepared(&cell.run);
        laboratory.workshop.pruned_for(prepared, &cell.run)?;
    }
    let mut threads = arguments.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    let mut new = Vec::new();
    let stopped = || say!("treebound: stopped; what is measured is in {}", path.display());
    unless_stopped(stopped, || {
        for (i, &cell) in cells.iter().enumerate() {
            for &threads in &threads {
                let key = model_key(&laboratory, &cell.run);
                let row = LearningRow { key, ..measure(arguments, &config, cell, threads, &folders.cache)? };
                if !arguments.quiet {
                    let of = format!("{} of {}", i + 1, cells.len());
                    say!("{of}: {}: {:.1} s", row.key(), row.train_s());
                }
                rows.retain(|other| !other.same_key(&row));
                rows.push(row.clone());
                new.push(row);
                // Whoever stops a long measurement keeps what is done.
                log.record(new.len() as u64)?;
                csv::write(&path, &rows)?;
            }
        }
        Ok::<_, anyhow::Error>(())
    })?;
    print(&table(&Frame::of(&new, &schema::LEARNING)?)?.text())?;
    Ok(ExitCode::SUCCESS)
}

/// What is learnt once.
type Model = (ModelName, u64);

fn model(config: &Config, cell: &Cell) -> Model {
    (cell.run.model_name(config), cell.run.seed)
}

/// The models of a config that learn from a training part, each with the first of its cells: that by which its rows are
/// recorded, whichever part was asked for.
fn models(config: &Config) -> BTreeMap<Model, (Cell, CellKey)> {
    let mut models = BTreeMap::new();
    for cell in cells(config).into_iter().filter(|cell| cell.split != Split::Cv) {
        let key = cell.key(config);
        models.entry(model(config, &cell)).or_insert((cell, key));
    }
    models
}

/// The middle one of the repeats.
fn measure(
    arguments: &LearningArguments,
    config: &Config,
    cell: &Cell,
    threads: NonZeroUsize,
    cache: &std::path::Path,
) -> Result<LearningRow> {
    let ConfigFlags { config: file, set } = arguments.config.clone();
    let step = Step::Relearn {
        config: file,
        set,
        cell: cell.key(config).to_string(),
        threads: threads.get(),
        cache: cache.to_owned(),
    };
    let mut repeats: Vec<LearntAgain> = (0..arguments.repeats.get()).map(|_| step.run()).collect::<Result<_>>()?;
    let peak_kib = repeats.iter().filter_map(|again| again.peak_kib).max();
    repeats.sort_by_key(|again| again.relearnt.train_ns);
    let relearnt = repeats[(repeats.len() - 1) / 2].relearnt;
    let ns = |again: Option<&LearntAgain>| again.map(|again| again.relearnt.train_ns);
    Ok(LearningRow {
        model: cell.run.model_name(config),
        seed: cell.run.seed,
        key: RowKey::default(),
        threads: threads.get() as u64,
        sentences: relearnt.sentences,
        words: relearnt.words,
        passes: relearnt.passes,
        train_ns: relearnt.train_ns,
        least_ns: ns(repeats.first()),
        largest_ns: ns(repeats.last()),
        repeats: repeats.len() as u64,
        peak_kib: peak_kib.and_then(|kib| i64::try_from(kib).ok()),
    })
}
