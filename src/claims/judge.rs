//! The comparisons: from evidence to a verdict, with the numbers that decided it.

use super::evidence::{Evidence, Missing, Scope};
use super::{Claim, Metric, Selector, Test, Verdict};
use crate::cell::{Setting, show_optional};
use crate::records::number::{counted, fixed, grouped, signed};
use crate::statistics::significance::{Paired, bootstrap, pair, randomisation};
use crate::statistics::smooth::{LEAST_POINTS, roughness};
use crate::tables::block::{decoder_label, pruning_label};

/// A verdict and what it rests on, for people.
type Finding = (Verdict, String);

/// The verdict on a claim for one corpus and one choice of tags.
pub fn judge(claim: &Claim, evidence: &Evidence, scope: &Scope) -> Finding {
    let court = Court { evidence, scope };
    let finding = match &claim.test {
        Test::Largest { a, others, level } => court.largest(a, others, *level),
        Test::Better { a, others, level } => court.each(others, |b| court.better(a, b, *level)),
        Test::NoBetter { a, others, tolerance, level } => {
            court.each(others, |b| court.between(a, b, *level, (f64::NEG_INFINITY, *tolerance)))
        }
        Test::Within { a, others, tolerance, level } => {
            court.each(others, |b| court.between(a, b, *level, (-tolerance, *tolerance)))
        }
        Test::Near { a, metric, value, relative } => court.near(a, *metric, *value, *relative),
        Test::Ratio { a, others, metric, low, high } => {
            let range = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
            court.each(others, |b| court.ratio(a, b, *metric, range))
        }
        Test::AllProven => Ok(court.all_proven()),
        Test::SmoothGrowth { a, metric, to_length, tolerance } => court.smooth(a, *metric, *to_length, *tolerance),
    };
    finding.unwrap_or_else(|Missing(what)| (Verdict::Undecided, what))
}

/// Results held against claims on one corpus and one choice of tags.
#[derive(Clone, Copy)]
struct Court<'a> {
    evidence: &'a Evidence,
    scope: &'a Scope,
}

