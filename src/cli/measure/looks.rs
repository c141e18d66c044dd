//! `treebound measure breakdown`, `treebound measure calibration`: finished parses of models without non-local features, looked at word by
//! word. Nothing is trained.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cli::experiment::{log, open, refuse_stale};
use crate::cli::flags::{WorkArguments, store, unless_unkept};
use crate::cli::output::{print, say};
use treebound_experiment::cell::{Cell, cells};
use treebound_experiment::config::Config;
use treebound_experiment::folders::Folders;
use treebound_experiment::looks;
use treebound_experiment::pieces::PieceError;
use treebound_experiment::results::standing_measurements;
use treebound_experiment::run::Laboratory;
use treebound_experiment::stop::unless_stopped;
use treebound_parser::cell::{CellKey, FeatureSet, Method};
use treebound_records::csv::{self, Record};
use treebound_records::schema;
use treebound_records::{CalibrationRow, ClassRow, RowKey, ScoreRow};
use treebound_report::frame::Frame;
use treebound_report::tables;

/// Makes the rows of a cell.
type RowsOf<R> = fn(&Laboratory, &[ScoreRow], &Cell) -> Result<Vec<R>, PieceError>;

/// A way to look at cells.
struct Look<R> {
    /// Its verb.
    verb: &'static str,
    /// Where its rows stand.
    file: &'static str,
    /// What it looks at, for people.
    about: &'static str,
    /// Which cells these are.
    is_about: fn(&Cell) -> bool,
    /// Whether what it needs of a cell is in the store.
    is_at_hand: fn(&Laboratory, &Cell) -> bool,
    /// The cell of a row, and what made it.
    row_key: fn(&R) -> (&CellKey, RowKey),
    /// The rows of a cell.
    rows: RowsOf<R>,
}

pub fn breakdown(arguments: &WorkArguments) -> Result<ExitCode> {
    let look = Look {
        verb: "breakdown",
        file: "breakdown.csv",
        about: "models without non-local features",
        is_about: is_local,
        is_at_hand: |laboratory, cell| laboratory.has_trees(cell) || laboratory.has_models(cell),
        row_key: |row: &ClassRow| (&row.cell, row.key),
        rows: looks::classes,
    };
    let (_, path, code) = run(arguments, &look)?;
    print(&format!("wrote {path}\n"))?;
    Ok(code)
}

pub fn calibration(arguments: &WorkArguments) -> Result<ExitCode> {
    let look = Look {
        verb: "calibration",
        file: "calibration.csv",
        about: "CRFs without non-local features",
        is_about: |cell| is_local(cell) && cell.run.learner.as_ref().is_some_and(|one| one.method() == Method::Crf),
        is_at_hand: |laboratory, cell| laboratory.has_models(cell),
        row_key: |row: &CalibrationRow| (&row.cell, row.key),
        rows: looks::calibration,
    };
    let (rows, _, code) = run(arguments, &look)?;
    print(&tables::learners::calibration(&Frame::of(&rows, &schema::CALIBRATION)?)?.text())?;
    Ok(code)
}

/// Whether a cell is of a graph without non-local features.
fn is_local(cell: &Cell) -> bool {
    cell.run.is_graph() && cell.run.set.as_ref().is_some_and(FeatureSet::is_baseline)
}

/// Looks at the cells that are asked for, and writes their rows beside those that stand: the new rows, their file, and how
/// it went.
fn run<R: Record + Clone + Send>(arguments: &WorkArguments, look: &Look<R>) -> Result<(Vec<R>, String, ExitCode)> {
    let config = arguments.config.read()?;
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let file = folders.result(look.file);
    let (wanted, scores) = wanted(arguments, look, &config, &folders)?;
    let rows = arguments.jobs.install(|| {
        let laboratory = open(&config, &store, |cell| wanted.contains(cell))?;
        let missing: Vec<&Cell> = wanted.iter().filter(|cell| !(look.is_at_hand)(&laboratory, cell)).collect();
        if let Some(first) = missing.first() {
            bail!(
                "the finished work of {} of {} cells is not in {}, such as that of {}: make it with treebound run {}",
                missing.len(),
                wanted.len(),
                folders.cache.display(),
                first.key(&config),
                arguments.config
            );
        }
        refuse_stale(&laboratory, &scores, wanted.iter(), &arguments.config)?;
        let mut all = standing_measurements(csv::read_if_there(&file)?, look.row_key, &scores, &laboratory);
        let mut log = log(look.verb, &arguments.config.config, &laboratory, &folders, wanted.iter())?;
        let mut rows = Vec::new();
        let stopped = || say!("treebound: stopped; the cells that were looked at are in {}", file.display());
        unless_stopped(stopped, || {
            for cell in &wanted {
                let key = cell.key(&config);
                if !arguments.quiet {
                    say!("looking at {key}");
                }
                let of_cell = (look.rows)(&laboratory, &scores, cell)?;
                all.retain(|row| *(look.row_key)(row).0 != key);
                all.extend_from_slice(&of_cell);
                rows.extend(of_cell);
                log.record(rows.len() as u64)?;
                csv::write(&file, &all)?;
            }
            Ok::<_, anyhow::Error>(())
        })?;
        Ok(rows)
    })?;
    Ok((rows, file.display().to_string(), unless_unkept(&store)))
}

/// The cells to look at, with all scores. Each was run; those that failed have nothing to look at.
fn wanted<R>(
    arguments: &WorkArguments,
    look: &Look<R>,
    config: &Config,
    folders: &Folders,
) -> Result<(Vec<Cell>, Vec<ScoreRow>)> {
    let asked_for = arguments.filter.compile(config)?;
    let mut wanted = cells(config);
    wanted.retain(|cell| asked_for(cell) && (look.is_about)(cell));
    if wanted.is_empty() {
        bail!("no cell that is asked for is one of {}", look.about);
    }
    let path = folders.result("scores.csv");
    let scores: Vec<ScoreRow> = csv::read_if_there(&path)?;
    let done: BTreeMap<&CellKey, bool> = scores.iter().map(|row| (&*row.cell, row.counts.is_ok())).collect();
    if let Some(cell) = wanted.iter().map(|cell| cell.key(config)).find(|key| !done.contains_key(key)) {
        let flags = &arguments.config;
        bail!("{} has no results for {cell}, which is to be looked at: first treebound run {flags}", path.display());
    }
    wanted.retain(|cell| done.get(&cell.key(config)).is_some_and(|is_ok| *is_ok));
    Ok((wanted, scores))
}
