//! The score of a tree in a graph, from the definitions of its parts and of Qian & Liu (2013), equation 1.
//!
//! This is the meaning of a graph: decoders are checked against it, and branch and bound takes its lower bounds from it.

use super::{ArcId, ArcSpace, CountId, FactorGraph, FactorId, Trees, Word};
use crate::tree::{descends, is_projective_arc};

/// The arcs of one tree in an arc space, with the selected arcs marked.
#[derive(Debug, Default)]
pub struct TreeArcs {
    /// The arc into each word: `into[i]` is the arc into word `i + 1`.
    into: Vec<ArcId>,
    /// One mark an arc of the space.
    selected: Vec<bool>,
}

impl Clone for TreeArcs {
    fn clone(&self) -> Self {
        Self { into: self.into.clone(), selected: self.selected.clone() }
    }

    // The derived one would take new memory.
    fn clone_from(&mut self, source: &Self) {
        self.into.clone_from(&source.into);
        self.selected.clone_from(&source.selected);
    }
}

impl TreeArcs {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.into) + size_of_val(&*self.selected)
    }

    /// Finds the arcs of `heads` (`heads[i]` is the head of word `i + 1`) in `space`; false if one is not a candidate.
    pub fn find(&mut self, space: &ArcSpace, heads: &[Word]) -> bool {
        self.into.clear();
        self.selected.clear();
        self.selected.resize(space.arcs(), false);
        for (i, &h) in heads.iter().enumerate() {
            match space.find(h, Word::new(i + 1)) {
                Some(a) => self.select(a),
                None => return false,
            }
        }
        heads.len() == space.words()
    }

    /// Takes over arcs known to form a tree: the arc into word `i + 1` at place `i`.
    pub fn set(&mut self, space: &ArcSpace, into: &[ArcId]) {
        self.into.clear();
        self.selected.clear();
        self.selected.resize(space.arcs(), false);
        for &a in into {
            self.select(a);
        }
    }

    /// Carries the tree over to a space of `arcs` arcs that are numbered anew; false if an arc of the tree has no number there, and the
    /// tree must not be used any more.
    pub fn renumber(&mut self, arcs: usize, new_of: impl Fn(ArcId) -> Option<ArcId>) -> bool {
        self.selected.clear();
        self.selected.resize(arcs, false);
        for a in &mut self.into {
            let Some(new) = new_of(*a) else { return false };
            self.selected[new.ix()] = true;
            *a = new;
        }
        true
    }

    fn select(&mut self, a: ArcId) {
        self.into.push(a);
        self.selected[a.ix()] = true;
    }

    /// The arc into each word, in word order.
    pub fn arcs(&self) -> &[ArcId] {
        &self.into
    }

    /// Whether the tree has arc `a`.
    #[inline(always)]
    pub fn has(&self, a: ArcId) -> bool {
        self.selected[a.ix()]
    }

    /// Whether the tree has all of `arcs`.
    #[inline(always)]
    pub fn has_all(&self, arcs: &[ArcId]) -> bool {
        arcs.iter().all(|&a| self.has(a))
    }

    /// The innermost-to-outermost predecessor of `a`: the nearest selected inner sibling, if there is one.
    pub fn previous_sibling(&self, space: &ArcSpace, a: ArcId) -> Option<ArcId> {
        let inner = space.inner_siblings(a);
        let selected = |&b: &usize| self.selected[b];
        let found = if space.head(a) < space.modifier(a) {
            inner.rev().find(selected)
        } else {
            inner.into_iter().find(selected)
        };
        found.map(ArcId::new)
    }

    /// Whether `a`, an arc of the tree, is projective in it: all words between its ends descend from its head.
    pub fn is_projective(&self, space: &ArcSpace, a: ArcId) -> bool {
        is_projective_arc(space.modifier(a), |word| space.head(self.into[word.ix() - 1]))
    }

    /// Whether a word of the tree, or the root, is `above` or descends from it.
    pub fn descends(&self, space: &ArcSpace, word: Word, above: Word) -> bool {
        descends(word, above, |word| space.head(self.into[word.ix() - 1]))
    }

    /// The outermost children of `a`'s modifier: the leftmost on the left and the rightmost on the right.
    pub fn outermost_children(&self, space: &ArcSpace, a: ArcId) -> [Option<ArcId>; 2] {
        let m = space.modifier(a);
        let selected = |&b: &usize| self.selected[b];
        [
            space.left_arcs_of(m).find(selected).map(ArcId::new),
            space.right_arcs_of(m).rev().find(selected).map(ArcId::new),
        ]
    }
}

