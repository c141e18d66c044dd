//! The folders of an experiment: `results/NAME/` and `figures/NAME/`, below the working folder or `--out`.

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
    /// The folders of `config` below `out`; the working folder if there is none.
    pub fn new(config: &Config, out: Option<&Path>) -> Self {
        let out = out.unwrap_or(Path::new(""));
        Self {
            results: out.join("results").join(&config.name),
            figures: out.join("figures").join(&config.name),
            cache: out.join("cache"),
        }
    }

    /// A file among the results.
    pub fn result(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }
}
