//! `treebound check`, `measure time`: experiments from configs.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, LockFlags, OutFlags, store, unless_unkept, with_threads};
use super::output::{causes, print, say};
use treebound_experiment::cell::{Cell, cells, grids_of, training_runs, usual_cells};
use treebound_experiment::config::{self, Config};
use treebound_experiment::data::Treebank;
use treebound_experiment::folders::Folders;
use treebound_experiment::folds;
use treebound_experiment::pieces::Workshop;
use treebound_experiment::prepared::Prepared;
use treebound_experiment::provenance::{Data, Entry, LogWriter};
use treebound_experiment::results::{CellStates, standing_measurements};
use treebound_experiment::run::Laboratory;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_experiment::timing::{self, Timed};
use treebound_parser::answer::WallClock;
use treebound_parser::cell::{CellKey, Fold, Setting, Split};
use treebound_parser::parser::Roots;
use treebound_parser::systems::System;
use treebound_records::columns::SEED;
use treebound_records::{ScoreRow, SpeedRow, csv};

#[derive(Args)]
pub struct CheckArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    out: OutFlags,
    /// Print every setting with its default instead, and where each comes from: config.resolved.toml
    #[arg(long)]
    resolved: bool,
    /// Print the cells as CSV instead, with their grids
    #[arg(long, conflicts_with = "resolved")]
    cells: bool,
    /// Also print the key of each cell, which holds all that decides its rows and stands in them; reads the treebanks
    #[arg(long, requires = "cells")]
    keys: bool,
    #[command(flatten)]
    filter: FilterFlags,
}

