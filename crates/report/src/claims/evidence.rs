//! The numbers that decide claims: rows of the results, by what a claim says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Metric, Selector, Test, Usual};
use crate::statistics::average::{Averaged, average};
use crate::statistics::curves::{self, Panel};
use crate::statistics::significance::CONFIDENCE;
use crate::statistics::significance::ratio_interval;
use crate::statistics::speed::{Speed, speeds};
use crate::tables::published::Published;
use treebound_core::decode::Decoder;
use treebound_parser::answer::Count;
use treebound_parser::cell::{AxisValues, CellKey, CorpusName, FeatureSet, Method, Setting, Split, SystemName, Tags};
use treebound_records::number::{counted, median, percent};
use treebound_records::{LearningRow, LengthRow, ModelName, ReportError, ScoreRow, SentenceRow, SpeedRow};

/// Why a claim cannot be decided: what is missing, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// In words.
    pub what: String,
    /// Whether it is the sentences of a row that was run.
    pub is_sentences: bool,
}

/// What is said of a system that the config does not have.
const NOT_AVAILABLE: &str = "is not available:";

/// Why there is no ratio.
const NOTHING_BELOW: &str = "there is nothing to divide by";

impl Missing {
    /// Anything but sentences.
    pub fn of(what: impl Into<String>) -> Self {
        Self { what: what.into(), is_sentences: false }
    }
}

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
    /// How long each model takes to learn, by threads.
    learning: BTreeMap<(ModelName, u64), Vec<LearningRow>>,
    times: Vec<Panel>,
    calls: Vec<Panel>,
    /// The grids that have each setting, in the order of the config; none if they are not known.
    grids: Option<BTreeMap<Setting, Vec<String>>>,
    /// The config, for commands.
    config: String,
    /// The paper's figures.
    published: Published,
    /// What is meant where a claim does not say.
    pub(super) usual: Usual,
}

