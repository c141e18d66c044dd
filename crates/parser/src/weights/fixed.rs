//! Weights as scoring sees them: still learnt, or fixed, with a cache of the sums that were made of them.

use super::cache::SumCache;

/// Weights to score with.
#[derive(Debug)]
pub struct Weights<'a, Table> {
    /// The weights.
    pub table: &'a Table,
    /// Sums of these very weights; none if they still change.
    pub cache: Option<&'a SumCache>,
}

impl<Table> Clone for Weights<'_, Table> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Table> Copy for Weights<'_, Table> {}

impl<'a, Table> Weights<'a, Table> {
    /// Weights that are still learnt.
    pub fn changing(table: &'a Table) -> Self {
        Self { table, cache: None }
    }
}

/// Weights that change no more, with the sums that were made of them.
#[derive(Debug)]
pub struct FixedWeights<Table> {
    table: Table,
    cache: SumCache,
}

impl<Table> FixedWeights<Table> {
    /// The weights of a table.
    pub fn new(table: Table) -> Self {
        Self { table, cache: SumCache::default() }
    }

    /// The table.
    pub fn into_table(self) -> Table {
        self.table
    }

    /// To score with.
    #[inline(always)]
    pub fn get(&self) -> Weights<'_, Table> {
        Weights { table: &self.table, cache: Some(&self.cache) }
    }
}
