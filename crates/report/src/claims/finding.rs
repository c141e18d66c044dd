//! What a comparison found: its numbers, and the words that people read.

use std::collections::BTreeMap;

use super::Verdict;
use super::earlier::Kept;
use super::numbers::{LEAST, Numbers, Unit, p_words, printed};
use crate::statistics::accuracy::Accuracy;
use crate::statistics::significance::holm;
use treebound_parser::cell::Setting;
use treebound_records::number::{counted, fixed, grouped, signed};

/// What is found of a claim: one comparison, or one with each of several rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The verdict on all of them.
    pub verdict: Verdict,
    /// The comparisons, in the order of the claim.
    pub parts: Vec<Part>,
    /// The version of the [judgement](super::Test::version).
    pub version: u32,
    /// What was found before, where the sentences that decide are not here.
    pub kept: Option<Kept>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its own verdict.
    pub verdict: Verdict,
    /// What was compared and found, or what is missing.
    pub words: String,
    /// What else there is to say, behind everything.
    pub notes: Vec<String>,
    /// The numbers.
    pub numbers: Numbers,
    /// What was tested, if that is done by a paired test.
    pub tested: Option<Tested>,
    /// Whether it is undecided because sentences of a row that was run are not here.
    pub lacks_sentences: bool,
    /// The difference in points then, by the scores alone.
    pub by_scores: Option<f64>,
}

/// How far a number that was rounded for a file may lie from itself.
const KEPT_WITHIN: f64 = 0.006;

/// Two rows tested against each other by an accuracy: what Holm's correction counts once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tested {
    accuracy: Accuracy,
    /// Ascending, whichever came first: the test is two-sided.
    rows: [Setting; 2],
}

impl Tested {
    /// Of two rows in either order.
    pub fn new(accuracy: Accuracy, mut rows: [Setting; 2]) -> Self {
        rows.sort();
        Self { accuracy, rows }
    }
}

impl Finding {
    /// A finding of several comparisons, all of which are claimed.
    pub fn of(parts: Vec<Part>) -> Self {
        Self { verdict: Verdict::all(parts.iter().map(|part| part.verdict)), parts, version: 1, kept: None }
    }

    /// Whether what was found before stands in for this. It does for want of sentences, unless a comparison whose sentences are
    /// here shows that the claim does not hold, or rows have other scores now.
    pub fn may_keep(&self, kept: &Kept) -> bool {
        let ours: Vec<f64> = self.parts.iter().filter_map(|part| part.numbers.ours.or(part.by_scores)).collect();
        // Kept numbers are rounded, as files have them.
        let is_ours = |before: f64| ours.iter().any(|ours| (ours - before).abs() < KEPT_WITHIN);
        !self.is_decided() && (ours.is_empty() || kept.numbers.ours.is_none_or(is_ours))
    }

    /// Whether what is here decides: all sentences, or enough to show that the claim does not hold.
    pub fn is_decided(&self) -> bool {
        !self.lacks_sentences() || self.verdict == Verdict::DoesNotHold
    }

    /// With what was found when the sentences were here.
    pub fn keep(self, kept: Kept) -> Self {
        Self { verdict: kept.verdict, kept: Some(kept), ..self }
    }

    /// Whether sentences of a row that was run are not here.
    pub fn lacks_sentences(&self) -> bool {
        self.parts.iter().any(|part| part.lacks_sentences)
    }

    /// The numbers of the comparison that decides.
    pub fn numbers(&self) -> Numbers {
        match &self.kept {
            Some(kept) => kept.numbers.clone(),
            None => self.deciding().map(|part| part.numbers.clone()).unwrap_or_default(),
        }
    }

    /// The comparison that decides: of those with the claim's verdict the one with the largest p-value, else the first.
    fn deciding(&self) -> Option<&Part> {
        let p = |part: &Part| part.numbers.p_value.unwrap_or(f64::NEG_INFINITY);
        let parts = self.parts.iter().filter(|part| part.verdict == self.verdict);
        parts.reduce(|best, part| if p(part) > p(best) { part } else { best })
    }

    /// All comparisons in words.
    pub fn text(&self) -> String {
        if let Some(kept) = &self.kept {
            return kept.words.clone();
        }
        let mut texts: Vec<String> = self.parts.iter().map(Part::text).collect();
        // A row that is missing on the claim's own side is missing each time.
        texts.dedup();
        texts.join("; ")
    }
}

impl Part {
    /// A comparison in words alone.
    pub fn said(verdict: Verdict, words: impl Into<String>) -> Self {
        Self {
            verdict,
            words: words.into(),
            notes: Vec::new(),
            numbers: Numbers::default(),
            tested: None,
            lacks_sentences: false,
            by_scores: None,
        }
    }

    /// Whether it was tested against another row.
    fn is_tested(&self) -> bool {
        self.tested.is_some() && self.numbers.p_value.is_some()
    }

