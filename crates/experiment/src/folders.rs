//! The folders of an experiment: `results/NAME/` and `figures/NAME/`, below the working folder or `--out`, and the cache, which is
//! one for all experiments of a working folder.

use std::path::{Path, PathBuf};

use super::config::Config;

/// The folders of one experiment.
#[derive(Clone, Debug)]
pub struct Folders {
    /// Tables and records.
    pub results: PathBuf,
    /// Figures.
    pub figures: PathBuf,
    /// Finished artifacts, shared by all experiments.
    pub cache: PathBuf,
}

impl Folders {
    /// The folders of `config`: results and figures below `out`, or the working folder if there is none; the cache where it
    /// is [if nothing is said](usual_cache).
    pub fn new(config: &Config, out: Option<&Path>) -> Self {
        let out = out.unwrap_or(Path::new(""));
        Self {
            results: out.join("results").join(&config.name),
            figures: out.join("figures").join(&config.name),
            cache: usual_cache(),
        }
    }

    /// A file among the results.
    pub fn result(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }
}

/// The variable of the environment that names the cache.
pub const CACHE_VARIABLE: &str = "TREEBOUND_CACHE";

/// The cache where no flag names one: the folder that `TREEBOUND_CACHE` names, else `cache` in the working folder.
pub fn usual_cache() -> PathBuf {
    named_cache().unwrap_or_else(|| PathBuf::from("cache"))
}

/// The folder that `TREEBOUND_CACHE` names, if it names one.
pub fn named_cache() -> Option<PathBuf> {
    std::env::var_os(CACHE_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}
