//! Settings on both sides: sums over the seeds that both have, and whether the difference may be chance.
//!
//! Who changes `pruning = [10]` to `[20]` has no setting on both sides. A setting that only the new side has is then held
//! against the one that it replaced: one that only the old side has and that differs in one axis. Where several differ in
//! that axis only, none replaced it.

use std::collections::BTreeMap;

use super::{CellDiff, Counts, Found};
use crate::frame::Frame;
use crate::measures::UAS;
use crate::sentences::Sentences;
use treebound_records::ReportError;
use treebound_records::number::percent;
use treebound_statistics::{Draws, Sample, pair, randomisation};

/// The axes that say what data a setting is of; a setting replaces another along one of the others.
const AXES_OF_DATA: usize = 2;

/// What is summed over seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Scored words with the right head.
    pub correct: u64,
    /// Scored words.
    pub words: u64,
    /// Sentences whose tree is proven; none if nothing is proven by design.
    pub proven: Option<u64>,
    /// Calls to the dynamic program; none if the system does not count them.
    pub dp_calls: Option<u64>,
}

impl Sums {
    /// Accuracy without punctuation.
    pub fn uas_pct(self) -> Option<f64> {
        percent(self.correct, self.words)
    }
}

/// A setting on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingDiff {
    /// The row of its line.
    pub(super) row: usize,
    /// The axis along which it replaced a setting of the old side, and the row of that one; none if it is the same.
    pub(super) replaced: Option<(usize, usize)>,
    /// The seeds that are looked at: those of both sides, or those of the one that has the setting.
    pub seeds: Vec<u64>,
    /// What it was; none if it was not there.
    pub old: Option<Sums>,
    /// What it is.
    pub new: Option<Sums>,
    /// Two-sided p-value of paired approximate randomisation; none without the sentences of both sides.
    pub p_value: Option<f64>,
    /// Whether a cell of it changed.
    pub is_changed: bool,
    /// What is bad about it, if anything.
    pub mark: Option<Mark>,
}

/// What is bad about a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A cell of it has no counts any more: it failed, or is not there.
    Gone,
    /// Over the seeds that both sides have, fewer words without punctuation are right or fewer sentences proven.
    Worse,
}

impl Mark {
    /// As it stands behind a line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Worse => "worse",
        }
    }

    fn of(cells: &[&CellDiff], old: Option<Sums>, new: Option<Sums>) -> Option<Self> {
        if cells.iter().any(|cell| cell.is_gone()) {
            return Some(Self::Gone);
        }
        let (old, new) = old.zip(new)?;
        let is_worse = new.correct < old.correct || old.proven.zip(new.proven).is_some_and(|(old, new)| new < old);
        is_worse.then_some(Self::Worse)
    }
}

impl SettingDiff {
    /// By how much the accuracy changed, in percentage points.
    pub fn change_points(&self) -> Option<f64> {
        Some(self.new?.uas_pct()? - self.old?.uas_pct()?)
    }
}

/// The lines of some cells, in order. Sentences need not be there.
pub(super) fn settings(
    lines: &Frame,
    cells: &[CellDiff],
    sentences: [&Sentences; 2],
    draws: Draws,
) -> Result<Vec<SettingDiff>, ReportError> {
    let names = if lines.is_empty() { Vec::new() } else { lines.words("line")? };
    let of_line = |(row, line): (usize, &String)| {
        let cells: Vec<&CellDiff> = cells.iter().filter(|cell| cell.row == row).collect();
        let sides = cells.iter().map(|cell| (cell.seed, [counted(&cell.old), counted(&cell.new)])).collect();
        let Compared { seeds, sums: [old, new], p_value } = Compared::of(sides, [line, line], sentences, draws);
        SettingDiff {
            row,
            replaced: None,
            seeds,
            old,
            new,
            p_value,
            is_changed: cells.iter().any(|cell| cell.is_changed()),
            mark: Mark::of(&cells, old, new),
        }
    };
    Ok(names.iter().enumerate().map(of_line).collect())
}

