//! What is found of a claim: the numbers of each comparison, the words that people read, and why it does not hold.

use std::collections::BTreeMap;
use std::fmt;

use super::{PERCENT, POINTS, TIMES, Verdict};
use treebound_records::number::{counted, fixed, grouped, signed};
use treebound_statistics::holm;

/// What is found of a claim: one comparison, or one with each of several rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    /// The verdict on all of them.
    pub verdict: Verdict,
    /// The comparisons, in the order of the claim.
    pub parts: Vec<Part>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// Its own verdict.
    pub verdict: Verdict,
    /// What was compared and found, or what is missing.
    pub words: String,
    /// What else there is to say, behind everything.
    pub notes: Vec<String>,
    /// The numbers.
    pub numbers: Numbers,
    /// The measure and lines that a paired test compared, these ascending, since it is two-sided: what Holm's correction counts once.
    pub tested: Option<(&'static str, [String; 2])>,
    /// Whether it is undecided because sentences of a row that was run are not here.
    pub lacks_sentences: bool,
    /// Whether it is undecided because something was not run or measured.
    pub is_missing: bool,
}

/// The numbers of a comparison, as files have them; none are what does not belong to its kind, or is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// What `published`, `ours` and the interval are in.
    pub unit: &'static str,
    /// The figure that is claimed.
    pub published: Option<f64>,
    /// Ours.
    pub ours: Option<f64>,
    /// Its interval: over sentences at a confidence of 95 %, or that of the claim, or over passes.
    pub interval: Option<(f64, f64)>,
    /// The p-value that decides: of several seeds over sentences and seeds, of one over sentences; and over folds if that is larger.
    pub p_value: Option<f64>,
    /// The p-value over folds; none but of cross-validated rows.
    pub p_folds: Option<f64>,
    /// The p-value over sentences and seeds; none of one seed.
    pub p_two_way: Option<f64>,
    /// The p-value over sentences, with the seeds as they are; none where it decides.
    pub p_sentences: Option<f64>,
    /// The p-value after Holm's correction over all claims of a corpus and tags.
    pub p_holm: Option<f64>,
    /// The smallest difference, in the unit, that the sentences would have shown in 80 of 100 samples.
    pub detectable: Option<f64>,
    /// The sentences compared.
    pub sentences: Option<u64>,
    /// The seeds compared; none of one.
    pub seeds: Option<u64>,
    /// How many would decide if the difference is as large as it is here: 80 of 100 samples.
    pub sentences_needed: Option<u64>,
    /// How many would show the published difference.
    pub sentences_needed_published: Option<u64>,
}

