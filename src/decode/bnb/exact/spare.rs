//! Memory of trees that are no longer needed, for those to come: an outside pass makes a hundred.

use super::kept::Kept;
use super::seen::Seen;
use crate::graph::TreeArcs;

/// Trees whose memory is free.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Seen>);

impl Spare {
    /// A tree of which nothing is known but its score.
    pub fn seen(&mut self, tree: &TreeArcs, score: f64) -> Seen {
        let mut seen = self.0.pop().unwrap_or_default();
        seen.forget();
        seen.tree.clone_from(tree);
        seen.score = score;
        seen
    }

    /// Takes the memory of trees.
    pub fn put(&mut self, trees: impl IntoIterator<Item = Seen>) {
        self.0.extend(trees);
    }

    /// Leaves in `trees` those that have only arcs that are kept.
    pub fn restrict(&mut self, trees: &mut Vec<Seen>, kept: &Kept) {
        self.put(trees.extract_if(.., |seen| !seen.restrict(kept)));
    }

    /// Those of `trees` that have only arcs that are kept.
    pub fn restricted(&mut self, trees: &[Seen], kept: &Kept) -> Vec<Seen> {
        let mut restricted = trees.iter().map(|seen| self.seen(&seen.tree, seen.score)).collect();
        self.restrict(&mut restricted, kept);
        restricted
    }

    /// Frees what is more than the memory of `trees` trees.
    pub fn truncate(&mut self, trees: usize) {
        self.0.truncate(trees);
        self.0.shrink_to_fit();
    }
}
