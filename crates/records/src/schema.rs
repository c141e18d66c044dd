//! What the columns of results files are: data, for the one [reader](super::table) of reports.
//!
//! Files of cells begin with the axes, a column of words each, as many as there are before `seed`; behind it may stand `key`,
//! that of what made the row. Then come the columns that a schema lists, in any order.

/// What the fields of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, which is not empty.
    Word,
    /// A [key](super::RowKey), or empty.
    Key,
    /// A whole number; empty only where a row has an error instead.
    Count,
    /// A whole number, or empty where it is not known.
    Optional,
    /// A whole number that may be below zero, or empty.
    Signed,
    /// A [number for each sentence](super::series).
    Series,
    /// Why the row has no counts; else empty.
    Error,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its fields hold.
    pub kind: Kind,
    /// Whether a file may do without it: nothing of it is then known.
    pub may_lack: bool,
}

/// The columns of a file, and what its rows must fulfil.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Whether it begins with axes and a seed.
    pub has_axes: bool,
    /// The columns behind the key.
    pub columns: &'static [Column],
    /// Columns that tell rows of one cell apart: no two rows have the same values.
    pub places: &'static [&'static str],
    /// Columns of which the first must not be larger than the second.
    pub at_most: &'static [(&'static str, &'static str)],
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, may_lack: matches!(kind, Kind::Optional | Kind::Signed) }
}

const fn word(name: &'static str) -> Column {
    column(name, Kind::Word)
}

const fn count(name: &'static str) -> Column {
    column(name, Kind::Count)
}

const fn optional(name: &'static str) -> Column {
    column(name, Kind::Optional)
}

const fn series(name: &'static str) -> Column {
    column(name, Kind::Series)
}

const fn optional_series(name: &'static str) -> Column {
    Column { may_lack: true, ..series(name) }
}

/// Columns with those of what only some systems count, or only some answers have, each of a kind, before the last ones.
macro_rules! with_counts {
    ([$($before:expr),* $(,)?], $of:ident, [$($after:expr),* $(,)?] $(,)?) => {
        &[
            $($before,)*
            $of("nodes"),
            $of("dp_calls"),
            $of("states"),
            $of("successors"),
            $of("merges"),
            $of("cost"),
            $of("scored_labelled"),
            $of("labelled"),
            $of("labelled_universal"),
            $of("scored_relations"),
            $of("scored_oracle"),
            $of("integral"),
            $of("simplex_iterations"),
            $($after,)*
        ]
    };
}

/// Sums over the sentences of each cell (`scores.csv`).
pub const SCORES: Schema = Schema {
    has_axes: true,
    columns: with_counts!(
        [
            count("sentences"),
            count("tokens"),
            count("correct"),
            count("scored_tokens"),
            count("scored_correct"),
            count("root_correct"),
            count("complete"),
            optional("gold_kept"),
            optional("heads_kept"),
            optional("proven"),
        ],
        optional,
        [column("error", Kind::Error)],
    ),
    places: &[],
    at_most: &[
        ("correct", "tokens"),
        ("scored_tokens", "tokens"),
        ("scored_correct", "scored_tokens"),
        ("root_correct", "sentences"),
        ("complete", "sentences"),
        ("gold_kept", "tokens"),
        ("proven", "sentences"),
        ("scored_labelled", "scored_correct"),
        ("labelled", "labelled_universal"),
        ("labelled_universal", "correct"),
        ("scored_relations", "scored_tokens"),
        ("scored_correct", "scored_oracle"),
        ("scored_oracle", "scored_tokens"),
        ("integral", "sentences"),
    ],
};

/// The counts of each sentence, a line a cell (`by_sentence.csv`). Those that are mostly 0 are written short: what is wrong, not
/// what is right.
pub const BY_SENTENCE: Schema = Schema {
    has_axes: true,
    columns: with_counts!(
        [
            series("tokens"),
            series("not_scored"),
            series("wrong"),
            series("scored_wrong"),
            series("root_wrong"),
            series("incomplete"),
            series("gold_lost"),
            series("heads_kept"),
            series("status"),
        ],
        optional_series,
        [],
    ),
    places: &[],
    at_most: &[],
};

