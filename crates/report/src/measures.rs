//! Measures: what there is to say of a row of results, each one entry of one list.
//!
//! A measure is a name (its column in files), a heading, decimals, and what it is of: a ratio of two counts, which are columns of
//! the frame, or a column that a report puts there (times, tests, published figures). A ratio says what a significance test
//! pairs: how much is right of a sentence, of how much. To add one is an entry here, and a count in
//! [`schema::SCORES`](treebound_records::schema::SCORES) if it needs one.

use polars::prelude::{Expr, NULL, col, lit, when};

use treebound_records::number::{fixed, grouped, signed};

/// What a measure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// One count in percent of another.
    Percent(&'static str, &'static str),
    /// One count over another.
    Ratio(&'static str, &'static str),
    /// One count of millionths over another.
    Millionths(&'static str, &'static str),
    /// A column of numbers that is there.
    Column,
    /// A column of numbers that are changes, with a sign for people.
    Change,
    /// A column of rates: whole numbers for people, but one decimal below 100.
    Rate,
}

impl Of {
    /// Unit of a measure that is one count over another: what the measure is if the counts are equal.
    pub fn unit(self) -> f64 {
        match self {
            Self::Percent(..) => 100.0,
            Self::Millionths(..) => 1e-6,
            Self::Ratio(..) | Self::Column | Self::Change | Self::Rate => 1.0,
        }
    }
}

/// A measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its column in frames and files.
    pub name: &'static str,
    /// Its heading in tables.
    pub heading: &'static str,
    /// Decimals in files.
    pub decimals: usize,
    /// Decimals for people.
    pub shown: usize,
    /// What it is of.
    pub of: Of,
}

/// Words that are no punctuation with the right head: the unlabelled attachment score.
pub const UAS: Measure = percent("uas_pct", "UAS", "scored_correct", "scored_tokens");

/// Words that are no punctuation with the right head and relation: the labelled attachment score.
pub const LAS: Measure = percent("las_pct", "LAS", "scored_labelled", "scored_tokens");

/// Words that are no punctuation with the right head in the best tree of the list that was chosen from.
pub const ORACLE: Measure = percent("oracle_pct", "oracle", "scored_oracle", "scored_tokens");

/// All of them.
pub const MEASURES: &[Measure] = &[
    UAS,
    percent("uas_all_pct", "UAS\nall", "correct", "tokens"),
    LAS,
    percent("las_all_pct", "LAS\nall", "labelled", "tokens"),
    percent("las_universal_pct", "LAS,\nCoNLL", "labelled_universal", "tokens"),
    percent("labels_pct", "labels", "scored_relations", "scored_tokens"),
    ORACLE,
    percent("root_pct", "root", "root_correct", "sentences"),
    percent("complete_pct", "compl.\nmatch", "complete", "sentences"),
    percent("gold_kept_pct", "gold heads\nkept %", "gold_kept", "tokens"),
    ratio("heads_per_word", "heads\na word", "heads_kept", "tokens"),
    ratio("dp_calls_per_sentence", "calls\na sent.", "dp_calls", "sentences"),
    ratio("nodes_per_sentence", "nodes\na sent.", "nodes", "sentences"),
    ratio("states_per_sentence", "states\na sent.", "states", "sentences"),
    ratio("successors_per_sentence", "successors\na sent.", "successors", "sentences"),
    ratio("merges_per_sentence", "merges\na sent.", "merges", "sentences"),
    percent("integral_pct", "whole\nrelax. %", "integral", "sentences"),
    ratio("iterations_per_sentence", "simplex\na sent.", "simplex_iterations", "sentences"),
    column("cost_per_sentence", "cost\na sent.", 4, 4, Of::Millionths("cost", "sentences")),
    column("uas_sd_points", "sd", 2, 2, Of::Column),
    column("gain_points", "gain", 2, 2, Of::Change),
    column("gain_low_points", "from", 2, 2, Of::Change),
    column("gain_high_points", "to", 2, 2, Of::Change),
    column("detectable_points", "shows from", 2, 2, Of::Column),
    column("change_points", "change", 2, 2, Of::Change),
    column("las_gain_points", "gain,\nLAS", 2, 2, Of::Change),
    column("las_inside_points", "over 2nd\nstage", 2, 2, Of::Change),
    column("words_per_second", "words/s", 1, 1, Of::Rate),
    column("ms_per_sentence", "ms\na sent.", 3, 3, Of::Column),
    column("learning_s", "learning\ns", 1, 1, Of::Column),
    column("learning_peak_mib", "learning\nMiB", 0, 0, Of::Rate),
    column("model_mib", "model\nMiB", 1, 1, Of::Column),
    column("proven_pct", "proven\n%", 2, 1, Of::Column),
    column("spread_pct", "spread %", 1, 1, Of::Column),
    column("speed_up", "speed-up", 2, 2, Of::Column),
    column("start_s", "start\ns", 3, 2, Of::Column),
    column("prune_ms_per_sentence", "pruning\nms a sent.", 3, 3, Of::Column),
    column("score_ms_per_sentence", "scoring\nms a sent.", 3, 3, Of::Column),
    column("decode_ms_per_sentence", "search\nms a sent.", 3, 3, Of::Column),
    column("label_ms_per_sentence", "labels\nms a sent.", 3, 3, Of::Column),
    column("published_uas_pct", "paper\nUAS", 2, 2, Of::Column),
    column("published_gain_points", "paper\ngain", 2, 2, Of::Change),
    column("published_root_pct", "paper\nroot", 1, 1, Of::Column),
    column("published_complete_pct", "paper\ncomplete", 1, 1, Of::Column),
    column("published_dp_calls", "paper,\ntotal", 0, 0, Of::Rate),
    column("published_dp_calls_per_sentence", "paper,\na sent.", 1, 1, Of::Column),
    column("published_words_per_second", "paper\nwords/s", 0, 0, Of::Column),
    column("published_speed_up", "paper\nspeed-up", 2, 2, Of::Column),
];

