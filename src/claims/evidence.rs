//! The numbers that decide claims: rows of the results, by what a claim says of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Metric, Selector};
use crate::figures::figure4::figure4;
use crate::figures::figure5::figure5;
use crate::figures::{Figure, Point};
use crate::records::{CellKey, LengthRow, ReportError, ScoreRow, SentenceRow, Setting, SpeedRow};
use crate::statistics::average::{Averaged, average};
use crate::statistics::significance::Draws;
use crate::statistics::speed::{Speed, speeds};
use crate::tables::order::features_order;

/// Why a claim cannot be decided: what is missing, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub String);

/// The results of an experiment.
#[derive(Debug)]
pub struct Evidence {
    /// The cells that the experiment has.
    wanted: BTreeSet<CellKey>,
    averaged: BTreeMap<Setting, Averaged>,
    sentences: BTreeMap<Setting, Vec<SentenceRow>>,
    speeds: BTreeMap<Setting, Speed>,
    /// Total time of each timed pass.
    passes: BTreeMap<Setting, BTreeMap<(u64, u64), u64>>,
    times: Figure,
    calls: Figure,
    /// The random tests.
    pub(super) draws: Draws,
    /// The decoders of sets with non-local features, in the config's order.
    decoder: String,
    /// The part that counts where a claim names none.
    split: String,
}

/// Which corpus and tags a claim is held against.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The corpus.
    pub corpus: String,
    /// The tags.
    pub tags: String,
}

impl Evidence {
    /// The evidence in the rows of an experiment with these cells. `decoder` and `split` are those of rows for which a claim
    /// names none.
    ///
    /// # Errors
    /// If rows do not come from the same data.
    pub fn new(
        wanted: BTreeSet<CellKey>,
        scores: &[ScoreRow],
        sentences: Vec<SentenceRow>,
        lengths: &[LengthRow],
        times: &[SpeedRow],
        (decoder, split, draws): (&str, &str, Draws),
    ) -> Result<Self, ReportError> {
        let averaged = average(scores)?.into_iter().map(|line| (line.setting.clone(), line)).collect();
        let mut by_setting: BTreeMap<Setting, Vec<SentenceRow>> = BTreeMap::new();
        for cell in sentences.chunk_by(|a, b| a.cell == b.cell) {
            if let Some(first) = cell.first() {
                by_setting.entry(first.cell.setting()).or_default().extend_from_slice(cell);
            }
        }
        let mut passes: BTreeMap<Setting, BTreeMap<(u64, u64), u64>> = BTreeMap::new();
        for row in times {
            let pass = passes.entry(row.cell.setting()).or_default().entry((row.cell.seed, row.repeat)).or_default();
            *pass = pass.saturating_add(row.total_ns());
        }
        Ok(Self {
            wanted,
            averaged,
            sentences: by_setting,
            speeds: speeds(times)?,
            passes,
            times: figure4(times),
            calls: figure5(lengths),
            draws,
            decoder: decoder.to_owned(),
            split: split.to_owned(),
        })
    }

    /// All corpora and tags of the experiment.
    pub fn places(&self) -> BTreeSet<Place> {
        let place = |key: &CellKey| Place { corpus: key.corpus.clone(), tags: key.tags.clone() };
        self.wanted.iter().map(place).collect()
    }

    /// The seeds of each setting that the experiment has.
    fn seeds(&self, setting: &Setting) -> Vec<u64> {
        self.wanted.iter().filter(|key| key.setting() == *setting).map(|key| key.seed).collect()
    }

    /// The setting that a claim means.
    pub(super) fn setting(&self, place: &Place, selector: &Selector) -> Result<&Setting, Missing> {
        let found = self.averaged.keys().find(|setting| self.means(place, selector, setting));
        found.ok_or_else(|| Missing(format!("not run: {}", self.name(place, selector))))
    }

    fn means(&self, place: &Place, selector: &Selector, setting: &Setting) -> bool {
        let Setting { corpus, split, tags, trainer, features, prune, backbone, decoder } = setting;
        let asked = self.asked(place, selector);
        *corpus == place.corpus && [split, tags, trainer, features, prune, backbone, decoder].into_iter().eq(asked)
    }