    /// In words.
    fn text(&self) -> String {
        let Numbers { p_value, p_sentences, p_holm, .. } = self.numbers;
        // The test over seeds draws nothing, so that its values may be as small as they like.
        let decides = |p: f64| format!("p {} {}", if p < LEAST / 2.0 { "below" } else { "=" }, fixed(printed(p), 4));
        let p_values = [p_value.map(decides), p_sentences.map(|p| format!("over sentences alone {}", fixed(p, 4)))];
        let mut text = self.words.clone();
        if let Some(p) = p_value {
            text.push_str(&format!(" {}", p_words(p_values.into_iter().flatten().collect(), p, p_holm)));
        }
        let rest = self.published().into_iter().chain(self.notes.iter().cloned()).chain(self.shortage());
        rest.for_each(|note| text.push_str(&format!(", {note}")));
        text
    }

    /// What the paper has. The words on values of one row say it already.
    fn published(&self) -> Option<String> {
        let value = self.numbers.published?;
        match self.numbers.unit? {
            Unit::Points => Some(format!("the paper {}", signed(value, 2))),
            Unit::Times => Some(format!("the paper {} times", fixed(value, 2))),
            Unit::Percent | Unit::Calls | Unit::Milliseconds | Unit::Seconds => None,
        }
    }

    /// How much data an undecided comparison lacks.
    fn shortage(&self) -> Option<String> {
        let Numbers { detectable, sentences, seeds, sentences_needed, sentences_needed_published, .. } = self.numbers;
        if self.verdict != Verdict::Undecided {
            return None;
        }
        let mut sentences = counted(sentences?, "sentence", "sentences");
        if let Some(seeds) = seeds {
            sentences.push_str(&format!(" and {}", counted(seeds, "seed", "seeds")));
        }
        let unit = if self.numbers.unit == Some(Unit::Calls) { "calls" } else { "points" };
        let mut text = format!("{sentences} show {} {unit} and more", fixed(detectable?, 2));
        let own = sentences_needed.map(|needed| (needed, "this difference"));
        let published = sentences_needed_published.map(|needed| (needed, "the paper's"));
        if seeds.is_some() && sentences_needed.is_none() {
            text.push_str("; more sentences alone do not show this difference");
        }
        for (at, (needed, what)) in own.into_iter().chain(published).enumerate() {
            let begin = if at == 0 { "; a verdict takes " } else { ", " };
            let needed = if at == 0 { counted(needed, "sentence", "sentences") } else { grouped(needed) };
            text.push_str(&format!("{begin}{needed} at {what}"));
        }
        Some(text)
    }
}

/// A member of a family of tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Member {
    /// A pair of rows.
    Pair(Box<Tested>),
    /// A comparison of a claim of which it is not known which rows it had.
    Of { claim: usize, place: usize },
}

/// Puts the corrected p-values into all findings of a corpus and tags, those kept from before too. The family is all pairs of
/// rows that were tested by one accuracy, each once, however many claims ask for it.
pub fn correct(findings: &mut [Finding]) {
    let mut tests: BTreeMap<Member, f64> = BTreeMap::new();
    for (claim, finding) in findings.iter().enumerate() {
        tests.extend(members(claim, finding).into_iter().map(|(member, p)| (member, printed(p))));
    }
    let corrected = holm(&tests.values().copied().collect::<Vec<_>>());
    let corrected: BTreeMap<Member, f64> = tests.into_keys().zip(corrected).collect();
    for (claim, finding) in findings.iter_mut().enumerate() {
        let members = members(claim, finding);
        let values: Vec<f64> = members.iter().filter_map(|(member, _)| corrected.get(member).copied()).collect();
        if let Some(kept) = &mut finding.kept {
            kept.correct(&values);
            continue;
        }
        let tested = finding.parts.iter_mut().filter(|part| part.is_tested());
        tested.zip(values).for_each(|(part, p)| part.numbers.p_holm = Some(p));
    }
}

