//! All checks of the answers of a results folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answers::{Found, Sample, answers};
use super::origins;
use crate::artifacts::ArtifactError;
use crate::config::{self, Config};
use crate::folders::{named_cache, usual_cache};
use crate::provenance::Log;
use crate::rows::{ScoreRow, SentenceRow};
use crate::run::ExperimentContext;
use crate::store::Store;
use treebound_parser::cell::CellKey;
use treebound_records::check::Check;

/// What is checked of a results folder.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The config of the results; the one that their log names if none is given.
    pub config: Option<&'a Path>,
    /// What the command line sets in it.
    pub set: &'a [String],
    /// The finished work. If none is given: what `TREEBOUND_CACHE` names, `cache` beside the folder's own, or in the working folder.
    pub cache: Option<&'a Path>,
    /// The sentences whose answers are made again; without them no tree and no model is looked at.
    pub sample: Option<Sample>,
    /// Who is told which cell is looked at.
    pub begin: &'a (dyn Fn(&CellKey) + Sync),
}

impl Verification<'_> {
    /// Checks of where rows come from, and of answers. Cells that have no rows of sentences are given those of the store.
    ///
    /// # Errors
    /// If trees, models or sentences cannot be had.
    pub fn checks(
        &self,
        log: &Log,
        scores: &[ScoreRow],
        sentences: &mut BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    ) -> Result<[Vec<Check>; 2], ArtifactError> {
        let config = self.read_config(log);
        let store = Store::new(self.store_folder());
        let context = match &config {
            // No tags are predicted for it: those that are asked for come from the store.
            Ok(config) => ExperimentContext::open_for(config, &store, |_, _| false).map_err(|e| e.to_string()),
            Err(why) => Err(why.clone()),
        };
        let mut found = Found::default();
        let mut origins = match &context {
            Ok(context) => {
                let (check, alike) = origins::alike(&self.folder.join("scores.csv"), scores, context);
                let rows = self.folder.join("sentences.csv");
                let kept = origins::kept(&rows, context, &alike, sentences);
                if let Some(sample) = self.sample {
                    found = answers(&rows, context, &alike, sentences, sample, self.begin)?;
                }
                vec![check, kept]
            }
            Err(why) => {
                let rows = sentences.values().map(|rows| rows.len() as u64).sum();
                found.leave_open(why, rows, 0);
                origins::unknown(why, scores.len() as u64, rows).into()
            }
        };
        origins.insert(0, origins::whole(self.folder, log));
        let answers = if self.sample.is_some() { found.into_checks().into() } else { Vec::new() };
        Ok([origins, answers])
    }

    /// The config of the results, or why there is none.
    fn read_config(&self, log: &Log) -> Result<Config, String> {
        let runs = log.runs.iter().filter(|entry| entry.verb == "run");
        let named: BTreeSet<&String> = runs.map(|entry| &entry.config).collect();
        let config = match (self.config, named.len()) {
            (Some(config), _) => config.to_owned(),
            (None, 1) => named.into_iter().map(PathBuf::from).collect(),
            (None, 0) => return Err("provenance.toml names no config: name it with --config".to_owned()),
            (None, _) => {
                return Err(format!("provenance.toml names several configs, {named:?}: name one with --config"));
            }
        };
        if !config.is_file() {
            return Err(format!("the config {} is not here: name it with --config", config.display()));
        }
        config::read_with(&config, self.set).map_err(|error| error.to_string())
    }

    fn store_folder(&self) -> PathBuf {
        if let Some(named) = self.cache.map(Path::to_owned).or_else(named_cache) {
            return named;
        }
        let beside = match self.folder.parent().and_then(Path::parent) {
            Some(folder) => folder.join("cache"),
            None => self.folder.join("../../cache"),
        };
        if beside.is_dir() { beside } else { usual_cache() }
    }
}
