//! Verdicts that stand in `claims.csv` from before: one is not forgotten because the sentences that decided it are elsewhere.
//!
//! A verdict is kept with its words and numbers. Its p-values are read from its words, which have one bracket a comparison, so
//! that Holm's correction counts them beside those of today, and the corrected values are written anew.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::evidence::{NOT_AT_HAND, NOT_DECIDED, Scope};
use super::numbers::{Numbers, Unit, p_words, printed};
use super::{Claim, Verdict};
use treebound_records::ReportError;
use treebound_records::sheet::read_some;

/// The verdicts of a file.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// By corpus, tags and name of the claim.
    rows: BTreeMap<[String; 3], Row>,
}

#[derive(Clone, Debug)]
struct Row {
    decided_by: String,
    kept: Kept,
}

/// A verdict of before.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on, in words.
    pub words: String,
    /// The numbers of the comparison that decided.
    pub numbers: Numbers,
}

/// What words say of a row that was missing, of this version and of earlier ones.
const MISSING: [&str; 5] = [NOT_DECIDED, NOT_AT_HAND, "no sentences (", "not run: ", "not timed: "];

/// The column with the [fingerprints](Claim::fingerprint) of verdicts.
pub const DECIDED_BY: &str = "decided_by";

/// The columns that not every file has.
const OPTIONAL: [&str; 15] = [
    DECIDED_BY,
    "unit",
    "published",
    "ours",
    "low",
    "high",
    "p_value",
    "p_two_way",
    "p_sentences",
    "p_holm",
    "detectable_points",
    "compared_sentences",
    "compared_seeds",
    "sentences_needed",
    "sentences_needed_published",
];

/// The numbers in the columns behind the first of [`OPTIONAL`].
fn read(fields: &[String; OPTIONAL.len() - 1]) -> Numbers {
    let [unit, fields @ ..] = fields;
    let [published, ours, low, high, p_value, p_two_way, p_sentences, p_holm, detectable, rest @ ..] = fields;
    let [sentences, seeds, needed, needed_published] = rest;
    let real = |field: &String| field.parse::<f64>().ok();
    let count = |field: &String| field.parse::<u64>().ok();
    Numbers {
        unit: Unit::ALL.into_iter().find(|known| known.name() == unit),
        published: real(published),
        ours: real(ours),
        interval: real(low).zip(real(high)),
        p_value: real(p_value),
        p_two_way: real(p_two_way),
        p_sentences: real(p_sentences),
        p_holm: real(p_holm),
        detectable: real(detectable),
        sentences: count(sentences),
        seeds: count(seeds),
        sentences_needed: count(needed),
        sentences_needed_published: count(needed_published),
    }
}

impl Earlier {
    /// Those of a file; none if there is no such file, or one without the columns.
    ///
    /// # Errors
    /// If the file cannot be read or is no table.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let lines = match read_some(path, ["corpus", "tags", "claim", "verdict", "evidence"], OPTIONAL) {
            Err(ReportError::Header { .. }) => return Ok(Self::default()),
            Err(ReportError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            lines => lines?,
        };
        let mut rows = BTreeMap::new();
        for ([corpus, tags, claim, verdict, words], [decided_by, numbers @ ..]) in lines {
            let Some(verdict) = Verdict::ALL.into_iter().find(|known| known.name() == verdict) else { continue };
            // What was missing may be there by now; what is so though something was missing stays so.
            if verdict == Verdict::Undecided && MISSING.iter().any(|what| words.contains(what)) {
                continue;
            }
            let kept = Kept { verdict, words, numbers: read(&numbers) };
            rows.insert([corpus, tags, claim], Row { decided_by, kept });
        }
        Ok(Self { rows })
    }

    /// The verdict on a claim, if what decides the claim today decided it then. Files of an earlier version do not say what
    /// decided, and have none.
    pub(super) fn stands(&self, scope: &Scope, claim: &Claim, fingerprint: &str) -> Option<&Kept> {
        let key = [scope.corpus.as_str(), scope.tags.name(), &claim.name].map(str::to_owned);
        let row = self.rows.get(&key)?;
        (row.decided_by == fingerprint).then_some(&row.kept)
    }
}

