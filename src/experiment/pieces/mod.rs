//! The expensive pieces of an experiment (pruners, models, parsed cells), each made once and kept in the store.

mod cell;
mod error;
mod model;
mod pruner;

use super::config::{Config, Tags};
use super::data::Treebank;
use super::prepared::{PredictedTags, Prepared};
use super::store::{Key, Store};
use crate::bytes::Damaged;
use crate::features::TemplateSet;
use crate::features::template::TemplateError;
use crate::tagger::Schedule;

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
    /// Templates of the parser.
    pub templates: TemplateSet,
    /// Templates of the pruner.
    pub pruner_templates: TemplateSet,
}

/// The template set that a config names: a built-in one, or a file beside the config.
///
/// # Errors
/// If it cannot be read.
pub fn template_set(config: &Config, name: &str) -> Result<TemplateSet, TemplateError> {
    TemplateSet::built_in(name).unwrap_or_else(|| TemplateSet::read(&config.base.join(name)))
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
            let schedule = Schedule { epochs: tagging.epochs, seed: tagging.seed };
            let predicted = PredictedTags::train(&treebank.train, tagging.folds, schedule);
            Ok(predicted.map_err(|e| PieceError::Tagger(treebank.corpus.name.clone(), e))?.encode())
        })?;
        Ok(Prepared::predicted(treebank, predicted, &key.to_string())?)
    }

    /// For an experiment.
    ///
    /// # Errors
    /// If a template set cannot be read.
    pub fn new(config: &'a Config, store: &'a Store) -> Result<Self, TemplateError> {
        let templates = template_set(config, &config.training.templates)?;
        let pruner_templates = template_set(config, &config.pruning.templates)?;
        Ok(Self { config, store, templates, pruner_templates })
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
