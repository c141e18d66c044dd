//! The expensive pieces of an experiment (pruners, models, parsed cells), each made once and kept in the store.

mod cell;
mod error;
mod model;
mod pruner;

use std::collections::BTreeMap;

use super::cell::TrainingRun;
use super::config::{Config, Schedule};
use super::data::Treebank;
use super::prepared::{PredictedTags, Prepared};
use super::store::{Key, Store};
use crate::bytes::Damaged;
use crate::cell::{FeatureSet, Tags, TemplatesName};
use crate::decode::Backbone;
use crate::features::TemplateSet;
use crate::features::template::TemplateError;
use crate::tagger;

pub(super) use cell::search;
pub use error::PieceError;
pub use model::{EpochRecord, Trained};
pub use pruner::Pruned;

/// Makes pieces, or takes them from the store.
#[derive(Debug)]
pub struct Workshop<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// Where finished pieces are kept.
    pub store: &'a Store,
    /// Templates of the parsers.
    pub templates: BTreeMap<TemplatesName, TemplateSet>,
    /// Templates of the pruner.
    pub pruner_templates: TemplateSet,
}

/// What a training run of the factor graph is made of.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// Its templates.
    pub templates: &'a TemplateSet,
    /// How it learns.
    pub schedule: &'a Schedule,
    /// Its families.
    pub set: &'a FeatureSet,
    /// The dynamic program.
    pub backbone: Backbone,
}

impl<'a> Workshop<'a> {
    /// A corpus with the tags that the parser is to see.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn prepared(&self, treebank: &Treebank, tags: Tags) -> Result<Prepared, PieceError> {
        if tags == Tags::Gold {
            return Ok(Prepared::gold(treebank)?);
        }
        let tagging = self.config.tagger;
        let key = Key::new(
            "tagger",
            &[
                ("data", &treebank.train.checksum),
                ("epochs", &tagging.epochs),
                ("folds", &tagging.folds),
                ("seed", &tagging.seed),
            ],
        );
        let decode = |bytes: &[u8]| PredictedTags::decode(bytes, &treebank.train);
        let predicted = self.piece(&key, decode, || {
            let schedule = tagger::Schedule { epochs: tagging.epochs, seed: tagging.seed };
            let predicted = PredictedTags::train(&treebank.train, tagging.folds, schedule);
            Ok(predicted.map_err(|e| PieceError::Tagger(treebank.corpus.name.to_string(), e))?.encode())
        })?;
        Ok(Prepared::predicted(treebank, predicted, &key.to_string())?)
    }

    /// For an experiment.
    ///
    /// # Errors
    /// If a template set cannot be read.
    pub fn new(config: &'a Config, store: &'a Store) -> Result<Self, TemplateError> {
        let read = |(name, source): (&TemplatesName, &super::config::TemplatesSource)| {
            Ok((name.clone(), source.read(&config.base)?))
        };
        let templates = config.templates.iter().map(read).collect::<Result<_, TemplateError>>()?;
        let pruner_templates = config.pruner.templates.read(&config.base)?;
        Ok(Self { config, store, templates, pruner_templates })
    }

    /// What a run is made of.
    ///
    /// # Errors
    /// If it is not of the factor graph.
    pub fn made<'m>(&'m self, run: &'m TrainingRun) -> Result<Made<'m>, PieceError> {
        let templates = run.templates.as_ref().and_then(|name| self.templates.get(name));
        let schedule = run.learner.as_ref().and_then(|learner| self.config.learners.get(learner));
        match (templates, schedule, &run.set, run.backbone) {
            (Some(templates), Some(schedule), Some(set), Some(backbone)) => {
                Ok(Made { templates, schedule, set, backbone })
            }
            _ => Err(PieceError::System(run.system.to_string())),
        }
    }

    /// A piece from the store; made and stored if it is not there, or does not decode.
    fn piece<T>(
        &self,
        key: &Key,
        decode: impl Fn(&[u8]) -> Result<T, Damaged>,
        make: impl FnOnce() -> Result<Vec<u8>, PieceError>,
    ) -> Result<T, PieceError> {
        if let Some(Ok(piece)) = self.store.get(key).map(|bytes| decode(&bytes)) {
            return Ok(piece);
        }
        let bytes = make()?;
        self.store.put(key, &bytes);
        decode(&bytes).map_err(|source| PieceError::Unreadable { piece: key.to_string(), source })
    }
}
