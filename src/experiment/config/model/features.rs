//! Sets of non-local families.

use serde::{Serialize, Serializer};

use crate::decode::Backbone;
use crate::features::Family;
use crate::parser::is_local;

/// Sets of non-local families.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Features {
    /// The sets, in canonical form and order; the baseline is always evaluated and is not among them.
    pub sets: Vec<FeatureSet>,
    /// The sets with the backbone `grand-sibling`, `baseline` for none; those of `sets` and the baseline if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third_order: Option<Vec<FeatureSet>>,
}

impl Features {
    /// The sets that are trained with a backbone, by their names [under](FeatureSet::under) it: the baseline, then `sets`;
    /// or those of `third_order`, which need not have it. Sets with one name are one.
    pub fn trained(&self, backbone: Backbone) -> Vec<FeatureSet> {
        let usual = || [FeatureSet::baseline()].into_iter().chain(self.sets.iter().cloned()).collect();
        let named: Vec<FeatureSet> = match &self.third_order {
            Some(chosen) if backbone == Backbone::GrandSibling => chosen.clone(),
            _ => usual(),
        };
        let mut sets = Vec::new();
        for set in named.iter().map(|set| set.under(backbone)) {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    }
}

/// A set of non-local families, sorted; the empty set is the baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeatureSet(Vec<Family>);

impl FeatureSet {
    /// The set of these families.
    pub fn new(mut families: Vec<Family>) -> Self {
        families.sort_unstable();
        families.dedup();
        Self(families)
    }

    /// Reads `baseline`, or family names joined by `+` in any order.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "baseline" {
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

impl std::fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_baseline() {
            return f.write_str("baseline");
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