/// The p-values of a comparison, as its words have them.
#[derive(Clone, Debug, PartialEq)]
struct Bracket {
    /// Where it stands.
    place: Range<usize>,
    /// What stands in it but for Holm's correction, the value that decides first.
    p_values: Vec<String>,
    /// The value that decides.
    p_value: f64,
}

impl Kept {
    /// The p-values that decided, in the order of the comparisons.
    pub fn p_values(&self) -> Vec<f64> {
        self.brackets().iter().map(|bracket| bracket.p_value).collect()
    }

    /// Puts in the corrected values, one for each of [`Self::p_values`].
    pub fn correct(&mut self, corrected: &[f64]) {
        let mut words = String::new();
        let mut from = 0;
        for (Bracket { place, p_values, p_value }, &p_holm) in self.brackets().into_iter().zip(corrected) {
            words.push_str(&self.words[from..place.start]);
            words.push_str(&p_words(p_values, p_value, Some(p_holm)));
            from = place.end;
            if self.numbers.p_value.is_some_and(|decides| printed(decides) == p_value) {
                self.numbers.p_holm = Some(p_holm);
            }
        }
        words.push_str(&self.words[from..]);
        self.words = words;
    }

    fn brackets(&self) -> Vec<Bracket> {
        let bracket = |(from, _): (usize, &str)| {
            let (inner, _) =
                self.words[from..].strip_prefix('(')?.split_once(')').filter(|(inner, _)| !inner.contains('('))?;
            let p_values = inner.split(", ").filter(|part| !part.starts_with("Holm ")).map(str::to_owned);
            let p_values: Vec<String> = p_values.collect();
            // `p = 0.0123` or `p below 0.0001`
            let p_value: f64 = p_values.first()?.split(' ').next_back()?.parse().ok()?;
            Some(Bracket { place: from..from + inner.len() + 2, p_values, p_value: printed(p_value) })
        };
        self.words.match_indices("(p ").filter_map(bracket).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(words: &str, p_value: f64) -> Kept {
        let numbers = Numbers { p_value: Some(p_value), p_holm: Some(0.5), ..Numbers::default() };
        Kept { verdict: Verdict::Undecided, words: words.to_owned(), numbers }
    }

    #[test]
    fn corrected_values_are_written_anew() {
        let words = "+0.15 over comb (p = 0.2764, Holm 1.0000), the paper +0.34; not run: a (grid b); +0.05 over hand \
                     (p = 0.0155, over seeds too below 0.0001, Holm 0.0465); 3 sentences; 0.00 over k=3 (p = 1.0000)";
        let mut kept = kept(words, 0.0155);
        assert_eq!(kept.p_values(), [0.2764, 0.0155, 1.0]);
        kept.correct(&[0.2764, 0.155, 1.0]);
        let expected = words.replace(", Holm 1.0000", "").replace("0.0465", "0.1550");
        assert_eq!((kept.words.as_str(), kept.numbers.p_holm), (expected.as_str(), Some(0.155)));
    }

    #[test]
    fn what_is_below_the_last_decimal_counts_as_that() {
        let mut kept = kept("+1 (p below 0.0001), so", 0.0);
        assert_eq!(kept.p_values(), [0.0001]);
        kept.correct(&[0.0003]);
        assert_eq!((kept.words.as_str(), kept.numbers.p_holm), ("+1 (p below 0.0001, Holm 0.0003), so", Some(0.0003)));
        let mut none = Kept { words: "50 % (95 % interval 1 to 2)".to_owned(), ..kept };
        none.correct(&none.p_values());
        assert_eq!(none.words, "50 % (95 % interval 1 to 2)");
    }
}
