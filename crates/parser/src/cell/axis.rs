//! What every axis has: a name, one spelling, one order.

use std::fmt::Display;

/// How an axis that a system does not have is spelt.
pub const ABSENT: &str = "-";

/// One coordinate of a cell. Its order is that of its values in files, tables and figures.
pub trait Axis: Clone + Ord + Display + 'static {
    /// The axis' name: the column of results files, the key of configs.
    const NAME: &'static str;

    /// What its values look like, for messages.
    const EXPECTED: &'static str;

    /// The value that is [displayed](Display) so; none if there is no such value.
    fn parse(text: &str) -> Option<Self>;
}

/// How an axis is spelt that may be absent.
pub fn show_optional<A: Axis>(value: Option<&A>) -> String {
    value.map_or_else(|| ABSENT.to_owned(), ToString::to_string)
}

/// Reads what [`show_optional`] gives.
pub fn parse_optional<A: Axis>(text: &str) -> Option<Option<A>> {
    if text == ABSENT { Some(None) } else { A::parse(text).map(Some) }
}

/// Reads a value of an axis from the text that it is displayed as: what `#[derive(Deserialize)]` is for types whose names are
/// not those of variants.
pub(super) fn deserialize<'de, A: Axis, D: serde::Deserializer<'de>>(deserializer: D) -> Result<A, D::Error> {
    let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
    let expected = A::EXPECTED;
    let wrong = || match expected.starts_with("a name") {
        true => format!("{expected} is needed"),
        false => format!("is not known; it can be {expected}"),
    };
    A::parse(&text).ok_or_else(|| serde::de::Error::custom(wrong()))
}
