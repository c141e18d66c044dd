//! The six kinds: from evidence to a verdict, with the numbers that decided it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::evidence::{Evidence, Lack, Line, NOTHING_BELOW, Scope, shared_seeds};
use super::finding::{Finding, Numbers, Part};
use super::{Claim, EXPONENT, Figure, Kind, Metric, POINTS, Selector, TIMES, Verdict};
use crate::comparison::CROSS_VALIDATED;
use crate::frame::{ABSENT, BASELINE, FIRST_AXES, Frame};
use crate::measures::Measure;
use crate::tables::blocks::pruning_label;
use crate::tables::papers::with_published;
use treebound_records::ReportError;
use treebound_records::number::{counted, fixed, grouped, percent, signed};
use treebound_statistics::smooth::{LEAST_POINTS, Roughness, roughness};
use treebound_statistics::{
    CONFIDENCE, CONFIDENT_ERRORS, Draws, Paired, Power, TwoWay, bootstrap, growth, over_folds, power, randomisation,
    two_way, wilson, wilson_needs,
};

/// The level below which neighbouring lengths make a pattern.
const PATTERN_LEVEL: f64 = 0.05;

/// The verdict on a claim for one corpus and one choice of tags.
pub(super) fn judge(claim: &Claim, evidence: &Evidence, scope: &Scope) -> Result<Finding, ReportError> {
    if let Some(unknown) = evidence.unknown_system(claim)? {
        return Ok(Finding::new(vec![unknown]));
    }
    let on_test = Scope { split: "test".to_owned(), ..scope.clone() };
    // What was not run in folds is decided on the test part, if it was run there.
    let is_on_test = scope.split == CROSS_VALIDATED && !evidence.has(scope, claim)? && evidence.has(&on_test, claim)?;
    let court = Court { evidence, claim, scope: if is_on_test { &on_test } else { scope } };
    let mut parts = match &claim.a {
        None => vec![court.all_proven()?],
        Some(a) if claim.others.is_empty() => vec![court.alone(a).or_else(Lack::undecided)?],
        // What is missing of one does not hide what is decided by another.
        Some(a) => claim.others.iter().map(|b| court.pair(a, b).or_else(Lack::undecided)).collect::<Result<_, _>>()?,
    };
    if is_on_test {
        parts.iter_mut().for_each(|part| part.notes.push("on the test part; not run in folds".to_owned()));
    }
    Ok(Finding::new(parts))
}

/// Results held against a claim on one corpus and one choice of tags.
#[derive(Clone, Copy)]
struct Court<'a> {
    evidence: &'a Evidence,
    claim: &'a Claim,
    scope: &'a Scope,
}

