//! The rows that claims name, as configs have them: values of axes, each in its one spelling.

use std::collections::BTreeMap;

use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{
    Axis, CorpusName, FeatureSet, Learner, Reranking, Split, SystemName, Tags, TemplatesName,
};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::{AxisKind, Kind};
use treebound_records::spanned::{self, AtLeast, Key, Node, Reader, Value, hint, listed};
use treebound_records::table;

table! {
    /// A row of results. What is left out is usual: `k=10`, the perceptron, Carreras's program; decoder, templates and part of the
    /// config's first grid; each of its tags in turn. A row of another system has `system`, `axes`, `tags`, `split` and `threads`.
    RowKeys, "[[claim]] a, others", "a row" {
        /// The feature set. Required for rows of the system `graph`.
        set: String, "\"comb+sibling\"";
        /// Another system.
        system: SystemName, "\"udpipe\"";
        /// Values on that system's axes, as in grids; those that are left out are usual.
        axes: BTreeMap<String, Key<String>>, "{ search = \"greedy\" }";
        /// Candidate heads.
        pruning: Rule, "\"k=3\"";
        /// The decoder.
        decoder: String, "\"paper\"";
        /// The dynamic program.
        backbone: Backbone, "\"grand-sibling\"";
        /// The learner.
        learner: Learner, "\"mira\"";
        /// The template set.
        templates: TemplatesName, "\"paper\"";
        /// Among how many trees one is chosen; among none if it is left out.
        reranking: Reranking, "\"best=10\"";
        /// Whose tags.
        tags: Tags, "\"predicted\"";
        /// The part.
        split: String, "\"dev\"";
        /// For `learning-time`: the threads that it was learnt on.
        threads: AtLeast<1>, "2";
    }
}

/// A row that a claim names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Axes that it gives, the two halves of `decoding` apart, with the key of a grid that has the value, and the value.
    pub axes: Vec<(&'static str, &'static str, String)>,
    /// Of another system, the values on all its axes; those that most rows of the system `graph` have not.
    pub own: Vec<(String, String)>,
    /// On how many threads it is learnt.
    pub threads: u64,
}

/// The keys of rows in Markdown, as `docs/CONFIGURE.md` has them.
pub fn reference() -> String {
    spanned::reference::<RowKeys>()
}

/// Reads the name of a corpus off a config; none if it is no name.
pub fn corpus(reader: &Reader, node: &Node) -> Option<String> {
    reader.read::<CorpusName>("only", node).map(|name| name.to_string())
}

/// The keys of rows of other systems.
const OF_SYSTEMS: [&str; 5] = ["system", "axes", "tags", "split", "threads"];

/// Reads a row off a config; none if it has a fault. `kinds` are the systems that the program has.
pub fn row(reader: &Reader, node: &Node, kinds: &[Kind]) -> Option<Row> {
    let at = &reader.read::<Key<RowKeys>>("row", node)?;
    let row = at.value()?;
    let set = row.set.value().and_then(|text| FeatureSet::from_names(text));
    if !row.set.is_given() && !row.system.is_given() {
        reader.fault(at, "a row needs the key `set`, or `system` if it is of another parser");
    }
    if row.set.value().is_some() && set.is_none() {
        reader.wrong(&row.set, "is not known; it can be `baseline`, or families such as `sibling` joined by `+`");
    }
    let decoder = row.decoder.value().and_then(|text| Decoder::parse(text));
    let decoder = decoder.filter(|decoder| !matches!(decoder, Decoder::Brute | Decoder::Mbr));
    if row.decoder.value().is_some() && decoder.is_none() {
        let known = listed([Decoder::Dp, Decoder::Bnb, Decoder::PAPER, Decoder::ArcChanges, Decoder::Ilp, Decoder::Lp]);
        reader.wrong(&row.decoder, format!("is not known; it can be {known}, and readings such as `paper+polyak`"));
    }
    if let (true, Value::Table(entries)) = (row.system.is_given(), &node.value) {
        for (key, node) in entries.iter().filter(|(key, _)| !OF_SYSTEMS.contains(&key.as_str())) {
            reader.fault_at(&node.place, format!("a row of another system has no key `{key}`"));
        }
    }
    fn spelt<T: ToString>(value: Option<&T>) -> Option<String> {
        value.map(ToString::to_string)
    }
    let split = row.split.value().and_then(|text| Split::parse(text)).filter(|split| Split::PARSED.contains(split));
    if row.split.value().is_some() && split.is_none() {
        reader.wrong(&row.split, format!("is not known; it can be {}", listed(Split::PARSED)));
    }
    let axes = [
        ("system", "systems", spelt(row.system.value())),
        ("features", "sets", spelt(set.as_ref())),
        ("pruning", "pruning", spelt(row.pruning.value())),
        ("decoder", "decoders", spelt(decoder.as_ref())),
        ("backbone", "backbones", spelt(row.backbone.value())),
        ("learner", "learners", spelt(row.learner.value())),
        ("templates", "templates", spelt(row.templates.value())),
        ("tags", "tags", spelt(row.tags.value())),
        ("split", "splits", spelt(split.as_ref())),
    ];
    let axes = axes.into_iter().filter_map(|(axis, key, value)| Some((axis, key, value?))).collect();
    let mut own = own_axes(reader, row, kinds)?;
    own.extend(row.reranking.value().map(|trees| (Reranking::NAME.to_owned(), trees.to_string())));
    Some(Row { axes, own, threads: row.threads.value().map_or(1, |threads| threads.0) })
}

/// The values of a row on all axes of its system; none if one is not there. A system that is none of the program's has no axes.
fn own_axes(reader: &Reader, row: &RowKeys, kinds: &[Kind]) -> Option<Vec<(String, String)>> {
    let system = row.system.value().map_or_else(|| SystemName::GRAPH.to_string(), ToString::to_string);
    let kind = kinds.iter().find(|kind| kind.name == system && row.system.is_given());
    let known = kind.map_or(&[][..], |kind| kind.axes);
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    for (name, text) in row.axes.value().into_iter().flatten() {
        let Some(axis) = known.iter().find(|axis| axis.name == name) else {
            let names = known.iter().map(|axis| axis.name);
            let there =
                if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", listed(names.clone())) };
            let near = hint(name, names);
            reader.fault(text, format!("the system `{system}` has no axis `{name}`; {near}{there}"));
            return None;
        };
        let value = (axis.read)(text.value()?);
        if value.is_none() {
            let near = hint(text.value()?, axis.words.iter().copied());
            reader.wrong(text, format!("is not known; {near}it can be {}", axis.expected));
        }
        named.insert(axis.name, value?);
    }
    let value = |axis: &AxisKind| {
        let value = named.get(axis.name).cloned().or_else(|| axis.usual.map(str::to_owned));
        if value.is_none() {
            reader.fault(&row.system, format!("the system `{system}` needs axes.{}: {}", axis.name, axis.expected));
        }
        Some((axis.name.to_owned(), value?))
    };
    known.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_of_the_type_of_their_key() {
        assert_eq!(spanned::wrong_examples::<RowKeys>(), [""; 0]);
    }
}
