//! The one filter of all verbs that look at cells.

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cell::CellKey;
use crate::experiment::cell::{Cell, cells};
use crate::experiment::config::Config;

#[derive(Args)]
pub struct FilterFlags {
    /// Only cells whose name (corpus/split/tags/system/templates/learner/features/pruning/decoding/seed=N) matches this regular expression
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

    /// Says that no cell matches.
    pub fn no_match(&self) -> String {
        let filter = self.filter.as_deref().unwrap_or_default();
        format!("--filter {filter}: no cell of the config matches; treebound list shows them")
    }
}
