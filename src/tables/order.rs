//! The order of lines in tables and of series in figures, where the alphabet would mislead, and their names for people.

use std::cmp::Reverse;

use super::grid::wrap_features;
use crate::records::Setting;

/// The place of a pruning: `none`, then `k=20` before `k=10`, then `t=1e-4` before `t=1e-3`: most candidates first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PruneOrder {
    /// Every head is kept.
    None,
    /// So many heads a word.
    Best(Reverse<u64>),
    /// Heads above a share of the best; the bits of a positive number sort as the number does.
    Threshold(u64),
    /// Anything else, by name.
    Other(String),
}

impl PruneOrder {
    /// The place of the pruning of that name.
    pub fn of(prune: &str) -> Self {
        let best = || prune.strip_prefix("k=")?.parse().ok().map(|k| Self::Best(Reverse(k)));
        let threshold = || {
            let t: f64 = prune.strip_prefix("t=")?.parse().ok()?;
            (t > 0.0).then(|| Self::Threshold(t.to_bits()))
        };
        if prune == "none" {
            return Self::None;
        }
        best().or_else(threshold).unwrap_or_else(|| Self::Other(prune.to_owned()))
    }
}

/// The name of a pruning for people.
pub fn prune_label(prune: &str) -> String {
    if prune == "none" { "no pruning".to_owned() } else { prune.to_owned() }
}

/// The families of a feature set; none for the baseline.
pub fn families(features: &str) -> usize {
    if features == "baseline" { 0 } else { features.split('+').count() }
}

/// The place of a decoder: the dynamic program, then searches by name.
pub fn decoder_order(decoder: &str) -> (bool, &str) {
    (decoder != "dp", decoder)
}

/// The place of a backbone: the paper's own, then others by name.
pub fn backbone_order(backbone: &str) -> (bool, &str) {
    (backbone != BACKBONE, backbone)
}

/// A feature set for people, in lines of that many characters, and behind it the backbone where that is not the paper's.
pub fn features_label(setting: &Setting, width: usize) -> String {
    let features = wrap_features(&setting.features, width);
    if setting.backbone == BACKBONE {
        return features;
    }
    let backbone = format!(" [{}]", setting.backbone);
    let last = features.lines().last().unwrap_or_default();
    let separator = if last.len() + backbone.len() <= width { "" } else { "\n" };
    features + separator + &backbone
}

/// The paper's own backbone.
pub const BACKBONE: &str = "carreras";

/// The place of a trainer: the paper's perceptron, then others by name.
pub fn trainer_order(trainer: &str) -> (bool, &str) {
    (trainer != TRAINER, trainer)
}

/// The paper's own trainer.
pub const TRAINER: &str = "perceptron";

/// The place of a split: `train`, `dev`, `test`, then others by name.
pub fn split_order(split: &str) -> (usize, &str) {
    (["train", "dev", "test"].iter().position(|s| *s == split).unwrap_or(3), split)
}

/// What the lines of a block of a table have in common.
pub type Block<'a> = (&'a str, (usize, &'a str), &'a str, (bool, &'a str));

/// Corpus, split, tags and trainer.
pub fn block(setting: &Setting) -> Block<'_> {
    (&setting.corpus, split_order(&setting.split), &setting.tags, trainer_order(&setting.trainer))
}

/// The place of a feature set: the baseline, then sets of one family, of two, and so on, each by name.
pub fn features_order(features: &str) -> (usize, &str) {
    (families(features), features)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_candidates_come_first() {
        let mut prunings = ["k=3", "odd", "t=1e-3", "k=20", "none", "k=100", "t=1e-4"];
        prunings.sort_by_key(|p| PruneOrder::of(p));
        assert_eq!(prunings, ["none", "k=100", "k=20", "k=3", "t=1e-4", "t=1e-3", "odd"]);
    }

    #[test]
    fn larger_sets_come_later() {
        let mut sets = ["sibling", "grandchild+sibling", "baseline", "comb"];
        sets.sort_by_key(|s| features_order(s));
        assert_eq!(sets, ["baseline", "comb", "sibling", "grandchild+sibling"]);
    }
}
