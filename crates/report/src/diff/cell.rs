//! A cell on both sides.

use std::sync::Arc;

use treebound_parser::cell::CellKey;
use treebound_records::Counts;

/// Counts of a cell or why it has none; none at all if the cell is not there.
pub type Found = Option<Result<Counts, String>>;

/// A cell on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDiff {
    /// The cell.
    pub cell: Arc<CellKey>,
    /// What it was.
    pub old: Found,
    /// What it is.
    pub new: Found,
}

impl CellDiff {
    /// True if anything changed.
    pub fn is_changed(&self) -> bool {
        self.old != self.new
    }

    /// True if fewer words without punctuation are right or fewer sentences proven, or the cell has no counts any more.
    pub fn is_worse(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Ok(old)), Some(Ok(new))) => {
                let fewer_proofs = old.proven.zip(new.proven).is_some_and(|(old, new)| new < old);
                new.scored_correct < old.scored_correct || fewer_proofs
            }
            _ => self.is_gone(),
        }
    }

    /// True if the cell has no counts any more.
    pub fn is_gone(&self) -> bool {
        matches!(&self.old, Some(Ok(_))) && !matches!(&self.new, Some(Ok(_)))
    }
}