impl Finding {
    /// A finding of several comparisons, all of which are claimed.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { verdict: Verdict::all(parts.iter().map(|part| part.verdict)), parts }
    }

    /// Whether sentences would have to be here to decide: one comparison that fails needs no others.
    pub fn lacks_sentences(&self) -> bool {
        self.verdict != Verdict::DoesNotHold && self.parts.iter().any(|part| part.lacks_sentences)
    }

    /// Whether nothing that it rests on was run.
    pub fn is_missing(&self) -> bool {
        self.parts.iter().all(|part| part.is_missing)
    }

    /// The numbers of the comparison that decides: of those with the claim's verdict the one with the largest p-value, else the
    /// first.
    pub fn numbers(&self) -> Numbers {
        let p = |part: &Part| part.numbers.p_value.unwrap_or(f64::NEG_INFINITY);
        let parts = self.parts.iter().filter(|part| part.verdict == self.verdict);
        let deciding = parts.reduce(|best, part| if p(part) > p(best) { part } else { best });
        deciding.map(|part| part.numbers.clone()).unwrap_or_default()
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
            is_missing: false,
        }
    }

    /// In words.
    fn text(&self) -> String {
        let rest = [self.p_values(), self.published()].into_iter().flatten();
        let rest: Vec<String> = rest.chain(self.notes.iter().cloned()).chain(self.shortage()).collect();
        let begin = if self.numbers.p_value.is_some() { " " } else { ", " };
        let rest = if rest.is_empty() { String::new() } else { format!("{begin}{}", rest.join(", ")) };
        format!("{}{rest}", self.words)
    }

    /// P-values in brackets, with Holm's correction of the one that decides where it is another one.
    fn p_values(&self) -> Option<String> {
        let Numbers { p_value, p_folds, p_two_way, p_sentences, p_holm, .. } = self.numbers;
        let p = p_value?;
        let over = |name: &str, p: f64| format!("over {name} {}", fixed(printed(p), 4));
        // The test over seeds draws nothing, so that its values may be as small as they like.
        let is = if p < LEAST / 2.0 { "below" } else { "=" };
        let by_folds = if p_folds == p_value { " over folds" } else { "" };
        let mut words = vec![format!("p {is} {}{by_folds}", fixed(printed(p), 4))];
        words.extend(p_two_way.filter(|_| p_folds == p_value).map(|p| over("sentences and seeds", p)));
        words.extend(p_sentences.map(|p| over("sentences alone", p)));
        words.extend(p_folds.filter(|_| p_folds != p_value).map(|p| over("folds", p)));
        words.extend(p_holm.filter(|&holm| printed(holm) != printed(p)).map(|p| format!("Holm {}", fixed(p, 4))));
        Some(format!("({})", words.join(", ")))
    }

    /// What the paper has. The words on values of one row say it already.
    fn published(&self) -> Option<String> {
        let value = self.numbers.published?;
        match self.numbers.unit {
            POINTS => Some(format!("the paper {}", signed(value, 2))),
            TIMES => Some(format!("the paper {} times", fixed(value, 2))),
            _ => None,
        }
    }

    /// How much data an undecided comparison lacks.
    fn shortage(&self) -> Option<String> {
        let Numbers { unit, detectable, sentences, seeds, sentences_needed, sentences_needed_published, .. } =
            self.numbers;
        if self.verdict != Verdict::Undecided {
            return None;
        }
        let mut sentences = counted(sentences?, "sentence", "sentences");
        if let Some(seeds) = seeds {
            sentences.push_str(&format!(" and {}", counted(seeds, "seed", "seeds")));
        }
        let unit = if unit == PERCENT { POINTS } else { unit };
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

impl Numbers {
    /// Whether differences of such numbers are percentage points.
    pub(super) fn are_in_points(&self) -> bool {
        [POINTS, PERCENT].contains(&self.unit)
    }
}

/// The least p-value that four decimals show.
const LEAST: f64 = 0.0001;

/// A p-value as files have it, and at least that which their decimals show: corrected values are those of what is printed.
fn printed(p: f64) -> f64 {
    fixed(p, 4).parse().unwrap_or(p).max(LEAST)
}

/// Puts the corrected p-values into all findings of a corpus and tags. The family is all pairs of rows that were tested by one
/// measure, each once, however many claims ask for it.
pub(super) fn correct(findings: &mut [Finding]) {
    let parts = findings.iter().flat_map(|finding| &finding.parts);
    let tests: BTreeMap<_, f64> =
        parts.filter_map(|part| Some((part.tested.clone()?, printed(part.numbers.p_value?)))).collect();
    let corrected = holm(&tests.values().copied().collect::<Vec<_>>());
    let corrected: BTreeMap<_, f64> = tests.into_keys().zip(corrected).collect();
    for part in findings.iter_mut().flat_map(|finding| &mut finding.parts) {
        part.numbers.p_holm = part.tested.as_ref().and_then(|tested| corrected.get(tested).copied());
    }
}

/// Why claims do not hold: what a config's author found by an experiment of the same config.
///
/// A verdict is the program's, its explanation a person's. So an explanation names the grid that shows it, and stands beside
/// claims that do not hold alone: of others it has [outlived](super::ClaimTable::outlived) its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The names of the claims.
    pub claims: Vec<String>,
    /// What they fail by.
    pub cause: &'static str,
    /// In a sentence.
    pub text: String,
    /// The grids of the config that show it; none if the cause is unknown.
    pub grids: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.cause, self.text)?;
        if self.grids.is_empty() { Ok(()) } else { write!(f, " (grid {})", self.grids.join(" and ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(measure: &'static str, lines: [&str; 2], p_value: f64) -> Part {
        let numbers = Numbers { p_value: Some(p_value), ..Numbers::default() };
        let mut lines = lines.map(str::to_owned);
        lines.sort();
        Part { numbers, tested: Some((measure, lines)), ..Part::said(Verdict::Undecided, "words") }
    }

    fn by_uas(lines: [&str; 2], p_value: f64) -> Part {
        tested("uas_pct", lines, p_value)
    }

    #[test]
    fn a_pair_counts_once_in_either_order() {
        let first = Finding::new(vec![by_uas(["comb", "hand"], 0.02), by_uas(["comb", "sibling"], 0.04)]);
        let second = Finding::new(vec![by_uas(["hand", "comb"], 0.02), Part::said(Verdict::Holds, "none")]);
        let mut findings = [first, second];
        correct(&mut findings);
        let corrected: Vec<Option<f64>> =
            findings.iter().flat_map(|finding| &finding.parts).map(|part| part.numbers.p_holm).collect();
        assert_eq!(corrected, [Some(0.04), Some(0.04), Some(0.04), None]);
        assert_eq!(findings[0].text(), "words (p = 0.0200, Holm 0.0400); words (p = 0.0400)");
    }

    #[test]
    fn a_pair_counts_once_for_each_measure() {
        let one = |measure, p| tested(measure, ["comb", "hand"], p);
        let mut findings = [Finding::new(vec![one("uas_pct", 0.03), one("root_pct", 0.01)])];
        correct(&mut findings);
        let corrected: Vec<Option<f64>> = findings[0].parts.iter().map(|part| part.numbers.p_holm).collect();
        assert_eq!(corrected, [Some(0.03), Some(0.02)]);
    }

    #[test]
    fn the_least_sure_comparison_decides() {
        let mut finding = Finding::new(vec![by_uas(["comb", "hand"], 0.2), by_uas(["comb", "sibling"], 0.4)]);
        assert_eq!(finding.numbers().p_value, Some(0.4));
        finding.parts.push(Part::said(Verdict::DoesNotHold, "no"));
        assert_eq!(Finding::new(finding.parts).numbers().p_value, None);
    }

    #[test]
    fn an_undecided_difference_says_what_it_takes() {
        let mut part = by_uas(["comb", "hand"], 0.2);
        part.numbers.detectable = Some(0.514);
        part.numbers.sentences = Some(2_077);
        part.numbers.sentences_needed = Some(12_345);
        part.numbers.sentences_needed_published = Some(4_000);
        part.numbers.unit = POINTS;
        part.numbers.published = Some(0.36);
        let expected = "words (p = 0.2000), the paper +0.36, 2,077 sentences show 0.51 points and more; \
                        a verdict takes 12,345 sentences at this difference, 4,000 at the paper's";
        assert_eq!(part.text(), expected);
        part.verdict = Verdict::Holds;
        assert_eq!(part.text(), "words (p = 0.2000), the paper +0.36");
    }
}
