//! `treebound check`: a config and its data, and what it would run.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use super::output::{causes, print, say};
use treebound_experiment::artifacts::ArtifactBuilder;
use treebound_experiment::cell::{Cell, CellGrids, cells, training_runs};
use treebound_experiment::config::{self, Config};
use treebound_experiment::data::Treebank;
use treebound_experiment::folds;
use treebound_experiment::prepared::Prepared;
use treebound_experiment::results::CellStates;
use treebound_experiment::rows::{ScoreRow, csv};
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_parser::cell::{CellKey, Fold, Setting, Split};
use treebound_parser::model::TreeKind;
use treebound_parser::systems::System;
use treebound_records::table::SEED;

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

impl CheckArguments {
    /// For a config as it is.
    pub fn of_config(config: &Path) -> Self {
        let config = ConfigFlags { config: config.to_owned(), set: Vec::new() };
        let (out, filter) = (OutFlags::default(), FilterFlags::default());
        Self { config, out, resolved: false, cells: false, keys: false, filter }
    }
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
    let builder = ArtifactBuilder::new(&config, &store)?;
    let (mut out, kinds) = (String::new(), config.tree_kinds());
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
        for &kind in &kinds {
            Prepared::gold(treebank, kind)?;
        }
        writeln!(out, "corpus {}", treebank.corpus.name)?;
        for split in Split::PARTS {
            let part = treebank.part(split);
            if split == Split::Dev && part.sentences.is_empty() {
                continue;
            }
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
                writeln!(out, "        {place}: a tree without words was skipped")?;
            }
        }
        for shared in treebank.shared() {
            writeln!(out, "        {shared}: a parser would be judged on sentences that it knows")?;
        }
        for common in treebank.common() {
            writeln!(out, "        {common}")?;
        }
        check_folds(treebank, config.folds_of(corpus), &kinds, &mut out)?;
    }
    let mut empty = BTreeSet::new();
    for run in training_runs(&config).iter().filter(|run| config.has_graphs(&run.system)) {
        if let (Some(family), Some(templates)) = (builder.graph(run)?.family_without_templates(), run.axes.templates())
        {
            empty.insert((templates.to_string(), family.name()));
        }
    }
    for (templates, family) in empty {
        writeln!(out, "templates {templates} have none of the family {family}: sets with it are sets without it")?;
    }
    let stopped = || builder.end_commands();
    faults.extend(unless_stopped(stopped, || check_externals(&config, &builder, &mut out))?);
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
    let grids = CellGrids::new(&config);
    let usual = all.iter().filter(|cell| grids.grids(cell).iter().any(|grid| grid.default)).count();
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
        let context = ExperimentContext::open_for(config, store, |_, _| false)?;
        let CellStates { current, stale } = CellStates::of(&context, &scores);
        let (path, current, stale) = (path.display(), current.len(), stale.len());
        writeln!(out, "{path}: {current} cells as this program makes them, {stale} stale")?;
    }
    Ok(())
}

/// Says which parsers of somebody else are there, and in which versions. Returns why those that grids need which are run by
/// default are not.
fn check_externals(config: &Config, builder: &ArtifactBuilder, out: &mut String) -> Result<Vec<anyhow::Error>> {
    let mut faults = Vec::new();
    for external in builder.externals() {
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
fn check_folds(treebank: &Treebank, count: usize, kinds: &[TreeKind], out: &mut String) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    folds::check(treebank, count)?;
    for fold in Fold::all(count) {
        let cut = folds::cut(treebank, fold);
        for &kind in kinds {
            Prepared::gold(&cut, kind)?;
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
    let context = arguments.keys.then(|| ExperimentContext::open_cells(config, &store, |_| false)).transpose()?;
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let more: &[&str] = if arguments.keys { &[SEED, "grids", "key"] } else { &[SEED, "grids"] };
    let (of_cells, cells) = (CellGrids::new(config), cells(config));
    let listed: Vec<(&Cell, CellKey)> =
        cells.iter().filter(|c| wanted(c)).map(|cell| (cell, cell.key(config))).collect();
    let columns = Setting::columns(listed.iter().map(|(_, name)| &name.setting));
    writer.write_record(columns.iter().chain(more))?;
    for (cell, name) in &listed {
        let grids: Vec<&str> = of_cells.grids(cell).iter().map(|grid| grid.name.as_str()).collect();
        let key = context.as_ref().map(|context| context.cell_key(cell)).transpose()?;
        let rest = [name.seed.to_string(), grids.join(" ")].into_iter().chain(key.map(|key| key.of_row().to_string()));
        writer.write_record(columns.iter().map(|column| name.setting.spelt_in(column)).chain(rest))?;
    }
    print(&String::from_utf8(writer.into_inner()?)?)?;
    Ok(ExitCode::SUCCESS)
}
