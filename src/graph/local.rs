//! Scores of the local parts of an arc space: arcs, adjacent siblings, outermost grandchildren.

use super::space::ArcSpace;

/// One score a local part; the arrays are addressed by the part numbers of an [`ArcSpace`].
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
