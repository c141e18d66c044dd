//! TOML as a tree whose values know where they stand, so that files can be put together and still name the line at
//! fault.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::Fault;
use super::place::{Place, Source};

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub place: Place,
    pub value: Value,
}

/// The keys of a table.
pub(super) type Entries = BTreeMap<String, Node>;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    /// None if it is too large.
    Whole(Option<i64>, String),
    Number(f64),
    Truth(bool),
    /// A date or a time: no key has one.
    Date(String),
    List(Vec<Node>),
    Table(Entries),
}

/// The lists of tables whose members have names, by which they are merged and set.
const NAMED: [&str; 4] = ["grid", "corpus", "external", "claim"];

/// Parses a file.
pub(super) fn parse(text: &str, source: &Arc<Source>) -> Result<Entries, Fault> {
    let (table, faults) = DeTable::parse_recoverable(text);
    if let Some(e) = faults.first() {
        let line = e.span().map_or(1, |span| line_of(text, span.start));
        return Err(Fault { place: Place::line(source, line), message: format!("no TOML: {}", e.message()) });
    }
    Ok(entries(table.get_ref(), text, source))
}

fn entries(table: &DeTable, text: &str, source: &Arc<Source>) -> Entries {
    let mut entries = Entries::new();
    for (key, value) in table {
        let mut node = node(value, text, source);
        // A table that is made by a longer header, such as [corpus.expected], has no place of its own.
        if value.span().start == 0 {
            node.place = Place::line(source, line_of(text, key.span().start));
        }
        entries.insert(key.get_ref().to_string(), node);
    }
    entries
}

fn node(value: &Spanned<DeValue>, text: &str, source: &Arc<Source>) -> Node {
    let place = Place::line(source, line_of(text, value.span().start));
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            Value::Whole(i64::from_str_radix(number.as_str(), number.radix()).ok(), number.to_string())
        }
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|item| node(item, text, source)).collect()),
        DeValue::Table(table) => Value::Table(entries(table, text, source)),
    };
    Node { place, value }
}

/// The line of a byte offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count() + 1
}

impl Node {
    /// The name of a member of a list of tables.
    pub fn name(&self) -> Option<&str> {
        match &self.value {
            Value::Table(entries) => match &entries.get("name")?.value {
                Value::Text(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// One or several: a list's members, or the value itself.
    pub fn each(&self) -> &[Node] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }
}

/// Puts the keys of a file over those of the file that it extends.
pub(super) fn merge(base: &mut Entries, over: Entries) {
    for (key, node) in over {
        match base.entry(key) {
            Entry::Vacant(free) => {
                free.insert(node);
            }
            Entry::Occupied(mut taken) => {
                let is_named = NAMED.contains(&taken.key().as_str());
                match (&mut taken.get_mut().value, node.value) {
                    (Value::Table(old), Value::Table(new)) => merge(old, new),
                    (Value::List(old), Value::List(new)) if is_named => merge_named(old, new),
                    (old, value) => {
                        *old = value;
                        taken.get_mut().place = node.place;
                    }
                }
            }
        }
    }
}

fn merge_named(base: &mut Vec<Node>, over: Vec<Node>) {
    let extended = base.len();
    let mut names = BTreeSet::new();
    for node in over {
        // The second of a name in one file is a fault of that file, and is found as such.
        let is_first = node.name().is_some_and(|name| names.insert(name.to_owned()));
        let same = base[..extended].iter_mut().find(|old| is_first && old.name() == node.name());
        match (same.map(|old| &mut old.value), node) {
            (Some(Value::Table(old)), Node { value: Value::Table(new), .. }) => merge(old, new),
            (_, node) => base.push(node),
        }
    }
}

/// Sets what `--set KEY=VALUE` says; the source is that flag.
pub(super) fn set(root: &mut Entries, flag: &str, source: &Arc<Source>) -> Result<(), Fault> {
    let place = Place::whole(source);
    let fail = |message: String| Fault { place: place.clone(), message };
    let (key, value) = flag.split_once('=').ok_or_else(|| fail("write KEY=VALUE, as in training.epochs=2".into()))?;
    let mut node = match DeValue::parse(value.trim()) {
        Ok(value) => node(&value, "", source),
        // What is no TOML is a word.
        Err(_) => Node { place: place.clone(), value: Value::Text(value.trim().to_owned()) },
    };
    node.stand_at(&place);
    let (mut entries, mut rest) = (root, key.trim());
    loop {
        let (first, behind) = rest.split_once('.').map_or((rest, None), |(first, behind)| (first, Some(behind)));
        if first.is_empty() {
            return Err(fail(format!("`{key}` is no key: a part of it is empty")));
        }
        let Some(behind) = behind else {
            entries.insert(first.to_owned(), node);
            return Ok(());
        };
        let list = NAMED.contains(&first);
        let empty = || Node {
            place: place.clone(),
            value: if list { Value::List(Vec::new()) } else { Value::Table(Entries::new()) },
        };
        let below = &mut entries.entry(first.to_owned()).or_insert_with(empty).value;
        (entries, rest) = match below {
            Value::Table(below) => (below, behind),
            Value::List(list) if NAMED.contains(&first) => member(list, behind, first, &place).map_err(fail)?,
            _ => return Err(fail(format!("`{first}` has no keys of its own"))),
        };
    }
}

/// The member of a list of tables that a key begins with, and the rest of the key.
fn member<'t, 'k>(
    list: &'t mut Vec<Node>,
    key: &'k str,
    kind: &str,
    place: &Place,
) -> Result<(&'t mut Entries, &'k str), String> {
    // A name may hold dots.
    let behind = |name: &str| key.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    if list.is_empty() && kind == "grid" && behind(MAIN).is_some() {
        let name = Node { place: place.clone(), value: Value::Text(MAIN.to_owned()) };
        let entries = Entries::from([("name".to_owned(), name)]);
        list.push(Node { place: place.clone(), value: Value::Table(entries) });
    }
    let names: Vec<String> = list.iter().filter_map(|node| Some(format!("`{}`", node.name()?))).collect();
    for node in list {
        let rest = node.name().and_then(behind);
        if let (Some(rest), Value::Table(entries)) = (rest, &mut node.value) {
            return Ok((entries, rest));
        }
    }
    let known = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
    Err(format!("no {kind} has the name at the beginning of `{key}`; write {kind}.NAME.KEY, of {known}"))
}

/// The grid of a config that names none.
pub(super) const MAIN: &str = "main";

impl Node {
    fn stand_at(&mut self, place: &Place) {
        self.place = place.clone();
        match &mut self.value {
            Value::List(list) => list.iter_mut().for_each(|node| node.stand_at(place)),
            Value::Table(entries) => entries.values_mut().for_each(|node| node.stand_at(place)),
            _ => {}
        }
    }
}
