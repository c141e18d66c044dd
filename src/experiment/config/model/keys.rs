//! Values that TOML has other words for: prunings, limits, names.

use std::fmt::Display;

use serde::Serializer;

use crate::decode::bnb::Limits;

/// As it is displayed.
pub(super) fn shown<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Each as it is displayed.
pub(super) fn all_shown<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

pub(super) fn limit_keys<S: Serializer>(limits: &Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let value = |limit: Option<u64>| match limit {
        Some(limit) => toml::Value::from(limit as i64),
        None => "none".into(),
    };
    serializer.collect_map([("dp_calls", value(limits.dp_calls)), ("nodes", value(limits.nodes))])
}
