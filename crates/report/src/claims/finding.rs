//! What a comparison found: its numbers, and the words that people read.

use std::collections::BTreeMap;

use super::Verdict;
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
}

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
        Self { verdict: Verdict::all(parts.iter().map(|part| part.verdict)), parts }
    }

    /// Whether what is here decides: all sentences, or enough to show that the claim does not hold.
    pub fn is_decided(&self) -> bool {
        !self.lacks_sentences() || self.verdict == Verdict::DoesNotHold
    }

    /// Whether sentences of a row that was run are not here.
    pub fn lacks_sentences(&self) -> bool {
        self.parts.iter().any(|part| part.lacks_sentences)
    }

    /// The numbers of the comparison that decides.
    pub fn numbers(&self) -> Numbers {
        self.deciding().map(|part| part.numbers.clone()).unwrap_or_default()
    }

    /// The comparison that decides: of those with the claim's verdict the one with the largest p-value, else the first.
    fn deciding(&self) -> Option<&Part> {
        let p = |part: &Part| part.numbers.p_value.unwrap_or(f64::NEG_INFINITY);
        let parts = self.parts.iter().filter(|part| part.verdict == self.verdict);
        parts.reduce(|best, part| if p(part) > p(best) { part } else { best })
    }

    /// All comparisons in words.
    pub fn text(&self) -> String {
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
        }
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

/// Puts the corrected p-values into all findings of a corpus and tags. The family is all pairs of rows that were tested by one
/// accuracy, each once, however many claims ask for it.
pub fn correct(findings: &mut [Finding]) {
    let parts = findings.iter().flat_map(|finding| &finding.parts);
    let tests: BTreeMap<Tested, f64> =
        parts.filter_map(|part| Some((part.tested.clone()?, printed(part.numbers.p_value?)))).collect();
    let corrected = holm(&tests.values().copied().collect::<Vec<_>>());
    let corrected: BTreeMap<Tested, f64> = tests.into_keys().zip(corrected).collect();
    for part in findings.iter_mut().flat_map(|finding| &mut finding.parts) {
        if part.numbers.p_value.is_some()
            && let Some(&p) = part.tested.as_ref().and_then(|tested| corrected.get(tested))
        {
            part.numbers.p_holm = Some(p);
        }
    }
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
