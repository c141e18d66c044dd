//! Scores of grand-sibling parts: an arc, the arcs of two adjacent modifiers below it, one score.
//!
//! A part is named by two numbers that the arc space has already: the grandchild part of (g -> h, h -> m) and the sibling
//! part of (h -> m) after its inner neighbour, or as first modifier. There are O(n^4) of them, so only those with a score
//! are kept: a list a grandchild part.

use std::ops::Range;

/// Sparse scores of grand-sibling parts, as compressed rows.
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
    pub fn of(&self, grandchild: usize) -> impl Iterator<Item = (usize, V)> {
        let row = self.row(grandchild);
        self.sibling[row.clone()].iter().map(|&s| s as usize).zip(self.score[row].iter().copied())
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
        let all: Vec<Vec<_>> = (0..7).map(|g| scores.of(g).collect()).collect();
        let none = Vec::new;
        assert_eq!(all, [none(), vec![(4, 10), (6, 11)], none(), none(), vec![(4, 12)], none(), none()]);
        assert_eq!(
            (scores.get(1, 6), scores.get(1, 5), scores.get(2, 4), scores.get(9, 4)),
            (Some(11), None, None, None)
        );
        assert_eq!(scores.len(), 3);
    }
}
