//! Sights as scoring sees them: still learnt, or fixed.

use super::table::Table;
use crate::weights::fixed;

/// Sights to score with.
pub type Weights<'a> = fixed::Weights<'a, Table>;

/// Sights that change no more.
pub type FixedWeights = fixed::FixedWeights<Table>;
