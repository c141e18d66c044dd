//! Versions of the artifacts of work.
//!
//! An artifact is keyed by what decides it: settings, data, and the version of the code that makes its kind. A developer raises a
//! version by hand when the bytes of a kind change; a test holds golden checksums of a tiny experiment beside the versions and
//! fails when one changed without the other. So a change that cannot change an artifact does not retire it. What the tiny
//! experiment is too small for: a change of where contexts stand in their table (`crates/parser/src/weights/contexts/table.rs`)
//! is one of models.

use std::collections::BTreeMap;

use treebound_parser::cell::SystemName;
use treebound_parser::systems::{Versions, graph};

/// Of how a treebank is made ready to be learnt from.
pub const DATA: u32 = 1;
/// Of predicted tags.
pub const TAGS: u32 = 1;
/// Of pruners and the training arcs that they keep.
pub const PRUNER: u32 = 2;
/// Of labellers, and of the relations that they find.
pub const LABELLER: u32 = 1;
/// Of rerankers, and of what they choose.
pub const RERANKER: u32 = 1;
/// Of what is counted of an answer, and of the bytes of its rows.
pub const ROWS: u32 = 1;

/// The versions of all artifacts that an experiment with these systems has, by name: what provenance records, and what two
/// results folders must have in common to be compared.
pub fn table(systems: impl IntoIterator<Item = (SystemName, Versions)>) -> BTreeMap<String, u32> {
    let mut table: BTreeMap<String, u32> = [("data", DATA), ("tags", TAGS), ("pruner", PRUNER), ("rows", ROWS)]
        .map(|(kind, version)| (kind.to_owned(), version))
        .into();
    for (name, Versions { model, answers }) in systems {
        table.insert(format!("{name}-model"), model);
        table.insert(format!("{name}-answers"), answers);
    }
    table
}

/// Those of an experiment with the graph parser alone: of verbs that look behind the interface of all systems.
pub fn of_the_graph_parser() -> BTreeMap<String, u32> {
    table([(graph::KIND.system_name(), graph::VERSIONS)])
}
