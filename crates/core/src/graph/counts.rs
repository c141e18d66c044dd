//! Factors that count: a score for each number of arcs of a set that the tree has.
//!
//! ```text
//! OR of arcs            scores 0, s          s if the tree has one of them or more
//! valency of a word     scores s0, s1, ..    the set is all arcs of the word as head (Martins et al. 2009, equation 17)
//! at most k arcs        most k               a constraint: other trees are none of the graph
//! ```

use serde::{Deserialize, Serialize};

use super::{ArcId, TreeArcs};
use crate::tree::index;

index!(
    /// A factor that counts arcs, of a [`FactorGraph`](super::FactorGraph).
    CountId
);

/// The factors that count, as a struct of arrays.
#[derive(Clone, Debug)]
pub struct Counts {
    /// `len + 1` entries.
    start: Vec<u32>,
    arcs: Vec<ArcId>,
    /// `len + 1` entries.
    score_start: Vec<u32>,
    score: Vec<i64>,
    most: Vec<u32>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { start: vec![0], arcs: Vec::new(), score_start: vec![0], score: Vec::new(), most: Vec::new() }
    }
}

impl Counts {
    /// Removes all, keeping the memory.
    pub fn clear(&mut self) {
        self.start.truncate(1);
        self.arcs.clear();
        self.score_start.truncate(1);
        self.score.clear();
        self.most.clear();
    }

    /// Adds a factor over `arcs`, which must be distinct. `scores` has what 0, 1, .. of them are worth, and its last entry
    /// stands for all larger numbers; nothing is worth anything if it is empty. A tree of the graph has at most `most` of them.
    pub fn push(&mut self, arcs: &[ArcId], scores: &[i64], most: Option<u32>) {
        self.arcs.extend_from_slice(arcs);
        self.start.push(self.arcs.len() as u32);
        self.score.extend_from_slice(scores);
        self.score_start.push(self.score.len() as u32);
        self.most.push(most.unwrap_or(u32::MAX));
    }

    /// Number of factors.
    pub fn len(&self) -> usize {
        self.most.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.most.is_empty()
    }

    /// Number of (factor, arc) incidences.
    pub fn incidences(&self) -> usize {
        self.arcs.len()
    }

    /// All factors in order.
    pub fn ids(&self) -> impl Iterator<Item = CountId> + use<> {
        (0..self.len()).map(CountId::new)
    }

    /// The arcs of a factor.
    #[inline(always)]
    pub fn arcs(&self, c: CountId) -> &[ArcId] {
        &self.arcs[self.start[c.ix()] as usize..self.start[c.ix() + 1] as usize]
    }

    /// What 0, 1, .. arcs are worth; the last entry stands for all larger numbers.
    #[inline(always)]
    pub fn scores(&self, c: CountId) -> &[i64] {
        &self.score[self.score_start[c.ix()] as usize..self.score_start[c.ix() + 1] as usize]
    }

    /// Most arcs of the factor that a tree may have; `u32::MAX` for any number.
    #[inline(always)]
    pub fn most(&self, c: CountId) -> u32 {
        self.most[c.ix()]
    }

    /// What so many arcs are worth.
    #[inline(always)]
    pub fn score(&self, c: CountId, count: u32) -> i64 {
        let scores = self.scores(c);
        scores.get(count as usize).or(scores.last()).copied().unwrap_or(0)
    }

    /// How many arcs of a factor a tree has.
    #[inline(always)]
    pub fn count(&self, c: CountId, tree: &TreeArcs) -> u32 {
        self.arcs(c).iter().map(|&a| u32::from(tree.has(a))).sum()
    }
}
