//! How sentences are decoded.

use serde::Serialize;

use super::FeatureSet;
use super::keys::{limit_keys, rule_keys};
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoder};
use crate::pruning::Rule;

/// How sentences are decoded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoding {
    /// Pruning rules, one cell each.
    #[serde(flatten, serialize_with = "rule_keys")]
    pub rules: Vec<Rule>,
    /// Decoders of sets with non-local features, one cell each. The baseline is decoded by the dynamic program.
    pub decoders: Vec<Decoder>,
    /// Dynamic programs, with a model and cells each.
    #[serde(rename = "backbone")]
    pub backbones: Vec<Backbone>,
    /// More prunings for some sets, such as those of Table 3 for the best set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MorePrunings>,
    /// Limits of the search.
    #[serde(flatten, serialize_with = "limit_keys")]
    pub limits: Limits,
}

impl Decoding {
    /// The prunings that a set is decoded with, by the name that it has [under](FeatureSet::under) its backbone.
    pub fn rules_of(&self, set: &FeatureSet, backbone: Backbone) -> impl Iterator<Item = Rule> {
        let more = self.more.as_ref().filter(|more| more.sets.iter().any(|named| named.under(backbone) == *set));
        self.rules.iter().chain(more.into_iter().flat_map(|more| &more.rules)).copied()
    }
}

/// Prunings for some sets only.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorePrunings {
    /// The sets.
    pub sets: Vec<FeatureSet>,
    /// The prunings that are added for them.
    #[serde(flatten, serialize_with = "rule_keys")]
    pub rules: Vec<Rule>,
}
