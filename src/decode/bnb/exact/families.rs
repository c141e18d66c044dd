//! The arcs of a tree by their head: what a score or a bound says of siblings and grandchildren, it says of these few.

use crate::graph::{ArcId, ArcSpace, TreeArcs, Word};

/// The arcs of a tree, ascending, so that those of a head come together; memory to be reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Families(Vec<ArcId>);

/// The arcs of a tree from one head.
#[derive(Clone, Copy)]
pub(super) struct Family<'a> {
    pub head: Word,
    /// The arc into the head; none into the root.
    pub above: Option<ArcId>,
    /// The arcs to the left, the farthest first.
    pub left: &'a [ArcId],
    /// The arcs to the right, the nearest first.
    pub right: &'a [ArcId],
}

impl Families {
    /// Those of `tree`, one a head that has modifiers.
    pub fn of<'a>(&'a mut self, space: &'a ArcSpace, tree: &'a TreeArcs) -> impl Iterator<Item = Family<'a>> {
        self.0.clear();
        self.0.extend_from_slice(tree.arcs());
        self.0.sort_unstable();
        self.0.chunk_by(|a, b| space.head(*a) == space.head(*b)).map(|arcs| {
            let head = space.head(arcs[0]);
            let first_right = space.right_arcs_of(head).start;
            let (left, right) = arcs.split_at(arcs.partition_point(|a| a.ix() < first_right));
            let above = head.ix().checked_sub(1).map(|place| tree.arcs()[place]);
            Family { head, above, left, right }
        })
    }
}
