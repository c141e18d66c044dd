//! `treebound measure ablation`, `treebound measure budget`: what the search's ideas are worth, and what exactness buys.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cli::experiment::{log, open};
use crate::cli::flags::{WorkArguments, store, unless_unkept};
use crate::cli::output::{print, say};
use treebound_core::decode::bnb::Limits;
use treebound_experiment::cell::{Cell, cells, grids_of, usual_cells};
use treebound_experiment::results::standing_measurements;
use treebound_experiment::search::{Way, ablation, budgets, trial};
use treebound_experiment::stop::unless_stopped;
use treebound_parser::cell::CellKey;
use treebound_records::schema;
use treebound_records::{ScoreRow, SearchRow, csv};
use treebound_report::frame::Frame;
use treebound_report::tables;

/// An experiment on the search: its verb, which is also the name of its results, and what a row stands for.
struct Experiment {
    verb: &'static str,
    file: &'static str,
    row: &'static str,
}

pub fn ablate(arguments: &WorkArguments) -> Result<ExitCode> {
    run(arguments, &Experiment { verb: "ablation", file: "search.csv", row: "search" }, ablation)
}

pub fn budget(arguments: &WorkArguments) -> Result<ExitCode> {
    run(arguments, &Experiment { verb: "budget", file: "budget.csv", row: "DP calls\nat most" }, budgets)
}

fn run(arguments: &WorkArguments, experiment: &Experiment, ways: fn(Limits) -> Vec<Way>) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile(&config)?;
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let rows = arguments.jobs.install(|| {
        let usual = usual_cells(&config);
        // Cells of several searches have the same graphs.
        let first =
            |cell: &Cell| grids_of(&config, cell).iter().any(|grid| grid.decoders.first() == cell.decoder.as_ref());
        let searched = |cell: &Cell| cell.decoder.is_some_and(|decoder| decoder.is_search()) && first(cell);
        let asked_for = |cell: &Cell| wanted(cell) && (arguments.filter.is_given() || usual.contains(cell));
        let wanted = |cell: &Cell| searched(cell) && asked_for(cell);
        let laboratory = open(&config, &store, wanted)?;
        if !cells(&config).iter().any(&wanted) {
            bail!("no cell that is asked for has non-local features: there is no search to look at");
        }
        let file = folders.result(experiment.file);
        let decoded: Vec<Cell> = cells(&config).into_iter().filter(|cell| wanted(cell)).collect();
        let mut log = log(experiment.verb, &arguments.config.config, &laboratory, &folders, decoded.iter())?;
        let scores: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv"))?;
        let all = csv::read_if_there(&file)?;
        let mut all = standing_measurements(all, |row: &SearchRow| (&row.cell, row.key), &scores, &laboratory);
        let begin = |key: &CellKey| {
            if !arguments.quiet {
                say!("decoding {key}");
            }
        };
        let mut rows = Vec::new();
        let mut keep = |of_cell: Vec<SearchRow>| {
            let of_these: BTreeSet<CellKey> = of_cell.iter().map(|row| CellKey::clone(&row.cell)).collect();
            all.retain(|row| !of_these.contains(&row.cell));
            all.extend_from_slice(&of_cell);
            rows.extend(of_cell);
            // Whoever stops a long trial keeps what is done.
            log.record(rows.len() as u64)?;
            Ok::<_, anyhow::Error>(csv::write(&file, &all)?)
        };
        let stopped = || say!("treebound: stopped; the cells that are decoded are in {}", file.display());
        unless_stopped(stopped, || trial(&laboratory, ways, wanted, begin, &mut keep))?;
        Ok(rows)
    })?;
    print(&tables::search::ways(&Frame::of(&rows, &schema::SEARCH)?, experiment.row)?.text())?;
    Ok(unless_unkept(&store))
}
