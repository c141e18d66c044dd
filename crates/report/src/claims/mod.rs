//! Claims: what a paper says its numbers show, as data that results decide.
//!
//! A claim is a sentence, where it stands, and one question of six [kinds](Kind): a difference, a ratio, a value, a share or an
//! exponent of growth, held against a range, or whether growth is smooth. Each is a query over the [frame](crate::frame) of lines
//! that tables show. The answer is one of three [`Verdict`]s: the claim *holds*, it *does not hold*, or it is *undecided*, either
//! because the results leave room for both (then it is told what the data could have shown, and how many sentences would decide)
//! or because a cell that it needs was not run (then the cell is named, and the grid that has it). Nothing in between: a verdict
//! is not weighed against what one would like to see.
//!
//! * `config` reads claims, as configs and lists have them;
//! * `evidence` finds the line that a claim means, and what was measured of it;
//! * `judge` has the six kinds;
//! * `finding` is what they find, in numbers and words;
//! * `table` shows and writes the verdicts;
//! * `lists/` has the claims of Qian & Liu (2013), Ma & Zhao (2012), Zhao, Cross & Huang (2013) and Martins et al. (2009), by the
//!   names in [`LISTS`].

mod config;
mod evidence;
mod finding;
mod judge;
mod table;

use serde::Deserialize;

use crate::measures::{Measure, Of};
pub use treebound_statistics::Draws;

pub use config::{Axes, Claims, reference};
pub use evidence::Evidence;
pub use finding::Numbers;
pub use table::{ClaimTable, Judged};

/// The lists of claims that have a name, as TOML.
pub const LISTS: [(&str, &str); 5] = [
    ("paper", include_str!("lists/paper.toml")),
    ("paper-zh", include_str!("lists/paper-zh.toml")),
    ("ma-zhao", include_str!("lists/ma-zhao.toml")),
    ("zhao", include_str!("lists/zhao.toml")),
    ("martins", include_str!("lists/martins.toml")),
];

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its name in results.
    pub name: String,
    /// What is claimed.
    pub text: String,
    /// Where.
    pub source: String,
    /// The figure that is claimed, to stand beside ours.
    pub published: Option<Figure>,
    /// The corpus that the claim is of: on others it is not judged.
    pub only: Option<String>,
    /// What is asked.
    pub kind: Kind,
    /// What is measured.
    pub metric: Metric,
    /// The row; none of a share of all searches.
    pub a: Option<Selector>,
    /// What it is compared with: the claim is of each of them.
    pub others: Vec<Selector>,
    /// Where what is measured lies.
    pub range: (f64, f64),
    /// What an interval leaves out, and the level of a test.
    pub level: f64,
    /// The shortest sentences that count.
    pub from_length: u64,
    /// The longest.
    pub to_length: u64,
}

/// What a claim asks. An interval that lies wholly in the range makes it hold, one that lies wholly outside makes it fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// By how many points the accuracy of `a` is above that of each of the others, sentence by sentence. In a range that ends at
    /// 0 a paired test decides.
    Difference,
    /// A measure of `a` over that of each of the others. Of times the passes must agree.
    Ratio,
    /// A measure of `a`. What searches did that stopped at their limit is a lower bound, which shows only that it is too much.
    Value,
    /// The share of the sentences of `a` that is proven, or proven without branching, in every seed. Without `a` it is that of all
    /// searches of the paper's system, which are counted and no sample.
    Share,
    /// How much of the variation of a measure with sentence length a smooth curve and a rising one explain (see
    /// [`smooth`](treebound_statistics::smooth)). It fails only if neighbouring lengths make a pattern that noise does not.
    Smoothness,
    /// By what power of the sentence length a measure grows (see [`growth`](treebound_statistics::growth)).
    Growth,
}

impl Kind {
    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Difference => "difference",
            Self::Ratio => "ratio",
            Self::Value => "value",
            Self::Share => "share",
            Self::Smoothness => "smoothness",
            Self::Growth => "growth",
        }
    }
}

/// What is measured of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// A ratio of two counts.
    Counted(&'static Measure),
    /// Time a sentence on one thread; a ratio of times is a ratio of speeds turned over.
    Time,
    /// Time to learn the weights, on the threads of the row.
    LearningTime,
    /// Sentences whose tree is proven optimal.
    Proven,
    /// Sentences whose tree is proven optimal without branching: the bound is tight at the root.
    AtRoot,
}

