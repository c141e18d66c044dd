//! TOML whose values know their file and line: what configs and claims are read from.
//!
//! * here: [`Node`], a value with its [`Place`], and [`parse`];
//! * `read`: [`Reader`], which gives nodes to serde and collects every fault with its place;
//! * `table`: [`table!`](crate::table), which declares the keys of a table once, for the reader and for the manual.

mod read;
mod table;

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use read::{AtLeast, Both, Key, Limit, Many, Reader, Renamed};
pub use table::{Described, Table, reference, wrong_examples};

/// A file of a config, or a flag of the command line.
#[derive(Debug, Default)]
pub struct Source {
    /// Its number: faults are sorted by it.
    pub order: usize,
    /// Its name as the command line has it.
    pub shown: String,
    /// Its name from the config's folder: the same in every working folder.
    pub relative: String,
    /// Its folder, from the config's folder: the paths in it start there.
    pub folder: PathBuf,
}

/// The file and line of a value. Any two places are equal, so that configs are compared by their values alone.
#[derive(Clone)]
pub struct Place {
    source: Arc<Source>,
    /// From 1; none for a flag, or a file as a whole.
    line: Option<usize>,
}

impl Place {
    /// A line of a file.
    pub fn line(source: &Arc<Source>, line: usize) -> Self {
        Self { source: source.clone(), line: Some(line) }
    }

    /// A file as a whole, or a flag.
    pub fn whole(source: &Arc<Source>) -> Self {
        Self { source: source.clone(), line: None }
    }

    /// The place as results have it, where the working folder must not be seen.
    pub fn relative(&self) -> String {
        self.show(&self.source.relative)
    }

    /// A path that is written here, from the config's folder.
    pub fn rebase(&self, path: &str) -> String {
        if Path::new(path).is_absolute() { path.to_owned() } else { joined(&self.source.folder, path) }
    }

    fn order(&self) -> (usize, Option<usize>) {
        (self.source.order, self.line)
    }

    fn show(&self, name: &str) -> String {
        match self.line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_owned(),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&self.source.shown))
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// `path` from `folder`, without the folders that `..` leaves again.
pub fn joined(folder: &Path, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let folder = folder.to_string_lossy();
    if folder.is_empty() {
        return path.to_owned();
    }
    for name in folder.split('/').chain(path.split('/')).filter(|name| !name.is_empty() && *name != ".") {
        match names.last() {
            Some(&last) if name == ".." && last != ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    match names.join("/") {
        names if names.is_empty() && root.is_empty() => ".".to_owned(),
        names => format!("{root}{names}"),
    }
}

/// One thing that is wrong in a file.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What, and what would be right.
    pub message: String,
}

/// All that is wrong in some files, by place, a line each.
#[derive(Debug, Error)]
#[error("{}", self.lines())]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Sorts them, and leaves each once.
    pub fn new(mut faults: Vec<Fault>) -> Self {
        faults.sort_by(|a, b| (a.place.order(), &a.message).cmp(&(b.place.order(), &b.message)));
        faults.dedup_by(|a, b| (a.place.order(), &a.message) == (b.place.order(), &b.message));
        Self(faults)
    }

    fn lines(&self) -> String {
        self.0.iter().map(|Fault { place, message }| format!("{place}: {message}")).collect::<Vec<_>>().join("\n")
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// File and line.
    pub place: Place,
    /// Offset in the file: tables are written in the order in which they were read.
    at: usize,
    /// The value.
    pub value: Value,
}

/// The keys of a table.
pub type Entries = BTreeMap<String, Node>;

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number, none if it is too large, and how it is written.
    Whole(Option<i64>, String),
    /// A number with a point or an exponent.
    Number(f64),
    /// `true` or `false`.
    Truth(bool),
    /// A date or a time: no key has one.
    Date(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Entries),
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// Reads a file.
///
/// # Errors
/// What is not TOML, with its line.
pub fn parse(text: &str, source: &Arc<Source>) -> Result<Entries, Fault> {
    let (table, faults) = DeTable::parse_recoverable(text);
    if let Some(e) = faults.first() {
        let line = e.span().map_or(1, |span| line_of(text, span.start));
        return Err(Fault { place: Place::line(source, line), message: format!("not TOML: {}", e.message()) });
    }
    Ok(entries(table.get_ref(), text, source))
}

fn entries(table: &DeTable, text: &str, source: &Arc<Source>) -> Entries {
    let mut entries = Entries::new();
    for (key, value) in table {
        let mut node = node(value, text, source);
        node.at = key.span().start;
        // A table that is made by a longer header, such as [corpus.expected], has no place of its own.
        if value.span().start == 0 {
            node.place = Place::line(source, line_of(text, node.at));
        }
        entries.insert(key.get_ref().to_string(), node);
    }
    entries
}

fn node(value: &Spanned<DeValue>, text: &str, source: &Arc<Source>) -> Node {
    let at = value.span().start;
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
    Node { place: Place::line(source, line_of(text, at)), at, value }
}

/// The line of a byte offset, from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count() + 1
}

