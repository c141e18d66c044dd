//! Claims: what a paper says its numbers show, as data that results decide.
//!
//! A claim is a sentence, where it stands, and one comparison out of a small closed set ([`Test`]). The comparison gives
//! one of three [`Verdict`]s: it *holds*, it *does not hold*, or it is *undecided*, either because the results leave room
//! for both (then it is told what the data could have shown, and how many sentences would decide) or because a cell that it
//! needs was not run (then the cell is named, and the grid that has it). Nothing in between: a verdict is not weighed against
//! what one would like to see.
//!
//! * `config` reads claims, as configs and lists have them;
//! * `evidence` finds the numbers of a selected row of the results;
//! * `judge` has the comparisons;
//! * `finding` is what they find, and `numbers` its numbers;
//! * `failure` has why claims do not hold, as configs say it;
//! * `table` shows and writes the verdicts;
//! * `lists/` has the claims of Qian & Liu (2013) and of Ma & Zhao (2012), by the names in [`LISTS`].
//!
//! Accuracies are compared with the tests of [`significance`](crate::statistics::significance): over sentences and seeds where rows
//! have several seeds in common, else over sentences. A verdict rests on its own test; the p-value over sentences alone, and that
//! after Holm's correction over all claims of a corpus and tags, stand beside it.

mod config;
mod evidence;
mod failure;
mod finding;
mod judge;
mod numbers;
mod table;

use serde::Deserialize;

use crate::statistics::accuracy::Accuracy;
use crate::statistics::significance::Draws;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{CorpusName, FeatureSet, Learner, Split, SystemName, Tags, TemplatesName};
use treebound_parser::pruning::Rule;

pub use config::{Claims, reference};
pub use evidence::Evidence;
pub use failure::{Cause, Failure};
pub use finding::{Finding, Part};
pub use judge::judge;
pub use numbers::Numbers;
pub use table::{ClaimTable, Judged};

/// The lists of claims that have a name, as TOML.
pub const LISTS: [(&str, &str); 3] = [
    ("paper", include_str!("lists/paper.toml")),
    ("paper-zh", include_str!("lists/paper-zh.toml")),
    ("ma-zhao", include_str!("lists/ma-zhao.toml")),
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
    pub only: Option<CorpusName>,
    /// What decides it.
    pub test: Test,
}

/// A published figure: a difference in points, a ratio, or a value, as the claim has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a number, or `PTB`, `CTB` or `PDT`, is needed")]
pub enum Figure {
    /// That of the rows compared on a data set (`PTB`, `CTB`), from [`Published`](crate::tables::published::Published).
    Of(String),
    /// This one.
    Is(f64),
}

/// What decides a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `a` has a higher accuracy than each of the others. Holds if it is above the best of them by a paired test at `level`, does
    /// not hold if one of them is above it by that test.
    Largest {
        /// The row that is claimed to be best.
        a: Selector,
        /// The others.
        others: Vec<Selector>,
        /// Which accuracy.
        metric: Accuracy,
        /// Level of the test.
        level: f64,
    },
    /// `a` has a higher accuracy than each of the others, each by a paired test at `level`. Does not hold if `a` is below one of
    /// them by that test.
    Better {
        /// The row that is claimed to be better.
        a: Selector,
        /// Than these.
        others: Vec<Selector>,
        /// Which accuracy.
        metric: Accuracy,
        /// Level of each test.
        level: f64,
    },
    /// The accuracy of `a` is above that of each of the others by at most `tolerance` points. Holds if the upper end of the
    /// interval that leaves out `level` at each end is at most that; does not hold if the lower end is above it.
    NoBetter {
        /// The row that is claimed to be no better.
        a: Selector,
        /// Than these.
        others: Vec<Selector>,
        /// Which accuracy.
        metric: Accuracy,
        /// Percentage points that are no matter.
        tolerance: f64,
        /// Share left out at each end of the interval.
        level: f64,
    },
    /// The accuracy of `a` is within `tolerance` points of that of each of the others. Holds if the interval lies within them, does
    /// not hold if it lies outside.
    Within {
        /// A row.
        a: Selector,
        /// Rows that it should be close to.
        others: Vec<Selector>,
        /// Which accuracy.
        metric: Accuracy,
        /// Percentage points that are no matter.
        tolerance: f64,
        /// Share left out at each end of the interval.
        level: f64,
    },
    /// A measure of `a` is near a published value: its interval over sentences, or that of the passes of a time, lies within them.
    /// DP calls of searches that stopped at their limit are a lower bound, which shows only that there are too many.
    Near {
        /// The row.
        a: Selector,
        /// What is measured.
        metric: Metric,
        /// The published value.
        value: f64,
        /// Share of the published value that the difference may come to.
        relative: f64,
    },
    /// A measure of `a` over that of each of the others lies in a range. Of times the passes must agree: it is undecided
    /// if the ratio of some passes is inside and that of others outside.
    Ratio {
        /// The row above the line.
        a: Selector,
        /// The rows below it.
        others: Vec<Selector>,
        /// What is measured.
        metric: Metric,
        /// The least ratio.
        low: Option<f64>,
        /// The largest ratio.
        high: Option<f64>,
    },
    /// Every sentence of every cell of the paper's system (of that corpus and those tags) is proven optimal: that of factor graphs,
    /// with the perceptron, the [usual](Usual) templates, and the decoders of rows that name none.
    AllProven,
    /// At least a share of the sentences of `a` is proven, or proven without branching, in every seed. Holds if the whole 95 %
    /// interval is at least that, does not hold if all of it is below.
    Share {
        /// The row.
        a: Selector,
        /// What is counted.
        metric: Metric,
        /// The share, from 0 to 1.
        low: f64,
    },
    /// A measure of `a` grows smoothly with sentence length (see [`smooth`](crate::statistics::smooth)): a smooth curve and a rising
    /// one each explain all but `tolerance` of the variation. Holds if the whole 95 % interval of both says so. Does not hold
    /// if all of one says the contrary, and, for the smooth curve, neighbouring lengths make a pattern that noise does not.
    SmoothGrowth {
        /// The row.
        a: Selector,
        /// What is measured.
        metric: Metric,
        /// The longest sentences that count.
        to_length: u64,
        /// Share of the variation between lengths that a rising curve may leave unexplained.
        tolerance: f64,
    },
}