impl Court<'_> {
    fn alone(&self, a: &Selector) -> Result<Part, Lack> {
        let line = self.evidence.line(self.scope, a)?;
        match self.claim.kind {
            Kind::Share => self.share(&line),
            Kind::Smoothness => self.smoothness(&line, a),
            Kind::Growth => self.growth(&line, a),
            Kind::Difference | Kind::Ratio | Kind::Value => self.value(&line, a),
        }
    }

    fn pair(&self, a: &Selector, b: &Selector) -> Result<Part, Lack> {
        let lines = [self.evidence.line(self.scope, a)?, self.evidence.line(self.scope, b)?];
        match self.claim.metric {
            Metric::Counted(measure) if self.claim.kind == Kind::Difference => self.difference(&lines, measure),
            _ => self.ratio(&lines, [a, b]),
        }
    }

    /// The figure that is claimed; a paper's is made of those that it has of two lines.
    fn figure(&self, [a, b]: &[Line; 2], measure: &str, made: fn(f64, f64) -> f64) -> Result<Option<f64>, Lack> {
        let data_set = match &self.claim.published {
            Some(Figure::Of(data_set)) => data_set.clone(),
            Some(Figure::Is(value)) => return Ok(Some(*value)),
            None => return Ok(None),
        };
        let data_sets = BTreeMap::from([(self.scope.corpus.clone(), data_set)]);
        let theirs = |line: &Line| -> Result<Option<f64>, Lack> {
            let rows: Frame = with_published(line.row.clone(), &[measure], &data_sets)?;
            Ok(rows.numbers(&format!("published_{measure}"))?.first().copied().flatten())
        };
        Ok(theirs(a)?.zip(theirs(b)?).map(|(a, b)| made(a, b)))
    }

    /// The figure that a claim gives itself.
    fn own_figure(&self) -> Option<f64> {
        if let Some(Figure::Is(value)) = self.claim.published { Some(value) } else { None }
    }

    /// Two lines sentence by sentence: over sentences and seeds where they have several seeds in common, else over sentences; and over
    /// the folds of a cross-validation where their p-value is larger. Few seeds decide at a lower level.
    fn difference(&self, lines: &[Line; 2], measure: &'static Measure) -> Result<Part, Lack> {
        let (range, usual) = (self.claim.range, &self.evidence.usual);
        let mut tested = lines.each_ref().map(|line| line.name.clone());
        tested.sort();
        let [a, b] = lines;
        let paired = self.evidence.paired([a, b], measure)?;
        let name = difference_from(a, b, self.evidence) + &on_seeds([a, b])?;
        let figure = self.figure(lines, measure.name, |a, b| a - b)?;
        let distance = |points: f64| (points - range.0).abs().min((points - range.1).abs());
        let distances = [paired.difference_points(), figure].map(|points| points.map(distance));
        let over_sentences = randomisation(&paired, usual.draws).p_value();
        let seeds = two_way(&paired);
        let level = seeds.map_or(self.claim.level, |test| test.level(self.claim.level));
        let mut numbers = match seeds {
            Some(test) => over_seeds(&test, level, distances),
            None => Numbers { p_value: Some(over_sentences), ..over(&paired, usual.draws, level, distances) },
        };
        numbers.p_sentences = numbers.p_two_way.map(|_| over_sentences);
        let folds = usual.folds.filter(|_| [a, b].iter().all(|line| line.axis("split") == CROSS_VALIDATED));
        if let Some(test) = folds.and_then(|folds| over_folds(&paired, folds)) {
            numbers.p_folds = Some(test.p_value());
            if numbers.p_folds > numbers.p_value {
                let needed = distances.map(|points| test.sentences_for(points?));
                numbers.p_value = numbers.p_folds;
                numbers.p_sentences = Some(over_sentences);
                numbers.interval = Some(test.interval(1.0 - level));
                numbers.detectable = Some(test.detectable_points());
                [numbers.sentences_needed, numbers.sentences_needed_published] = needed;
            }
        }
        let sentences = Some(paired.difference.len() as u64);
        let numbers =
            Numbers { unit: POINTS, published: figure, ours: paired.difference_points(), sentences, ..numbers };
        let points = format!("{}{} over {name}", signed(numbers.ours.unwrap_or(0.0), 2), behind_points(measure));
        if [(0.0, f64::INFINITY), (f64::NEG_INFINITY, 0.0)].contains(&range) {
            let is_sure = numbers.p_value.is_some_and(|p| p < level);
            let sign = numbers.ours.unwrap_or(0.0) * if range.0 == 0.0 { 1.0 } else { -1.0 };
            let verdict = match sign.total_cmp(&0.0) {
                Ordering::Greater if is_sure => Verdict::Holds,
                Ordering::Less if is_sure => Verdict::DoesNotHold,
                _ => Verdict::Undecided,
            };
            return Ok(Part { numbers, tested: Some((measure.name, tested)), ..Part::said(verdict, points) });
        }
        let Some(interval) = numbers.interval else {
            return Lack::missing(format!("no interval over {name}: nothing was scored"));
        };
        let [from, to] = [interval.0, interval.1].map(|v| signed(v, 2));
        let units = match (numbers.p_folds == numbers.p_value, numbers.p_two_way.is_some()) {
            (true, _) => " over folds",
            (false, true) => " over sentences and seeds",
            (false, false) => "",
        };
        let words = format!("{points} ({} % interval {from} to {to}{units})", fixed(100.0 * (1.0 - level), 0));
        let numbers = Numbers { p_value: None, p_two_way: None, p_sentences: None, p_folds: None, ..numbers };
        Ok(Part { numbers, ..Part::said(Verdict::within(interval, range), words) })
    }

    fn value(&self, line: &Line, a: &Selector) -> Result<Part, Lack> {
        let (metric, range) = (self.claim.metric, self.claim.range);
        let [least, value, largest] = self.evidence.value(line, a, metric)?;
        let searches = line.count("sentences").unwrap_or(0);
        let stopped = match metric {
            Metric::Counted(measure) if measure.is_effort() => {
                searches.saturating_sub(line.count("proven").unwrap_or(searches))
            }
            _ => 0,
        };
        // A search that stopped would have done more, nobody knows how many: too large a mean stays so, but one that is
        // near or too small might be anything above.
        let verdict = Verdict::within((least, if stopped > 0 { f64::INFINITY } else { largest }), range);
        let at_least = if stopped > 0 { "at least " } else { "" };
        let published = self.own_figure().map_or_else(String::new, |value| format!("{value} is published, "));
        let asked = asked(range);
        let mut words = format!("{at_least}{} where {published}{asked} asked for", fixed(value, 2));
        if least < largest {
            let of = match metric {
                Metric::Time => "over passes",
                Metric::LearningTime => "over repeats",
                _ => "95 % interval",
            };
            words.push_str(&format!(", {of} {} to {}", fixed(least, 2), fixed(largest, 2)));
        }
        if stopped > 0 {
            let searches = counted(searches, "search", "searches");
            words.push_str(&format!("; {} of {searches} stopped at their limit", grouped(stopped)));
        }
        let (published, interval) = (self.own_figure(), Some((least, largest)));
        let mut numbers = Numbers { unit: metric.unit(), published, ours: Some(value), interval, ..Numbers::default() };
        let mut notes = Vec::new();
        if !metric.is_time() && verdict == Verdict::Undecided {
            let sentences = searches / (line.seeds.len() as u64).max(1);
            let power = Power { standard_error_points: (largest - least) / (2.0 * CONFIDENT_ERRORS), sentences };
            numbers.sentences = Some(sentences);
            numbers.detectable = Some(power.detectable_points());
            // Of searches that stopped, more of the same show nothing but that there are too many calls.
            if stopped > 0 && value <= range.1 {
                notes.push("more sentences decide nothing where searches stop".to_owned());
            } else {
                numbers.sentences_needed = power.sentences_for((value - range.0).abs().min((value - range.1).abs()));
            }
        }
        Ok(Part { numbers, notes, ..Part::said(verdict, words) })
    }

    fn ratio(&self, lines: &[Line; 2], [above, below]: [&Selector; 2]) -> Result<Part, Lack> {
        let [a, b] = lines;
        let [least, value, largest] = match self.claim.metric {
            Metric::Counted(measure) if measure.is_of_search() => self.evidence.ratio_of_counts([a, b], measure)?,
            metric => {
                let above = self.evidence.value(a, above, metric)?;
                let below = self.evidence.value(b, below, metric)?;
                if below[0] <= 0.0 {
                    return Lack::missing(NOTHING_BELOW);
                }
                [above[0] / below[2], above[1] / below[1], above[2] / below[0]]
            }
        };
        let from_a = difference_from(a, b, self.evidence);
        let on_threads = counted(below.threads, "thread", "threads");
        let (than, over, published) = match self.claim.metric {
            Metric::LearningTime if a.name == b.name => (on_threads, Some("repeats"), self.own_figure()),
            Metric::LearningTime => (format!("{from_a} on {on_threads}"), Some("repeats"), self.own_figure()),
            // Times are told as words in a second: the ratio of two turned over.
            Metric::Time => (from_a, Some("passes"), self.figure(lines, "words_per_second", |a, b| b / a)?),
            Metric::Counted(Measure { name, .. }) => {
                (from_a + &on_seeds([a, b])?, None, self.figure(lines, name, |a, b| a / b)?)
            }
            Metric::Proven | Metric::AtRoot => (from_a, None, None),
        };
        let to = if largest.is_finite() { format!("to {}", fixed(largest, 2)) } else { "and more".to_owned() };
        let interval = match over {
            Some(over) => format!("{} {to} over {over}", fixed(least, 2)),
            None => format!("95 % interval {} {to}", fixed(least, 2)),
        };
        let words = format!("{} times that of {than} ({interval})", fixed(value, 2));
        let (ours, interval) = (Some(value), (least, largest));
        let numbers = Numbers { unit: TIMES, published, ours, interval: Some(interval), ..Numbers::default() };
        Ok(Part { numbers, ..Part::said(Verdict::within(interval, self.claim.range), words) })
    }

    /// Every search of the paper's system is counted, so that there is no interval.
    fn all_proven(&self) -> Result<Part, ReportError> {
        let cells = self.evidence.usual_cells(self.scope)?;
        let missing = cells.only("error", |error| !error.is_empty())?.words("cell")?;
        let all = cells.counts("sentences")?.into_iter().zip(cells.counts("proven")?);
        let known = all.filter_map(|(all, proven)| Some((all?, proven)));
        let (searches, unproven) = known.fold((0, 0), |(searches, unproven): (u64, u64), (all, proven)| {
            (searches.saturating_add(all), unproven.saturating_add(all.saturating_sub(proven.unwrap_or(all))))
        });
        let share = percent(searches - unproven.min(searches), searches);
        let counted_are = format!("of the perceptron, by dp for baselines and else by {}", self.evidence.usual.decoder);
        let of_all = counted(searches, "search", "searches");
        let holds = share.is_some_and(|share| share >= 100.0 * self.claim.range.0);
        let (verdict, words) = match missing.first() {
            _ if unproven > 0 => {
                let verdict = if holds && missing.is_empty() { Verdict::Holds } else { Verdict::DoesNotHold };
                (verdict, format!("{} of {of_all} ended without a proof", grouped(unproven)))
            }
            Some(first) => {
                let cells = counted(missing.len() as u64, "cell", "cells");
                let words =
                    format!("not run: {cells}, the first {first}; of those that were, all of {of_all} are proven");
                (Verdict::Undecided, words)
            }
            None => (Verdict::Holds, format!("all of {of_all} are proven")),
        };
        let unproven = self.evidence.unproven(&cells.distinct("line")?);
        let notes = unproven.map(|which| format!("those that are here: {which}")).into_iter().collect();
        let numbers = Numbers { unit: self.claim.metric.unit(), ours: share, ..Numbers::default() };
        Ok(Part { numbers, notes, ..Part::said(verdict, format!("{words} ({counted_are})")) })
    }

    fn share(&self, line: &Line) -> Result<Part, Lack> {
        let (metric, low) = (self.claim.metric, self.claim.range.0);
        let proofs = self.evidence.proofs(line, metric)?;
        let (hits, all) = (proofs.iter().filter(|&&is| is).count() as u64, proofs.len() as u64);
        let Some((ours, interval)) = percent(hits, all).zip(wilson(hits, all)) else {
            return Lack::missing("there are no sentences");
        };
        let verdict = Verdict::within(interval, (100.0 * low, f64::INFINITY));
        let how = if metric == Metric::AtRoot { "proven without branching" } else { "proven" };
        let [from, to] = [interval.0, interval.1].map(|end| fixed(end, 2));
        let sentences = counted(all, "sentence", "sentences");
        let words = format!(
            "{} of {sentences} {how} in every seed: {} % (95 % interval {from} to {to}; {} % are claimed)",
            grouped(hits),
            fixed(ours, 2),
            shortest(100.0 * low)
        );
        let needed = wilson_needs(hits, all, low).filter(|_| verdict == Verdict::Undecided);
        let numbers = Numbers {
            unit: metric.unit(),
            published: self.own_figure(),
            ours: Some(ours),
            interval: Some(interval),
            sentences: Some(all),
            sentences_needed: needed,
            ..Numbers::default()
        };
        let mut notes = Vec::new();
        if metric == Metric::Proven {
            let unproven = self.evidence.unproven(std::slice::from_ref(&line.name));
            notes.extend(unproven.map(|which| format!("without a proof: {which}")));
        }
        if verdict == Verdict::Undecided {
            let sentences = |needed| counted(needed, "sentence", "sentences");
            let at_share = needed.filter(|_| hits < all);
            notes.extend(at_share.map(|n| format!("a verdict takes {} at this share", sentences(n))));
            notes.extend(wilson_needs(1, 1, low).map(|n| format!("{} without a miss would show it", sentences(n))));
        }
        Ok(Part { numbers, notes, ..Part::said(verdict, words) })
    }

    /// Whether sentences of a length count.
    fn counts(&self, length: f64) -> bool {
        (self.claim.from_length as f64..=self.claim.to_length as f64).contains(&length)
    }

    /// The exponent of the length that a measure grows with, of counts over sentences, of times over lengths. Searches that stopped
    /// would have done more, and these are of long sentences: they leave it open above.
    fn growth(&self, line: &Line, a: &Selector) -> Result<Part, Lack> {
        let is_meant = |(length, value, _): &(f64, f64, u64)| self.counts(*length) && *value > 0.0;
        let mut stopped = 0;
        let points: Vec<(f64, f64, f64)> = match self.claim.metric {
            Metric::Counted(measure) => {
                let points = self.evidence.points(line, measure)?.into_iter().filter(is_meant);
                let point = |(length, value, seeds): (f64, f64, u64)| {
                    stopped += if measure.is_effort() { seeds } else { 0 };
                    (length, value, 1.0)
                };
                points.map(point).collect()
            }
            metric => {
                let curve = self.evidence.curve(line, a, metric)?.into_iter().filter(is_meant);
                curve.map(|(length, value, sentences)| (length, value, sentences as f64)).collect()
            }
        };
        let Some(found) = growth(&points) else {
            return Lack::missing(format!("there are too few sentences or lengths: {}", points.len()));
        };
        let (least, largest) = found.interval();
        let interval = (least, if stopped > 0 { f64::INFINITY } else { largest });
        let verdict = Verdict::within(interval, self.claim.range);
        let at_least = if stopped > 0 { "at least " } else { "" };
        let (from, to) = (self.claim.from_length, self.claim.to_length);
        let lengths =
            if to == u64::MAX { format!("from {from} words on") } else { format!("from {from} to {to} words") };
        let mut words = format!(
            "{at_least}length^{} {lengths} (95 % interval {} to {}) where {} asked for",
            fixed(found.exponent, 2),
            fixed(least, 2),
            fixed(largest, 2),
            asked(self.claim.range)
        );
        if stopped > 0 {
            words.push_str(&format!("; {} stopped at their limit", counted(stopped, "search", "searches")));
        }
        let (published, ours) = (self.own_figure(), Some(found.exponent));
        let numbers =
            Numbers { unit: EXPONENT, published, ours, interval: Some((least, largest)), ..Numbers::default() };
        Ok(Part { numbers, ..Part::said(verdict, words) })
    }

    /// Holds if a smooth curve and a rising one explain enough of the variation with the whole 95 % interval. Does not hold if all of
    /// one says the contrary, and, for the smooth curve, neighbouring lengths make a pattern that noise does not.
    fn smoothness(&self, line: &Line, a: &Selector) -> Result<Part, Lack> {
        let (to_length, low) = (self.claim.to_length, 100.0 * self.claim.range.0);
        let mut points = self.evidence.curve(line, a, self.claim.metric)?;
        points.retain(|(length, ..)| self.counts(*length));
        if points.len() < LEAST_POINTS {
            let points = counted(points.len() as u64, "length has", "lengths have");
            return Lack::missing(format!(
                "only {points} enough sentences (up to {to_length} words), and a curve takes {LEAST_POINTS}"
            ));
        }
        if is_flat(&points) {
            return Ok(Part::said(Verdict::DoesNotHold, "the curve is flat"));
        }
        let Some(rough) = roughness(&points, self.evidence.usual.draws, CONFIDENCE) else {
            return Lack::missing("a smooth curve through the other lengths does not foresee one of them");
        };
        let Roughness { not_smooth, not_rising, pattern_p } = rough;
        let explained = |share: f64| 100.0 * (1.0 - share);
        let [smooth, rising] = [not_smooth, not_rising].map(|left| {
            let (least, largest) = (explained(left.interval.1), explained(left.interval.0));
            let [share, from, to] = [explained(left.share), least, largest].map(|share| fixed(share, 1));
            ((least, largest), format!("{share} % (95 % interval {from} to {to})"))
        });
        let range = (low, f64::INFINITY);
        let is_smooth = Verdict::within(smooth.0, range);
        let is_noise = is_smooth == Verdict::DoesNotHold && pattern_p >= PATTERN_LEVEL;
        let is_smooth = if is_noise { Verdict::Undecided } else { is_smooth };
        let verdict = Verdict::all([is_smooth, Verdict::within(rising.0, range)]);
        let mut words = format!(
            "of the variation between {} lengths a smooth curve foresees {}, a rising one explains {}; {} % are asked for",
            points.len(),
            smooth.1,
            rising.1,
            shortest(low)
        );
        if is_smooth != Verdict::Holds {
            let what = if pattern_p < PATTERN_LEVEL { "make a pattern that noise does not" } else { "are like noise" };
            words.push_str(&format!("; neighbouring lengths {what} (p = {})", fixed(pattern_p, 4)));
        }
        let (ours, interval) = (Some(explained(not_smooth.share)), Some(smooth.0));
        let numbers = Numbers { unit: super::PERCENT, ours, interval, ..Numbers::default() };
        // Sentences make the mean of a length surer, but the interval is over lengths.
        let what = "how many sentences would decide is not known: the interval is over lengths, and more sentences make no more";
        let notes = if verdict == Verdict::Undecided { vec![what.to_owned()] } else { Vec::new() };
        Ok(Part { numbers, notes, ..Part::said(verdict, words) })
    }
}

