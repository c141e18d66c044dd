//! The factor graph: all that a decoder sees of a sentence (candidate arcs, local parts, non-local factors).
//!
//! Features and weights are unknown here and search is unknown to the graph; a graph can be written to a file and read
//! back, so that any outside solver can be held against ours on the same problem.

mod counts;
pub mod json;
mod score;
mod space;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::tree::index;

pub use crate::tree::Word;
pub use counts::{CountId, Counts};
pub use score::{TreeArcs, TreePart, each_part, tree_score};
#[doc(hidden)]
pub use space::fits;
pub use space::{ArcId, ArcSpace, Asked, Room, SpaceError};

/// A sentence as a decoder sees it; scores are integers in units of the model.
#[derive(Clone, Debug, Default)]
pub struct FactorGraph {
    /// Candidate arcs.
    pub space: ArcSpace,
    /// The trees that it is about.
    pub trees: Trees,
    /// Scores of the parts that a dynamic program over projective trees handles itself. They mean the same in all trees:
    /// adjacent modifiers of a head on one side are *consecutive siblings*, a modifier without an inner one is a *first
    /// child*; a child that crosses the arc above it has no grandchild part.
    pub local: LocalScores<i64>,
    /// Scores of grand-sibling parts; only the third-order dynamic program handles them.
    pub grand_siblings: GrandSiblings<i64>,
    /// Non-local factors.
    pub factors: Factors,
    /// Factors that count the arcs of a set that the tree has: OR, valency, at most so many.
    pub counts: Counts,
    /// By arc: what it is worth where it is not projective in the tree. Empty if nothing is.
    pub non_projective: Vec<i64>,
}

impl FactorGraph {
    /// Whether the tree marked in `tree` is one of the graph's: no set has more arcs in it than it may have. Whether it is
    /// projective, and how many words stand on the root, is not looked at.
    pub fn allows(&self, tree: &TreeArcs) -> bool {
        self.counts.ids().all(|c| self.counts.count(c, tree) <= self.counts.most(c))
    }

    /// How many scores other than 0 there are of what is local to dynamic programs over projective trees, and of arcs that are not
    /// projective: where trees cross, none of it is local to a program.
    pub fn parts_beyond_arcs(&self) -> usize {
        let LocalScores { sibling, grandchild, .. } = &self.local;
        let scores = [sibling, grandchild, self.grand_siblings.scores(), &self.non_projective];
        scores.into_iter().flatten().filter(|&&score| score != 0).count()
    }

    /// Whether the graph has what dynamic programs over projective trees do not know of: trees that cross, or counts.
    ///
    /// # Errors
    /// [`DpError`](crate::decode::DpError) that says what it is.
    pub fn check_projective(&self) -> Result<(), crate::decode::DpError> {
        use crate::decode::DpError;
        match self.trees {
            Trees::NonProjective => Err(DpError::NonProjective),
            Trees::Projective if !self.counts.is_empty() => Err(DpError::Counts(self.counts.len())),
            Trees::Projective => Ok(()),
        }
    }
}

/// Which trees a graph is about. How many words may stand on the root is said by its [space](ArcSpace::single_root).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trees {
    /// Those without arcs that cross each other or pass over the root.
    #[default]
    Projective,
    /// All.
    NonProjective,
}

impl Trees {
    /// Both.
    pub const ALL: [Trees; 2] = [Trees::Projective, Trees::NonProjective];

    /// The name in configs, files and results.
    pub fn name(self) -> &'static str {
        match self {
            Trees::Projective => "projective",
            Trees::NonProjective => "non-projective",
        }
    }

    /// The trees of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trees| trees.name() == name)
    }
}

impl std::fmt::Display for Trees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

index!(
    /// A non-local factor of a [`FactorGraph`](FactorGraph).
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

/// One score a local part of an arc space (arcs, adjacent siblings, outermost grandchildren); the arrays are addressed by the part numbers of an [`ArcSpace`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalScores<V> {
    /// By arc.
    pub arc: Vec<V>,
    /// By sibling part: [`ArcSpace::first_modifier_part`], [`ArcSpace::sibling_parts_of`].
    pub sibling: Vec<V>,
    /// By grandchild part: [`ArcSpace::grandchild_parts_of`].
    pub grandchild: Vec<V>,
}

impl<V: Copy> LocalScores<V> {
    /// Sets every part of `space` to `zero`, reusing memory.
    pub fn reset(&mut self, space: &ArcSpace, zero: V) {
        fn fill<V: Copy>(v: &mut Vec<V>, len: usize, zero: V) {
            v.clear();
            v.resize(len, zero);
        }
        fill(&mut self.arc, space.arcs(), zero);
        fill(&mut self.sibling, space.sibling_parts(), zero);
        fill(&mut self.grandchild, space.grandchild_parts(), zero);
    }

    /// All parts of `space` at `zero`.
    pub fn filled(space: &ArcSpace, zero: V) -> Self
    where
        V: Default,
    {
        let mut scores = Self { arc: Vec::new(), sibling: Vec::new(), grandchild: Vec::new() };
        scores.reset(space, zero);
        scores
    }