/// What a finding adds to the family, with the p-values.
fn members(claim: usize, finding: &Finding) -> Vec<(Member, f64)> {
    let Some(kept) = &finding.kept else {
        let test = |part: &Part| Some((Member::Pair(Box::new(part.tested.clone()?)), part.numbers.p_value?));
        return finding.parts.iter().filter_map(test).collect();
    };
    let tested: Vec<&Tested> = finding.parts.iter().filter_map(|part| part.tested.as_ref()).collect();
    // Other words with a p-value in brackets are no paired tests.
    let p_values = if tested.is_empty() { Vec::new() } else { kept.p_values() };
    let are_all = tested.len() == p_values.len();
    let member = |place: usize| match tested.get(place) {
        Some(&pair) if are_all => Member::Pair(Box::new(pair.clone())),
        _ => Member::Of { claim, place },
    };
    p_values.into_iter().enumerate().map(|(place, p)| (member(place), p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(features: [&str; 2], p_value: f64) -> Part {
        tested_by(Accuracy::Uas, features, p_value)
    }

    fn tested_by(accuracy: Accuracy, features: [&str; 2], p_value: f64) -> Part {
        let setting = |features| {
            let axes = ["toy", "test", "gold", "graph", "compact", "mira", features, "k=10", "carreras/bnb"];
            Setting::read(axes).expect("a setting")
        };
        let numbers = Numbers { p_value: Some(p_value), ..Numbers::default() };
        let tested = Some(Tested::new(accuracy, features.map(setting)));
        Part { numbers, tested, ..Part::said(Verdict::Undecided, "words") }
    }

    #[test]
    fn a_pair_counts_once_in_either_order() {
        let first = Finding::of(vec![tested(["comb", "hand"], 0.02), tested(["comb", "sibling"], 0.04)]);
        let second = Finding::of(vec![tested(["hand", "comb"], 0.02), Part::said(Verdict::Holds, "none")]);
        let mut findings = [first, second];
        correct(&mut findings);
        let corrected: Vec<Option<f64>> =
            findings.iter().flat_map(|finding| &finding.parts).map(|part| part.numbers.p_holm).collect();
        assert_eq!(corrected, [Some(0.04), Some(0.04), Some(0.04), None]);
        assert_eq!(findings[0].text(), "words (p = 0.0200, Holm 0.0400); words (p = 0.0400)");
    }

    #[test]
    fn a_pair_counts_once_for_each_accuracy() {
        let one = |accuracy, p| tested_by(accuracy, ["comb", "hand"], p);
        let mut findings = [Finding::of(vec![one(Accuracy::Uas, 0.03), one(Accuracy::Root, 0.01)])];
        correct(&mut findings);
        let corrected: Vec<Option<f64>> = findings[0].parts.iter().map(|part| part.numbers.p_holm).collect();
        assert_eq!(corrected, [Some(0.03), Some(0.02)]);
    }

    /// What is kept counts among those of today, and is corrected with them.
    #[test]
    fn what_was_found_before_is_corrected_too() {
        let lacking = |mut part: Part| {
            part.numbers.p_value = None;
            Part { lacks_sentences: true, ..part }
        };
        let kept = |words: &str, p_value| {
            let numbers = Numbers { p_value: Some(p_value), p_holm: Some(p_value), ..Numbers::default() };
            Kept { verdict: Verdict::DoesNotHold, words: words.to_owned(), numbers }
        };
        let of = |features, kept| Finding::of(vec![lacking(tested(features, 0.0))]).keep(kept);
        let mut findings = [
            of(["comb", "hand"], kept("-1 over hand (p = 0.0155)", 0.0155)),
            Finding::of(vec![tested(["comb", "sibling"], 0.02)]),
            // Of the same rows as the first; of a share, which was no paired test; with one part more than there are now.
            of(["hand", "comb"], kept("+1 over comb (p = 0.0155)", 0.0155)),
            Finding::of(vec![Part { tested: None, ..lacking(tested(["comb", "hand"], 0.0)) }])
                .keep(kept("(p = 0.5)", 0.5)),
            of(["grandchild", "hand"], kept("a (p = 0.0400); b (p = 0.9000)", 0.9)),
        ];
        correct(&mut findings);
        let texts: Vec<String> = findings.iter().map(Finding::text).collect();
        let expected = [
            "-1 over hand (p = 0.0155, Holm 0.0620)",
            "words (p = 0.0200, Holm 0.0620)",
            "+1 over comb (p = 0.0155, Holm 0.0620)",
            "(p = 0.5)",
            "a (p = 0.0400, Holm 0.0800); b (p = 0.9000)",
        ];
        assert_eq!(texts, expected);
        let holm = findings.each_ref().map(|finding| finding.numbers().p_holm);
        assert_eq!(holm, [0.062, 0.062, 0.062, 0.5, 0.9].map(Some));
        assert!(findings[0].verdict == Verdict::DoesNotHold && findings[0].lacks_sentences());
    }

    #[test]
    fn the_least_sure_comparison_decides() {
        let mut finding = Finding::of(vec![tested(["comb", "hand"], 0.2), tested(["comb", "sibling"], 0.4)]);
        assert_eq!(finding.deciding().expect("one").numbers.p_value, Some(0.4));
        finding.parts.push(Part::said(Verdict::DoesNotHold, "no"));
        let finding = Finding::of(finding.parts);
        assert_eq!(finding.deciding().expect("one").words, "no");
    }

    #[test]
    fn an_undecided_difference_says_what_it_takes() {
        let mut part = tested(["comb", "hand"], 0.2);
        part.numbers.detectable = Some(0.514);
        part.numbers.sentences = Some(2_077);
        part.numbers.sentences_needed = Some(12_345);
        part.numbers.sentences_needed_published = Some(4_000);
        part.numbers.unit = Some(Unit::Points);
        part.numbers.published = Some(0.36);
        let expected = "words (p = 0.2000), the paper +0.36, 2,077 sentences show 0.51 points and more; \
                        a verdict takes 12,345 sentences at this difference, 4,000 at the paper's";
        assert_eq!(part.text(), expected);
        part.verdict = Verdict::Holds;
        assert_eq!(part.text(), "words (p = 0.2000), the paper +0.36");
    }
}
