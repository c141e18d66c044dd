//! The cells that a block chooses: those of the config that are in its grids and have its values on each axis.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::arguments::Arguments;
use super::error::BlockError;
use super::shelf::{Experiment, Shelf};
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::columns::SEED;
use treebound_records::{ScoreRow, SpeedRow};

/// The cells of an experiment that a block has chosen.
#[derive(Debug)]
pub struct Selected {
    /// The experiment.
    pub experiment: Rc<Experiment>,
    /// The cells.
    pub keys: BTreeSet<CellKey>,
}

/// The key that chooses grids.
pub const GRID: &str = "grid";

/// The keys that choose cells.
pub fn keys() -> impl Iterator<Item = &'static str> {
    [GRID].into_iter().chain(Setting::AXES).chain([SEED])
}

/// The cells that are chosen, by experiment.
///
/// # Errors
/// An experiment, grid or value that there is not; nothing chosen.
pub fn select(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Vec<Selected>, BlockError> {
    if arguments.names.is_empty() {
        return Err(BlockError::Words("name an experiment behind the block, such as `ewt`".to_owned()));
    }
    let experiments: Vec<_> = arguments.names.iter().map(|name| shelf.experiment(name)).collect::<Result<_, _>>()?;
    let mut chosen: Vec<BTreeSet<CellKey>> = experiments.iter().map(|e| e.cells.keys().cloned().collect()).collect();
    for key in keys() {
        let Some(asked) = arguments.list(key) else { continue };
        let mut known: BTreeSet<String> =
            experiments.iter().flat_map(|e| &e.cells).flat_map(|(cell, grids)| spelt(key, cell, grids)).collect();
        if key == GRID {
            known.extend(experiments.iter().flat_map(|e| &e.config.grids).map(|grid| grid.name.clone()));
        }
        if let Some(unknown) = asked.iter().find(|value| !known.contains(**value)) {
            return Err(BlockError::unknown(key, unknown, known.iter().map(String::as_str)));
        }
        for (experiment, cells) in experiments.iter().zip(&mut chosen) {
            cells.retain(|cell| spelt(key, cell, &experiment.cells[cell]).iter().any(|v| asked.contains(&v.as_str())));
        }
    }
    if chosen.iter().all(BTreeSet::is_empty) {
        return Err(BlockError::Words("no cell has all of these values".to_owned()));
    }
    Ok(experiments.into_iter().zip(chosen).map(|(experiment, keys)| Selected { experiment, keys }).collect())
}

/// What a cell has for a key: its grids, or the one value on an axis.
fn spelt(key: &str, cell: &CellKey, grids: &[String]) -> Vec<String> {
    if key == GRID {
        return grids.to_vec();
    }
    if key == SEED {
        return vec![cell.seed.to_string()];
    }
    Setting::AXES.iter().zip(cell.setting.spelt()).filter(|(axis, _)| **axis == key).map(|(_, value)| value).collect()
}

impl Selected {
    /// The scores of the cells.
    ///
    /// # Errors
    /// If some have none.
    pub fn scores(&self) -> Result<Vec<ScoreRow>, BlockError> {
        let mut scores: Vec<ScoreRow> =
            self.experiment.rows("scores.csv", &format!("run{}", self.grids(&self.keys)))?;
        scores.retain(|row| self.keys.contains(&*row.cell));
        let found: BTreeSet<&CellKey> = scores.iter().map(|row| &*row.cell).collect();
        let missing: BTreeSet<CellKey> = self.keys.iter().filter(|key| !found.contains(key)).cloned().collect();
        let Some(first) = missing.first() else { return Ok(scores) };
        let (path, all) = (self.experiment.path("scores.csv"), self.keys.len());
        let what = format!("{}: {} of {all} cells are missing, {first} the first", path.display(), missing.len());
        Err(self.experiment.lacks(&what, &format!("run{}", self.grids(&missing))))
    }

    /// Times of the cells; there may be none.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn times(&self) -> Result<Vec<SpeedRow>, BlockError> {
        let path = self.experiment.path("speed.csv");
        let mut times = match path.exists() {
            true => self.experiment.measured("speed.csv", "time", |row: &SpeedRow| (&row.cell, row.key))?,
            false => Vec::new(),
        };
        times.retain(|row| self.keys.contains(&*row.cell));
        Ok(times)
    }

    /// Flags that name grids which have these cells: those that are needed, in the order of the config.
    pub fn grids(&self, cells: &BTreeSet<CellKey>) -> String {
        let mut left: Vec<&CellKey> = cells.iter().collect();
        let mut flags = String::new();
        for grid in &self.experiment.config.grids {
            let before = left.len();
            left.retain(|cell| !self.experiment.cells[*cell].contains(&grid.name));
            if left.len() < before {
                flags.push_str(&format!(" --grid {}", grid.name));
            }
        }
        flags
    }

    /// The grid of a setting: the first of the config that has one of its chosen cells.
    pub fn grid(&self, setting: &Setting) -> String {
        let cells = || self.keys.iter().filter(|key| key.setting == *setting);
        let has = |name: &String| cells().any(|key| self.experiment.cells[key].contains(name));
        let found = self.experiment.config.grids.iter().find(|grid| has(&grid.name));
        found.map_or_else(String::new, |grid| grid.name.clone())
    }
}
