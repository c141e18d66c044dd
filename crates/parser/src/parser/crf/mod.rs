//! Conditional random fields over projective trees (Ma & Zhao 2012): weights that make the right trees of the training part
//! probable, where a tree is drawn in proportion to the exponential of its score.
//!
//! * `rows`: what every part of every sentence sees, looked up once.
//! * `kernel`: the metric of the space of features.
//! * [`objective`]: the likelihood and its gradient, by sums over all trees.
//! * [`lbfgs`]: the way down.
//! * [`stochastic`]: another way down, a batch of sentences at a time.
//!
//! At the end weights become whole numbers, so that exact search and all decoders work on them; what that costs in
//! likelihood is told.

mod kernel;
pub mod lbfgs;
pub mod objective;
mod rows;
mod scored;
pub mod stochastic;
mod task;

pub use task::{Features, Task};

use thiserror::Error;

use self::lbfgs::{End, Failure, Objective, Step};
use self::objective::Likelihood;
use crate::features::Bundles;
use crate::parser::online::Example;
use crate::weights::sights::Entry;
use treebound_core::decode::Backbone;
use treebound_core::graph::SpaceError;

/// A weight of 1 in the model.
pub const UNIT: i64 = 1 << 16;

/// What was learnt.
#[derive(Debug)]
pub struct Field {
    /// The sights that weigh something, and those that guard others; sorted.
    pub entries: Vec<Entry>,
    /// Why the descent ended.
    pub end: End,
    /// The objective of the weights as whole numbers.
    pub value_of_whole_numbers: f64,
}

/// Why nothing was learnt.
#[derive(Debug, Error)]
pub enum CrfError {
    /// An example's arcs are no arc space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The descent failed.
    #[error(transparent)]
    Descent(#[from] Failure),
    /// The weights of a model are stored in 32 bits.
    #[error("a weight of the CRF comes to {0}, which is too large to be stored; make `c` smaller")]
    Overflow(f64),
}

/// Learns from `examples`; `log` is told of each step.
///
/// # Errors
/// See [`CrfError`].
pub fn learn(
    bundles: &Bundles,
    backbone: Backbone,
    examples: &[Example],
    task: Task,
    log: impl FnMut(Step),
) -> Result<Field, CrfError> {
    let (mut likelihood, known) = Likelihood::of(bundles, backbone, examples, task)?;
    let mut x = vec![0.0; likelihood.dimensions()];
    let end = lbfgs::minimise(&mut likelihood, &mut x, task.descent, log)?;
    let unit = UNIT as f64;
    let mut entries = Vec::new();
    for (x, known) in x.iter_mut().zip(&known) {
        let weight = (*x * unit).round();
        *x = weight / unit;
        if weight.abs() > f64::from(i32::MAX) {
            return Err(CrfError::Overflow(*x));
        }
        if weight != 0.0 || known.guards {
            entries.push(Entry { sight: known.sight, weight: weight as i32 });
        }
    }
    let (mut gradient, mut scratch) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let value_of_whole_numbers = likelihood.value(&x, &mut gradient, &mut scratch);
    entries.sort_unstable();
    Ok(Field { entries, end, value_of_whole_numbers })
}
