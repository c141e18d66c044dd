//! What changed between two results of one experiment: scores by cell, and the config beside them.
//!
//! Results that are not from the same data, scored alike, are refused: their scores do not compare.

mod config;
mod measure;
mod show;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::records::{CellKey, Counts, MixedFault, ReportError, ScoreRow};
use crate::statistics::average::same_data;

pub use config::ConfigChange;

/// Results as they stand in a folder, or stood there in a revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Where they are from, for people.
    pub name: String,
    /// `scores.csv`.
    pub scores: Vec<ScoreRow>,
    /// `config.resolved.toml`, if there is one.
    pub config: Option<toml::Table>,
}

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

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Name of the old side.
    pub old: String,
    /// Name of the new side.
    pub new: String,
    /// Sides that have no `config.resolved.toml`, so that their configs could not be compared.
    pub without_config: Vec<String>,
    /// Settings that changed, by name.
    pub config: Vec<ConfigChange>,
    /// All cells of both sides, sorted.
    pub cells: Vec<CellDiff>,
}

impl CellDiff {
    /// True if anything changed.
    pub fn is_changed(&self) -> bool {
        self.old != self.new
    }

    /// True if fewer words without punctuation are right or fewer sentences proven, or the cell has no counts any more.
    pub fn is_worse(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Ok(old)), Some(Ok(new))) => new.scored_correct < old.scored_correct || new.proven < old.proven,
            (Some(Ok(_)), _) => true,
            _ => false,
        }
    }
}

impl Diff {
    /// Cells that changed.
    pub fn changed(&self) -> impl Iterator<Item = &CellDiff> {
        self.cells.iter().filter(|cell| cell.is_changed())
    }

    /// Cells that got worse.
    pub fn worse(&self) -> impl Iterator<Item = &CellDiff> {
        self.cells.iter().filter(|cell| cell.is_worse())
    }
}

/// Compares two results.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data on both sides, or another punctuation rule was used.
pub fn diff(old: &Side, new: &Side) -> Result<Diff, ReportError> {
    let mut cells: BTreeMap<Arc<CellKey>, (Found, Found)> = BTreeMap::new();
    for row in &old.scores {
        cells.entry(row.cell.clone()).or_default().0 = Some(row.counts.clone());
    }
    for row in &new.scores {
        cells.entry(row.cell.clone()).or_default().1 = Some(row.counts.clone());
    }
    let corpora = |side: &Side| side.scores.iter().map(|row| row.cell.corpus.clone()).collect::<BTreeSet<String>>();
    let shared: Vec<String> = corpora(old).intersection(&corpora(new)).cloned().collect();
    let mut config = Vec::new();
    if let (Some(before), Some(after)) = (&old.config, &new.config) {
        for corpus in shared {
            let rules = [before, after].map(|config| config::punctuation(config, &corpus));
            let [Some(first_rule), Some(second_rule)] = rules else { continue };
            if first_rule != second_rule {
                let (first, second) = (old.name.clone(), new.name.clone());
                let fault = MixedFault::Punctuation { corpus, first, first_rule, second, second_rule };
                return Err(ReportError::Mixed(fault));
            }
        }
        config = config::changes(before, after);
    }
    let named = |side: &Side, row: &ScoreRow| format!("{} in {}", row.cell, side.name);
    let rows = [old, new].into_iter().flat_map(|side| side.scores.iter().map(move |row| (row, named(side, row))));
    same_data(rows)?;
    Ok(Diff {
        old: old.name.clone(),
        new: new.name.clone(),
        without_config: [old, new].iter().filter(|s| s.config.is_none()).map(|s| s.name.clone()).collect(),
        config,
        cells: cells.into_iter().map(|(cell, (old, new))| CellDiff { cell, old, new }).collect(),
    })
}