/// What the test over sentences and seeds says; what decides lies so far from ours and from the paper's difference.
fn over_seeds(test: &TwoWay, level: f64, distances: [Option<f64>; 2]) -> Numbers {
    let [needed, needed_published] = distances.map(|points| test.sentences_for(points?));
    Numbers {
        interval: Some(test.interval(1.0 - level)),
        p_value: Some(test.p_value()),
        p_two_way: Some(test.p_value()),
        // Where nothing differs, nothing is known of what could.
        detectable: Some(test.detectable_points()).filter(|points| *points > 0.0),
        seeds: Some(test.seeds),
        sentences_needed: needed,
        sentences_needed_published: needed_published,
        ..Numbers::default()
    }
}

/// What the sentences alone say.
fn over(paired: &Paired, draws: Draws, level: f64, distances: [Option<f64>; 2]) -> Numbers {
    let (interval, power) = (bootstrap(paired, draws, 1.0 - level), power(paired));
    let [needed, needed_published] = distances.map(|points| power?.sentences_for(points?));
    Numbers {
        interval: interval.map(|interval| (interval.low_points, interval.high_points)),
        detectable: power.map(|power| power.detectable_points()),
        sentences_needed: needed,
        sentences_needed_published: needed_published,
        ..Numbers::default()
    }
}