    /// Part, tags, trainer, set, pruning, backbone and decoder, defaults filled in.
    fn asked<'a>(&'a self, place: &'a Place, selector: &'a Selector) -> [&'a str; 7] {
        let usual = if features_order(&selector.set).0 == 0 { "dp" } else { &self.decoder };
        [
            selector.split.as_deref().unwrap_or(&self.split),
            selector.tags.as_deref().unwrap_or(&place.tags),
            selector.trainer.as_deref().unwrap_or(Selector::TRAINER),
            &selector.set,
            selector.k.as_deref().unwrap_or(Selector::PRUNE),
            selector.backbone.as_deref().unwrap_or(Selector::BACKBONE),
            selector.decoder.as_deref().unwrap_or(usual),
        ]
    }

    /// The row's name, as cells are named.
    fn name(&self, place: &Place, selector: &Selector) -> String {
        format!("{}/{}", place.corpus, self.asked(place, selector).join("/"))
    }

    /// The row that a claim means, with all seeds that the experiment has.
    pub(super) fn row(&self, place: &Place, selector: &Selector) -> Result<&Averaged, Missing> {
        let setting = self.setting(place, selector)?;
        // The key comes from this map.
        let line = &self.averaged[setting];
        match self.seeds(setting).into_iter().find(|seed| !line.seeds.contains(seed)) {
            Some(seed) => Err(Missing(format!("not run: {setting}/seed={seed}"))),
            None => Ok(line),
        }
    }

    /// The sentences of a row.
    pub(super) fn sentences(&self, setting: &Setting) -> &[SentenceRow] {
        self.sentences.get(setting).map_or(&[], Vec::as_slice)
    }

    /// Of a corpus and tags: the cells that have no counts, the searches without a proof, and all searches.
    pub(super) fn proofs(&self, place: &Place) -> (Vec<String>, u64, u64) {
        let here = |corpus: &str, tags: &str| (corpus, tags) == (place.corpus.as_str(), place.tags.as_str());
        let has = |key: &CellKey| self.averaged.get(&key.setting()).is_some_and(|line| line.seeds.contains(&key.seed));
        let cells = self.wanted.iter().filter(|key| here(&key.corpus, &key.tags));
        let missing = cells.filter(|key| !has(key)).map(ToString::to_string).collect();
        let lines = || self.averaged.values().filter(|line| here(&line.setting.corpus, &line.setting.tags));
        let unproven = lines().map(Averaged::unproven).fold(0, u64::saturating_add);
        (missing, unproven, lines().map(|line| line.sums.sentences).fold(0, u64::saturating_add))
    }

    /// The least, middle and largest value of a measure over the passes; of what does not vary, the one value.
    pub(super) fn measure(&self, place: &Place, selector: &Selector, metric: Metric) -> Result<[f64; 3], Missing> {
        let line = self.row(place, selector)?;
        if metric == Metric::DpCalls {
            let nothing = || Missing(format!("no sentences: {}", line.setting));
            return line.dp_calls_per_sentence().map(|calls| [calls; 3]).ok_or_else(nothing);
        }
        let untimed = || Missing(format!("not timed: {}", line.setting));
        let speed = self.speeds.get(&line.setting).filter(|speed| speed.sentences > 0).ok_or_else(untimed)?;
        let passes = self.passes.get(&line.setting).ok_or_else(untimed)?;
        let (least, largest) = (passes.values().min().copied(), passes.values().max().copied());
        let ms = |ns: u64| speed.ms_per_sentence(ns).ok_or_else(untimed);
        Ok([ms(least.unwrap_or(0))?, ms(speed.total_ns)?, ms(largest.unwrap_or(0))?])
    }

    /// The points of a measure by length that stand for enough sentences, as plotted: length, value, sentences.
    pub(super) fn curve(
        &self,
        place: &Place,
        selector: &Selector,
        metric: Metric,
    ) -> Result<Vec<(f64, f64, u64)>, Missing> {
        let line = self.row(place, selector)?;
        let (figure, verb) = match metric {
            Metric::DpCalls => (&self.calls, "by_length.csv does not have"),
            Metric::Time => (&self.times, "not timed:"),
        };
        let of = |(panel, series): (&crate::figures::Panel, &crate::figures::Series)| {
            let thick = panel.bins.iter().filter(|bin| !bin.is_thin());
            let points = thick.filter_map(|bin| {
                let points: Vec<&Point> = series.points.iter().filter(|p| bin.holds(p.length)).collect();
                let sum = |value: fn(&Point) -> u64| points.iter().map(|p| value(p)).fold(0, u64::saturating_add);
                let (sentences, decoded) = (sum(|p| p.sentences), sum(|p| p.decoded));
                let length = sum(|p| p.sentences.saturating_mul(p.length)) as f64 / sentences as f64;
                (decoded > 0).then(|| (length, sum(|p| p.total) as f64 / decoded as f64, sentences))
            });
            points.collect()
        };
        let all = figure.panels.iter().flat_map(|panel| panel.series.iter().map(move |series| (panel, series)));
        let found = all.into_iter().find(|(_, series)| series.setting == line.setting).map(of);
        found.ok_or_else(|| Missing(format!("{verb} {}", line.setting)))
    }
}
