//! Parsers that are run by their command lines.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cell::SystemName;

/// A parser that is run by its command lines, each a program and its arguments. No shell sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct External {
    /// Its name as a system.
    pub name: SystemName,
    /// Learns; none for a parser that does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train: Option<Vec<String>>,
    /// Parses.
    pub parse: Vec<String>,
    /// Prints its version; none if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub version: Vec<String>,
    /// What it reads and writes.
    pub format: ConllFormat,
    /// Seconds after which a command is stopped.
    pub time_limit_s: u64,
    /// All that stands in its environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// A format of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ConllFormat {
    /// CoNLL-X.
    #[serde(rename = "conllx")]
    ConllX,
    /// CoNLL-U.
    #[serde(rename = "conllu")]
    ConllU,
}
