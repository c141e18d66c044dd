//! Words per second on both sides. Times compare only where one machine took both, and decide nothing even there: a quarter of
//! an hour later the same machine may be a tenth slower.

use std::collections::{BTreeMap, BTreeSet};

use crate::frame::Frame;
use crate::speed::{PHASES, speeds};
use treebound_records::ReportError;

/// The times of one side.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// `speed.csv`; none if it is not there.
    pub rows: Option<Frame>,
    /// The machines that took the times of each cell, by the cell's name.
    pub machines: BTreeMap<String, BTreeSet<String>>,
}

impl Times {
    /// The machine that took all times of a cell, if it is known.
    fn machine(&self, cell: &str) -> Option<&String> {
        let machines = self.machines.get(cell)?;
        machines.first().filter(|_| machines.len() == 1)
    }
}

/// How fast a setting is parsed, over the cells that one machine timed for both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedDiff {
    /// The row of the line.
    pub(super) row: usize,
    /// Words per second, as they were and as they are.
    pub words_per_second: [f64; 2],
    /// Whether the times are others.
    pub is_changed: bool,
}

/// What is worked out of the passes of a line.
const TIMES: [&str; 3] = ["passes", "total_ns", "timed_sentences"];

/// The lines that were timed on both sides by one machine, and how many cells were timed on both sides by others.
///
/// # Errors
/// If passes of one setting did not parse the same sentences.
pub fn compared(
    times: [&Times; 2],
    scores: [&Frame; 2],
    lines: &Frame,
) -> Result<(Vec<SpeedDiff>, usize), ReportError> {
    let [Some(old), Some(new)] = times.map(|side| side.rows.as_ref().filter(|rows| !rows.is_empty())) else {
        return Ok((Vec::new(), 0));
    };
    let cells = |rows: &Frame| Ok::<_, ReportError>(rows.words("cell")?.into_iter().collect::<BTreeSet<_>>());
    let both: BTreeSet<String> = cells(old)?.intersection(&cells(new)?).cloned().collect();
    let is_alike = |cell: &String| {
        let machines = times.map(|side| side.machine(cell));
        machines[0].is_some() && machines[0] == machines[1]
    };
    let (alike, others): (BTreeSet<String>, BTreeSet<String>) = both.into_iter().partition(is_alike);
    if alike.is_empty() {
        return Ok((Vec::new(), others.len()));
    }
    let of_side = |rows: &Frame, scores: &Frame| {
        let rows = rows.only("cell", |cell| alike.contains(cell))?;
        let speeds = lines.joined(speeds(&rows, scores)?, "line")?;
        let columns = TIMES.iter().chain(&PHASES).map(|name| speeds.counts(name)).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, ReportError>((speeds.numbers("words_per_second")?, speeds.numbers("spread_pct")?, columns))
    };
    let [before, after] = [of_side(old, scores[0])?, of_side(new, scores[1])?];
    let of_line = |row: usize| {
        let is_same = before.1[row] == after.1[row] && before.2.iter().zip(&after.2).all(|(a, b)| a[row] == b[row]);
        let words_per_second = [before.0[row]?, after.0[row]?];
        Some(SpeedDiff { row, words_per_second, is_changed: words_per_second[0] != words_per_second[1] || !is_same })
    };
    Ok(((0..lines.height()).filter_map(of_line).collect(), others.len()))
}
