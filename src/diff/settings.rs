//! Settings on both sides: sums over the seeds that both have, and whether the difference may be chance.

use std::collections::{BTreeMap, BTreeSet};

use super::{CellDiff, Found};
use crate::answer::Count;
use crate::cell::Setting;
use crate::records::number::percent;
use crate::records::{Counts, SentenceRow};
use crate::statistics::significance::{Draws, pair, randomisation};

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

fn of_setting(setting: &Setting, cells: &[&CellDiff], sentences: [&[SentenceRow]; 2], draws: Draws) -> SettingDiff {
    let counted = |found: &Found| found.as_ref().and_then(|found| found.clone().ok());
    let sides = cells.iter().map(|cell| (cell.cell.seed, counted(&cell.old), counted(&cell.new)));
    let sides: Vec<(u64, Option<Counts>, Option<Counts>)> = sides.collect();
    let both: Vec<_> = sides.iter().filter(|(_, old, new)| old.is_some() && new.is_some()).collect();
    let looked_at: Vec<_> = if both.is_empty() { sides.iter().collect() } else { both };
    let seeds: BTreeSet<u64> =
        looked_at.iter().filter(|(_, old, new)| old.is_some() || new.is_some()).map(|(seed, ..)| *seed).collect();
    let [old, new] = [
        sum(looked_at.iter().filter_map(|(_, old, _)| old.as_ref())),
        sum(looked_at.iter().filter_map(|(.., new)| new.as_ref())),
    ];
    let rows = sentences.map(|rows| {
        let wanted = |row: &&SentenceRow| row.cell.setting == *setting && seeds.contains(&row.cell.seed);
        rows.iter().filter(wanted).collect::<Vec<_>>()
    });
    // The sentences must be those of the scores: a folder may hold some of another run.
    let fits = |rows: &[&SentenceRow], sums: Option<Sums>| {
        sums.is_some_and(|sums| rows.iter().map(|row| row.scored_correct).sum::<u64>() == sums.correct)
    };
    let is_tested = fits(&rows[0], old) && fits(&rows[1], new) && old != new;
    let p_value = is_tested.then(|| pair(rows[1].iter().copied(), rows[0].iter().copied()).ok()).flatten();
    SettingDiff {
        setting: setting.clone(),
        seeds: seeds.into_iter().collect(),
        old,
        new,
        p_value: p_value.map(|paired| randomisation(&paired, draws).p_value()),
        is_changed: cells.iter().any(|cell| cell.is_changed()),
        mark: Mark::of(cells, old, new),
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
