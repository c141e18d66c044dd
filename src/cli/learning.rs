//! `treebound learning`: how long it takes to learn each model, by number of threads.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, LockFlags, OutFlags, store};
use super::measure_step::{LearntAgain, Step};
use super::origin;
use super::output::{print, say};
use super::stop::unless_stopped;
use crate::cell::Split;
use crate::experiment::cell::Cell;
use crate::experiment::config::Config;
use crate::experiment::run::Laboratory;
use crate::records::csv::Record;
use crate::records::{LearningRow, csv};
use crate::tables::learning::table;

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
    let cells = one_of_each_model(&config, arguments.filter.wanted(&config)?);
    if cells.is_empty() {
        bail!("there is nothing to learn; see treebound list {}", arguments.config);
    }
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let path = folders.result("learning.csv");
    let mut rows: Vec<LearningRow> = csv::read_if_there(&path)?;
    let store = store(&folders);
    let laboratory = Laboratory::open_for(&config, &store, |corpus, tags| {
        cells.iter().any(|cell| (cell.run.corpus, cell.run.tags) == (corpus, tags))
    })?;
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
        for (i, cell) in cells.iter().enumerate() {
            for &threads in &threads {
                let row = measure(arguments, &config, cell, threads, &folders.cache)?;
                if !arguments.quiet {
                    let of = format!("{} of {}", i + 1, cells.len());
                    say!("{of}: {}: {:.1} s", row.key(), row.train_s());
                }
                rows.retain(|other| !other.same_key(&row));
                rows.push(row.clone());
                new.push(row);
                // Whoever stops a long measurement keeps what is done.
                csv::write(&path, &rows)?;
                origin::record_plain("learning", &arguments.config.config, &laboratory, &folders)?;
            }
        }
        Ok::<_, anyhow::Error>(())
    })?;
    print(&table(&new).text())?;
    Ok(ExitCode::SUCCESS)
}

/// One cell of each model that learns from a training part.
fn one_of_each_model(config: &Config, wanted: Vec<Cell>) -> Vec<Cell> {
    let mut seen = BTreeSet::new();
    let is_new = |cell: &Cell| cell.split != Split::Cv && seen.insert((cell.run.model_name(config), cell.run.seed));
    wanted.into_iter().filter(is_new).collect()
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
