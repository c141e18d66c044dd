//! Sums of parts while they are scored.

use super::query::Sum;

/// By part: its sums, and the bits of the guards that found something.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums<S> {
    pub sums: Vec<S>,
    pub found: Vec<u64>,
}

impl<S: Sum> Sums<S> {
    /// All 0, for so many parts.
    pub fn reset(&mut self, parts: usize) {
        self.sums.clear();
        self.sums.resize(parts, S::default());
        self.found.clear();
        self.found.resize(parts, 0);
    }
}

/// The sums of all parts at hand, and of some of them.
#[derive(Clone, Debug, Default)]
pub(super) struct AllSums<S> {
    pub of_parts: Sums<S>,
    /// Of those that are not known yet.
    pub missing: Sums<S>,
    /// Of one part of each sort.
    pub distinct: Sums<S>,
}
