//! The numbers of a comparison, as files have them, and how p-values are written.

use treebound_records::number::fixed;

/// The numbers of a comparison; none are what does not belong to its kind, or is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// What `published`, `ours` and the interval are in.
    pub unit: Option<Unit>,
    /// The figure that is claimed.
    pub published: Option<f64>,
    /// Ours.
    pub ours: Option<f64>,
    /// Its interval: over sentences at a confidence of 95 %, or that of the claim, or over passes.
    pub interval: Option<(f64, f64)>,
    /// The p-value that decides: of several seeds over sentences and seeds, of one over sentences.
    pub p_value: Option<f64>,
    /// The p-value over sentences and seeds; none of one seed.
    pub p_two_way: Option<f64>,
    /// The p-value over sentences, with the seeds as they are; none of one seed.
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

/// What numbers are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Differences of percentages.
    Points,
    /// A ratio.
    Times,
    /// Percent.
    Percent,
    /// DP calls a sentence.
    Calls,
    /// Milliseconds a sentence.
    Milliseconds,
    /// Seconds in all.
    Seconds,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 6] =
        [Self::Points, Self::Times, Self::Percent, Self::Calls, Self::Milliseconds, Self::Seconds];

    /// Whether differences of such numbers are percentage points.
    pub fn is_in_points(self) -> bool {
        matches!(self, Self::Points | Self::Percent)
    }

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Times => "times",
            Self::Percent => "%",
            Self::Calls => "calls",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }
}

/// The least p-value that four decimals show.
pub const LEAST: f64 = 0.0001;

/// A p-value as files have it, and at least that which their decimals show: corrected values are those of what is printed.
pub fn printed(p: f64) -> f64 {
    fixed(p, 4).parse().unwrap_or(p).max(LEAST)
}

/// P-values in brackets, with Holm's correction of the one that decides where it is another one.
pub fn p_words(mut p_values: Vec<String>, p_value: f64, p_holm: Option<f64>) -> String {
    let corrected = p_holm.filter(|&p| printed(p) != printed(p_value));
    p_values.extend(corrected.map(|p| format!("Holm {}", fixed(p, 4))));
    format!("({})", p_values.join(", "))
}
