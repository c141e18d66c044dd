//! Where results come from, written beside them: `provenance.toml`.

use std::path::Path;

use anyhow::Result;

use crate::experiment::config::Split;
use crate::experiment::results::{Folders, resolved};
use crate::experiment::run::Laboratory;
use crate::report::provenance::{Data, Machine, Program, Provenance, Repository, command_line, was_run_on};

/// Records that `verb` was run on `config` with so many threads.
pub fn record(verb: &str, config: &Path, threads: usize, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    record_data(verb, config, threads, data(laboratory), folders)
}

/// Whether what `verb` left in the results is of this program and of the laboratory's config and data.
pub fn is_of_this(verb: &str, laboratory: &Laboratory, folders: &Folders) -> Result<bool> {
    let before = std::fs::read_to_string(folders.result("config.resolved.toml"));
    let same_config = before.is_ok_and(|before| before == resolved(laboratory.config));
    let provenance = folders.result("provenance.toml");
    Ok(same_config && was_run_on(&Program::this(), &data(laboratory), verb, &provenance)?)
}

/// The data of an experiment.
fn data(laboratory: &Laboratory) -> Vec<Data> {
    let mut data = Vec::new();
    for treebank in &laboratory.treebanks {
        for split in Split::ALL {
            let part = treebank.part(split);
            data.push(Data {
                corpus: treebank.corpus.name.clone(),
                split: split.name().to_owned(),
                files: part.files.len(),
                sha256: part.checksum.clone(),
            });
        }
    }
    data
}

/// The same for a verb with data of its own.
pub fn record_data(verb: &str, config: &Path, threads: usize, data: Vec<Data>, folders: &Folders) -> Result<()> {
    let provenance = Provenance {
        command: command_line(std::env::args_os().map(|argument| argument.to_string_lossy().into_owned())),
        config: config.display().to_string(),
        threads,
        program: Program::this(),
        source: Repository::of_this_program(),
        machine: Machine::here(),
        data,
    };
    Ok(provenance.record(verb, &folders.result("provenance.toml"))?)
}