impl Metric {
    /// Whether it depends on a machine.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::LearningTime)
    }

    /// What its values are in.
    fn unit(self) -> &'static str {
        match self {
            Self::Counted(Measure { of: Of::Percent(..), .. }) | Self::Proven | Self::AtRoot => PERCENT,
            // `dp_calls` are calls.
            Self::Counted(measure) => measure.pair().and_then(|[part, _]| part.rsplit('_').next()).unwrap_or_default(),
            Self::Time => "ms",
            Self::LearningTime => "s",
        }
    }
}

const POINTS: &str = "points";
const PERCENT: &str = "%";
const TIMES: &str = "times";
const EXPONENT: &str = "exponent";

/// A published figure: a difference in points, a ratio, or a value, as the claim has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a number, or `PTB`, `CTB` or `PDT`, is needed")]
pub enum Figure {
    /// That of the rows compared on a data set (`PTB`, `CTB`), from `published.csv`.
    Of(String),
    /// This one.
    Is(f64),
}

/// A row of the results: values of its axes; what is left out is [usual](Usual).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Axes, the two halves of `decoding` apart, with the key of a grid that has the value.
    pub axes: Vec<(&'static str, &'static str, String)>,
    /// Of another system, the values on all axes that it declares, which grids have under `axes`; of the system `graph`, on those that
    /// most rows have not.
    pub own: Vec<(String, String)>,
    /// On how many threads it is learnt, where that is what is measured.
    pub threads: u64,
}

impl Selector {
    fn axis(&self, name: &str) -> Option<&str> {
        let axes = self.axes.iter().map(|(axis, _, value)| (*axis, value));
        let own = self.own.iter().map(|(axis, value)| (axis.as_str(), value));
        axes.chain(own).find(|(axis, _)| *axis == name).map(|(_, value)| value.as_str())
    }

    /// The keys of a grid that has the row.
    fn keys(&self) -> String {
        let axes = self.axes.iter().map(|(_, key, value)| format!("{key} = \"{value}\""));
        let table = if self.axis("system").is_some() { "axes." } else { "" };
        let own = self.own.iter().map(|(axis, value)| format!("{table}{axis} = \"{value}\""));
        axes.chain(own).collect::<Vec<_>>().join(", ")
    }
}

/// What is meant where a claim does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usual {
    /// The decoder of sets with non-local features; of the baseline it is that of the dynamic program.
    pub decoder: String,
    /// The part of the treebank. Where it is `cv`, a claim whose rows were not run in folds, but on the test part, is decided there.
    pub split: String,
    /// The templates.
    pub templates: Option<String>,
    /// Whose tags claims are about: verdicts are of these, each apart; of all that the results have if there are none.
    pub tags: Vec<String>,
    /// The systems that come with the program; others are of somebody else.
    pub systems: Vec<String>,
    /// The folds of cross-validated rows, if there are any.
    pub folds: Option<usize>,
    /// How much the random tests draw.
    pub draws: Draws,
}

/// What the results say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is as claimed.
    Holds,
    /// The results leave room for both, or are not there.
    Undecided,
    /// It is not as claimed.
    DoesNotHold,
}

impl Verdict {
    /// The words in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Undecided => "undecided",
            Self::DoesNotHold => "does not hold",
        }
    }

    /// Whether all of an interval lies in a range, or none of it.
    fn within((from, to): (f64, f64), (low, high): (f64, f64)) -> Self {
        if low <= from && to <= high {
            Self::Holds
        } else if to < low || high < from {
            Self::DoesNotHold
        } else {
            Self::Undecided
        }
    }

    /// The verdict on several things all of which are claimed: one that does not hold decides; else one that is undecided.
    fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_across_an_end_decides_nothing() {
        let range = (-1.0, 1.0);
        let verdicts = [(-0.5, 0.5), (-1.0, 1.0), (0.5, 1.5), (-2.0, 2.0), (1.1, 1.2), (-3.0, -1.1)];
        let expected = ["holds", "holds", "undecided", "undecided", "does not hold", "does not hold"];
        assert_eq!(verdicts.map(|interval| Verdict::within(interval, range).name()), expected);
    }

    #[test]
    fn one_that_does_not_hold_decides() {
        use Verdict::{DoesNotHold, Holds, Undecided};
        assert_eq!(Verdict::all([Holds, Undecided, DoesNotHold]), DoesNotHold);
        assert_eq!(Verdict::all([Holds, Undecided]), Undecided);
        assert_eq!(Verdict::all([Holds, Holds]), Holds);
    }
}
