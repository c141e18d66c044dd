//! Where results come from, written beside them: `provenance.toml`.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};

use super::filter::FilterFlags;
use crate::cell::Split;
use crate::experiment::config::{self, Config};
use crate::experiment::results::Folders;
use crate::experiment::run::Laboratory;
use crate::experiment::store::sha256;
use crate::report::csv::{self, Record};
use crate::report::provenance::{Data, Machine, Origin, Program, Provenance, Repository, command_line};
use crate::report::record::CellKey;

/// Records that `verb` was run on `config` with so many threads.
pub fn record(verb: &str, config: &Path, threads: usize, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    record_data(verb, config, threads, laboratory.config, data(laboratory), folders)
}

/// The same for a verb with data of its own.
pub fn record_data(
    verb: &str,
    path: &Path,
    threads: usize,
    config: &Config,
    data: Vec<Data>,
    folders: &Folders,
) -> Result<()> {
    Ok(now(path, threads, config, data).record(verb, &folders.result("provenance.toml"))?)
}

/// Refuses to go on if `files` have rows that a filter leaves out, and these are not of the origin that `verb` would now give
/// what it makes: they do not compare with that, so they can neither stay beside it nor be lost.
pub fn may_stay(files: &[&str], origin: Origin, verb: &str, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    if files.is_empty() || agrees(origin, verb, laboratory, folders)? { Ok(()) } else { refuse(files, origin, folders) }
}

/// The rows of a file that stay until they are replaced, cell by cell, by what `verb` makes now of the cells that are `wanted`:
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
    (origin, verb): (Origin, &str),
    laboratory: &Laboratory,
    folders: &Folders,
) -> Result<Vec<R>> {
    let mut rows: Vec<R> = csv::read_if_there(&folders.result(file))?;
    if !filter.leaves_out(laboratory.config) {
        rows.retain(|row| wanted.contains(cell(row)));
    }
    if !rows.is_empty() && !agrees(origin, verb, laboratory, folders)? {
        if rows.iter().any(|row| !wanted.contains(cell(row))) {
            refuse(&[file], origin, folders)?;
        }
        rows.clear();
    }
    Ok(rows)
}

/// Whether what `verb` left before is of the origin that it would now have.
fn agrees(origin: Origin, verb: &str, laboratory: &Laboratory, folders: &Folders) -> Result<bool> {
    let now = now(Path::new(""), 0, laboratory.config, data(laboratory));
    Ok(now.agrees(origin, verb, &folders.result("provenance.toml"))?)
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
        settings: sha256(config::settings(config).as_bytes()),
        program: Program::this(),
        source: Repository::of_this_program(),
        machine: Machine::here(),
        data,
    }
}

/// The data of an experiment.
fn data(laboratory: &Laboratory) -> Vec<Data> {
    let mut data = Vec::new();
    for treebank in &laboratory.treebanks {
        for split in Split::ALL {
            let part = treebank.part(split);
            data.push(Data {
                corpus: treebank.corpus.name.to_string(),
                split: split.name().to_owned(),
                files: part.files.len(),
                sha256: part.checksum.clone(),
            });
        }
    }
    data
}
