//! Sets of non-local families, and the rule by which candidate heads are kept, as axes.

use std::cmp::Ordering;
use std::fmt;
use std::fmt::Display;

use serde::{Serialize, Serializer};

use crate::cell::Axis;
use crate::features::Family;
use crate::model::is_local;
use crate::pruning::Rule;
use treebound_core::decode::Backbone;

/// A set of non-local families, sorted; the empty set is the baseline. Smaller sets come before larger ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FeatureSet(Vec<Family>);

impl FeatureSet {
    /// The set of these families.
    pub fn new(mut families: Vec<Family>) -> Self {
        families.sort_unstable();
        families.dedup();
        Self(families)
    }

    /// Reads `baseline`, or family names joined by `+` in any order.
    pub fn from_names(text: &str) -> Option<Self> {
        if text == BASELINE {
            return Some(Self::baseline());
        }
        text.split('+').map(|name| Family::parse(name.trim())).collect::<Option<_>>().map(Self::new)
    }

    /// The baseline: no non-local features.
    pub fn baseline() -> Self {
        Self(Vec::new())
    }

    /// The name of the set under a backbone: families that are local to it are in all of its sets, so they are not named.
    pub fn under(&self, backbone: Backbone) -> Self {
        Self(self.0.iter().copied().filter(|&family| !is_local(family, backbone)).collect())
    }

    /// The families, sorted.
    pub fn families(&self) -> &[Family] {
        &self.0
    }

    /// True for the baseline.
    pub fn is_baseline(&self) -> bool {
        self.0.is_empty()
    }
}

const BASELINE: &str = "baseline";

impl Axis for FeatureSet {
    const NAME: &'static str = "features";
    const EXPECTED: &'static str = "`baseline`, or families in alphabetical order joined by `+`";

    fn parse(text: &str) -> Option<Self> {
        Self::from_names(text).filter(|set| set.to_string() == text)
    }
}

impl Ord for FeatureSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for FeatureSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_baseline() {
            return f.write_str(BASELINE);
        }
        let names: Vec<_> = self.0.iter().map(|f| f.name()).collect();
        f.write_str(&names.join("+"))
    }
}

impl Serialize for FeatureSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Axis for Rule {
    const NAME: &'static str = "pruning";
    const EXPECTED: &'static str = "`none`, a number of heads such as `k=10`, or a threshold such as `t=1e-3`";

    fn parse(text: &str) -> Option<Self> {
        Rule::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_sets_come_later() {
        let mut sets = ["sibling", "grandchild+sibling", "baseline", "comb"].map(FeatureSet::from_names);
        sets.sort();
        let names = sets.map(|set| set.map(|set| set.to_string()).unwrap_or_default());
        assert_eq!(names, ["baseline", "comb", "sibling", "grandchild+sibling"]);
    }

    #[test]
    fn most_candidates_come_first() {
        let mut prunings =
            ["k=3", "t=1e-3", "k=20", "none", "k=100", "t=1e-4"].map(|p| Rule::parse(p).expect("a rule"));
        prunings.sort();
        assert_eq!(prunings.map(|p| p.to_string()), ["none", "k=100", "k=20", "k=3", "t=1e-4", "t=1e-3"]);
    }

    #[test]
    fn a_rule_has_one_spelling() {
        for text in ["k=0", "k=03", "k=+3", "t=0", "t=2", "t=NaN", "t=0.001", "3", "", "k="] {
            assert_eq!(Rule::parse(text), None, "{text}");
        }
    }
}
