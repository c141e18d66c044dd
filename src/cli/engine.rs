//! Flags of engines, and what their jobs type.

use anyhow::{Context, Result};

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, PlaceFlags};
use treebound_experiment::config::Config;
use treebound_experiment::engine::slurm::Commands;
use treebound_experiment::folders::Folders;
use treebound_experiment::provenance::{own_command_line, shell_word};

/// Where artifacts are made.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum EngineName {
    /// On this machine.
    Local,
    /// By a cluster that runs Slurm.
    Slurm,
}

/// What the jobs of a cluster type. They say where the cache is, since not all clusters hand on the environment.
pub fn commands(
    config: &Config,
    (flags, place, filter): (&ConfigFlags, &PlaceFlags, &FilterFlags),
    folders: &Folders,
) -> Result<Commands> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let [program, cache] = [&program, &folders.cache].map(|path| shell_word(&path.to_string_lossy()));
    let places = format!("{flags}{} --cache {cache}", place.out);
    Ok(Commands {
        artifact: format!("{program} run {places} --quiet"),
        collate: format!("{program} collate {places}{filter} --wait --quiet --jobs {}", config.engine.threads),
        own: own_command_line(),
    })
}