impl Court<'_> {
    /// Something that is claimed of each of several rows. What is missing leaves it undecided, unless another row decides
    /// against it.
    fn each(
        &self,
        others: &[Selector],
        one: impl Fn(&Selector) -> Result<Finding, Missing>,
    ) -> Result<Finding, Missing> {
        let findings: Vec<Finding> =
            others.iter().map(|other| one(other).unwrap_or_else(|Missing(what)| (Verdict::Undecided, what))).collect();
        let verdict = Verdict::all(findings.iter().map(|(verdict, _)| *verdict));
        let mut texts: Vec<String> = findings.into_iter().map(|(_, text)| text).collect();
        // A row that is missing on the claim's own side is missing each time.
        texts.dedup();
        Ok((verdict, texts.join("; ")))
    }

    /// Both rows sentence by sentence, and the name of the second.
    fn paired(&self, a: &Selector, b: &Selector) -> Result<(Paired, String), Missing> {
        let [a, b] = [self.evidence.row(self.scope, a)?, self.evidence.row(self.scope, b)?];
        let paired = pair(self.evidence.sentences(&a.setting), self.evidence.sentences(&b.setting))
            .map_err(|fault| Missing(format!("{} and {}: {fault} (sentences.csv)", a.setting, b.setting)))?;
        Ok((paired, difference_from(&a.setting, &b.setting)))
    }

    fn better(&self, a: &Selector, b: &Selector, level: f64) -> Result<Finding, Missing> {
        let (paired, name) = self.paired(a, b)?;
        let test = randomisation(&paired, self.evidence.usual.draws);
        let p = test.p_value();
        let verdict = match test.difference {
            1.. if p < level => Verdict::Holds,
            ..=-1 if p < level => Verdict::DoesNotHold,
            _ => Verdict::Undecided,
        };
        let points = paired.difference_points().unwrap_or(0.0);
        Ok((verdict, format!("{} over {name} (p = {})", signed(points, 2), fixed(p, 4))))
    }

    fn largest(&self, a: &Selector, others: &[Selector], level: f64) -> Result<Finding, Missing> {
        // All of them must have been run, or one that was not might be larger.
        let mut rows = Vec::new();
        for other in others {
            rows.push((other, self.evidence.row(self.scope, other)?.uas_pct().unwrap_or(0.0)));
        }
        let best = rows.iter().max_by(|x, y| x.1.total_cmp(&y.1));
        let Some((best, _)) = best else { return Ok((Verdict::Holds, "there are no others".to_owned())) };
        self.better(a, best, level).map(|(verdict, text)| (verdict, format!("next best: {text}")))
    }

    /// Whether the difference of the accuracies lies in a range.
    fn between(&self, a: &Selector, b: &Selector, level: f64, (low, high): (f64, f64)) -> Result<Finding, Missing> {
        let (paired, name) = self.paired(a, b)?;
        let confidence = 1.0 - 2.0 * level;
        let nothing = || Missing(format!("no interval over {name}: nothing was scored"));
        let interval = bootstrap(&paired, self.evidence.usual.draws, confidence).ok_or_else(nothing)?;
        let verdict = within((interval.low_points, interval.high_points), (low, high));
        let points = paired.difference_points().unwrap_or(0.0);
        let [from, to] = [interval.low_points, interval.high_points].map(|v| signed(v, 2));
        let percent = fixed(100.0 * confidence, 0);
        Ok((verdict, format!("{} over {name} ({percent} % interval {from} to {to})", signed(points, 2))))
    }

    fn near(&self, a: &Selector, metric: Metric, published: f64, relative: f64) -> Result<Finding, Missing> {
        let [least, value, largest] = self.evidence.measure(self.scope, a, metric)?;
        let far = relative * published.abs();
        let verdict = within((least, largest), (published - far, published + far));
        let percent = fixed(100.0 * relative, 0);
        Ok((verdict, format!("{} where {published} is published ({percent} % tolerated)", fixed(value, 2))))
    }

    fn ratio(&self, a: &Selector, b: &Selector, metric: Metric, range: (f64, f64)) -> Result<Finding, Missing> {
        let [above_least, above, above_largest] = self.evidence.measure(self.scope, a, metric)?;
        let [below_least, below, below_largest] = self.evidence.measure(self.scope, b, metric)?;
        if below_least <= 0.0 {
            return Err(Missing("there is nothing to divide by".to_owned()));
        }
        let ends = (above_least / below_largest, above_largest / below_least);
        let name = difference_from(self.evidence.setting(self.scope, a)?, self.evidence.setting(self.scope, b)?);
        let mut text = format!("{} times that of {name}", fixed(above / below, 2));
        if metric == Metric::Time {
            text.push_str(&format!(" ({} to {} over passes)", fixed(ends.0, 2), fixed(ends.1, 2)));
        }
        Ok((within(ends, range), text))
    }

    fn all_proven(&self) -> Finding {
        let (missing, unproven, searches) = self.evidence.proofs(self.scope);
        let searches = counted(searches, "search", "searches");
        match missing.first() {
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
        }
    }

    fn smooth(&self, a: &Selector, metric: Metric, to_length: u64, tolerance: f64) -> Result<Finding, Missing> {
        let mut points = self.evidence.curve(self.scope, a, metric)?;
        points.retain(|(length, ..)| *length <= to_length as f64);
        if points.len() < LEAST_POINTS {
            let points = counted(points.len() as u64, "length has", "lengths have");
            return Err(Missing(format!("only {points} enough sentences (up to {to_length} words)")));
        }
        let Some(rough) =
            roughness(&points, self.evidence.usual.draws, 0.95).map(|r| r.not_smooth.share.max(r.not_rising.share))
        else {
            return Ok((Verdict::DoesNotHold, "the curve is flat".to_owned()));
        };
        let verdict = if rough <= tolerance { Verdict::Holds } else { Verdict::DoesNotHold };
        let (percent, points) = (fixed(100.0 * (1.0 - rough), 1), points.len());
        Ok((verdict, format!("a rising curve explains {percent} % of the variation between {points} lengths")))
    }
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
    let split = |s: &Setting| s.split.to_string();
    let tags = |s: &Setting| s.tags.to_string();
    let templates = |s: &Setting| show_optional(s.templates.as_ref());
    let learner = |s: &Setting| show_optional(s.learner.as_ref());
    let features = |s: &Setting| show_optional(s.features.as_ref());
    let pruning = |s: &Setting| pruning_label(s.pruning);
    let backbone = |s: &Setting| s.backbone().map_or_else(String::new, |backbone| backbone.to_string());
    let decoder = |s: &Setting| decoder_label(s);
    let axes: [&dyn Fn(&Setting) -> String; 8] =
        [&split, &tags, &templates, &learner, &features, &pruning, &backbone, &decoder];
    // The baseline's decoder goes without saying.
    let count = if b.is_baseline() && a.features != b.features { axes.len() - 1 } else { axes.len() };
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
    fn one_that_does_not_hold_decides() {
        use Verdict::{DoesNotHold, Holds, Undecided};
        assert_eq!(Verdict::all([Holds, Undecided, DoesNotHold]), DoesNotHold);
        assert_eq!(Verdict::all([Holds, Undecided]), Undecided);
        assert_eq!(Verdict::all([Holds, Holds]), Holds);
    }
}
