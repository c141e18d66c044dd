//! What is learnt, and how.

use serde::Serialize;

use super::TemplatesSource;

/// The tagger. It is trained once for all seeds of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tagging {
    /// Passes over the training part.
    pub epochs: usize,
    /// Folds by which the training part is tagged.
    pub folds: usize,
    /// Of the shuffles.
    pub seed: u64,
}

/// The pruner: how it learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pruner {
    /// Template set.
    pub templates: TemplatesSource,
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass.
    pub rate: f64,
}
