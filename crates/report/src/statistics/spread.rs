//! How DP calls are spread over the sentences of a setting: a mean says little where one sentence in a hundred takes
//! thousands of calls.

use std::collections::{BTreeMap, BTreeSet};

use treebound_parser::answer::{Count, Proof};
use treebound_parser::cell::Setting;
use treebound_records::SentenceRow;
use treebound_records::number::{median, percent, ratio};

/// The DP calls of a setting, of all sentences and seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The seeds.
    pub seeds: BTreeSet<u64>,
    /// Of each sentence of each seed: calls, and whether its tree was proven.
    calls: Vec<(u64, bool)>,
    nodes: u64,
}

/// What would stand here if each search had been stopped after so many calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capped {
    /// Calls a sentence.
    pub mean: f64,
    /// Sentences proven, in percent.
    pub proven_pct: f64,
}

/// The spreads of all settings whose sentences were searched.
pub fn spreads(sentences: &[SentenceRow]) -> BTreeMap<Setting, Spread> {
    let mut spreads: BTreeMap<Setting, Spread> = BTreeMap::new();
    let searched = |row: &&SentenceRow| row.cell.setting.families() > 0;
    for row in sentences.iter().filter(searched) {
        let (Some(calls), Some(nodes)) = (row.effort.get(Count::DpCalls), row.effort.get(Count::Nodes)) else {
            continue;
        };
        let spread = match spreads.get_mut(&row.cell.setting) {
            Some(spread) => spread,
            None => spreads.entry(row.cell.setting.clone()).or_default(),
        };
        spread.seeds.insert(row.cell.seed);
        spread.calls.push((calls, row.status == Proof::Optimal));
        // Files may hold any count; a sum that is too large to be told is told as the largest.
        spread.nodes = spread.nodes.saturating_add(nodes);
    }
    spreads
}

impl Spread {
    /// Sentences of all seeds.
    pub fn sentences(&self) -> u64 {
        self.calls.len() as u64
    }

    /// Those that were proven.
    pub fn proven(&self) -> u64 {
        self.calls.iter().filter(|(_, proven)| *proven).count() as u64
    }

    /// Calls of all sentences.
    pub fn total(&self) -> u64 {
        self.calls.iter().fold(0, |sum, (calls, _)| sum.saturating_add(*calls))
    }

    /// Calls a sentence.
    pub fn mean(&self) -> Option<f64> {
        ratio(self.total(), self.sentences())
    }

    /// Nodes a sentence.
    pub fn nodes(&self) -> Option<f64> {
        ratio(self.nodes, self.sentences())
    }

    /// The middle number of calls.
    pub fn median(&self) -> Option<u64> {
        median(&mut self.calls.iter().map(|(calls, _)| *calls).collect::<Vec<_>>())
    }

    /// With searches stopped after `most` calls; none if some were stopped before, so that nobody knows.
    pub fn capped(&self, most: u64) -> Option<Capped> {
        if self.calls.iter().any(|&(calls, proven)| !proven && calls < most) {
            return None;
        }
        let total = self.calls.iter().fold(0_u64, |sum, (calls, _)| sum.saturating_add((*calls).min(most)));
        let proven = self.calls.iter().filter(|(calls, proven)| *proven && *calls <= most).count() as u64;
        Some(Capped { mean: ratio(total, self.sentences())?, proven_pct: percent(proven, self.sentences())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_is_known_where_no_search_stopped_before_it() {
        let calls = vec![(1, true), (4, true), (10, true), (100, false)];
        let spread = Spread { seeds: BTreeSet::from([1]), calls, nodes: 8 };
        assert_eq!((spread.mean(), spread.median(), spread.nodes()), (Some(28.75), Some(7), Some(2.0)));
        assert_eq!((spread.sentences(), spread.proven(), spread.total()), (4, 3, 115));
        assert_eq!(spread.capped(10), Some(Capped { mean: 6.25, proven_pct: 75.0 }));
        assert_eq!(spread.capped(5), Some(Capped { mean: 3.75, proven_pct: 50.0 }));
        assert_eq!(spread.capped(100), Some(Capped { mean: 28.75, proven_pct: 75.0 }));
        assert_eq!(spread.capped(101), None);
        assert_eq!(Spread::default().capped(5), None);
    }
}
