//! Weights as scoring sees them: still learnt, or fixed, with a cache of the sums that were made of them.

use super::table::Table;
use crate::weights::cache::SumCache;

/// Weights to score with.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    /// The weights.
    pub table: &'a Table,
    /// Sums of these very weights; none if they still change.
    pub cache: Option<&'a SumCache>,
}

impl<'a> Weights<'a> {
    /// Weights that are still learnt.
    pub fn changing(table: &'a Table) -> Self {
        Self { table, cache: None }
    }
}

/// Weights that change no more, with the sums that were made of them.
#[derive(Debug)]
pub struct FixedWeights {
    table: Table,
    cache: SumCache,
}

impl FixedWeights {
    /// The weights of a table.
    pub fn new(table: Table) -> Self {
        Self { table, cache: SumCache::default() }
    }

    /// To score with.
    #[inline(always)]
    pub fn get(&self) -> Weights<'_> {
        Weights { table: &self.table, cache: Some(&self.cache) }
    }
}
