//! What tables need to know beyond records.

pub use super::blocks::TableOptions;
