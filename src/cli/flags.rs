//! What several verbs have in common: flags, threads, and how they end.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::output::say;
use crate::experiment::config::{self, Config};
use crate::experiment::folders::Folders;
use crate::experiment::store::Store;

/// Threads a core beyond which starting them takes longer than their work.
const MOST_THREADS_A_CORE: usize = 64;

/// Runs `work` on `jobs` threads, or on one a core.
pub fn with_threads<T: Send>(jobs: Option<usize>, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(jobs) = jobs {
        if jobs == 0 {
            bail!("-j 0: at least one thread is needed");
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = cores * MOST_THREADS_A_CORE;
        if jobs > most {
            bail!("-j {jobs}: more than {most} threads gain nothing on {cores} cores");
        }
        pool = pool.num_threads(jobs);
    }
    pool.build().context("cannot start the threads; ask for fewer with -j")?.install(work)
}

/// Success, unless finished work could not be kept for later.
pub fn unless_unkept(store: &Store) -> ExitCode {
    let Some(failure) = store.failure() else { return ExitCode::SUCCESS };
    say!("treebound: {failure}; what was made is whole, but will have to be made again");
    ExitCode::FAILURE
}

/// The config of a verb.
#[derive(Clone, clap::Args)]
pub struct ConfigFlags {
    /// The config
    pub config: PathBuf,
    /// Set a value of the config for this time, such as training.epochs=2 or grid.main.seeds=[1]; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl ConfigFlags {
    /// Reads it.
    pub fn read(&self) -> Result<Config> {
        Ok(config::read_with(&self.config, &self.set)?)
    }
}

/// As on the command line.
impl std::fmt::Display for ConfigFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.config.display())?;
        self.set.iter().try_for_each(|set| write!(f, " --set {set}"))
    }
}

/// Flags that say where an experiment's files go.
#[derive(clap::Args)]
pub struct OutFlags {
    /// Put results, figures and cache below this folder instead of the working folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl OutFlags {
    pub fn folders(&self, config: &Config) -> Folders {
        Folders::new(config, self.out.as_deref())
    }
}
