//! Artifacts as the store has them, for whoever looks and must make nothing.

use super::{ArtifactBuilder, ArtifactError, DatasetView};
use crate::cell::TrainingRun;
use crate::data::Treebank;
use crate::parsed;
use crate::prepared::Prepared;
use crate::rows::SentenceRow;
use crate::store::Key;
use treebound_core::graph::Word;
use treebound_parser::cell::{CellKey, Tags};
use treebound_parser::model::TreeKind;
use treebound_parser::systems::{Pruned, Trained};

impl ArtifactBuilder<'_> {
    /// The rows of a cell, or of a fold of it, that are kept under a key.
    pub fn stored_rows(&self, key: &Key, cell: &CellKey) -> Option<Vec<SentenceRow>> {
        parsed::decode_rows(&self.store.get(key)?, cell).ok()
    }

    /// The heads of the words of a cell, or of a fold of it, whose rows are kept under a key.
    pub fn stored_trees(&self, rows: &Key) -> Option<Vec<Vec<Word>>> {
        parsed::decode_trees(&self.store.get(&Self::trees_key(rows))?).ok()
    }

    /// A corpus with the tags that the parser is to see, unless they would have to be predicted now.
    ///
    /// # Errors
    /// If nothing is left to learn from.
    pub fn stored_prepared(
        &self,
        treebank: &Treebank,
        tags: Tags,
        kind: TreeKind,
    ) -> Result<Option<Prepared>, ArtifactError> {
        let is_there = tags == Tags::Gold || self.store.get(&self.tags_key(&treebank.checksums())).is_some();
        is_there.then(|| self.prepared(treebank, tags, kind)).transpose()
    }

    /// The pruner of a run, if the run has one and the store has it.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn stored_pruned(&self, prepared: &Prepared, run: &TrainingRun) -> Result<Option<Pruned>, ArtifactError> {
        let Some(rule) = self.training_pruning(run) else { return Ok(None) };
        let is_there = self.store.get(&self.pruner_key(&prepared.checksum, rule, run.seed)).is_some();
        is_there.then(|| self.pruned(prepared, rule, run.seed)).transpose()
    }

    /// The trained parser of a run, if the store has it.
    ///
    /// # Errors
    /// If the run lacks what its system needs.
    pub fn stored_trained(
        &self,
        dataset: DatasetView,
        pruned: Option<&Pruned>,
        run: &TrainingRun,
    ) -> Result<Option<Box<dyn Trained>>, ArtifactError> {
        let system = self.system(run)?;
        let key = self.model_key(&*system, dataset.decisive(), run)?;
        let labeller = self.labeller_key(&dataset.prepared.checksum, run);
        let reranker = self.reranker_key(dataset.decisive(), run)?;
        let more: Vec<&Key> = labeller.iter().chain(&reranker).collect();
        let Some(pruned) = pruned.filter(|_| !more.is_empty()) else {
            return Ok(self.kept(&key, |from| system.load(from)));
        };
        let graph = self.graph(run)?;
        let are_there = more.into_iter().all(|key| self.store.get(key).is_some());
        let stored = self.kept(&key, |from| graph.read(from)).filter(|_| are_there);
        let Some(model) = stored else { return Ok(None) };
        Ok(Some(Box::new(self.completed(model, dataset, pruned, run)?)))
    }
}