/// Which corpus, tags and part a claim is held against.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    /// The corpus.
    pub corpus: CorpusName,
    /// The tags.
    pub tags: Tags,
    /// The part of rows that name none.
    pub split: Split,
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
            learning: BTreeMap::new(),
            times: curves::times(times),
            calls: curves::calls(lengths),
            grids: None,
            config: "CONFIG".to_owned(),
            published: Published::carried()?,
            usual,
        })
    }

    /// With the grids of the config that have each cell, in the config's order, so that what was not run can name them.
    pub fn with_grids(mut self, cells: impl IntoIterator<Item = (Setting, Vec<String>)>) -> Self {
        let mut grids: BTreeMap<Setting, Vec<String>> = BTreeMap::new();
        for (setting, names) in cells {
            let known = grids.entry(setting).or_default();
            for name in names {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        self.grids = Some(grids);
        self
    }

    /// With how long models take to learn.
    pub fn with_learning(mut self, rows: impl IntoIterator<Item = LearningRow>) -> Self {
        for row in rows {
            self.learning.entry((row.model.clone(), row.threads)).or_default().push(row);
        }
        self
    }

    /// With the file of the config, so that what is missing can say how to make it.
    pub fn with_config(mut self, config: &Path) -> Self {
        self.config = config.display().to_string();
        self
    }

    /// A figure that the paper gives of a row on a data set.
    pub(super) fn figure(&self, data_set: &str, setting: &Setting, measure: &str) -> Option<f64> {
        self.published.figure(data_set, setting, measure)
    }

    /// All corpora of the experiment, with those of its tags that claims are about.
    pub fn scopes(&self) -> BTreeSet<Scope> {
        let scope = |key: &CellKey| Scope {
            corpus: key.setting.corpus.clone(),
            tags: key.setting.tags,
            split: self.usual.split,
        };
        let tags = &self.usual.tags;
        let is_claimed = |key: &&CellKey| tags.is_empty() || tags.contains(&key.setting.tags);
        self.wanted.iter().filter(is_claimed).map(scope).collect()
    }

    /// The seeds of each setting that the experiment has.
    fn seeds(&self, setting: &Setting) -> Vec<u64> {
        self.wanted.iter().filter(|key| key.setting == *setting).map(|key| key.seed).collect()
    }

    /// The setting that a claim means, if it was run.
    pub(super) fn setting(&self, scope: &Scope, selector: &Selector) -> Result<&Setting, Missing> {
        let asked = self.asked(scope, selector);
        let found = self.averaged.get_key_value(&asked).map(|(setting, _)| setting);
        found.ok_or_else(|| self.lacks(selector, &asked, &format!("not run: {asked}")))
    }

    /// That a system of a test is in no grid and has no row: it is not available, whatever else is missing.
    pub(super) fn unknown_system(&self, test: &Test) -> Option<Missing> {
        let grids = self.grids.as_ref()?;
        let is_known =
            |system: &SystemName| grids.keys().chain(self.averaged.keys()).any(|setting| setting.system == *system);
        let selectors = test.selectors();
        let system =
            selectors.iter().filter_map(|selector| selector.system.as_ref()).find(|system| !is_known(system))?;
        Some(Missing::of(format!(
            "{system} {NOT_AVAILABLE} an [[external]] of that name, and a grid with systems = \"{system}\", would decide it"
        )))
    }

    /// What is missing of a row, and which grid would bring it.
    fn lacks(&self, selector: &Selector, asked: &Setting, what: &str) -> Missing {
        let Some(grids) = &self.grids else { return Missing::of(what) };
        Missing::of(match grids.get(asked) {
            Some(names) => format!("{what} (grid {})", names.join(" or ")),
            None => format!("{what} (no grid has it; one with {} would)", selector.keys()),
        })
    }

    /// That the sentences of a row are missing, and what makes them.
    fn lacks_sentences(&self, setting: &Setting) -> Missing {
        let grid = self.grids.as_ref().and_then(|grids| grids.get(setting)?.first());
        let grid = grid.map_or_else(String::new, |grid| format!(" --grid {grid}"));
        let make = format!("treebound run {}{grid}", self.config);
        Missing {
            what: format!("not decided: its sentences are not here (of {setting}); make them with: {make}"),
            is_sentences: true,
        }
    }

    /// The setting that a claim means.
    fn asked(&self, scope: &Scope, selector: &Selector) -> Setting {
        let (corpus, split) = (scope.corpus.clone(), selector.split.unwrap_or(scope.split));
        let tags = selector.tags.unwrap_or(scope.tags);
        if let Some(system) = &selector.system {
            return Setting { corpus, split, tags, system: system.clone(), axes: AxisValues::default() };
        }
        let set = selector.set.clone().unwrap_or_else(FeatureSet::baseline);
        let usual = if set.is_baseline() { Decoder::Dp } else { self.usual.decoder };
        let pruning = selector.pruning.unwrap_or(Selector::PRUNING);
        let backbone = selector.backbone.unwrap_or_default();
        let learner = selector.learner.clone().unwrap_or_else(|| Method::Perceptron.into());
        let axes =
            AxisValues::graph_parse(pruning, backbone, selector.decoder.unwrap_or(usual)).with(learner).with(set);
        let axes = match selector.templates.as_ref().or(self.usual.templates.as_ref()) {
            Some(templates) => axes.with(templates.clone()),
            None => axes,
        };
        Setting { corpus, split, tags, system: SystemName::graph(), axes }
    }

    /// The row that a claim means, with all seeds that the experiment has.
    pub(super) fn row(&self, scope: &Scope, selector: &Selector) -> Result<&Averaged, Missing> {
        let setting = self.setting(scope, selector)?;
        // The key comes from this map.
        let line = &self.averaged[setting];
        match self.seeds(setting).into_iter().find(|seed| !line.seeds.contains(seed)) {
            Some(seed) => Err(self.lacks(selector, setting, &format!("not run: {setting}/seed={seed}"))),
            None => Ok(line),
        }
    }

    /// Whether all rows that a test needs were run, and timed if it is about time.
    pub(super) fn has(&self, scope: &Scope, test: &Test) -> bool {
        let is_there = |selector: &&Selector| {
            let is_measured = |line: &Averaged| match test.metric() {
                Some(Metric::Time) => self.passes.contains_key(&line.setting),
                Some(Metric::LearningTime) => self.learning.contains_key(&learnt(&line.setting, selector)),
                _ => true,
            };
            self.row(scope, selector).is_ok_and(is_measured)
        };
        test.selectors().iter().all(is_there)
    }

    /// The sentences of a row, in all its seeds.
    pub(super) fn sentences(&self, scope: &Scope, selector: &Selector) -> Result<&[SentenceRow], Missing> {
        let line = self.row(scope, selector)?;
        self.sentences_of(line, &line.seeds)
    }

    /// The sentences of a line, if those of all of some of its seeds are there.
    pub(super) fn sentences_of<'s>(
        &self,
        Averaged { setting, .. }: &Averaged,
        seeds: impl IntoIterator<Item = &'s u64>,
    ) -> Result<&[SentenceRow], Missing> {
        let rows = self.sentences.get(setting).map(Vec::as_slice).unwrap_or_default();
        let has = |seed: &u64| rows.iter().any(|row| row.cell.seed == *seed);
        if rows.is_empty() || !seeds.into_iter().all(has) { Err(self.lacks_sentences(setting)) } else { Ok(rows) }
    }

    /// How many sentences of a row are as a measure asks in every seed, of how many.
    pub(super) fn share(&self, scope: &Scope, selector: &Selector, metric: Metric) -> Result<(u64, u64), Missing> {
        let line = self.row(scope, selector)?;
        let sentences = sums(self.sentences(scope, selector)?, true, |all, row| {
            let is_proven = row.status.is_optimal()?;
            match metric {
                Metric::AtRoot => Some(all && is_proven && row.effort.get(Count::Nodes)? <= 1),
                _ => Some(all && is_proven),
            }
        });
        let sentences = sentences.ok_or_else(|| Missing::of(format!("it counts no searches: {}", line.setting)))?;
        Ok((sentences.iter().filter(|&&is| is).count() as u64, sentences.len() as u64))
    }

    /// A measure of a row: its value, and the ends of its interval, over sentences at a confidence of 95 %, or of a time over
    /// passes. Without its sentences a value decides nothing: chance alone may have put it where it is.
    pub(super) fn interval(&self, scope: &Scope, selector: &Selector, metric: Metric) -> Result<[f64; 3], Missing> {
        let ends @ [_, value, _] = self.measure(scope, selector, metric)?;
        if !matches!(metric, Metric::DpCalls | Metric::Uas) {
            return Ok(ends);
        }
        // There is at least one.
        let rows = self.sentences(scope, selector)?;
        let pairs = match metric {
            Metric::DpCalls => sums(rows, (0.0, 0.0), |(calls, seeds), row| {
                Some((calls + row.effort.get(Count::DpCalls)? as f64, seeds + 1.0))
            }),
            Metric::Uas => sums(rows, (0.0, 0.0), |(right, scored), row| {
                Some((right + 100.0 * row.scored_correct as f64, scored + row.scored_tokens as f64))
            }),
            _ => None,
        };
        let interval = pairs.and_then(|pairs| ratio_interval(&pairs, self.usual.draws, CONFIDENCE));
        let none = || Missing::of(format!("no interval over the sentences of {}", rows[0].cell.setting));
        let (low, high) = interval.ok_or_else(none)?;
        Ok([low, value, high])
    }

    /// The ratio of a measure of two rows, times or DP calls: its value, and the ends of its interval.
    pub(super) fn ratio(&self, scope: &Scope, rows: [&Selector; 2], metric: Metric) -> Result<[f64; 3], Missing> {
        if metric == Metric::DpCalls {
            return self.ratio_of_calls([self.row(scope, rows[0])?, self.row(scope, rows[1])?]);
        }
        let [[above_least, above, above_largest], [below_least, below, below_largest]] =
            [self.measure(scope, rows[0], metric)?, self.measure(scope, rows[1], metric)?];
        if below_least <= 0.0 {
            return Err(Missing::of(NOTHING_BELOW));
        }
        Ok([above_least / below_largest, above / below, above_largest / below_least])
    }

    /// The ratio of DP calls of two rows on the seeds that both have: its value, and the ends of its interval over sentences at a
    /// confidence of 95 %, with both rows of a sentence drawn as one. A search that stopped would have made more calls, nobody
    /// knows how many: it leaves the ratio open to one side.
    fn ratio_of_calls(&self, lines: [&Averaged; 2]) -> Result<[f64; 3], Missing> {
        let seeds = shared_seeds(lines)?;
        let searches = |line: &Averaged| {
            let rows = self.sentences_of(line, &seeds)?.iter().filter(|row| seeds.contains(&row.cell.seed));
            let searches = sums(rows, (0, false), |(calls, stopped), row| {
                Some((
                    row.effort.get(Count::DpCalls)?.saturating_add(calls),
                    stopped || row.status.is_optimal() == Some(false),
                ))
            });
            let searches = searches.ok_or_else(|| Missing::of(format!("it counts no searches: {}", line.setting)))?;
            let stopped = searches.iter().any(|&(_, stopped)| stopped);
            Ok((searches.into_iter().map(|(calls, _)| calls as f64).collect::<Vec<f64>>(), stopped))
        };
        let [(above, stopped_above), (below, stopped_below)] = [searches(lines[0])?, searches(lines[1])?];
        if above.len() != below.len() {
            return Err(Missing::of("the rows have not the same sentences (by_sentence.csv)"));
        }
        let value = above.iter().sum::<f64>() / below.iter().sum::<f64>();
        let pairs: Vec<(f64, f64)> = above.into_iter().zip(below).collect();
        let interval = ratio_interval(&pairs, self.usual.draws, CONFIDENCE).filter(|_| value.is_finite());
        let (low, high) = interval.ok_or_else(|| Missing::of(NOTHING_BELOW))?;
        Ok([if stopped_below { 0.0 } else { low }, value, if stopped_above { f64::INFINITY } else { high }])
    }

    /// The searches of a row that stopped at their limit, of how many, in all seeds. What they would have cost is not known.
    pub(super) fn stopped(&self, scope: &Scope, selector: &Selector) -> Result<(u64, u64), Missing> {
        let line = self.row(scope, selector)?;
        Ok((line.unproven().unwrap_or(0), line.sums.sentences))
    }

    /// Whether a row is one of the paper's system, of that corpus and those tags, as rows are meant where a claim says no more:
    /// by the paper's learner, the usual templates and the usual decoders. Others are there to be held against it.
    pub(super) fn is_usual(&self, scope: &Scope, setting: &Setting) -> bool {
        let decoder = if setting.is_baseline() { Decoder::Dp } else { self.usual.decoder };
        (&setting.corpus, setting.tags) == (&scope.corpus, scope.tags)
            && setting.system == SystemName::graph()
            && setting.learner() == Some(&Method::Perceptron.into())
            && (self.usual.templates.is_none() || setting.templates() == self.usual.templates.as_ref())
            && setting.decoder() == Some(decoder)
    }

    /// Of the paper's system on a corpus and tags: the cells that have no counts, the searches without a proof, and all
    /// searches.
    pub(super) fn proofs(&self, scope: &Scope) -> (Vec<String>, u64, u64) {
        let has = |key: &CellKey| self.averaged.get(&key.setting).is_some_and(|line| line.seeds.contains(&key.seed));
        let cells = self.wanted.iter().filter(|key| self.is_usual(scope, &key.setting));
        let missing = cells.filter(|key| !has(key)).map(ToString::to_string).collect();
        let lines = || self.averaged.values().filter(|line| self.is_usual(scope, &line.setting));
        let unproven = lines().filter_map(Averaged::unproven).fold(0, u64::saturating_add);
        (missing, unproven, lines().map(|line| line.sums.sentences).fold(0, u64::saturating_add))
    }

    /// The searches of these settings that ended without a proof and whose sentences are here, in words: how many there are, and
    /// how long the sentences.
    pub(super) fn unproven(&self, is_meant: impl Fn(&Setting) -> bool) -> Option<String> {
        let meant = self.sentences.iter().filter(|(setting, _)| is_meant(setting)).flat_map(|(_, rows)| rows);
        let words: Vec<u64> =
            meant.filter(|row| row.status.is_optimal() == Some(false)).map(|row| row.tokens).collect();
        let (shortest, longest) = (words.iter().min()?, words.iter().max()?);
        let length = if shortest == longest {
            counted(*longest, "word", "words")
        } else {
            format!("{shortest} to {longest} words")
        };
        Some(format!("{} of sentences of {length}", counted(words.len() as u64, "search", "searches")))
    }

    /// The least, middle and largest value of a measure over the passes; of what does not vary, the one value.
    pub(super) fn measure(&self, scope: &Scope, selector: &Selector, metric: Metric) -> Result<[f64; 3], Missing> {
        let line = self.row(scope, selector)?;
        let nothing = || Missing::of(format!("no sentences: {}", line.setting));
        match metric {
            Metric::Time => {}
            Metric::LearningTime => return self.learning_time(&line.setting, selector),
            Metric::DpCalls => return line.per_sentence(Count::DpCalls).map(|calls| [calls; 3]).ok_or_else(nothing),
            Metric::Uas => return line.uas_pct().map(|uas| [uas; 3]).ok_or_else(nothing),
            Metric::Proven | Metric::AtRoot => {
                let (hits, all) = self.share(scope, selector, metric)?;
                return percent(hits, all).map(|share| [share; 3]).ok_or_else(nothing);
            }
        }
        let untimed = || self.lacks(selector, &line.setting, &format!("not timed: {}", line.setting));
        let speed = self.speeds.get(&line.setting).filter(|speed| speed.sentences > 0).ok_or_else(untimed)?;
        let passes = self.passes.get(&line.setting).ok_or_else(untimed)?;
        let (least, largest) = (passes.values().min().copied(), passes.values().max().copied());
        let ms = |ns: u64| speed.ms_per_sentence(ns).ok_or_else(untimed);
        Ok([ms(least.unwrap_or(0))?, ms(speed.total_ns)?, ms(largest.unwrap_or(0))?])
    }

    /// The least, middle and largest time that a model takes to learn, in seconds, on the threads of a row. Of several seeds all
    /// repeats count.
    fn learning_time(&self, setting: &Setting, selector: &Selector) -> Result<[f64; 3], Missing> {
        let model @ (name, threads) = &learnt(setting, selector);
        let make = |more: &str| format!("treebound measure learning {} -j {threads}{more}", self.config);
        let rows = self.learning.get(model).map_or(&[][..], Vec::as_slice);
        let not_timed =
            || Missing::of(format!("learning is not timed: {name}, {threads} threads; time it with: {}", make("")));
        let mut middles: Vec<u64> = rows.iter().map(|row| row.train_ns).collect();
        let middle = median(&mut middles).ok_or_else(not_timed)? as f64 / 1e9;
        let spreads: Option<Vec<[f64; 3]>> = match rows {
            // Seeds are as good as repeats.
            [_, _, ..] => Some(rows.iter().map(|row| row.spread_s().unwrap_or([row.train_s(); 3])).collect()),
            _ => rows.iter().map(LearningRow::spread_s).collect(),
        };
        let once = || {
            let what = format!("learnt once, which does not say how times vary: {name}, {threads} threads");
            Missing::of(format!("{what}; time it with: {}", make(" --repeats 3")))
        };
        let spreads = spreads.ok_or_else(once)?;
        let least = spreads.iter().map(|spread| spread[0]).fold(middle, f64::min);
        Ok([least, middle, spreads.iter().map(|spread| spread[2]).fold(middle, f64::max)])
    }

    /// The points of a measure by length that stand for enough sentences, as plotted: length, value, sentences.
    pub(super) fn curve(
        &self,
        scope: &Scope,
        selector: &Selector,
        metric: Metric,
    ) -> Result<Vec<(f64, f64, u64)>, Missing> {
        let line = self.row(scope, selector)?;
        let is_timed = metric == Metric::Time;
        let panels = if is_timed { &self.times } else { &self.calls };
        let series = panels.iter().flat_map(|panel| panel.series.iter().map(move |series| (panel, series)));
        let found = series.into_iter().find(|(_, series)| series.setting == line.setting);
        let none = || match is_timed {
            true => self.lacks(selector, &line.setting, &format!("not timed: {}", line.setting)),
            false => self.lacks_sentences(&line.setting),
        };
        let (panel, series) = found.ok_or_else(none)?;
        let means = panel.bins.iter().filter(|bin| !bin.is_thin()).filter_map(|bin| series.mean(*bin));
        Ok(means.map(|mean| (mean.length, mean.average, mean.sentences)).collect())
    }
}

