//! The one filter of all verbs that look at cells.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::experiment::cell::{Cell, cells};
use crate::experiment::config::Config;
use crate::report::csv::{self, Record};
use crate::report::record::CellKey;

#[derive(Args)]
pub struct FilterFlags {
    /// Only cells whose name (corpus/split/tags/trainer/features/prune/backbone/decoder/seed=N) matches this regular expression
    #[arg(short, long, value_name = "REGEX")]
    filter: Option<String>,
}

impl FilterFlags {
    /// Whether a filter was given.
    pub fn is_given(&self) -> bool {
        self.filter.is_some()
    }

    /// Tells which cells are wanted, by key.
    pub fn keys(&self) -> Result<impl Fn(&CellKey) -> bool + Sync + use<>> {
        let regex = match &self.filter {
            Some(text) => Some(regex_lite::Regex::new(text).with_context(|| format!("--filter {text}"))?),
            None => None,
        };
        Ok(move |key: &CellKey| regex.as_ref().is_none_or(|r| r.is_match(&key.to_string())))
    }

    /// Tells which cells of a config are wanted; some are.
    pub fn compile(&self, config: &Config) -> Result<impl Fn(&Cell) -> bool + Sync> {
        let wanted = self.keys()?;
        if self.is_given() && !cells(config).iter().any(|cell| wanted(&cell.key(config))) {
            bail!(self.no_match());
        }
        Ok(move |cell: &Cell| wanted(&cell.key(config)))
    }

    /// The rows of a file of the results whose cells it leaves out; none if there is no filter, for then nothing is left out. It
    /// chooses what to do, not what to forget.
    pub fn others<R: Record>(&self, path: &Path, cell: impl Fn(&R) -> &CellKey) -> Result<Vec<R>> {
        if !self.is_given() {
            return Ok(Vec::new());
        }
        let is_wanted = self.keys()?;
        let mut others: Vec<R> = csv::read_if_there(path)?;
        others.retain(|row| !is_wanted(cell(row)));
        Ok(others)
    }

    /// Says that no cell matches.
    pub fn no_match(&self) -> String {
        let filter = self.filter.as_deref().unwrap_or_default();
        format!("--filter {filter}: no cell of the config matches; treebound list shows them")
    }
}
