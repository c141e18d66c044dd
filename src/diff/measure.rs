//! What is shown of a cell's counts.

use crate::records::Counts;
use crate::records::number::{fixed, grouped, percent, ratio, signed};

/// A number of a cell, for people.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// Whether it decides if a cell is better or worse.
    pub is_main: bool,
    value: Value,
    /// Whether the counts behind it are equal on both sides.
    pub is_same: fn(&Counts, &Counts) -> bool,
}

/// How it is worked out and written.
#[derive(Clone, Copy)]
enum Value {
    /// A part in percent.
    Percent(fn(&Counts) -> (u64, u64)),
    /// An average.
    Average(fn(&Counts) -> (u64, u64)),
    /// A count.
    Count(fn(&Counts) -> u64),
}

/// Decimals: in a million words, one word more is 0.0001 points; in a test part of 25,000 it is 0.004.
const DECIMALS: usize = 3;

impl Measure {
    /// The number in some counts.
    pub fn text(self, counts: &Counts) -> String {
        match self.value {
            Value::Count(count) => grouped(count(counts)),
            Value::Percent(_) | Value::Average(_) => {
                self.number(counts).map_or_else(|| "-".to_owned(), |number| fixed(number, DECIMALS))
            }
        }
    }

    /// By how much it changed.
    pub fn change(self, old: &Counts, new: &Counts) -> String {
        if let Value::Count(count) = self.value {
            let (old, new) = (count(old), count(new));
            let sign = if new > old {
                "+"
            } else if new < old {
                "-"
            } else {
                ""
            };
            return format!("{sign}{}", grouped(new.abs_diff(old)));
        }
        let change = self.number(old).zip(self.number(new)).map(|(old, new)| signed(new - old, DECIMALS));
        change.unwrap_or_else(|| "-".to_owned())
    }

    fn number(self, counts: &Counts) -> Option<f64> {
        match self.value {
            Value::Percent(parts) => percent(parts(counts).0, parts(counts).1),
            Value::Average(parts) => ratio(parts(counts).0, parts(counts).1),
            Value::Count(count) => Some(count(counts) as f64),
        }
    }
}

/// All that is shown, in order.
pub const MEASURES: [Measure; 9] = [
    Measure {
        name: "UAS",
        is_main: true,
        value: Value::Percent(|c| (c.scored_correct, c.scored_tokens)),
        is_same: |a, b| a.scored_correct == b.scored_correct,
    },
    Measure {
        name: "UAS, all words",
        is_main: false,
        value: Value::Percent(|c| (c.correct, c.tokens)),
        is_same: |a, b| a.correct == b.correct,
    },
    Measure {
        name: "root accuracy",
        is_main: false,
        value: Value::Percent(|c| (c.root_correct, c.sentences)),
        is_same: |a, b| a.root_correct == b.root_correct,
    },
    Measure {
        name: "complete match",
        is_main: false,
        value: Value::Percent(|c| (c.complete, c.sentences)),
        is_same: |a, b| a.complete == b.complete,
    },
    Measure { name: "proven", is_main: true, value: Value::Count(|c| c.proven), is_same: |a, b| a.proven == b.proven },
    Measure {
        name: "DP calls",
        is_main: false,
        value: Value::Count(|c| c.dp_calls),
        is_same: |a, b| a.dp_calls == b.dp_calls,
    },
    Measure { name: "nodes", is_main: false, value: Value::Count(|c| c.nodes), is_same: |a, b| a.nodes == b.nodes },
    Measure {
        name: "gold heads kept",
        is_main: false,
        value: Value::Percent(|c| (c.gold_kept, c.tokens)),
        is_same: |a, b| a.gold_kept == b.gold_kept,
    },
    Measure {
        name: "heads a word",
        is_main: false,
        value: Value::Average(|c| (c.heads_kept, c.tokens)),
        is_same: |a, b| a.heads_kept == b.heads_kept,
    },
];
