//! The arcs that are left when a node's others are dropped, and their numbers before and after.

use crate::graph::ArcId;

/// Arcs that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// By new number: the old one, ascending.
    old: Vec<ArcId>,
    /// By old number: the new one.
    new: Vec<Option<ArcId>>,
}

impl Kept {
    /// Numbers the arcs marked in `keep` anew.
    pub fn fill(&mut self, keep: &[bool]) {
        self.old.clear();
        self.new.clear();
        for (a, &is_kept) in keep.iter().enumerate() {
            self.new.push(is_kept.then(|| ArcId::new(self.old.len())));
            self.old.extend(is_kept.then(|| ArcId::new(a)));
        }
    }

    /// The old numbers of all arcs, by new number.
    #[inline(always)]
    pub fn old(&self) -> &[ArcId] {
        &self.old
    }

    /// The new number of an arc.
    #[inline(always)]
    pub fn new_of(&self, old: ArcId) -> Option<ArcId> {
        self.new[old.ix()]
    }
}
