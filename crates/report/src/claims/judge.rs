//! The comparisons: from evidence to a verdict, with the numbers that decided it.

use std::collections::BTreeSet;

use super::evidence::{Evidence, Missing, Scope, shared_seeds};
use super::finding::{Finding, Part, Tested};
use super::numbers::{Numbers, Unit};
use super::{Claim, Figure, Metric, Selector, Test, Verdict};
use crate::statistics::accuracy::Accuracy;
use crate::statistics::average::Averaged;
use crate::statistics::significance::{CONFIDENCE, CONFIDENT_ERRORS, Power, TwoWay, wilson, wilson_needs};
use crate::statistics::significance::{Paired, bootstrap, pair_by, power, randomisation, two_way};
use crate::statistics::smooth::{LEAST_POINTS, Roughness, roughness};
use crate::tables::block::{decoder_label, pruning_label, system_label};
use treebound_parser::cell::{Setting, Split, show_optional};
use treebound_records::number::{counted, fixed, grouped, percent, signed};

/// The level below which neighbouring lengths make a pattern.
const PATTERN_LEVEL: f64 = 0.05;

/// The verdict on a claim for one corpus and one choice of tags.
pub fn judge(claim: &Claim, evidence: &Evidence, scope: &Scope) -> Finding {
    let test = &claim.test;
    if let Some(unknown) = evidence.unknown_system(test) {
        return Finding::of(vec![missing(unknown)]);
    }
    let on_test = Scope { split: Split::Test, ..scope.clone() };
    // What was not run in folds is decided on the test part, if it was run there.
    let is_on_test = scope.split == Split::Cv && !evidence.has(scope, test) && evidence.has(&on_test, test);
    let scope = if is_on_test { &on_test } else { scope };
    let mut parts = Court { evidence, scope, published: claim.published.as_ref() }.decide(test);
    if is_on_test {
        parts.iter_mut().for_each(|part| part.notes.push("on the test part; not run in folds".to_owned()));
    }
    Finding::of(parts)
}

/// What is missing leaves it undecided.
fn missing(Missing { what, is_sentences }: Missing) -> Part {
    Part { lacks_sentences: is_sentences, ..Part::said(Verdict::Undecided, what) }
}

/// Something that is claimed of each of several rows. What is missing of one does not hide what is decided by another.
fn each(others: &[Selector], one: impl Fn(&Selector) -> Result<Part, Missing>) -> Vec<Part> {
    others.iter().map(|other| one(other).unwrap_or_else(missing)).collect()
}

/// Results held against claims on one corpus and one choice of tags.
#[derive(Clone, Copy)]
struct Court<'a> {
    evidence: &'a Evidence,
    scope: &'a Scope,
    published: Option<&'a Figure>,
}

/// Two rows sentence by sentence.
struct Compared {
    accuracy: Accuracy,
    paired: Paired,
    /// The test over sentences and seeds; none of one seed.
    two_way: Option<TwoWay>,
    settings: [Setting; 2],
    /// The second, told by what sets it apart from the first.
    name: String,
}

impl Compared {
    /// By how many points of which accuracy they differ.
    fn points(&self, numbers: &Numbers) -> String {
        format!("{}{}", signed(numbers.ours.unwrap_or(0.0), 2), self.accuracy.behind_points())
    }
}

