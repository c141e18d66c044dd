//! Prunings and limits as keys of a table.

use serde::Serializer;

use crate::decode::bnb::Limits;
use crate::pruning::Rule;

fn k_value(rule: Rule) -> Option<toml::Value> {
    match rule {
        Rule::None => Some("none".into()),
        Rule::Best(k) => Some((k as i64).into()),
        Rule::Threshold(_) => None,
    }
}

fn threshold_value(rule: Rule) -> Option<toml::Value> {
    match rule {
        Rule::Threshold(t) => Some(t.into()),
        _ => None,
    }
}

pub(super) fn rule_key<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
    let entries = [("k", k_value(*rule)), ("threshold", threshold_value(*rule))];
    serializer.collect_map(entries.into_iter().filter_map(|(k, v)| v.map(|v| (k, v))))
}

pub(super) fn rule_keys<S: Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    let k: Vec<_> = rules.iter().filter_map(|&r| k_value(r)).collect();
    let threshold: Vec<_> = rules.iter().filter_map(|&r| threshold_value(r)).collect();
    serializer.collect_map([("k", k), ("threshold", threshold)])
}

pub(super) fn limit_keys<S: Serializer>(limits: &Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let value = |limit: Option<u64>| match limit {
        Some(limit) => toml::Value::from(limit as i64),
        None => "none".into(),
    };
    serializer.collect_map([("dp_calls", value(limits.dp_calls)), ("nodes", value(limits.nodes))])
}
