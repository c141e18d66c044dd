//! Where results come from, written beside them: `provenance.toml`.

use std::path::Path;

use anyhow::Result;

use crate::experiment::config::Split;
use crate::experiment::results::Folders;
use crate::experiment::run::Laboratory;
use crate::report::provenance::{Data, Machine, Program, Provenance, Repository, command_line};

/// Records that `verb` was run on `config` with so many threads.
pub fn record(verb: &str, config: &Path, threads: usize, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
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
    record_data(verb, config, threads, data, folders)
}

/// The same for a verb with data of its own.
pub fn record_data(verb: &str, config: &Path, threads: usize, data: Vec<Data>, folders: &Folders) -> Result<()> {
    let provenance = Provenance {
        command: command_line(std::env::args()),
        config: config.display().to_string(),
        threads,
        program: Program::this(),
        source: Repository::of_this_program(),
        machine: Machine::here(),
        data,
    };
    Ok(provenance.record(verb, &folders.result("provenance.toml"))?)
}