impl Court<'_> {
    /// What a test finds of each of its comparisons.
    fn decide(&self, test: &Test) -> Vec<Part> {
        let one = |part: Result<Part, Missing>| vec![part.unwrap_or_else(missing)];
        match test {
            Test::Largest { a, others, metric, level } => one(self.largest(a, others, *metric, *level)),
            Test::Better { a, others, metric, level } => each(others, |b| self.better(a, b, *metric, *level)),
            Test::NoBetter { a, others, metric, tolerance, level } => {
                each(others, |b| self.between(a, b, *metric, *level, (f64::NEG_INFINITY, *tolerance)))
            }
            Test::Within { a, others, metric, tolerance, level } => {
                each(others, |b| self.between(a, b, *metric, *level, (-tolerance, *tolerance)))
            }
            Test::Near { a, metric, value, relative } => one(self.near(a, *metric, *value, *relative)),
            Test::Ratio { a, others, metric, low, high } => {
                let range = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
                each(others, |b| self.ratio(a, b, *metric, range))
            }
            Test::AllProven => vec![self.all_proven()],
            Test::Share { a, metric, low } => one(self.share(a, *metric, *low)),
            Test::SmoothGrowth { a, metric, to_length, tolerance } => {
                one(self.smooth(a, *metric, *to_length, *tolerance))
            }
        }
    }

    /// Both rows sentence by sentence, on the seeds that both have: a row may be run with fewer than the other.
    fn paired(&self, a: &Selector, b: &Selector, accuracy: Accuracy) -> Result<Compared, Missing> {
        let rows = [self.evidence.row(self.scope, a)?, self.evidence.row(self.scope, b)?];
        let [a, b] = rows;
        let shared = shared_seeds(rows)?;
        let sentences = [self.evidence.sentences_of(a, &shared)?, self.evidence.sentences_of(b, &shared)?];
        let on_shared = sentences.map(|rows| rows.iter().filter(|row| shared.contains(&row.cell.seed)));
        let [first, second] = on_shared;
        let paired = pair_by(accuracy, first, second)
            .map_err(|fault| Missing::of(format!("{} and {}: {fault} (by_sentence.csv)", a.setting, b.setting)))?;
        let name = difference_from(&a.setting, &b.setting) + &on_seeds(rows, &shared);
        let two_way = two_way(&paired);
        Ok(Compared { accuracy, paired, two_way, settings: [a.setting.clone(), b.setting.clone()], name })
    }

    /// The figure that is claimed of two rows, made of those of each.
    fn figure(&self, [a, b]: [&Setting; 2], measure: &str, made: fn(f64, f64) -> f64) -> Option<f64> {
        match self.published? {
            Figure::Is(value) => Some(*value),
            Figure::Of(data_set) => {
                let figure = |setting| self.evidence.figure(data_set, setting, measure);
                Some(made(figure(a)?, figure(b)?))
            }
        }
    }

    /// The numbers of a difference of accuracies; what decides lies `distance` points from it.
    fn difference(&self, compared: &Compared, confidence: f64, distance: impl Fn(f64) -> f64) -> Numbers {
        let Compared { accuracy, paired, two_way, settings: [a, b], .. } = compared;
        let ours = paired.difference_points();
        let published = self.figure([a, b], accuracy.column(), |a, b| a - b);
        let distances = [ours, published].map(|points| points.map(&distance));
        let numbers = Numbers {
            unit: Some(Unit::Points),
            published,
            ours,
            sentences: Some(paired.difference.len() as u64),
            ..Numbers::default()
        };
        if let Some(test) = two_way {
            let [sentences_needed, sentences_needed_published] =
                distances.map(|points| points.and_then(|points| test.sentences_for(points)));
            return Numbers {
                interval: Some(test.interval(confidence)),
                p_two_way: Some(test.p_value()),
                // Where nothing differs, nothing is known of what could.
                detectable: Some(test.detectable_points()).filter(|points| *points > 0.0),
                seeds: Some(test.seeds),
                sentences_needed,
                sentences_needed_published,
                ..numbers
            };
        }
        let interval = bootstrap(paired, self.evidence.usual.draws, confidence);
        let power = power(paired);
        let [sentences_needed, sentences_needed_published] =
            distances.map(|points| power.zip(points).and_then(|(power, points)| power.sentences_for(points)));
        Numbers {
            interval: interval.map(|interval| (interval.low_points, interval.high_points)),
            detectable: power.map(|power| power.detectable_points()),
            sentences_needed,
            sentences_needed_published,
            ..numbers
        }
    }

    fn better(&self, a: &Selector, b: &Selector, accuracy: Accuracy, level: f64) -> Result<Part, Missing> {
        let tested = [self.evidence.setting(self.scope, a)?, self.evidence.setting(self.scope, b)?].map(Setting::clone);
        let tested = Some(Tested::new(accuracy, tested));
        let compared = self.paired(a, b, accuracy)?;
        let test = randomisation(&compared.paired, self.evidence.usual.draws);
        let numbers = self.difference(&compared, CONFIDENCE, |points| points);
        let over_sentences = test.p_value();
        let p = numbers.p_two_way.unwrap_or(over_sentences);
        let verdict = match test.difference {
            1.. if p < level => Verdict::Holds,
            ..=-1 if p < level => Verdict::DoesNotHold,
            _ => Verdict::Undecided,
        };
        let p_sentences = numbers.p_two_way.map(|_| over_sentences);
        let numbers = Numbers { p_value: Some(p), p_sentences, ..numbers };
        let points = compared.points(&numbers);
        let words = format!("{points} over {}", compared.name);
        Ok(Part { numbers, tested, ..Part::said(verdict, words) })
    }

    fn largest(&self, a: &Selector, others: &[Selector], accuracy: Accuracy, level: f64) -> Result<Part, Missing> {
        // All of them must have been run, or one that was not might be larger.
        let mut rows = Vec::new();
        for other in others {
            let row = self.evidence.row(self.scope, other)?;
            rows.push((other, accuracy.of_row(row).unwrap_or(0.0)));
        }
        rows.sort_by(|x, y| y.1.total_cmp(&x.1));
        let against = |(other, _): &(&Selector, f64)| self.better(a, other, accuracy, level);
        let Some((best, rest)) = rows.split_first() else {
            return Ok(Part::said(Verdict::Holds, "there are no others"));
        };
        let best = against(best)?;
        // One that is not the best on average may be above it more surely.
        let mut parts = Vec::new();
        if best.verdict == Verdict::Undecided {
            parts = rest.iter().map(against).collect::<Result<_, _>>()?;
        }
        let above = parts.into_iter().find(|part| part.verdict == Verdict::DoesNotHold);
        Ok(match above {
            Some(part) => part,
            None if best.lacks_sentences => best,
            None => Part { words: format!("next best: {}", best.words), ..best },
        })
    }

    /// Whether the difference of the accuracies lies in a range.
    fn between(
        &self,
        a: &Selector,
        b: &Selector,
        accuracy: Accuracy,
        level: f64,
        range: (f64, f64),
    ) -> Result<Part, Missing> {
        let compared = self.paired(a, b, accuracy)?;
        let confidence = 1.0 - 2.0 * level;
        let distance = |points: f64| (points - range.0).abs().min((points - range.1).abs());
        let numbers = Numbers { p_two_way: None, ..self.difference(&compared, confidence, distance) };
        let nothing = || Missing::of(format!("no interval over {}: nothing was scored", compared.name));
        let interval = numbers.interval.ok_or_else(nothing)?;
        let [from, to] = [interval.0, interval.1].map(|v| signed(v, 2));
        let percent = fixed(100.0 * confidence, 0);
        let points = compared.points(&numbers);
        let over = if compared.two_way.is_some() { " over sentences and seeds" } else { "" };
        let words = format!("{points} over {} ({percent} % interval {from} to {to}{over})", compared.name);
        Ok(Part { numbers, ..Part::said(within(interval, range), words) })
    }

    fn near(&self, a: &Selector, metric: Metric, published: f64, relative: f64) -> Result<Part, Missing> {
        let [least, value, largest] = self.evidence.interval(self.scope, a, metric)?;
        let (stopped, searches) = match metric {
            Metric::DpCalls => self.evidence.stopped(self.scope, a)?,
            _ => (0, 0),
        };
        let far = relative * published.abs();
        let range = (published - far, published + far);
        // A search that stopped would have made more calls, nobody knows how many: too large a mean stays so, but one that is
        // near or too small might be anything above.
        let to = if stopped > 0 { f64::INFINITY } else { largest };
        let verdict = within((least, to), range);
        let tolerated = shortest(100.0 * relative);
        let at_least = if stopped > 0 { "at least " } else { "" };
        let mut words =
            format!("{at_least}{} where {published} is published ({tolerated} % tolerated)", fixed(value, 2));
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
        let unit = match metric {
            Metric::DpCalls => Unit::Calls,
            Metric::Time => Unit::Milliseconds,
            Metric::LearningTime => Unit::Seconds,
            Metric::Uas | Metric::Proven | Metric::AtRoot => Unit::Percent,
        };
        let mut numbers = Numbers {
            unit: Some(unit),
            published: Some(published),
            ours: Some(value),
            interval: Some((least, largest)),
            ..Numbers::default()
        };
        let mut notes = Vec::new();
        if !metric.is_time() && verdict == Verdict::Undecided {
            let sentences = self.evidence.row(self.scope, a)?.data().map_or(0, |[sentences, ..]| sentences);
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

    fn ratio(&self, a: &Selector, b: &Selector, metric: Metric, range: (f64, f64)) -> Result<Part, Missing> {
        let [least, value, largest] = self.evidence.ratio(self.scope, [a, b], metric)?;
        let threads = [a, b].map(Selector::threads);
        let rows = [self.evidence.row(self.scope, a)?, self.evidence.row(self.scope, b)?];
        let [a, b] = rows.map(|row| &row.setting);
        let than = match metric {
            Metric::LearningTime if a == b => on_threads(threads[1]),
            Metric::LearningTime => format!("{} on {}", difference_from(a, b), on_threads(threads[1])),
            Metric::DpCalls => difference_from(a, b) + &on_seeds(rows, &shared_seeds(rows)?),
            _ => difference_from(a, b),
        };
        let mut words = format!("{} times that of {than}", fixed(value, 2));
        let to = if largest.is_finite() { format!("to {}", fixed(largest, 2)) } else { "and more".to_owned() };
        words.push_str(&match metric {
            Metric::Time => format!(" ({} {to} over passes)", fixed(least, 2)),
            Metric::LearningTime => format!(" ({} {to} over repeats)", fixed(least, 2)),
            _ => format!(" (95 % interval {} {to})", fixed(least, 2)),
        });
        // Times are told as words in a second: the ratio of two turned over.
        let published = match metric {
            Metric::Time => self.figure([b, a], "words_per_second", |b, a| b / a),
            Metric::DpCalls => self.figure([a, b], "dp_calls_per_sentence", |a, b| a / b),
            Metric::LearningTime | Metric::Uas | Metric::Proven | Metric::AtRoot => match self.published {
                Some(Figure::Is(value)) => Some(*value),
                _ => None,
            },
        };
        let numbers = Numbers {
            unit: Some(Unit::Times),
            published,
            ours: Some(value),
            interval: Some((least, largest)),
            ..Numbers::default()
        };
        Ok(Part { numbers, ..Part::said(within((least, largest), range), words) })
    }

    fn all_proven(&self) -> Part {
        let (missing, unproven, searches) = self.evidence.proofs(self.scope);
        let numbers = Numbers {
            unit: Some(Unit::Percent),
            ours: percent(searches - unproven.min(searches), searches),
            ..Numbers::default()
        };
        let searches = counted(searches, "search", "searches");
        let counted_are = format!("of the perceptron, by dp for baselines and else by {}", self.evidence.usual.decoder);
        let (verdict, words) = match missing.first() {
            _ if unproven > 0 => {
                (Verdict::DoesNotHold, format!("{} of {searches} ended without a proof", grouped(unproven)))
            }
            Some(first) => {
                let cells = counted(missing.len() as u64, "cell", "cells");
                (
                    Verdict::Undecided,
                    format!("not run: {cells}, the first {first}; of those that were, all of {searches} are proven"),
                )
            }
            None => (Verdict::Holds, format!("all of {searches} are proven")),
        };
        let unproven = self.evidence.unproven(|setting| self.evidence.is_usual(self.scope, setting));
        let notes = unproven.map(|which| format!("those that are here: {which}")).into_iter().collect();
        Part { numbers, notes, ..Part::said(verdict, format!("{words} ({counted_are})")) }
    }

    fn share(&self, a: &Selector, metric: Metric, low: f64) -> Result<Part, Missing> {
        let (hits, all) = self.evidence.share(self.scope, a, metric)?;
        let nothing = || Missing::of("there are no sentences");
        let (ours, interval) = percent(hits, all).zip(wilson(hits, all)).ok_or_else(nothing)?;
        let verdict = within(interval, (100.0 * low, f64::INFINITY));
        let how = if metric == Metric::AtRoot { "proven without branching" } else { "proven" };
        let [from, to] = [interval.0, interval.1].map(|end| fixed(end, 2));
        let sentences = counted(all, "sentence", "sentences");
        let words = format!(
            "{} of {sentences} {how} in every seed: {} % (95 % interval {from} to {to}; {} % are claimed)",
            grouped(hits),
            fixed(ours, 2),
            shortest(100.0 * low)
        );
        let published = match self.published {
            Some(Figure::Is(value)) => Some(*value),
            _ => None,
        };
        let numbers = Numbers {
            unit: Some(Unit::Percent),
            published,
            ours: Some(ours),
            interval: Some(interval),
            sentences: Some(all),
            sentences_needed: wilson_needs(hits, all, low).filter(|_| verdict == Verdict::Undecided),
            ..Numbers::default()
        };
        let mut notes = Vec::new();
        if metric == Metric::Proven {
            let setting = &self.evidence.row(self.scope, a)?.setting;
            let unproven = self.evidence.unproven(|other| other == setting);
            notes.extend(unproven.map(|which| format!("without a proof: {which}")));
        }
        if verdict == Verdict::Undecided {
            let needed = |needed| counted(needed, "sentence", "sentences");
            notes.extend(
                numbers
                    .sentences_needed
                    .filter(|_| hits < all)
                    .map(|n| format!("a verdict takes {} at this share", needed(n))),
            );
            notes.extend(wilson_needs(1, 1, low).map(|n| format!("{} without a miss would show it", needed(n))));
        }
        Ok(Part { numbers, notes, ..Part::said(verdict, words) })
    }

    fn smooth(&self, a: &Selector, metric: Metric, to_length: u64, tolerance: f64) -> Result<Part, Missing> {
        let mut points = self.evidence.curve(self.scope, a, metric)?;
        points.retain(|(length, ..)| *length <= to_length as f64);
        if points.len() < LEAST_POINTS {
            let points = counted(points.len() as u64, "length has", "lengths have");
            return Err(Missing::of(format!(
                "only {points} enough sentences (up to {to_length} words), and a curve takes {LEAST_POINTS}"
            )));
        }
        if is_flat(&points) {
            return Ok(Part::said(Verdict::DoesNotHold, "the curve is flat"));
        }
        let Some(rough) = roughness(&points, self.evidence.usual.draws, CONFIDENCE) else {
            return Ok(Part::said(
                Verdict::Undecided,
                "a smooth curve through the other lengths does not foresee one of them",
            ));
        };
        let Roughness { not_smooth, not_rising, pattern_p } = rough;
        let explains = |share: f64| 100.0 * (1.0 - share);
        let told = |share: f64| fixed(explains(share), 1);
        let [smooth, rising] = [not_smooth, not_rising].map(|share| {
            let (low, high) = share.interval;
            format!("{} % (95 % interval {} to {})", told(share.share), told(high), told(low))
        });
        let is_smooth = within(not_smooth.interval, (0.0, tolerance));
        let is_noise = is_smooth == Verdict::DoesNotHold && pattern_p >= PATTERN_LEVEL;
        let is_smooth = if is_noise { Verdict::Undecided } else { is_smooth };
        let verdict = Verdict::all([is_smooth, within(not_rising.interval, (0.0, tolerance))]);
        let mut words = format!(
            "of the variation between {} lengths a smooth curve foresees {smooth}, a rising one explains {rising}; {} % are \
             asked for",
            points.len(),
            shortest(explains(tolerance))
        );
        if is_smooth != Verdict::Holds {
            let what = if pattern_p < PATTERN_LEVEL { "make a pattern that noise does not" } else { "are like noise" };
            words.push_str(&format!("; neighbouring lengths {what} (p = {})", fixed(pattern_p, 4)));
        }
        let numbers = Numbers {
            unit: Some(Unit::Percent),
            ours: Some(explains(not_smooth.share)),
            interval: Some((explains(not_smooth.interval.1), explains(not_smooth.interval.0))),
            ..Numbers::default()
        };
        let mut notes = Vec::new();
        if verdict == Verdict::Undecided {
            // Sentences make the mean of a length surer, but the interval is over lengths.
            let what = "how many sentences would decide is not known: the interval is over lengths, and more sentences make no more";
            notes.push(what.to_owned());
        }
        Ok(Part { numbers, notes, ..Part::said(verdict, words) })
    }
}

/// Whether the values of a curve are the same, but for the rounding of their means.
fn is_flat(points: &[(f64, f64, u64)]) -> bool {
    let values = || points.iter().map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    high - low <= 1e-9 * high.abs()
}

/// On which seeds rows are compared, where one has others too.
fn on_seeds(rows: [&Averaged; 2], shared: &BTreeSet<u64>) -> String {
    if rows.iter().all(|row| row.seeds.len() == shared.len()) {
        return String::new();
    }
    let list: Vec<String> = shared.iter().map(ToString::to_string).collect();
    format!(" on seed{} {} alone", if list.len() > 1 { "s" } else { "" }, list.join(", "))
}

fn on_threads(threads: u64) -> String {
    counted(threads, "thread", "threads")
}

/// With as many decimals as it takes, at most two.
fn shortest(value: f64) -> String {
    let text = fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whether all of an interval lies in a range, or none of it.
fn within((from, to): (f64, f64), (low, high): (f64, f64)) -> Verdict {
    if low <= from && to <= high {
        Verdict::Holds
    } else if to < low || high < from {
        Verdict::DoesNotHold
    } else {
        Verdict::Undecided
    }
}

/// The name of `b`, told by what sets it apart from `a`.
fn difference_from(a: &Setting, b: &Setting) -> String {
    if a.system != b.system {
        return system_label(&b.system);
    }
    let split = |s: &Setting| s.split.to_string();
    let tags = |s: &Setting| s.tags.to_string();
    let templates = |s: &Setting| show_optional(s.templates());
    let learner = |s: &Setting| show_optional(s.learner());
    let features = |s: &Setting| show_optional(s.features());
    let pruning = |s: &Setting| pruning_label(s.pruning());
    let backbone = |s: &Setting| s.backbone().map_or_else(String::new, |backbone| backbone.to_string());
    let decoder = |s: &Setting| decoder_label(s);
    let axes: [&dyn Fn(&Setting) -> String; 8] =
        [&split, &tags, &templates, &learner, &features, &pruning, &backbone, &decoder];
    // The baseline's decoder goes without saying.
    let count = if b.is_baseline() && a.features() != b.features() { axes.len() - 1 } else { axes.len() };
    let differ: Vec<String> = axes[..count].iter().filter(|axis| axis(a) != axis(b)).map(|axis| axis(b)).collect();
    if differ.is_empty() { b.to_string() } else { differ.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_across_an_end_decides_nothing() {
        let range = (-1.0, 1.0);
        let verdicts = [(-0.5, 0.5), (-1.0, 1.0), (0.5, 1.5), (-2.0, 2.0), (1.1, 1.2), (-3.0, -1.1)];
        let expected = ["holds", "holds", "undecided", "undecided", "does not hold", "does not hold"];
        assert_eq!(verdicts.map(|interval| within(interval, range).name()), expected);
    }

    #[test]
    fn a_curve_is_flat_whose_means_differ_by_rounding_alone() {
        let curve = |values: [f64; 3]| values.map(|value| (1.0, value, 3));
        assert!(is_flat(&curve([7.0 / 3.0, 2.0 + 1.0 / 3.0, 7.0 * (1.0 / 3.0)])) && is_flat(&curve([0.0; 3])));
        assert!(!is_flat(&curve([1.0, 1.0, 1.001])));
    }

    #[test]
    fn one_that_does_not_hold_decides() {
        use Verdict::{DoesNotHold, Holds, Undecided};
        assert_eq!(Verdict::all([Holds, Undecided, DoesNotHold]), DoesNotHold);
        assert_eq!(Verdict::all([Holds, Undecided]), Undecided);
        assert_eq!(Verdict::all([Holds, Holds]), Holds);
    }
}
