//! The numbers of the sentences of a cell, as [`by_sentence.csv`](super::schema::BY_SENTENCE) has them: by column, each expanded
//! where it is asked for.

use std::sync::Arc;

use super::series::Series;

/// The file.
pub const FILE: &str = "by_sentence.csv";

/// Columns that are made of those of the file: what is right is all of something less what is wrong; all of nothing named is one
/// a sentence.
const MADE: [(&str, Option<&str>, &str); 6] = [
    ("scored_tokens", Some("tokens"), "not_scored"),
    ("correct", Some("tokens"), "wrong"),
    ("scored_correct", Some("scored_tokens"), "scored_wrong"),
    ("root_correct", None, "root_wrong"),
    ("complete", None, "incomplete"),
    ("gold_kept", Some("tokens"), "gold_lost"),
];

/// What is proven of a tree, by number: 0 is optimal; no other is known beyond the last.
const OPTIMAL: u64 = 0;
const HEURISTIC: u64 = 4;
const RELAXED: u64 = 7;

/// How many there are.
pub const STATUSES: u64 = 8;

/// Most sentences that are expanded at once, so that a damaged line does not ask for memory without end.
pub const MOST_SENTENCES: u64 = 1 << 21;

/// The numbers of a cell.
#[derive(Clone, Debug)]
pub struct CellNumbers {
    names: Arc<[String]>,
    series: Vec<Series>,
}

impl CellNumbers {
    /// Those of some columns; none if they do not go together.
    pub fn new(names: Arc<[String]>, series: Vec<Series>) -> Option<Self> {
        let numbers = Self { names, series };
        let sentences = numbers.len();
        let is_whole = numbers.series.iter().all(|one| one.len() == sentences || one.is_empty());
        let statuses = numbers.series("status")?;
        let are_known = (1..=MOST_SENTENCES).contains(&sentences)
            && is_whole
            && statuses.iter().all(|status| status.is_some_and(|status| status < STATUSES));
        let is_made = |(name, ..): &(&str, Option<&str>, &str)| *name == "gold_kept" || numbers.values(name).is_some();
        (are_known && MADE.iter().all(is_made)).then_some(numbers)
    }

    /// How many sentences there are.
    pub fn len(&self) -> u64 {
        self.series("tokens").map_or(0, Series::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn series(&self, name: &str) -> Option<&Series> {
        self.series.iter().zip(self.names.iter()).find(|(_, known)| *known == name).map(|(series, _)| series)
    }

    /// A number of each sentence, in order; none if one of them does not have it. `proven` is 1 of a sentence whose tree is proven,
    /// `stopped` of one whose search was stopped by a limit or found nothing.
    pub fn values(&self, name: &str) -> Option<Vec<u64>> {
        if name == "sentences" {
            return Some(vec![1; self.len() as usize]);
        }
        if name == "stopped" {
            let statuses = self.values("status")?.into_iter();
            return Some(statuses.map(|status| u64::from(![OPTIMAL, HEURISTIC, RELAXED].contains(&status))).collect());
        }
        if name == "proven" {
            let proven = self.values("status")?;
            let known = proven.iter().all(|&status| status != HEURISTIC);
            return known.then(|| proven.into_iter().map(|status| u64::from(status == OPTIMAL)).collect());
        }
        let Some((_, all, less)) = MADE.iter().find(|(made, ..)| *made == name) else {
            let series = self.series(name).filter(|series| !series.is_empty())?;
            return series.iter().collect();
        };
        let all = self.values(all.unwrap_or("sentences"))?;
        let less = self.values(less)?;
        all.into_iter().zip(less).map(|(all, less)| all.checked_sub(less)).collect()
    }

    /// The sum of a number over all sentences; none if one of them does not have it.
    pub fn sum(&self, name: &str) -> Option<u64> {
        Some(self.values(name)?.into_iter().fold(0, u64::saturating_add))
    }
}