impl Test {
    /// The name of its kind in configs and results.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Largest { .. } => "largest",
            Self::Better { .. } => "better",
            Self::NoBetter { .. } => "no-better",
            Self::Within { .. } => "within",
            Self::Near { .. } => "near",
            Self::Ratio { .. } => "ratio",
            Self::AllProven => "all-proven",
            Self::Share { .. } => "share",
            Self::SmoothGrowth { .. } => "smooth-growth",
        }
    }

    /// The rows that it needs; none if it is about all cells.
    pub fn selectors(&self) -> Vec<&Selector> {
        match self {
            Self::Largest { a, others, .. }
            | Self::Better { a, others, .. }
            | Self::NoBetter { a, others, .. }
            | Self::Within { a, others, .. }
            | Self::Ratio { a, others, .. } => std::iter::once(a).chain(others).collect(),
            Self::Near { a, .. } | Self::Share { a, .. } | Self::SmoothGrowth { a, .. } => vec![a],
            Self::AllProven => Vec::new(),
        }
    }

    /// True if the verdict depends on a machine, because time was measured.
    pub fn is_timed(&self) -> bool {
        self.metric().is_some_and(Metric::is_time)
    }

    /// What it measures of a row, if it does not compare accuracies.
    pub fn metric(&self) -> Option<Metric> {
        match self {
            Self::Near { metric, .. }
            | Self::Ratio { metric, .. }
            | Self::Share { metric, .. }
            | Self::SmoothGrowth { metric, .. } => Some(*metric),
            Self::Largest { .. }
            | Self::Better { .. }
            | Self::NoBetter { .. }
            | Self::Within { .. }
            | Self::AllProven => None,
        }
    }
}

/// What is measured of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Calls to the dynamic program a sentence.
    DpCalls,
    /// Time a sentence on one thread; a ratio of times is a ratio of speeds turned over.
    Time,
    /// Time to learn the weights, on the threads of the row.
    LearningTime,
    /// Accuracy without punctuation, in percent.
    Uas,
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

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::DpCalls => "dp-calls",
            Self::Time => "time",
            Self::LearningTime => "learning-time",
            Self::Uas => "uas",
            Self::Proven => "proven",
            Self::AtRoot => "at-root",
        }
    }
}

/// A row of the results; what is left out has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The feature set; none of a parser of another system.
    pub set: Option<FeatureSet>,
    /// The system, if it is not that of factor graphs; the row then has its tags and part alone.
    pub system: Option<SystemName>,
    /// The pruning: [`Selector::PRUNING`] if not given.
    pub pruning: Option<Rule>,
    /// The decoder: that of the dynamic program for the baseline, else the [usual](Usual) one.
    pub decoder: Option<Decoder>,
    /// The parts that the dynamic program scores: second order, as the paper's baseline, if not given.
    pub backbone: Option<Backbone>,
    /// How weights were learnt: by the paper's perceptron if not given.
    pub learner: Option<Learner>,
    /// The templates: the [usual](Usual) ones if not given.
    pub templates: Option<TemplatesName>,
    /// Whose tags: each of the results in turn if not given.
    pub tags: Option<Tags>,
    /// The part of the treebank: the [usual](Usual) one if not given.
    pub split: Option<Split>,
    /// On how many threads it is learnt, where that is what is measured: one if not given.
    pub threads: Option<u64>,
}

impl Selector {
    /// The pruning of a row whose selector names none: the paper's.
    pub const PRUNING: Rule = Rule::Best(10);

    /// On how many threads it is learnt.
    pub fn threads(&self) -> u64 {
        self.threads.unwrap_or(1)
    }
}

/// What is meant where a claim does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usual {
    /// The decoder of sets with non-local features.
    pub decoder: Decoder,
    /// The part of the treebank. Where it is [`Split::Cv`], a claim whose rows were not run in folds, but on the test part,
    /// is decided there.
    pub split: Split,
    /// The templates.
    pub templates: Option<TemplatesName>,
    /// Whose tags claims are about: verdicts are of these, each apart; of all that the results have if there are none.
    pub tags: Vec<Tags>,
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
    /// All verdicts.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Undecided, Self::DoesNotHold];

    /// The words in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Undecided => "undecided",
            Self::DoesNotHold => "does not hold",
        }
    }

    /// The verdict on several things all of which are claimed.
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        // One that does not hold decides; else one that is undecided.
        verdicts.into_iter().max().unwrap_or(Self::Holds)
    }
}