#[derive(Args)]
pub struct TimeArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    lock: LockFlags,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn check(arguments: &CheckArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    if arguments.resolved {
        print(&config::resolved(&config))?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.cells {
        return list(arguments, &config);
    }
    if arguments.filter.is_given() {
        bail!("--grid and --filter choose cells to print: they go with --cells");
    }
    let store = Store::new(PathBuf::new());
    let workshop = Workshop::new(&config, &store)?;
    let (mut out, roots) = (String::new(), config.roots());
    // What is missing of one treebank does not hide what is missing of another.
    let mut faults = Vec::new();
    for (corpus, described) in config.corpora.iter().enumerate() {
        let treebank = &match Treebank::read(&config, described) {
            Ok(treebank) => treebank,
            Err(fault) => {
                faults.push(anyhow::Error::from(fault));
                continue;
            }
        };
        for &roots in &roots {
            Prepared::gold(treebank, roots)?;
        }
        writeln!(out, "corpus {}", treebank.corpus.name)?;
        for split in Split::PARTS {
            let part = treebank.part(split);
            writeln!(
                out,
                "  {:<5} {:>6} sentences {:>8} words, {} non-projective, {} with several roots",
                split.name(),
                part.sentences.len(),
                part.tokens(),
                part.nonprojective(),
                part.several_roots()
            )?;
            for place in &part.wordless {
                writeln!(out, "        {place}: a tree without words was passed over")?;
            }
        }
        for shared in treebank.shared() {
            writeln!(out, "        {shared}: a parser would be judged on sentences that it knows")?;
        }
        check_folds(treebank, config.folds_of(corpus), &roots, &mut out)?;
    }
    let mut empty = BTreeSet::new();
    for run in training_runs(&config).iter().filter(|run| run.is_graph()) {
        if let (Some(family), Some(templates)) = (workshop.graph(run)?.family_without_templates(), &run.templates) {
            empty.insert((templates.to_string(), family.name()));
        }
    }
    for (templates, family) in empty {
        writeln!(out, "templates {templates} have none of the family {family}: sets with it are sets without it")?;
    }
    let stopped = || workshop.end_commands();
    faults.extend(unless_stopped(stopped, || check_externals(&config, &workshop, &mut out))?);
    print(&mem::take(&mut out))?;
    if let Some(last) = faults.pop() {
        faults.iter().for_each(|fault| say!("treebound: {}", causes(fault)));
        return Err(last);
    }
    check_results(arguments, &config, &store, &mut out)?;
    for grid in config.grids.iter().filter(|grid| !grid.default) {
        writeln!(out, "grid {} is run where it is named", grid.name)?;
    }
    let all = cells(&config);
    let usual = all.iter().filter(|cell| grids_of(&config, cell).iter().any(|grid| grid.default)).count();
    let (all, config) = (all.len(), &arguments.config);
    match usual == all {
        true => writeln!(out, "{all} cells; treebound check {config} --cells shows them")?,
        false => writeln!(
            out,
            "{all} cells; treebound check {config} --cells shows the {usual} of grids that are run by default"
        )?,
    }
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// Says how many rows of the results are stale.
fn check_results(arguments: &CheckArguments, config: &Config, store: &Store, out: &mut impl Write) -> Result<()> {
    let path = arguments.out.folders(config).result("scores.csv");
    let scores: Vec<ScoreRow> = csv::read_if_there(&path)?;
    if !scores.is_empty() {
        let laboratory = Laboratory::open_for(config, store, |_, _| false)?;
        let CellStates { current, stale } = CellStates::of(&laboratory, &scores);
        let (path, current, stale) = (path.display(), current.len(), stale.len());
        writeln!(out, "{path}: {current} cells as this program makes them, {stale} stale")?;
    }
    Ok(())
}

/// Says which parsers of somebody else are at hand, and in which versions. Returns why those that grids need which are run by
/// default are not.
fn check_externals(config: &Config, workshop: &Workshop, out: &mut String) -> Result<Vec<anyhow::Error>> {
    let mut faults = Vec::new();
    for external in workshop.externals() {
        let name = external.name();
        match external.version_line() {
            Ok(version) => writeln!(out, "external {name}: {version}")?,
            Err(fault) if config.grids.iter().any(|grid| grid.default && grid.systems.contains(&name)) => {
                faults.push(fault.into());
            }
            Err(fault) => writeln!(out, "external {fault}; only grids need it that are run where they are named")?,
        }
    }
    Ok(faults)
}

/// Says how a treebank is cut for cross-validation, if it is.
fn check_folds(treebank: &Treebank, count: usize, roots: &[Roots], out: &mut String) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    folds::check(treebank, count)?;
    for fold in Fold::all(count) {
        let cut = folds::cut(treebank, fold);
        for &roots in roots {
            Prepared::gold(&cut, roots)?;
        }
    }
    let (all, learnt) = (treebank.sentences(), count - 2);
    let (least, most) = (all / count, all.div_ceil(count));
    let size = if least == most { least.to_string() } else { format!("{least} or {most}") };
    writeln!(
        out,
        "  {:<5} {all:>6} sentences in {count} folds of {size}; in turn {learnt} to learn from, 1 to choose epochs by, 1 \
         to parse",
        Split::Cv.name()
    )?;
    Ok(())
}

/// Prints the cells that are asked for.
fn list(arguments: &CheckArguments, config: &Config) -> Result<ExitCode> {
    let wanted = arguments.filter.compile(config)?;
    let store = Store::new(PathBuf::new());
    let laboratory = arguments.keys.then(|| open(config, &store, |_| false)).transpose()?;
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let more: &[&str] = if arguments.keys { &[SEED, "grids", "key"] } else { &[SEED, "grids"] };
    writer.write_record(Setting::AXES.iter().chain(more))?;
    for cell in cells(config).iter().filter(|c| wanted(c)) {
        let name = cell.key(config);
        let grids: Vec<&str> = grids_of(config, cell).iter().map(|grid| grid.name.as_str()).collect();
        let key = laboratory.as_ref().map(|laboratory| laboratory.cell_key(cell)).transpose()?;
        let rest = [name.seed.to_string(), grids.join(" ")].into_iter().chain(key.map(|key| key.of_row().to_string()));
        writer.write_record(name.setting.spelt().into_iter().chain(rest))?;
    }
    print(&String::from_utf8(writer.into_inner()?)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The share of the time that a process has a processor for, if little else runs.
const QUIET: f64 = 0.9;

pub fn time(arguments: &TimeArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile(&config)?;
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let usual = usual_cells(&config);
    let wanted = |cell: &Cell| wanted(cell) && (arguments.filter.is_given() || usual.contains(cell));
    let keys: BTreeSet<CellKey> = cells(&config).iter().filter(|c| wanted(c)).map(|c| c.key(&config)).collect();
    let scores = run_before(arguments, &keys, &folders)?;
    // A cell that failed has nothing to time, and keeps no other from being timed.
    let failed: BTreeSet<&CellKey> = scores
        .iter()
        .filter(|row| row.counts.is_err())
        .map(|row| &*row.cell)
        .filter(|cell| keys.contains(cell))
        .collect();
    let wanted = |cell: &Cell| wanted(cell) && !failed.contains(&cell.key(&config));
    let keys: BTreeSet<CellKey> = keys.iter().filter(|cell| !failed.contains(cell)).cloned().collect();
    with_threads(Some(1), || {
        let laboratory = open(&config, &store, wanted)?;
        let timed: Vec<Cell> = cells(&config).into_iter().filter(|cell| wanted(cell)).collect();
        refuse_stale(&laboratory, &scores, timed.iter(), &arguments.config)?;
        let mut log = log("time", &arguments.config.config, &laboratory, &folders, timed.iter())?;
        let all = csv::read_if_there(&folders.result("speed.csv"))?;
        let mut rows = standing_measurements(all, |row: &SpeedRow| (&row.cell, row.key), &scores, &laboratory);
        if let Some(elsewhere) = log.measured_elsewhere() {
            refuse_to_mix("speed.csv", elsewhere, rows.iter().map(|row| &*row.cell).find(|cell| !keys.contains(cell)))?;
            rows.clear();
        }
        let begin = |key: &CellKey| {
            if !arguments.quiet {
                say!("timing {key}");
            }
        };
        let mut made = 0;
        let mut keep = |Timed { rows: of_cell, processor_share }: Timed| {
            if let (Some(share), Some(row)) = (processor_share.filter(|&share| share < QUIET), of_cell.first()) {
                say!(
                    "treebound: {}: other work had the processor {:.0} % of the time, so these times say little; time it again \
                     when nothing else runs",
                    row.cell,
                    100.0 * (1.0 - share)
                );
            }
            let of_these: BTreeSet<CellKey> = of_cell.iter().map(|row| CellKey::clone(&row.cell)).collect();
            rows.retain(|row| !of_these.contains(&row.cell));
            made += of_cell.len() as u64;
            rows.extend(of_cell);
            // Whoever stops a long measurement keeps what is done.
            log.record(made)?;
            Ok::<_, anyhow::Error>(csv::write(&folders.result("speed.csv"), &rows)?)
        };
        let path = folders.result("speed.csv");
        let stopped = || {
            laboratory.workshop.end_commands();
            say!("treebound: stopped; the cells that are timed are in {}", path.display());
        };
        let clock = &mut WallClock::default();
        unless_stopped(stopped, || timing::time(&laboratory, &scores, wanted, clock, begin, &mut keep))
    })?;
    let mut code = unless_unkept(&store);
    for cell in failed {
        say!("treebound: {cell}: not timed, since it failed when it was run");
        code = ExitCode::FAILURE;
    }
    Ok(code)
}

/// The laboratory for the wanted cells.
pub fn open<'a>(config: &'a Config, store: &'a Store, wanted: impl Fn(&Cell) -> bool) -> Result<Laboratory<'a>> {
    let mut laboratory = Laboratory::open_for(config, store, |_, _| false)?;
    prepare(&mut laboratory, wanted)?;
    Ok(laboratory)
}

/// Prepares what the wanted cells need: folds are prepared when their turn comes.
pub fn prepare(laboratory: &mut Laboratory, wanted: impl Fn(&Cell) -> bool) -> Result<()> {
    let wanted: Vec<Cell> =
        cells(laboratory.config).into_iter().filter(|cell| cell.split != Split::Cv && wanted(cell)).collect();
    let needed = |corpus, tags| wanted.iter().any(|cell| (cell.run.corpus, cell.run.tags) == (corpus, tags));
    Ok(laboratory.prepare(needed)?)
}

/// The log of what a verb makes of some cells of an experiment.
pub fn log<'c>(
    verb: &str,
    path: &Path,
    laboratory: &Laboratory,
    folders: &Folders,
    cells: impl Iterator<Item = &'c Cell>,
) -> Result<LogWriter> {
    let versions = laboratory.workshop.versions(cells.map(|cell| &cell.run))?;
    let (threads, data) = (rayon::current_num_threads(), Data::of_experiment(laboratory));
    let entry = Entry::of_this_process(verb, path, threads, laboratory.config, versions, data);
    Ok(LogWriter::open(folders, entry)?)
}

/// Refuses to measure cells whose rows in the results are stale: what is measured would not be theirs.
pub fn refuse_stale<'c>(
    laboratory: &Laboratory,
    scores: &[ScoreRow],
    mut cells: impl Iterator<Item = &'c Cell>,
    flags: &ConfigFlags,
) -> Result<()> {
    let stale = CellStates::of(laboratory, scores).stale;
    match cells.find_map(|cell| Some(cell.key(laboratory.config)).filter(|cell| stale.contains(cell))) {
        Some(cell) => bail!(
            "the results of {cell} are stale: another version of the program, of its config, template files or treebanks made \
             them; first treebound run {flags}"
        ),
        None => Ok(()),
    }
}

/// Refuses to put measurements beside those of another program or machine, if there are some of a cell that is left out now.
pub fn refuse_to_mix(file: &str, elsewhere: &Entry, left_out: Option<&CellKey>) -> Result<()> {
    let Some(cell) = left_out else { return Ok(()) };
    bail!(
        "{file} has rows that are left out now, such as {cell}, measured on {} by a program of {}: they do not compare with what \
         would be measured now. Measure all of them again (-f . chooses those of all grids), use --out DIR, or remove {file}",
        elsewhere.machine.cpu,
        elsewhere.program.toolchain
    )
}

/// The results beside which speeds will stand; each of these cells has one, or the error that it ended in.
fn run_before(arguments: &TimeArguments, cells: &BTreeSet<CellKey>, folders: &Folders) -> Result<Vec<ScoreRow>> {
    let path = folders.result("scores.csv");
    let scores: Vec<ScoreRow> = csv::read_if_there(&path)?;
    let done: BTreeSet<&CellKey> = scores.iter().map(|row| &*row.cell).collect();
    if let Some(cell) = cells.iter().find(|cell| !done.contains(cell)) {
        let config = &arguments.config;
        bail!("{} has no results for {cell}, which is to be timed: first treebound run {config}", path.display());
    }
    Ok(scores)
}
