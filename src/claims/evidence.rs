//! The numbers that decide claims: rows of the results, by what a claim says of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Metric, Selector, Usual};
use crate::answer::Count;
use crate::cell::{CellKey, CorpusName, Decoding, Method, Setting, SystemName, Tags};
use crate::decode::Decoder;
use crate::records::{LengthRow, ReportError, ScoreRow, SentenceRow, SpeedRow};
use crate::statistics::average::{Averaged, average};
use crate::statistics::curves::{self, Panel};
use crate::statistics::speed::{Speed, speeds};

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
    times: Vec<Panel>,
    calls: Vec<Panel>,
    /// What is meant where a claim does not say.
    pub(super) usual: Usual,
}

/// Which corpus and tags a claim is held against.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    /// The corpus.
    pub corpus: CorpusName,
    /// The tags.
    pub tags: Tags,
}

impl Evidence {
    /// The evidence in the rows of an experiment with these cells.
    ///
    /// # Errors
    /// If rows do not come from the same data.
    pub fn new(
        wanted: BTreeSet<CellKey>,
        scores: &[ScoreRow],
        sentences: Vec<SentenceRow>,
        lengths: &[LengthRow],
        times: &[SpeedRow],
        usual: Usual,
    ) -> Result<Self, ReportError> {
        let averaged = average(scores)?.into_iter().map(|line| (line.setting.clone(), line)).collect();
        let mut by_setting: BTreeMap<Setting, Vec<SentenceRow>> = BTreeMap::new();
        for cell in sentences.chunk_by(|a, b| a.cell == b.cell) {
            if let Some(first) = cell.first() {
                by_setting.entry(first.cell.setting.clone()).or_default().extend_from_slice(cell);
            }
        }
        let mut passes: BTreeMap<Setting, BTreeMap<(u64, u64), u64>> = BTreeMap::new();
        for row in times {
            let pass =
                passes.entry(row.cell.setting.clone()).or_default().entry((row.cell.seed, row.repeat)).or_default();
            *pass = pass.saturating_add(row.phases.total_ns());
        }
        Ok(Self {
            wanted,
            averaged,
            sentences: by_setting,
            speeds: speeds(times, scores)?,
            passes,
            times: curves::times(times),
            calls: curves::calls(lengths),
            usual,
        })
    }

    /// All corpora and tags of the experiment.
    pub fn scopes(&self) -> BTreeSet<Scope> {
        let scope = |key: &CellKey| Scope { corpus: key.setting.corpus.clone(), tags: key.setting.tags };
        self.wanted.iter().map(scope).collect()
    }

    /// The seeds of each setting that the experiment has.
    fn seeds(&self, setting: &Setting) -> Vec<u64> {
        self.wanted.iter().filter(|key| key.setting == *setting).map(|key| key.seed).collect()
    }

    /// The setting that a claim means, if it was run.
    pub(super) fn setting(&self, scope: &Scope, selector: &Selector) -> Result<&Setting, Missing> {
        let asked = self.asked(scope, selector);
        let found = self.averaged.get_key_value(&asked).map(|(setting, _)| setting);
        found.ok_or_else(|| Missing(format!("not run: {asked}")))
    }

    /// The setting that a claim means.
    fn asked(&self, scope: &Scope, selector: &Selector) -> Setting {
        let usual = if selector.set.is_baseline() { Decoder::Dp } else { self.usual.decoder };
        let decoding =
            Decoding { backbone: selector.backbone.unwrap_or_default(), decoder: selector.decoder.unwrap_or(usual) };
        Setting {
            corpus: scope.corpus.clone(),
            split: selector.split.unwrap_or(self.usual.split),
            tags: selector.tags.unwrap_or(scope.tags),
            system: SystemName::graph(),
            templates: selector.templates.clone().or_else(|| self.usual.templates.clone()),
            learner: Some(selector.learner.clone().unwrap_or_else(|| Method::Perceptron.into())),
            features: Some(selector.set.clone()),
            pruning: Some(selector.pruning.unwrap_or(Selector::PRUNING)),
            decoding: Some(decoding),
        }
    }

    /// The row that a claim means, with all seeds that the experiment has.
    pub(super) fn row(&self, scope: &Scope, selector: &Selector) -> Result<&Averaged, Missing> {
        let setting = self.setting(scope, selector)?;
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
    pub(super) fn proofs(&self, scope: &Scope) -> (Vec<String>, u64, u64) {
        let here = |setting: &Setting| (&setting.corpus, setting.tags) == (&scope.corpus, scope.tags);
        let has = |key: &CellKey| self.averaged.get(&key.setting).is_some_and(|line| line.seeds.contains(&key.seed));
        let cells = self.wanted.iter().filter(|key| here(&key.setting));
        let missing = cells.filter(|key| !has(key)).map(ToString::to_string).collect();
        // Systems that prove nothing by design have no searches.
        let lines = || self.averaged.values().filter(|line| here(&line.setting) && line.sums.proven.is_some());
        let unproven = lines().filter_map(Averaged::unproven).fold(0, u64::saturating_add);
        (missing, unproven, lines().map(|line| line.sums.sentences).fold(0, u64::saturating_add))
    }

    /// The least, middle and largest value of a measure over the passes; of what does not vary, the one value.
    pub(super) fn measure(&self, scope: &Scope, selector: &Selector, metric: Metric) -> Result<[f64; 3], Missing> {
        let line = self.row(scope, selector)?;
        if metric == Metric::DpCalls {
            let nothing = || Missing(format!("no sentences: {}", line.setting));
            return line.per_sentence(Count::DpCalls).map(|calls| [calls; 3]).ok_or_else(nothing);
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
        scope: &Scope,
        selector: &Selector,
        metric: Metric,
    ) -> Result<Vec<(f64, f64, u64)>, Missing> {
        let line = self.row(scope, selector)?;
        let (panels, verb) = match metric {
            Metric::DpCalls => (&self.calls, "by_length.csv does not have"),
            Metric::Time => (&self.times, "not timed:"),
        };
        let series = panels.iter().flat_map(|panel| panel.series.iter().map(move |series| (panel, series)));
        let found = series.into_iter().find(|(_, series)| series.setting == line.setting);
        let (panel, series) = found.ok_or_else(|| Missing(format!("{verb} {}", line.setting)))?;
        let means = panel.bins.iter().filter(|bin| !bin.is_thin()).filter_map(|bin| series.mean(*bin));
        Ok(means.map(|mean| (mean.length, mean.average, mean.sentences)).collect())
    }
}