    /// The scores of every part, converted.
    pub fn map_into<W>(&self, into: &mut LocalScores<W>, f: impl Fn(V) -> W) {
        into.arc.clear();
        into.arc.extend(self.arc.iter().map(|&v| f(v)));
        into.sibling.clear();
        into.sibling.extend(self.sibling.iter().map(|&v| f(v)));
        into.grandchild.clear();
        into.grandchild.extend(self.grandchild.iter().map(|&v| f(v)));
    }
}

/// Sparse scores of grand-sibling parts, as compressed rows.
///
/// A part is named by two numbers that the arc space has already: the grandchild part of (g -> h, h -> m) and the sibling
/// part of (h -> m) after its inner neighbour, or as first modifier. There are O(n^4) of them, so only those with a score
/// are kept: a list a grandchild part.
#[derive(Clone, Debug)]
pub struct GrandSiblings<V> {
    /// Where the list of each grandchild part begins, and the end of the last; none of parts after the last that has one.
    start: Vec<u32>,
    /// Sibling parts, ascending within a list.
    sibling: Vec<u32>,
    score: Vec<V>,
}

impl<V> Default for GrandSiblings<V> {
    fn default() -> Self {
        Self { start: vec![0], sibling: Vec::new(), score: Vec::new() }
    }
}

impl<V: Copy> GrandSiblings<V> {
    /// Removes all scores, keeping the memory.
    pub fn clear(&mut self) {
        self.start.truncate(1);
        self.sibling.clear();
        self.score.clear();
    }

    /// Adds a score. Parts must come in ascending order: by `grandchild` part, then by `sibling` part.
    #[inline]
    pub fn push(&mut self, grandchild: usize, sibling: usize, score: V) {
        debug_assert!(self.start.len() <= grandchild + 2, "grandchild parts out of order");
        debug_assert!(
            self.row(grandchild).is_empty() || self.sibling.last().is_some_and(|&last| (last as usize) < sibling),
            "sibling parts out of order"
        );
        let end = self.sibling.len() as u32;
        self.start.resize(grandchild + 1, end);
        self.start.push(end + 1);
        self.sibling.push(sibling as u32);
        self.score.push(score);
    }

    /// Number of scores.
    pub fn len(&self) -> usize {
        self.score.len()
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.score.is_empty()
    }

    /// All scores, by part.
    pub fn scores(&self) -> &[V] {
        &self.score
    }

    /// All scores, by part, to be changed.
    pub fn scores_mut(&mut self) -> &mut [V] {
        &mut self.score
    }

    #[inline(always)]
    fn row(&self, grandchild: usize) -> Range<usize> {
        match self.start.get(grandchild..grandchild + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Whether any part that belongs to a grandchild part has a score.
    #[inline(always)]
    pub fn has(&self, grandchild: usize) -> bool {
        !self.row(grandchild).is_empty()
    }

    /// Sibling part and score of each part that belongs to a grandchild part.
    #[inline(always)]
    pub fn entries(&self, grandchild: usize) -> impl Iterator<Item = (usize, V)> {
        let row = self.row(grandchild);
        self.sibling[row.clone()].iter().map(|&s| s as usize).zip(self.score[row].iter().copied())
    }

    /// Place among all scores and sibling part of each part that belongs to a grandchild part.
    #[inline(always)]
    pub fn places(&self, grandchild: usize) -> impl Iterator<Item = (usize, usize)> {
        let row = self.row(grandchild);
        row.clone().zip(self.sibling[row].iter().map(|&s| s as usize))
    }

    /// The score of a part, if it has one.
    #[inline]
    pub fn get(&self, grandchild: usize, sibling: usize) -> Option<V> {
        let row = self.row(grandchild);
        let at = self.sibling[row.clone()].binary_search(&(sibling as u32)).ok()?;
        Some(self.score[row.start + at])
    }

    /// The scores of every part, converted.
    pub fn map_into<W>(&self, into: &mut GrandSiblings<W>, f: impl Fn(V) -> W) {
        into.start.clone_from(&self.start);
        into.sibling.clone_from(&self.sibling);
        into.score.clear();
        into.score.extend(self.score.iter().map(|&v| f(v)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pushed_is_found_and_nothing_else() {
        let mut scores = GrandSiblings::default();
        for (grandchild, sibling, score) in [(1, 4, 10), (1, 6, 11), (4, 4, 12)] {
            scores.push(grandchild, sibling, score);
        }
        let all: Vec<Vec<_>> = (0..7).map(|g| scores.entries(g).collect()).collect();
        let none = Vec::new;
        assert_eq!(all, [none(), vec![(4, 10), (6, 11)], none(), none(), vec![(4, 12)], none(), none()]);
        assert_eq!(
            (scores.get(1, 6), scores.get(1, 5), scores.get(2, 4), scores.get(9, 4)),
            (Some(11), None, None, None)
        );
        assert_eq!(scores.len(), 3);
    }
}