/// Lines of the new side beside those of the old one that they replaced, in the order of the new ones.
pub(super) fn replacements(
    lines: &Frame,
    cells: &[CellDiff],
    sentences: [&Sentences; 2],
    draws: Draws,
) -> Result<Vec<SettingDiff>, ReportError> {
    let axes = lines.axes().iter().map(|axis| lines.words(axis)).collect::<Result<Vec<_>, _>>()?;
    let names = if lines.is_empty() { Vec::new() } else { lines.words("line")? };
    let of_row = |row: usize| cells.iter().filter(move |cell| cell.row == row);
    let only = |is_other: fn(&CellDiff) -> bool| {
        (0..names.len()).filter(|&row| !of_row(row).any(is_other)).collect::<Vec<usize>>()
    };
    let (gone, come) = (only(|cell| cell.new.is_some()), only(|cell| cell.old.is_some()));
    let mut replaced = Vec::new();
    for axis in AXES_OF_DATA..axes.len() {
        let mut alike: BTreeMap<Vec<&str>, [Vec<usize>; 2]> = BTreeMap::new();
        for (side, rows) in [&gone, &come].into_iter().enumerate() {
            for &row in rows {
                let others =
                    axes.iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, words)| words[row].as_str());
                alike.entry(others.collect()).or_default()[side].push(row);
            }
        }
        // One on either side: of several nobody knows which replaced which.
        let pairs = alike.values().filter_map(|[gone, come]| match (&gone[..], &come[..]) {
            (&[old], &[new]) => Some((new, axis, old)),
            _ => None,
        });
        replaced.extend(pairs);
    }
    replaced.sort_unstable();
    let diff = |(new, axis, old): (usize, usize, usize)| {
        let mut sides: BTreeMap<u64, Sides> = BTreeMap::new();
        for cell in of_row(old) {
            sides.entry(cell.seed).or_default()[0] = counted(&cell.old);
        }
        for cell in of_row(new) {
            sides.entry(cell.seed).or_default()[1] = counted(&cell.new);
        }
        // Nothing can be said of two without a seed in common.
        if !sides.values().any(|sides| sides.iter().all(Option::is_some)) {
            return None;
        }
        let Compared { seeds, sums: [before, after], p_value } =
            Compared::of(sides, [&names[old], &names[new]], sentences, draws);
        Some(SettingDiff {
            row: new,
            replaced: Some((axis, old)),
            seeds,
            old: before,
            new: after,
            p_value,
            is_changed: true,
            mark: Mark::of(&[], before, after),
        })
    };
    Ok(replaced.into_iter().filter_map(diff).collect())
}

/// Counts of the old and of the new side.
type Sides = [Option<Counts>; 2];

fn counted(found: &Found) -> Option<Counts> {
    found.as_ref().and_then(|found| found.clone().ok())
}

/// What two settings have over the seeds of both, or over those of one if the other has none.
struct Compared {
    seeds: Vec<u64>,
    sums: [Option<Sums>; 2],
    p_value: Option<f64>,
}

impl Compared {
    /// Compares two lines by seed; sentences that are not those of the counts are not tested.
    fn of(mut sides: BTreeMap<u64, Sides>, lines: [&str; 2], sentences: [&Sentences; 2], draws: Draws) -> Self {
        let has_both = sides.values().any(|sides| sides.iter().all(Option::is_some));
        sides.retain(
            |_, sides| if has_both { sides.iter().all(Option::is_some) } else { sides.iter().any(Option::is_some) },
        );
        let sums = [0, 1].map(|side| sum(sides.values().filter_map(|sides| sides[side].as_ref())));
        let seeds: Vec<u64> = sides.into_keys().collect();
        let samples = [0, 1].map(|side| sentences[side].samples(lines[side], &seeds, &UAS));
        // The sentences must be those of the scores: a folder may hold some of another run.
        let right = |samples: &[Sample]| samples.iter().flat_map(|sample| &sample.right).sum::<u64>();
        let fits = |side: usize| sums[side].is_some_and(|sums: Sums| right(&samples[side]) == sums.correct);
        let is_tested = fits(0) && fits(1) && sums[0] != sums[1];
        let paired = is_tested.then(|| pair(&samples[1], &samples[0]).ok()).flatten();
        let p_value = paired.map(|paired| randomisation(&paired, draws).p_value());
        Self { seeds, sums, p_value }
    }
}

/// The sums of some counts; none of none.
fn sum<'c>(counts: impl Iterator<Item = &'c Counts>) -> Option<Sums> {
    let sums = counts.map(|counts| Sums {
        correct: counts.get("scored_correct").unwrap_or(0),
        words: counts.get("scored_tokens").unwrap_or(0),
        proven: counts.get("proven"),
        dp_calls: counts.get("dp_calls"),
    });
    sums.reduce(|a, b| Sums {
        correct: a.correct + b.correct,
        words: a.words + b.words,
        proven: a.proven.zip(b.proven).map(|(a, b)| a + b),
        dp_calls: a.dp_calls.zip(b.dp_calls).map(|(a, b)| a + b),
    })
}
