//! Where results come from, written beside them: `provenance.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};

use super::filter::FilterFlags;
use crate::cell::CellKey;
use crate::experiment::config::{Config, Split};
use crate::experiment::results::{Folders, resolved};
use crate::experiment::run::Laboratory;
use crate::experiment::store::{SOURCES, sha256};
use crate::provenance::{Data, Machine, Origin, Program, Provenance, Repository, command_line};
use crate::records::csv::{self, Record};

/// A verb, and the grid of the experiment that it works on if it knows grids.
pub type Made<'a> = (&'a str, Option<&'a str>);

/// The grid of an experiment that has one.
pub const GRID: Option<&str> = Some("main");

/// Records that a verb was run on `config` with so many threads.
pub fn record(made: Made, config: &Path, threads: usize, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    record_data(made, config, threads, laboratory.config, data(laboratory), folders)
}

/// The same for a verb with data of its own.
pub fn record_data(
    (verb, grid): Made,
    path: &Path,
    threads: usize,
    config: &Config,
    data: Vec<Data>,
    folders: &Folders,
) -> Result<()> {
    Ok(now(path, threads, config, data).record(verb, grid, &folders.result("provenance.toml"))?)
}

/// Refuses to go on if `files` have rows that a filter leaves out, and these are not of the origin that the verb would now give
/// what it makes: they do not compare with that, so they can neither stay beside it nor be lost.
pub fn may_stay(files: &[&str], origin: Origin, made: Made, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    if files.is_empty() || agrees(origin, made, laboratory, folders)? { Ok(()) } else { refuse(files, origin, folders) }
}

/// The rows of a file that stay until they are replaced, cell by cell, by what the verb makes now of the cells that are `wanted`:
/// those of cells that a filter leaves out, and those of wanted cells, so that who stops a long verb has lost nothing.
/// Rows of another origin do not compare with what is made now: if a filter leaves some out, nothing is done; else they go.
///
/// # Errors
/// If rows can neither stay nor go, or a file cannot be read.
pub fn standing<R: Record>(
    file: &str,
    cell: impl Fn(&R) -> &CellKey,
    wanted: &BTreeSet<CellKey>,
    filter: &FilterFlags,
    (origin, made): (Origin, Made),
    laboratory: &Laboratory,
    folders: &Folders,
) -> Result<Vec<R>> {
    let mut rows: Vec<R> = csv::read_if_there(&folders.result(file))?;
    if !filter.is_given() {
        rows.retain(|row| wanted.contains(cell(row)));
    }
    if !rows.is_empty() && !agrees(origin, made, laboratory, folders)? {
        if rows.iter().any(|row| !wanted.contains(cell(row))) {
            refuse(&[file], origin, folders)?;
        }
        rows.clear();
    }
    Ok(rows)
}

/// Whether what a verb left before is of the origin that it would now have.
fn agrees(origin: Origin, (verb, grid): Made, laboratory: &Laboratory, folders: &Folders) -> Result<bool> {
    let now = now(Path::new(""), 0, laboratory.config, data(laboratory));
    Ok(now.agrees(origin, verb, grid, &folders.result("provenance.toml"))?)
}

fn refuse(files: &[&str], origin: Origin, folders: &Folders) -> Result<()> {
    let another = match origin {
        Origin::Work => "program, config or treebank",
        Origin::Measurement => "program or machine",
    };
    bail!(
        "{}: {} has rows that the filter leaves out, and that another {another} made: they do not compare with what would be \
         made now. Do without the filter, or use --out DIR to put what is made elsewhere, or remove what is named here",
        folders.results.display(),
        files.join(", ")
    )
}

fn now(path: &Path, threads: usize, config: &Config, data: Vec<Data>) -> Provenance {
    Provenance {
        command: command_line(std::env::args_os().map(|argument| argument.to_string_lossy().into_owned())),
        config: path.display().to_string(),
        threads,
        settings: sha256(resolved(config).as_bytes()),
        program: Program::this(versions()),
        source: Repository::of_this_program(),
        machine: Machine::here(),
        data,
    }
}

/// The versions of the pieces that this program makes.
fn versions() -> BTreeMap<String, u32> {
    let sources = SOURCES.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0);
    BTreeMap::from([("sources".to_owned(), sources)])
}

/// All that decides an experiment and is no setting, by its content.
fn data(laboratory: &Laboratory) -> Vec<Data> {
    let mut data = Vec::new();
    for treebank in &laboratory.treebanks {
        for split in Split::ALL {
            data.push(Data {
                what: "treebank".to_owned(),
                name: format!("{}/{}", treebank.corpus.name, split.name()),
                sha256: treebank.part(split).checksum.clone(),
            });
        }
    }
    let (config, workshop) = (laboratory.config, &laboratory.workshop);
    for (what, name, templates) in [
        ("templates", &config.training.templates, &workshop.templates),
        ("templates of the pruner", &config.pruning.templates, &workshop.pruner_templates),
    ] {
        // The templates themselves, with their patterns: a file may hold others tomorrow.
        let sha256 = sha256(templates.to_string().as_bytes());
        data.push(Data { what: what.to_owned(), name: name.clone(), sha256 });
    }
    data
}