impl Node {
    /// A value at a place.
    pub fn new(place: &Place, value: Value) -> Self {
        Self { place: place.clone(), at: 0, value }
    }

    /// The value that a text is in TOML; a text that is not TOML is a word.
    pub fn from_text(text: &str, place: &Place) -> Self {
        let mut node = match DeValue::parse(text) {
            Ok(value) => node(&value, "", &place.source),
            Err(_) => Self::new(place, Value::Text(text.to_owned())),
        };
        node.move_to(place);
        node
    }

    fn move_to(&mut self, place: &Place) {
        self.place = place.clone();
        match &mut self.value {
            Value::List(list) => list.iter_mut().for_each(|node| node.move_to(place)),
            Value::Table(entries) => entries.values_mut().for_each(|node| node.move_to(place)),
            _ => {}
        }
    }

    /// The value of a key, if this is a table.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.get(key),
            _ => None,
        }
    }

    /// The text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name of a member of a list of tables.
    pub fn name(&self) -> Option<&str> {
        self.get("name")?.text()
    }

    /// One or several: a list's members, or the value itself.
    pub fn each(&self) -> &[Node] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }

    /// The value in one line that is not too long.
    pub fn shown(&self) -> String {
        let text = match &self.value {
            Value::Text(text) => format!("{text:?}"),
            Value::Whole(_, text) | Value::Date(text) => text.clone(),
            Value::Number(number) => plain(*number),
            Value::Truth(truth) => truth.to_string(),
            Value::List(list) => format!("[{}]", list.iter().map(Self::shown).collect::<Vec<_>>().join(", ")),
            Value::Table(_) => "{ ... }".to_owned(),
        };
        if text.chars().count() > LONGEST { text.chars().take(LONGEST).collect::<String>() + "..." } else { text }
    }

    /// The value in the marks of a name.
    pub fn quoted(&self) -> String {
        format!("`{}`", self.text().map_or_else(|| self.shown(), str::to_owned))
    }

    fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "a text",
            Value::Whole(..) | Value::Number(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::Date(_) => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// As it was read; tables in the order of their keys in the file.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Text(text) | Value::Date(text) | Value::Whole(None, text) => serializer.serialize_str(text),
            Value::Whole(Some(number), _) => serializer.serialize_i64(*number),
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Truth(truth) => serializer.serialize_bool(*truth),
            Value::List(list) => serializer.collect_seq(list),
            Value::Table(entries) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.sort_by_key(|(_, node)| (node.place.order().0, node.at));
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.into_iter().try_for_each(|(key, node)| map.serialize_entry(key, node))?;
                map.end()
            }
        }
    }
}

/// Most characters of a value in a message.
const LONGEST: usize = 60;

/// A number as people write it.
pub fn plain(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 { format!("{number:e}") } else { number.to_string() }
}

/// Names for a message.
pub fn listed<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The name that was probably meant.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.into_iter().map(|known| (strsim::jaro_winkler(name, known), known));
    near.filter(|(similar, _)| *similar >= SIMILAR).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

/// The same as a message has it before what else there is to say; empty if no name is near.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

/// How similar a name must be to be what was meant.
const SIMILAR: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_the_folders_that_they_leave() {
        for (folder, path, expected) in [
            ("", "../data/x", "../data/x"),
            ("corpora", "../../data/x", "../data/x"),
            ("corpora", "x", "corpora/x"),
            ("../a", "../../b", "../../b"),
            ("a", "..", "."),
            ("/a/b", "../x", "/a/x"),
        ] {
            assert_eq!(joined(Path::new(folder), path), expected, "{folder} {path}");
        }
    }
}
