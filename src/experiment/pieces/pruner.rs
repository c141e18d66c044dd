//! Pruners.

use super::{PieceError, Workshop};
use crate::bytes::{BytesReader, BytesWriter};
use crate::experiment::data::TrainingPart;
use crate::experiment::prepared::Prepared;
use crate::experiment::store::Key;
use crate::pruning::{self, Candidates, Pruner, Rule, Schedule};

/// A pruner, and the arcs that it keeps in the training part, gold arcs included.
#[derive(Debug)]
pub struct Pruned {
    /// The pruner.
    pub pruner: Pruner,
    /// By training sentence.
    pub kept: Vec<Candidates>,
}

impl Workshop<'_> {
    pub(super) fn pruner_key(&self, prepared: &Prepared, rule: Rule, seed: u64) -> Key {
        let pruning = &self.config.pruner;
        Key::new(
            "pruner",
            &[
                ("data", &prepared.checksum),
                ("templates", &self.pruner_templates),
                ("epochs", &pruning.epochs),
                ("rate", &pruning.rate),
                ("rule", &rule),
                ("seed", &seed),
            ],
        )
    }

    /// The pruner of a seed, and the training part pruned by a rule.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn pruned(&self, prepared: &Prepared, rule: Rule, seed: u64) -> Result<Pruned, PieceError> {
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let pruner = Pruner::decode(self.pruner_templates.clone(), &mut from)?;
            let mut kept = Vec::with_capacity(prepared.train.sentences.len());
            for _ in &prepared.train.sentences {
                kept.push(Candidates::decode(&mut from)?);
            }
            from.end()?;
            Ok(Pruned { pruner, kept })
        };
        self.piece(&self.pruner_key(prepared, rule, seed), decode, || {
            let TrainingPart { sentences, trees, .. } = &prepared.train;
            let pairs: Vec<_> = sentences.iter().zip(trees).collect();
            let pruning = &self.config.pruner;
            let schedule = Schedule { epochs: pruning.epochs, rate: pruning.rate as f32, seed };
            let (pruner, kept) =
                pruning::train(&self.pruner_templates, &pairs, schedule, rule).map_err(PieceError::Memory)?;
            let mut out = BytesWriter::default();
            pruner.encode(&mut out);
            kept.iter().for_each(|candidates| candidates.encode(&mut out));
            Ok(out.into_bytes())
        })
    }
}