/// Passes that were timed, by length of sentences (`speed.csv`), in nanoseconds.
pub const SPEED: Schema = Schema {
    has_axes: true,
    columns: &[
        count("repeat"),
        optional("length"),
        count("sentences"),
        optional("start_ns"),
        optional("prune_ns"),
        optional("score_ns"),
        optional("decode_ns"),
        optional("label_ns"),
    ],
    places: &["repeat", "length"],
    at_most: &[],
};

/// Cells of which the sentences are not kept, by length of sentences (`by_length.csv`).
pub const BY_LENGTH: Schema = Schema {
    has_axes: true,
    columns: with_counts!(
        [
            count("length"),
            count("sentences"),
            count("correct"),
            count("scored_tokens"),
            count("scored_correct"),
            optional("proven"),
        ],
        optional,
        [],
    ),
    places: &["length"],
    at_most: &[("scored_correct", "scored_tokens"), ("proven", "sentences")],
};

/// Probabilities of heads, by bin (`calibration.csv`).
pub const CALIBRATION: Schema = Schema {
    has_axes: true,
    columns: &[count("bin"), count("words"), count("correct"), count("probability_e6")],
    places: &["bin"],
    at_most: &[("correct", "words")],
};

/// Classes of words (`breakdown.csv`).
pub const BREAKDOWN: Schema = Schema {
    has_axes: true,
    columns: &[word("by"), count("place"), word("class"), count("words"), count("correct")],
    places: &["by", "class"],
    at_most: &[("correct", "words")],
};

/// Ways to search (`search.csv`, `budget.csv`).
pub const SEARCH: Schema = Schema {
    has_axes: true,
    columns: &[
        word("way"),
        count("sentences"),
        count("proven"),
        count("at_root"),
        count("nodes"),
        count("dp_calls"),
        count("scored_tokens"),
        count("scored_correct"),
    ],
    places: &["way"],
    at_most: &[("proven", "sentences"), ("at_root", "proven"), ("scored_correct", "scored_tokens")],
};

/// How long models take to learn (`learning.csv`); the axes are those of models.
pub const LEARNING: Schema = Schema {
    has_axes: true,
    columns: &[
        count("threads"),
        count("sentences"),
        count("words"),
        count("passes"),
        count("train_ns"),
        optional("least_ns"),
        optional("largest_ns"),
        count("repeats"),
        optional("peak_kib"),
        optional("model_bytes"),
    ],
    places: &["threads"],
    at_most: &[("least_ns", "train_ns"), ("train_ns", "largest_ns")],
};

/// How time and memory grow (`growth.csv`).
pub const GROWTH: Schema = Schema {
    has_axes: false,
    columns: &[
        word("axis"),
        column("value", Kind::Signed),
        word("features"),
        word("template_set"),
        word("pruning"),
        word("decoder"),
        count("templates"),
        count("train_sentences"),
        count("train_words"),
        count("epochs"),
        count("learnt_features"),
        count("train_dp_calls"),
        count("train_unproven"),
        count("sentences"),
        count("words"),
        count("heads_kept"),
        count("proven"),
        count("nodes"),
        count("dp_calls"),
        count("train_repeats"),
        count("pruner_ns"),
        count("train_ns"),
        optional("train_peak_kib"),
        count("parse_repeats"),
        count("prune_ns"),
        count("score_ns"),
        count("decode_ns"),
        optional("parse_peak_kib"),
    ],
    places: &["axis", "value", "features", "template_set"],
    at_most: &[("proven", "sentences")],
};

/// Parts of treebanks (`table1.csv`).
pub const TABLE1: Schema = Schema {
    has_axes: false,
    columns: &[
        word("corpus"),
        word("split"),
        word("source"),
        optional("files"),
        count("sentences"),
        count("tokens"),
        count("scored_tokens"),
        count("nonprojective"),
        count("longest"),
    ],
    places: &["corpus", "split"],
    at_most: &[("scored_tokens", "tokens"), ("nonprojective", "sentences")],
};

/// Figures of papers, under our names; an axis that a paper does not set apart is `-`.
pub const PUBLISHED: Schema = Schema {
    has_axes: false,
    columns: &[
        word("dataset"),
        word("templates"),
        word("learner"),
        word("features"),
        word("backbone"),
        word("decoder"),
        word("pruning"),
        word("measure"),
        word("value"),
        word("paper"),
        word("source"),
    ],
    places: &["dataset", "templates", "learner", "features", "backbone", "decoder", "pruning", "measure"],
    at_most: &[],
};
