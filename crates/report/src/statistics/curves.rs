//! A measure against sentence length: times from timed passes, and calls to the dynamic program.
//!
//! A [`Series`] has a point a length; series that differ in pruning and decoder alone stand in one [`Panel`], whose rare
//! lengths are joined into [`Bin`]s.

use std::collections::{BTreeMap, BTreeSet};

use crate::bins::{Bin, bins};
use treebound_parser::answer::Count;
use treebound_parser::cell::Setting;
use treebound_parser::systems;
use treebound_records::number::{median, ratio};
use treebound_records::{LengthRow, SpeedRow};

/// A line: a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The setting.
    pub setting: Setting,
    /// Seeds (calls) or passes (times) that the totals are over.
    pub samples: u64,
    /// Searches that ended without a proof, where that is known.
    pub unproven: u64,
    /// The measurements, by length, ascending.
    pub points: Vec<Point>,
}

/// The sentences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Words a sentence.
    pub length: u64,
    /// Sentences of that length in the corpus.
    pub sentences: u64,
    /// Sentences that `total` is over: each once, or once a seed.
    pub decoded: u64,
    /// Calls, or nanoseconds.
    pub total: u64,
}

/// The series of one corpus, part, tags, system, templates, learner, backbone and feature set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The series: by decoder, then most candidates first.
    pub series: Vec<Series>,
    /// Sentences of each length in the corpus, ascending by length.
    pub lengths: Vec<(u64, u64)>,
    /// Lengths that share a point.
    pub bins: Vec<Bin>,
}

/// A bin of a series: the mean over its lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Mean length of the sentences.
    pub length: f64,
    /// Sentences in the corpus.
    pub sentences: u64,
    /// Mean of the measure.
    pub average: f64,
}

impl Series {
    /// The points of a bin as one; none if it has none of them.
    pub fn mean(&self, bin: Bin) -> Option<Mean> {
        let sum = |value: fn(&Point) -> u64| {
            self.points.iter().filter(|point| bin.holds(point.length)).map(value).fold(0, u64::saturating_add)
        };
        let sentences = sum(|point| point.sentences);
        Some(Mean {
            length: ratio(sum(|point| point.sentences.saturating_mul(point.length)), sentences)?,
            sentences,
            average: ratio(sum(|point| point.total), sum(|point| point.decoded))?,
        })
    }
}

impl Panel {
    fn new(series: Vec<Series>) -> Self {
        let mut sentences: BTreeMap<u64, u64> = BTreeMap::new();
        for point in series.iter().flat_map(|series| &series.points) {
            let most = sentences.entry(point.length).or_default();
            *most = point.sentences.max(*most);
        }
        let lengths: Vec<(u64, u64)> = sentences.into_iter().collect();
        let bins = bins(&lengths);
        Self { series, lengths, bins }
    }

    /// Every point with its bin.
    pub fn rows(&self) -> impl Iterator<Item = (&Series, &Point, Bin)> {
        self.series.iter().flat_map(move |series| {
            series.points.iter().filter_map(move |point| {
                let bin = *self.bins.iter().find(|bin| bin.holds(point.length))?;
                Some((series, point, bin))
            })
        })
    }
}

/// What the series of a panel share: all but the pruning and the decoder.
fn panel_of(setting: &Setting) -> impl Ord + '_ {
    let Setting { corpus, split, tags, system, .. } = setting;
    let (templates, learner) = (setting.templates(), setting.learner());
    (
        (corpus, split, tags),
        (systems::place(system), system),
        (templates, learner),
        (setting.backbone(), setting.features()),
    )
}

/// The panels of some series, in order.
fn panels(mut series: Vec<Series>) -> Vec<Panel> {
    let place = |setting: &Setting| (setting.decoder(), setting.pruning());
    series.sort_by(|a, b| {
        let (a, b) = (&a.setting, &b.setting);
        panel_of(a).cmp(&panel_of(b)).then_with(|| place(a).cmp(&place(b)))
    });
    let same = |a: &Series, b: &Series| panel_of(&a.setting) == panel_of(&b.setting);
    series.chunk_by(same).map(|series| Panel::new(series.to_vec())).collect()
}

/// Times by length, of the settings that were timed so. The time of a length is the median over all passes (repeats and seeds)
/// of that for all its sentences.
pub fn times(rows: &[SpeedRow]) -> Vec<Panel> {
    let mut settings: BTreeMap<&Setting, BTreeMap<u64, Vec<&SpeedRow>>> = BTreeMap::new();
    for row in rows {
        let Some(length) = row.length else { continue };
        settings.entry(&row.cell.setting).or_default().entry(length).or_default().push(row);
    }
    let point = |(length, rows): (u64, Vec<&SpeedRow>)| {
        let mut times: Vec<u64> = rows.iter().map(|row| row.phases.total_ns()).collect();
        let sentences = rows.iter().map(|row| row.sentences).max().unwrap_or(0);
        Point { length, sentences, decoded: sentences, total: median(&mut times).unwrap_or(0) }
    };
    let series = settings.into_iter().map(|(setting, lengths)| {
        let passes: BTreeSet<(u64, u64)> = lengths.values().flatten().map(|row| (row.cell.seed, row.repeat)).collect();
        let points = lengths.into_iter().map(point).collect();
        Series { setting: setting.clone(), samples: passes.len() as u64, unproven: 0, points }
    });
    panels(series.collect())
}

/// Calls to the dynamic program by length, over all seeds, of the settings that count them.
pub fn calls(rows: &[LengthRow]) -> Vec<Panel> {
    let counted = |row: &LengthRow| row.effort.get(Count::DpCalls);
    let mut settings: BTreeMap<&Setting, BTreeMap<u64, Vec<&LengthRow>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| counted(row).is_some()) {
        settings.entry(&row.cell.setting).or_default().entry(row.length).or_default().push(row);
    }
    let point = |(length, rows): (u64, Vec<&LengthRow>)| {
        let sum = |value: &dyn Fn(&LengthRow) -> u64| rows.iter().map(|row| value(row)).fold(0, u64::saturating_add);
        Point {
            length,
            sentences: rows.iter().map(|row| row.sentences).max().unwrap_or(0),
            decoded: sum(&|row| row.sentences),
            total: sum(&|row| counted(row).unwrap_or(0)),
        }
    };
    let series = settings.into_iter().map(|(setting, lengths)| {
        let seeds: BTreeSet<u64> = lengths.values().flatten().map(|row| row.cell.seed).collect();
        let unproven = |row: &&LengthRow| row.proven.map_or(0, |proven| row.sentences.saturating_sub(proven));
        let unproven = lengths.values().flatten().map(unproven).fold(0, u64::saturating_add);
        let points = lengths.into_iter().map(point).collect();
        Series { setting: setting.clone(), samples: seeds.len() as u64, unproven, points }
    });
    panels(series.collect())
}
