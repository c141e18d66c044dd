//! Words per second on both sides. Times compare only where one machine took both, and decide nothing even there: a quarter of
//! an hour later the same machine may be a tenth slower.

use std::collections::{BTreeMap, BTreeSet};

use crate::statistics::speed::{Speed, speeds};
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::{ReportError, ScoreRow, SpeedRow};

/// The times of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// `speed.csv`.
    pub rows: Vec<SpeedRow>,
    /// The machines that took the times of each cell, by the cell's name.
    pub machines: BTreeMap<String, BTreeSet<String>>,
}

impl Times {
    /// The machine that took all times of a cell, if it is known.
    fn machine(&self, cell: &CellKey) -> Option<&String> {
        let machines = self.machines.get(&cell.to_string())?;
        machines.first().filter(|_| machines.len() == 1)
    }
}

/// How fast a setting is parsed, over the cells that one machine timed for both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedDiff {
    /// The setting.
    pub setting: Setting,
    /// Words per second, as they were and as they are.
    pub words_per_second: [f64; 2],
    /// Whether the times are others.
    pub is_changed: bool,
}

/// The settings that were timed on both sides by one machine, and how many cells were timed on both sides by others.
///
/// # Errors
/// If passes of one setting did not parse the same sentences.
pub fn compared(times: [&Times; 2], scores: [&[ScoreRow]; 2]) -> Result<(Vec<SpeedDiff>, usize), ReportError> {
    let [old, new] = times.map(|side| side.rows.iter().map(|row| CellKey::clone(&row.cell)).collect::<BTreeSet<_>>());
    let both: BTreeSet<CellKey> = old.intersection(&new).cloned().collect();
    let is_alike = |cell: &CellKey| {
        let machines = times.map(|side| side.machine(cell));
        machines[0].is_some() && machines[0] == machines[1]
    };
    let (alike, others): (BTreeSet<CellKey>, BTreeSet<CellKey>) = both.into_iter().partition(is_alike);
    let rows = times.map(|side| {
        let rows = side.rows.iter().filter(|row| alike.contains(&*row.cell));
        rows.cloned().collect::<Vec<SpeedRow>>()
    });
    let [before, after] = [speeds(&rows[0], scores[0])?, speeds(&rows[1], scores[1])?];
    let of_setting = |(setting, before): (Setting, Speed)| {
        let now = after.get(&setting)?;
        let words_per_second = [before.words_per_second()?, now.words_per_second()?];
        Some(SpeedDiff { is_changed: before != *now, setting, words_per_second })
    };
    Ok((before.into_iter().filter_map(of_setting).collect(), others.len()))
}
