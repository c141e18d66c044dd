//! Sums by part: over the trees that have a part, which is what its score is multiplied with in expectations and gradients.

use super::semiring::Semiring;

/// Notes what an outside pass finds out about parts.
pub(super) trait Notes<S> {
    /// Whether it is worth finding out.
    const WANTED: bool;

    /// Trees that have a sibling part.
    fn sibling(&mut self, part: usize, sum: S);
    /// Trees in which a chain of two arcs ends in an outermost child.
    fn grandchild(&mut self, part: usize, sum: S);
    /// Trees that have a grand-sibling part, by its place among those with a score.
    fn grand_sibling(&mut self, place: usize, sum: S);
}

/// No notes.
impl<S> Notes<S> for () {
    const WANTED: bool = false;

    #[inline(always)]
    fn sibling(&mut self, _: usize, _: S) {}
    #[inline(always)]
    fn grandchild(&mut self, _: usize, _: S) {}
    #[inline(always)]
    fn grand_sibling(&mut self, _: usize, _: S) {}
}

/// A number by part of a graph: as sums over trees, the trees that have it; as probabilities, theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartSums<S> {
    /// By arc.
    pub arc: Vec<S>,
    /// By sibling part.
    pub sibling: Vec<S>,
    /// By grandchild part: trees with the chain, its last arc outermost.
    pub grandchild: Vec<S>,
    /// By grandchild part: trees with the chain, outermost or not. Empty under a program that does not score it.
    pub any: Vec<S>,
    /// By place in the list of grand-siblings that have a score.
    pub grand_siblings: Vec<S>,
}

impl<S: Semiring> PartSums<S> {
    /// Sums of nothing.
    pub(super) fn reset(&mut self, siblings: usize, grandchildren: usize, grand_siblings: usize) {
        for (sums, len) in [
            (&mut self.sibling, siblings),
            (&mut self.grandchild, grandchildren),
            (&mut self.grand_siblings, grand_siblings),
        ] {
            sums.clear();
            sums.resize(len, S::NONE);
        }
        self.arc.clear();
        self.any.clear();
    }
}

impl<S> PartSums<S> {
    /// Takes over the numbers of `from`, each made another.
    pub(super) fn map_from<T: Copy>(&mut self, from: &PartSums<T>, of: impl Fn(T) -> S) {
        for (to, from) in [
            (&mut self.arc, &from.arc),
            (&mut self.sibling, &from.sibling),
            (&mut self.grandchild, &from.grandchild),
            (&mut self.any, &from.any),
            (&mut self.grand_siblings, &from.grand_siblings),
        ] {
            to.clear();
            to.extend(from.iter().map(|&sum| of(sum)));
        }
    }
}

impl<S: Semiring> Notes<S> for PartSums<S> {
    const WANTED: bool = true;

    #[inline(always)]
    fn sibling(&mut self, part: usize, sum: S) {
        self.sibling[part] = self.sibling[part].plus(sum);
    }

    #[inline(always)]
    fn grandchild(&mut self, part: usize, sum: S) {
        self.grandchild[part] = self.grandchild[part].plus(sum);
    }

    #[inline(always)]
    fn grand_sibling(&mut self, place: usize, sum: S) {
        self.grand_siblings[place] = self.grand_siblings[place].plus(sum);
    }
}
