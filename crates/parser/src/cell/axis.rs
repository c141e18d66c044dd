//! What every axis has: a name, one spelling, one order.

use std::fmt::Display;

/// How an axis that a system does not have is spelt.
pub const ABSENT: &str = "-";

/// One coordinate of a cell. Its order is that of its values in files, tables and figures.
pub trait Axis: Clone + Ord + Display {
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