/// The model of a row, and on how many threads it is learnt.
fn learnt(setting: &Setting, selector: &Selector) -> (ModelName, u64) {
    (ModelName::of_cell(setting), selector.threads())
}

/// The seeds that both rows have: one may be run with fewer than the other.
pub(super) fn shared_seeds([a, b]: [&Averaged; 2]) -> Result<BTreeSet<u64>, Missing> {
    let shared: BTreeSet<u64> = a.seeds.iter().copied().filter(|seed| b.seeds.contains(seed)).collect();
    if shared.is_empty() {
        return Err(Missing::of(format!("{} and {} have no seed in common", a.setting, b.setting)));
    }
    Ok(shared)
}

/// Sums over the seeds of each sentence, in order, of what a sentence counts; none if one does not count it.
fn sums<'s, T: Copy>(
    rows: impl IntoIterator<Item = &'s SentenceRow>,
    zero: T,
    add: impl Fn(T, &SentenceRow) -> Option<T>,
) -> Option<Vec<T>> {
    let mut sums: BTreeMap<u64, T> = BTreeMap::new();
    for row in rows {
        let sum = sums.entry(row.sentence).or_insert(zero);
        *sum = add(*sum, row)?;
    }
    Some(sums.into_values().collect())
}

impl Selector {
    /// The keys of a grid that has the row.
    fn keys(&self) -> String {
        let key = |name: &str, value: Option<String>| value.map(|value| format!("{name} = \"{value}\""));
        let keys = [
            key("systems", self.system.as_ref().map(ToString::to_string)),
            key("sets", self.set.as_ref().map(ToString::to_string)),
            key("pruning", self.pruning.map(|pruning| pruning.to_string())),
            key("decoders", self.decoder.map(|decoder| decoder.to_string())),
            key("backbones", self.backbone.map(|backbone| backbone.to_string())),
            key("learners", self.learner.as_ref().map(ToString::to_string)),
            key("templates", self.templates.as_ref().map(ToString::to_string)),
            key("tags", self.tags.map(|tags| tags.to_string())),
            key("splits", self.split.map(|split| split.to_string())),
        ];
        keys.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
