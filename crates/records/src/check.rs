//! Checks: what rows are held against, and what came of it.

use std::collections::BTreeMap;

use crate::number::{counted, grouped};

/// A check, and what it found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// What is looked at: one of them, and several.
    of: [&'static str; 2],
    /// What holds of them.
    holds: &'static str,
    looked_at: u64,
    wrong: u64,
    faults: Vec<String>,
    open: BTreeMap<String, u64>,
}

impl Check {
    /// A check of some things, by their name for one and for several: `holds` is what should hold of them.
    pub fn new(of: [&'static str; 2], holds: &'static str) -> Self {
        Self { of, holds, ..Self::default() }
    }

    /// One of the things was looked at, and has these faults: each with file, place and what disagrees.
    pub fn add(&mut self, faults: impl IntoIterator<Item = String>) {
        let before = self.faults.len();
        self.faults.extend(faults);
        self.looked_at += 1;
        self.wrong += u64::from(self.faults.len() > before);
    }

    /// So many of the things could not be looked at, and why.
    pub fn leave_open(&mut self, why: impl Into<String>, how_many: u64) {
        *self.open.entry(why.into()).or_default() += how_many;
    }

    /// Adds what another part of the same check found.
    pub fn join(&mut self, other: Self) {
        self.looked_at += other.looked_at;
        self.wrong += other.wrong;
        self.faults.extend(other.faults);
        other.open.into_iter().for_each(|(why, how_many)| self.leave_open(why, how_many));
    }

    /// All that is wrong.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Whether nothing of it is left open.
    pub fn is_whole(&self) -> bool {
        self.open.is_empty() && self.looked_at > 0
    }

    /// A line on what was looked at, and one on each reason why something was not.
    pub fn lines(&self) -> Vec<String> {
        let [one, several] = self.of;
        let mut lines = Vec::new();
        if self.looked_at > 0 {
            let verdict = if self.wrong == 0 { "holds" } else { "WRONG" };
            let wrong = if self.wrong == 0 { String::new() } else { format!("; not so in {}", grouped(self.wrong)) };
            lines.push(format!("{verdict:<8} {}: {}{wrong}", counted(self.looked_at, one, several), self.holds));
        }
        for (why, &how_many) in &self.open {
            lines.push(format!("{:<8} {}: {}; {why}", "open", counted(how_many, one, several), self.holds));
        }
        if lines.is_empty() {
            lines.push(format!("{:<8} no {several}: {}", "open", self.holds));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_counted_by_what_was_looked_at() {
        let mut check = Check::new(["row", "rows"], "sums agree");
        assert_eq!(check.lines(), ["open     no rows: sums agree"]);
        check.add([]);
        assert_eq!(check.lines(), ["holds    1 row: sums agree"]);
        assert!(check.is_whole() && !Check::new(["row", "rows"], "sums agree").is_whole());
        check.add(["a".to_owned(), "b".to_owned()]);
        check.leave_open("there is no cache", 1_000);
        let lines = ["WRONG    2 rows: sums agree; not so in 1", "open     1,000 rows: sums agree; there is no cache"];
        assert_eq!(check.lines(), lines);
        assert!(check.faults() == ["a", "b"] && !check.is_whole());
    }
}
