//! What is shown of a cell's counts.

use treebound_parser::answer::Count;
use treebound_records::Counts;
use treebound_records::number::{fixed, grouped, percent, ratio, signed};

/// A number of a cell, for people.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    value: Value,
}

/// How it is worked out and written; nothing is known of what a system does not count.
#[derive(Clone, Copy)]
enum Value {
    /// A part in percent.
    Percent(fn(&Counts) -> Option<(u64, u64)>),
    /// An average.
    Average(fn(&Counts) -> Option<(u64, u64)>),
    /// Proven sentences.
    Proven,
    /// What the parses cost.
    Effort(Count),
}

/// Decimals: in a million words, one word more is 0.0001 points; in a test part of 25,000 it is 0.004.
pub const DECIMALS: usize = 3;

/// What stands where there is nothing.
pub const NOTHING: &str = "-";

impl Measure {
    /// The number in some counts.
    pub fn text(self, counts: &Counts) -> String {
        let number = match self.value {
            Value::Percent(_) | Value::Average(_) => self.number(counts).map(|number| fixed(number, DECIMALS)),
            _ => self.parts(counts).map(|(count, _)| grouped(count)),
        };
        number.unwrap_or_else(|| NOTHING.to_owned())
    }

    /// By how much it changed.
    pub fn change(self, old: &Counts, new: &Counts) -> String {
        let change = match self.value {
            Value::Percent(_) | Value::Average(_) => {
                self.number(old).zip(self.number(new)).map(|(old, new)| signed(new - old, DECIMALS))
            }
            _ => self.parts(old).zip(self.parts(new)).map(|((old, _), (new, _))| {
                let sign = match new.cmp(&old) {
                    std::cmp::Ordering::Greater => "+",
                    std::cmp::Ordering::Less => "-",
                    std::cmp::Ordering::Equal => "",
                };
                format!("{sign}{}", grouped(new.abs_diff(old)))
            }),
        };
        change.unwrap_or_else(|| NOTHING.to_owned())
    }

    /// The count, and what it is a part of.
    fn parts(self, counts: &Counts) -> Option<(u64, u64)> {
        match self.value {
            Value::Percent(parts) | Value::Average(parts) => parts(counts),
            Value::Proven => counts.proven.map(|proven| (proven, counts.sentences)),
            Value::Effort(count) => counts.effort.get(count).map(|count| (count, counts.sentences)),
        }
    }

    fn number(self, counts: &Counts) -> Option<f64> {
        let (part, whole) = self.parts(counts)?;
        match self.value {
            Value::Percent(_) => percent(part, whole),
            _ => ratio(part, whole),
        }
    }
}

/// All that is shown, in order.
pub fn measures() -> Vec<Measure> {
    let percent = |name, parts| Measure { name, value: Value::Percent(parts) };
    let effort = |&count: &Count| Measure { name: count.label(), value: Value::Effort(count) };
    let mut measures = vec![
        percent("UAS", |c| Some((c.scored_correct, c.scored_tokens))),
        percent("UAS, all words", |c| Some((c.correct, c.tokens))),
        percent("root accuracy", |c| Some((c.root_correct, c.sentences))),
        percent("complete match", |c| Some((c.complete, c.sentences))),
        Measure { name: "proven", value: Value::Proven },
    ];
    measures.extend(Count::ALL.iter().map(effort));
    measures.push(percent("gold heads kept", |c| Some((c.gold_kept?, c.tokens))));
    let heads = Value::Average(|c| Some((c.heads_kept?, c.tokens)));
    measures.push(Measure { name: "heads a word", value: heads });
    measures
}