/// A part of a tree, or a factor that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreePart {
    /// An arc.
    Arc(ArcId),
    /// An arc and the nearest inner modifier on its side, or none.
    Sibling(ArcId, Option<ArcId>),
    /// A sibling part below the arc into its head: the arc above, the arc and the nearest inner modifier.
    GrandSibling(ArcId, ArcId, Option<ArcId>),
    /// An arc and an outermost child of its modifier.
    Grandchild(ArcId, ArcId),
    /// A factor.
    Factor(FactorId),
    /// A factor that counts, and how many of its arcs the tree has.
    Count(CountId, u32),
    /// An arc that is not projective in the tree.
    NonProjective(ArcId),
}

/// Visits the parts of the tree marked in `tree` and the factors that it has, with their scores in units of the graph.
///
/// `tree` must be one of the graph's trees.
#[inline]
pub fn each_part(graph: &FactorGraph, tree: &TreeArcs, mut visit: impl FnMut(TreePart, i64)) {
    let space = &graph.space;
    for &a in tree.arcs() {
        visit(TreePart::Arc(a), graph.local.arc[a.ix()]);
        let previous = tree.previous_sibling(space, a);
        let sibling_part = match previous {
            Some(b) => space.sibling_part(a, b),
            None => space.first_modifier_part(a),
        };
        visit(TreePart::Sibling(a, previous), graph.local.sibling[sibling_part]);
        if !graph.grand_siblings.is_empty() && !space.head(a).is_root() {
            // The tree's arc into the head, of which `a` is then a child.
            let above = tree.arcs()[space.head(a).ix() - 1];
            // A child that crosses it has no part.
            if space.children(above).contains(&a.ix()) {
                let score = graph.grand_siblings.get(space.grandchild_part(above, a), sibling_part);
                visit(TreePart::GrandSibling(above, a, previous), score.unwrap_or(0));
            }
        }
        let outermost = tree.outermost_children(space, a).into_iter().flatten();
        for child in outermost.filter(|b| space.children(a).contains(&b.ix())) {
            visit(TreePart::Grandchild(a, child), graph.local.grandchild[space.grandchild_part(a, child)]);
        }
    }
    for (factor, arcs, score) in graph.factors.iter() {
        if tree.has_all(arcs) {
            visit(TreePart::Factor(factor), score);
        }
    }
    for c in graph.counts.ids() {
        let count = graph.counts.count(c, tree);
        visit(TreePart::Count(c, count), graph.counts.score(c, count));
    }
    if graph.trees == Trees::NonProjective && !graph.non_projective.is_empty() {
        for &a in tree.arcs().iter().filter(|&&a| !tree.is_projective(space, a)) {
            visit(TreePart::NonProjective(a), graph.non_projective[a.ix()]);
        }
    }
}

/// The score of the tree marked in `tree`, in units of the graph: local parts and factors.
///
/// `tree` must be one of the graph's trees.
pub fn tree_score(graph: &FactorGraph, tree: &TreeArcs) -> i128 {
    let mut total = 0;
    each_part(graph, tree, |_, score| total += i128::from(score));
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition, in all trees of up to five words; in some of them a word between the ends descends from the head
    /// by way of a word beyond them.
    #[test]
    fn arcs_are_projective_by_definition() {
        let (mut arcs, mut around) = (TreeArcs::default(), 0);
        for words in 1..=5 {
            let all = |h| (1..=words).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)));
            let pairs: Vec<_> = (0..=words).flat_map(all).collect();
            let space = ArcSpace::new(words, false, &pairs).expect("a space");
            let graph = FactorGraph { space, trees: Trees::NonProjective, ..Default::default() };
            crate::decode::brute::for_each_tree(&graph, |heads| {
                arcs.find(&graph.space, heads);
                for (i, &h) in heads.iter().enumerate() {
                    let ends = h.ix().min(i + 1)..=h.ix().max(i + 1);
                    let inside = ends.clone().filter(|k| ![h.ix(), i + 1].contains(k));
                    let above =
                        |k: usize| std::iter::successors(Some(k), |&k| k.checked_sub(1).map(|k| heads[k].ix())).skip(1);
                    let expected = inside.clone().all(|k| above(k).any(|g| g == h.ix()));
                    let a = graph.space.find(h, Word::new(i + 1)).expect("an arc");
                    assert_eq!(arcs.is_projective(&graph.space, a), expected, "{heads:?}: {a}");
                    around += usize::from(expected && inside.clone().any(|k| !ends.contains(&heads[k - 1].ix())));
                }
            });
        }
        assert!(around > 0);
    }
}
