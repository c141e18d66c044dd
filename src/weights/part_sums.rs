//! Sums by part, before they are added to the parts' targets.

use super::scorer::Scores;

/// Sums of so many parts: of their kind, and of its twin, if these are wanted.
#[derive(Clone, Debug, Default)]
pub struct PartSums {
    own: Vec<i64>,
    twin: Vec<i64>,
}

impl PartSums {
    /// All 0, for so many parts.
    pub fn reset(&mut self, parts: usize, with_twin: bool) {
        self.own.clear();
        self.own.resize(parts, 0);
        self.twin.clear();
        self.twin.resize(if with_twin { parts } else { 0 }, 0);
    }

    /// To be added to, targets being the numbers of the parts.
    pub fn scores(&mut self) -> Scores<'_> {
        Scores { own: &mut self.own, twin: &mut self.twin }
    }

    /// The sums of a part.
    #[inline(always)]
    pub fn get(&self, part: usize) -> [i64; 2] {
        [self.own[part], self.twin.get(part).copied().unwrap_or(0)]
    }
}
