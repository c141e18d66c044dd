//! Non-local factors: sets of arcs with one score that counts when the tree has all of them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::space::ArcId;
use crate::tree::index;

index!(
    /// A non-local factor of a [`FactorGraph`](super::FactorGraph).
    FactorId
);

/// The factors of a graph, as a struct of arrays: the arcs of all factors lie in one array.
#[derive(Clone, Debug)]
pub struct Factors {
    /// `len + 1` entries.
    start: Vec<u32>,
    arcs: Vec<ArcId>,
    score: Vec<i64>,
}

impl Default for Factors {
    fn default() -> Self {
        Self { start: vec![0], arcs: Vec::new(), score: Vec::new() }
    }
}

impl Factors {
    /// Removes all factors, keeping the memory.
    pub fn clear(&mut self) {
        self.start.truncate(1);
        self.arcs.clear();
        self.score.clear();
    }

    /// Adds a factor over `arcs`, which must be distinct.
    #[inline]
    pub fn push(&mut self, arcs: &[ArcId], score: i64) {
        self.arcs.extend_from_slice(arcs);
        self.start.push(self.arcs.len() as u32);
        self.score.push(score);
    }

    /// Number of factors.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.score.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.score.is_empty()
    }

    /// Number of (factor, arc) incidences.
    pub fn incidences(&self) -> usize {
        self.arcs.len()
    }

    /// Where the arcs of a factor lie among all incidences.
    #[inline(always)]
    pub fn span(&self, c: FactorId) -> Range<usize> {
        self.start[c.ix()] as usize..self.start[c.ix() + 1] as usize
    }

    /// The arcs of a factor.
    #[inline(always)]
    pub fn arcs(&self, c: FactorId) -> &[ArcId] {
        &self.arcs[self.span(c)]
    }

    /// The score of a factor.
    #[inline(always)]
    pub fn score(&self, c: FactorId) -> i64 {
        self.score[c.ix()]
    }

    /// All factors in order.
    pub fn iter(&self) -> impl Iterator<Item = (FactorId, &[ArcId], i64)> {
        (0..self.len()).map(|i| {
            let c = FactorId::new(i);
            (c, self.arcs(c), self.score(c))
        })
    }
}
