//! Learning the weights of a training run again, with the clock running.

use serde::{Deserialize, Serialize};

use super::cell::TrainingRun;
use super::pieces::PieceError;
use super::run::Laboratory;
use treebound_parser::answer::Clock;

/// What learning took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relearnt {
    /// Training sentences.
    pub sentences: u64,
    /// Training words.
    pub words: u64,
    /// Passes over them, or steps of a descent.
    pub passes: u64,
    /// Time to learn the weights.
    pub train_ns: u64,
}

/// Learns the weights of a run, whether they are in the store or not. What comes before (tags, pruner, the baseline that it may
/// start from) is taken from there, or made before the clock starts.
///
/// # Errors
/// See [`PieceError`].
pub fn relearn(laboratory: &Laboratory, run: &TrainingRun, clock: &mut impl Clock) -> Result<Relearnt, PieceError> {
    let material = laboratory.material(run);
    let pruned = laboratory.workshop.pruned_for(material.prepared, run)?;
    let (trained, train_ns) = laboratory.workshop.trained_again(material, pruned.as_ref(), run, clock)?;
    let system = laboratory.workshop.system(run)?;
    let learnt = material.prepared.train.learnt_from(|sentence| system.learns_from(sentence));
    Ok(Relearnt { sentences: learnt.sentences, words: learnt.words, passes: trained.passes().len() as u64, train_ns })
}
