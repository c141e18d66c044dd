//! `treebound run`: everything that a config describes, each finished piece kept, and results as cells finish.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::experiment::open;
use super::flags::WorkArguments;
use super::flags::{store, unless_unkept};
use super::origin;
use super::output::say;
use super::stood::Stood;
use treebound_experiment::cell::{Cell, cells};
use treebound_experiment::config::Config;
use treebound_experiment::earlier::Earlier;
use treebound_experiment::folders::Folders;
use treebound_experiment::outcome::{CellResult, Outcome};
use treebound_experiment::partial::Partial;
use treebound_experiment::plan::Plan;
use treebound_experiment::progress::Progress;
use treebound_experiment::results::{self, Forgotten};
use treebound_experiment::run::Laboratory;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::times::known::{KEPT, KnownTimes};
use treebound_parser::cell::CellKey;
use treebound_records::number::counted;
use treebound_records::{ScoreRow, csv};

/// How often what is finished is written while a run goes on: rows of a large experiment take seconds to write.
const WRITE_EVERY: Duration = Duration::from_secs(60);

/// When that is done first: who waits wants to see something, and a run that ends before has no need of it.
const WRITE_FIRST: Duration = Duration::from_secs(20);

pub fn run(arguments: &WorkArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let asked_for = arguments.filter.compile(&config)?;
    let folders = arguments.out.folders(&config);
    let lock = Mutex::new(Some(arguments.lock.take(&folders)?));
    results::try_to_write(&folders)?;
    origin::check(&folders)?;
    let store = store(&folders);
    let (cells, forgotten, before) = arguments.jobs.install(|| {
        let laboratory = open(&config, &store, &asked_for)?;
        for treebank in &laboratory.treebanks {
            for shared in treebank.shared() {
                let corpus = &treebank.corpus.name;
                say!("treebound: corpus `{corpus}`: {shared}: parsers are judged on sentences that they know");
            }
        }
        // Rows that cannot be read are none to be kept.
        let alike = origin::made_alike(&laboratory, &folders).unwrap_or_default();
        let (chosen, earlier) = choose(arguments, &laboratory, &folders, &asked_for, &alike)?;
        let stood = Stood::read(&folders)?;
        let before = Before::of(&folders, &chosen, &earlier, &config, &alike);
        let wanted = |cell: &Cell| chosen.contains(cell);
        // Kept times that cannot be read cost no more than the estimate.
        let times = KnownTimes::read(store.folder(), &csv::read_if_there(Path::new(KEPT)).unwrap_or_default());
        let (_, missing) = Plan::new(&laboratory, &times, wanted)?.missing();
        let expected = (missing.unknown == 0).then(|| Duration::from_secs_f64(missing.seconds));
        let progress = Progress::new(laboratory.steps(wanted), expected, arguments.quiet);
        let writer = Writer {
            laboratory: &laboratory,
            folders: &folders,
            config: &arguments.config.config,
            alike,
            threads: rayon::current_num_threads(),
            partial: Partial::default(),
            written: Mutex::new(Written { when: Instant::now(), wait: WRITE_FIRST, forgotten: BTreeMap::new() }),
        };
        let stopped = || {
            progress.finish();
            // Before anything that takes time: nobody waits for them any more.
            writer.partial.close();
            laboratory.workshop.end_commands();
            let finished = writer.write_finished();
            // Nobody should be told that this process still writes there.
            lock.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (all, path) = (chosen.len(), folders.result("scores.csv"));
            match finished {
                Ok(0) => say!("treebound: stopped; none of the {all} cells of this run are finished"),
                Ok(finished) => {
                    say!(
                        "treebound: stopped; {finished} of the {all} cells of this run are finished, and in {}",
                        path.display()
                    );
                }
                Err(e) => say!("treebound: stopped; {} could not be written: {e:#}", path.display()),
            }
            let (cache, config) = (store.folder().display(), &arguments.config);
            say!(
                "what is finished is kept in {cache}: the same command (treebound run {config} ...) goes on from there"
            );
        };
        let outcome = unless_stopped(stopped, || {
            laboratory.run(wanted, &progress, &|training, cells| {
                writer.partial.add(training, cells);
                writer.write_now_and_then();
            })
        });
        progress.finish();
        let forgotten = writer.write_all(&outcome, earlier)?;
        if let Some(stood) =
            stood.filter(|_| outcome.cells.iter().all(|made| writer.alike.contains(&made.cell.key(&config))))
        {
            stood.put_back_if_unchanged(&folders)?;
        }
        Ok((outcome.cells, forgotten, before))
    })?;
    if !arguments.quiet {
        say!("{} cells of this run are in {}", cells.len(), folders.result("scores.csv").display());
        let Before { replaced, removed } = before;
        if replaced > 0 {
            say!(
                "{replaced} of them stood there before as another config or program made them, and were replaced: treebound \
                 diff {} shows what changed, if the earlier rows were committed",
                folders.results.display()
            );
        }
        if removed > 0 {
            say!(
                "{} that stood there {} no longer of the config, and {} removed: git has them, if they were committed",
                counted(removed, "cell", "cells"),
                if removed == 1 { "is" } else { "are" },
                if removed == 1 { "was" } else { "were" },
            );
        }
    }
    for (file, (verb, cells)) in forgotten {
        say!(
            "{}: the rows of {} were of other results than are there now, and are removed: treebound measure {verb} {} makes them again",
            folders.result(file).display(),
            counted(cells.len() as u64, "cell", "cells"),
            arguments.config
        );
    }
    let mut code = unless_unkept(&store);
    for CellResult { cell, rows } in &cells {
        if let Err(e) = rows {
            say!("treebound: {}: {e}", cell.key(&config));
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// Cells that stood in the results before a run and do not stay.
struct Before {
    /// Those of the run that this config and program would not make as they were.
    replaced: u64,
    /// Those that the config has no longer.
    removed: u64,
}

impl Before {
    fn of(folders: &Folders, chosen: &[Cell], earlier: &Earlier, config: &Config, alike: &BTreeSet<CellKey>) -> Self {
        // Rows that cannot be read are none that somebody has looked at.
        let rows: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv")).unwrap_or_default();
        let there = rows.into_iter().filter(|row| row.counts.is_ok()).map(|row| (*row.cell).clone());
        let made: BTreeSet<CellKey> = chosen.iter().map(|cell| cell.key(config)).collect();
        let kept: BTreeSet<CellKey> = earlier.cells().collect();
        let mut before = Self { replaced: 0, removed: 0 };
        for key in there.collect::<BTreeSet<CellKey>>() {
            before.replaced += u64::from(made.contains(&key) && !alike.contains(&key));
            before.removed += u64::from(!made.contains(&key) && !kept.contains(&key));
        }
        before
    }
}

/// The cells of a run: those that are asked for, and those of the results that were finished before but do not stand there as
/// they were made; a filter chooses what to do, not what to forget. With them comes what stands there of the other cells. It stays
/// beside what is made now, if this program would make it again as it is; else nothing is run, since it could neither stay
/// nor be lost.
///
/// What is finished is looked up once: what turns up in the cache while we run (corpora with the same sentences share their
/// work) must not depend on who is first.
fn choose(
    arguments: &WorkArguments,
    laboratory: &Laboratory,
    folders: &Folders,
    asked_for: &impl Fn(&Cell) -> bool,
    alike: &BTreeSet<CellKey>,
) -> Result<(Vec<Cell>, Earlier)> {
    let config = laboratory.config;
    let (mut chosen, others): (Vec<Cell>, Vec<Cell>) = cells(config).into_iter().partition(asked_for);
    if !arguments.filter.leaves_out(config) {
        return Ok((chosen, Earlier::default()));
    }
    let mut earlier = Earlier::read(folders, config, &chosen)?;
    let whole = earlier.whole(config, |run| laboratory.learns(run))?;
    let stands = |cell: &CellKey| alike.contains(cell) && whole.contains(cell);
    let finished = |cell: &Cell| laboratory.is_ready(cell) && laboratory.has(cell);
    // Nobody asked for what does not stand there at all.
    let there: BTreeSet<CellKey> = earlier.cells().collect();
    let is_made_again = |cell: &Cell| {
        let key = cell.key(config);
        there.contains(&key) && !stands(&key) && finished(cell)
    };
    let again: Vec<Cell> = others.into_iter().filter(is_made_again).collect();
    let made: BTreeSet<CellKey> = again.iter().map(|cell| cell.key(config)).collect();
    earlier.retain(config, |cell| !made.contains(cell));
    origin::may_stay(&earlier.files(), &earlier.cells().collect(), laboratory, folders)?;
    chosen.extend(again);
    chosen.sort_by_cached_key(|cell| cell.key(config));
    Ok((chosen, earlier))
}

/// Writes results with where they come from: those of the whole run in the end, and those of what is finished before.
struct Writer<'a> {
    laboratory: &'a Laboratory<'a>,
    folders: &'a Folders,
    config: &'a Path,
    /// Cells whose rows stood in the results when the run began and are what it would make.
    alike: BTreeSet<CellKey>,
    /// Those of the run; who writes may be none of them.
    threads: usize,
    partial: Partial,
    written: Mutex<Written>,
}

/// The verb that makes a file, and the cells whose rows were removed from it.
type Removed = (&'static str, BTreeSet<CellKey>);

/// What was written while a run goes on.
struct Written {
    when: Instant,
    /// How long after that it is done again.
    wait: Duration,
    /// By file.
    forgotten: BTreeMap<&'static str, Removed>,
}

impl Writer<'_> {
    /// Writes an outcome beside the rows of other cells.
    fn write(&self, outcome: &Outcome, earlier: Earlier, written: &mut Written) -> Result<()> {
        let config: &Config = self.laboratory.config;
        let now: Vec<Cell> = outcome.cells.iter().map(|result| result.cell.clone()).collect();
        let unchanged: BTreeSet<CellKey> = earlier.cells().collect();
        let standing = unchanged.iter().cloned().chain(now.iter().map(|cell| cell.key(config))).collect();
        origin::forget("run", &unchanged, self.folders)?;
        for Forgotten { file, verb, removed, standing } in
            results::write(self.folders, self.laboratory, outcome, earlier)?
        {
            origin::forget(verb, &standing, self.folders)?;
            written.forgotten.entry(file).or_insert((verb, BTreeSet::new())).1.extend(removed);
        }
        origin::record("run", self.config, self.threads, self.laboratory, self.folders, &now, &standing)
    }

    /// Writes what is finished, beside the rows that stood there before and will be made again as they are. Returns the number
    /// of finished cells.
    fn write_finished(&self) -> Result<usize> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        self.write_finished_into(&mut written)
    }

    fn write_finished_into(&self, written: &mut Written) -> Result<usize> {
        let config = self.laboratory.config;
        let outcome = self.partial.outcome(config, &self.laboratory.treebanks);
        if !outcome.cells.is_empty() {
            let now: Vec<Cell> = outcome.cells.iter().map(|result| result.cell.clone()).collect();
            let mut earlier = Earlier::read(self.folders, config, &now)?;
            earlier.retain(config, |cell| self.alike.contains(cell));
            self.write(&outcome, earlier, written)?;
        }
        (written.when, written.wait) = (Instant::now(), WRITE_EVERY);
        Ok(outcome.cells.len())
    }

    /// Writes what is finished if that was not done for a while and nobody is at it. What cannot be written now is told in the
    /// end, when it is written again.
    fn write_now_and_then(&self) {
        let Ok(mut written) = self.written.try_lock() else { return };
        if written.when.elapsed() >= written.wait {
            // By a thread of its own: one of the run's that waits for the threads of polars takes up another job meanwhile,
            // and would hold the lock for as long as that learns. Who is asked to stop would wait for it.
            let written = &mut *written;
            let _ = std::thread::scope(|scope| scope.spawn(|| self.write_finished_into(written)).join());
        }
    }

    /// Writes the outcome of the whole run. Returns whose rows were removed from other files.
    fn write_all(&self, outcome: &Outcome, earlier: Earlier) -> Result<BTreeMap<&'static str, Removed>> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(outcome, earlier, &mut written)?;
        Ok(std::mem::take(&mut written.forgotten))
    }
}
