//! Settings on both sides: sums over the seeds that both have, and whether the difference may be chance.
//!
//! Who changes `pruning = [10]` to `[20]` has no setting on both sides. A setting that only the new side has is then held
//! against the one that it replaced: one that only the old side has and that differs in one axis. Where several differ in
//! that axis only, none replaced it.

use std::collections::BTreeMap;

use super::{CellDiff, Found};
use crate::statistics::significance::{Draws, pair, randomisation};
use treebound_parser::answer::Count;
use treebound_parser::cell::Setting;
use treebound_records::number::percent;
use treebound_records::{Counts, SentenceRow};

/// The axes along which a setting replaces another, as places in [`Setting::AXES`]: not corpus and part, which are data.
const AXES_OF_PARSERS: std::ops::Range<usize> = 2..Setting::AXES.len();

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
    /// The setting.
    pub setting: Setting,
    /// The setting of the old side that it replaced, and the place of the axis in which they differ; none if it is the
    /// same.
    pub replaced: Option<(usize, Setting)>,
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

/// The settings of some cells, in their order. Sentences need not be there.
pub(super) fn settings(cells: &[CellDiff], sentences: [&[SentenceRow]; 2], draws: Draws) -> Vec<SettingDiff> {
    let mut by_setting: BTreeMap<&Setting, Vec<&CellDiff>> = BTreeMap::new();
    for cell in cells {
        by_setting.entry(&cell.cell.setting).or_default().push(cell);
    }
    by_setting.into_iter().map(|(setting, cells)| of_setting(setting, &cells, sentences, draws)).collect()
}

/// Settings of the new side beside those of the old one that they replaced, in the order of the new ones.
pub(super) fn replacements(cells: &[CellDiff], sentences: [&[SentenceRow]; 2], draws: Draws) -> Vec<SettingDiff> {
    let mut by_setting: BTreeMap<&Setting, Vec<&CellDiff>> = BTreeMap::new();
    for cell in cells {
        by_setting.entry(&cell.cell.setting).or_default().push(cell);
    }
    let only = |is_other: fn(&CellDiff) -> bool| {
        let alone = by_setting.iter().filter(move |(_, cells)| !cells.iter().any(|cell| is_other(cell)));
        alone.map(|(setting, _)| *setting).collect::<Vec<&Setting>>()
    };
    let (gone, come) = (only(|cell| cell.new.is_some()), only(|cell| cell.old.is_some()));
    let mut replaced = Vec::new();
    for axis in AXES_OF_PARSERS {
        let mut alike: BTreeMap<[String; 9], [Vec<&Setting>; 2]> = BTreeMap::new();
        for (side, settings) in [&gone, &come].into_iter().enumerate() {
            for &setting in settings {
                let mut spelt = setting.spelt();
                spelt[axis].clear();
                alike.entry(spelt).or_default()[side].push(setting);
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
    let diff = |(new, axis, old): (&Setting, usize, &Setting)| {
        let mut sides: BTreeMap<u64, Sides> = BTreeMap::new();
        for cell in &by_setting[old] {
            sides.entry(cell.cell.seed).or_default()[0] = counted(&cell.old);
        }
        for cell in &by_setting[new] {
            sides.entry(cell.cell.seed).or_default()[1] = counted(&cell.new);
        }
        // Nothing can be said of two without a seed in common.
        if !sides.values().any(|sides| sides.iter().all(Option::is_some)) {
            return None;
        }
        let compared = Compared::of(sides, [old, new], sentences, draws);
        let Compared { seeds, sums: [before, after], p_value } = compared;
        Some(SettingDiff {
            setting: new.clone(),
            replaced: Some((axis, old.clone())),
            seeds,
            old: before,
            new: after,
            p_value,
            is_changed: true,
            mark: Mark::of(&[], before, after),
        })
    };
    replaced.into_iter().filter_map(diff).collect()
}

fn of_setting(setting: &Setting, cells: &[&CellDiff], sentences: [&[SentenceRow]; 2], draws: Draws) -> SettingDiff {
    let sides = cells.iter().map(|cell| (cell.cell.seed, [counted(&cell.old), counted(&cell.new)])).collect();
    let Compared { seeds, sums: [old, new], p_value } = Compared::of(sides, [setting, setting], sentences, draws);
    SettingDiff {
        setting: setting.clone(),
        replaced: None,
        seeds,
        old,
        new,
        p_value,
        is_changed: cells.iter().any(|cell| cell.is_changed()),
        mark: Mark::of(cells, old, new),
    }
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
    /// Compares by seed; sentences that are not those of the counts are not tested.
    fn of(
        mut sides: BTreeMap<u64, Sides>,
        settings: [&Setting; 2],
        sentences: [&[SentenceRow]; 2],
        draws: Draws,
    ) -> Self {
        let has_both = sides.values().any(|sides| sides.iter().all(Option::is_some));
        sides.retain(
            |_, sides| if has_both { sides.iter().all(Option::is_some) } else { sides.iter().any(Option::is_some) },
        );
        let sums = [0, 1].map(|side| sum(sides.values().filter_map(|sides| sides[side].as_ref())));
        let rows = [0, 1].map(|side| {
            let wanted = |row: &&SentenceRow| row.cell.setting == *settings[side] && sides.contains_key(&row.cell.seed);
            sentences[side].iter().filter(wanted).collect::<Vec<_>>()
        });
        // The sentences must be those of the scores: a folder may hold some of another run.
        let fits = |side: usize| {
            let correct = rows[side].iter().map(|row| row.scored_correct).sum::<u64>();
            sums[side].is_some_and(|sums: Sums| correct == sums.correct)
        };
        let is_tested = fits(0) && fits(1) && sums[0] != sums[1];
        let paired = is_tested.then(|| pair(rows[1].iter().copied(), rows[0].iter().copied()).ok()).flatten();
        let p_value = paired.map(|paired| randomisation(&paired, draws).p_value());
        Self { seeds: sides.into_keys().collect(), sums, p_value }
    }
}

/// The sums of some counts; none of none.
fn sum<'c>(counts: impl Iterator<Item = &'c Counts>) -> Option<Sums> {
    let sums = counts.map(|c| Sums {
        correct: c.scored_correct,
        words: c.scored_tokens,
        proven: c.proven,
        dp_calls: c.effort.get(Count::DpCalls),
    });
    sums.reduce(|a, b| Sums {
        correct: a.correct + b.correct,
        words: a.words + b.words,
        proven: a.proven.zip(b.proven).map(|(a, b)| a + b),
        dp_calls: a.dp_calls.zip(b.dp_calls).map(|(a, b)| a + b),
    })
}