/// The counts of what searches do.
const EFFORT: [&str; 6] = ["dp_calls", "nodes", "states", "successors", "merges", "simplex_iterations"];

const fn column(name: &'static str, heading: &'static str, decimals: usize, shown: usize, of: Of) -> Measure {
    Measure { name, heading, decimals, shown, of }
}

const fn percent(name: &'static str, heading: &'static str, part: &'static str, whole: &'static str) -> Measure {
    column(name, heading, 2, 2, Of::Percent(part, whole))
}

const fn ratio(name: &'static str, heading: &'static str, part: &'static str, whole: &'static str) -> Measure {
    column(name, heading, 2, 1, Of::Ratio(part, whole))
}

/// The measure of that name.
pub fn named(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

impl Measure {
    /// Its value by the counts of a row; unknown where one of them is, and of nothing.
    pub fn value(&self) -> Expr {
        self.pair().map_or_else(|| col(self.name), |[part, whole]| lit(self.of.unit()) * over(part, whole))
    }

    /// Its column, if it is made of counts.
    pub fn column(&self) -> Option<Expr> {
        self.pair().map(|_| self.value().alias(self.name))
    }

    /// The counts that it is a ratio of: what a test of it pairs.
    pub fn pair(&self) -> Option<[&'static str; 2]> {
        match self.of {
            Of::Percent(part, whole) | Of::Ratio(part, whole) | Of::Millionths(part, whole) => Some([part, whole]),
            Of::Column | Of::Change | Of::Rate => None,
        }
    }

    /// Whether it counts what searches do.
    pub fn is_effort(&self) -> bool {
        matches!(self.of, Of::Ratio(part, _) if EFFORT.contains(&part))
    }

    /// Whether it is of the answers of searches: what they do, or what they find.
    pub fn is_of_search(&self) -> bool {
        self.is_effort() || matches!(self.of, Of::Millionths(..))
    }

    /// A value for people.
    pub fn text(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return String::new() };
        match self.of {
            Of::Change => signed(value, self.shown),
            Of::Rate if value >= 99.95 => grouped(value.round() as u64),
            Of::Percent(..) | Of::Ratio(..) | Of::Millionths(..) | Of::Column | Of::Rate => fixed(value, self.shown),
        }
    }
}

fn over(part: &str, whole: &str) -> Expr {
    let real = |name: &str| col(name).cast(polars::prelude::DataType::Float64);
    when(col(whole).gt(lit(0))).then(real(part) / real(whole)).otherwise(lit(NULL))
}