/// A range in words, as far as it has ends.
fn asked((low, high): (f64, f64)) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {} is", shortest(low), shortest(high)),
        (true, false) => format!("at least {} is", shortest(low)),
        (false, _) => format!("at most {} is", shortest(high)),
    }
}

/// Whether the values of a curve are the same, but for the rounding of their means.
fn is_flat(points: &[(f64, f64, u64)]) -> bool {
    let values = || points.iter().map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    high - low <= 1e-9 * high.abs()
}

/// A measure in words, behind a number of points; nothing of the one that goes without saying.
fn behind_points(measure: &Measure) -> String {
    match measure.name {
        "uas_pct" => String::new(),
        "root_pct" => " in root accuracy".to_owned(),
        "complete_pct" => " in complete matches".to_owned(),
        _ => format!(" in {}", measure.heading.replace('\n', " ")),
    }
}

/// On which seeds lines are compared, where one has others too.
fn on_seeds(lines: [&Line; 2]) -> Result<String, Lack> {
    let shared = shared_seeds(lines)?;
    if lines.iter().all(|line| line.seeds.len() == shared.len()) {
        return Ok(String::new());
    }
    let list: Vec<String> = shared.iter().map(ToString::to_string).collect();
    Ok(format!(" on seed{} {} alone", if list.len() > 1 { "s" } else { "" }, list.join(", ")))
}

/// With as many decimals as it takes, at most two.
fn shortest(value: f64) -> String {
    let text = fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The name of `b`, told by what sets it apart from `a`.
fn difference_from(a: &Line, b: &Line, evidence: &Evidence) -> String {
    let system = b.axis("system");
    if a.axis("system") != system {
        let is_ours = evidence.usual.systems.contains(&system);
        return if is_ours { system } else { format!("{system} (external)") };
    }
    let first = ["split", "tags", "templates", "learner", "features", "pruning", "backbone", "decoder"];
    let further = b.row.axes().iter().map(String::as_str).filter(|axis| !FIRST_AXES.contains(axis));
    let axes: Vec<&str> = further.chain(first).collect();
    // The baseline's decoder goes without saying.
    let is_plain = b.axis("features") == BASELINE && a.axis("features") != BASELINE;
    let axes = if is_plain { &axes[..axes.len() - 1] } else { &axes[..] };
    let differ = axes.iter().filter(|axis| a.axis(axis) != b.axis(axis));
    let words = |axis: &&str| match b.axis(axis).as_str() {
        pruning if *axis == "pruning" => pruning_label(pruning),
        ABSENT => format!("no {axis}"),
        value => value.to_owned(),
    };
    let differ: Vec<String> = differ.map(words).collect();
    if differ.is_empty() { b.name.clone() } else { differ.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_flat_whose_means_differ_by_rounding_alone() {
        let curve = |values: [f64; 3]| values.map(|value| (1.0, value, 3));
        assert!(is_flat(&curve([7.0 / 3.0, 2.0 + 1.0 / 3.0, 7.0 * (1.0 / 3.0)])) && is_flat(&curve([0.0; 3])));
        assert!(!is_flat(&curve([1.0, 1.0, 1.001])));
    }
}
