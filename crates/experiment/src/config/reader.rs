//! Reading values off the tree: of the right kind and in the right range, or a fault in the reader's words.

use super::error::Fault;
use super::origins::Origins;
use super::place::Place;
use super::tree::{Entries, Node, Value};

/// The keys of a table.
pub(super) struct Keys {
    /// What the table is called in messages.
    pub table: &'static str,
    /// Those that there are.
    pub known: &'static [&'static str],
    /// Those that there were, and what is to be written instead.
    pub old: &'static [(&'static str, Instead)],
}

/// What is to be written instead of a key, given its value.
pub(super) type Instead = fn(&Node) -> String;

/// A table, and the path that its values have in the resolved config.
#[derive(Clone, Debug)]
pub(super) struct Section<'t> {
    pub path: String,
    entries: Option<&'t Entries>,
}

impl<'t> Section<'t> {
    /// Whether a key is given, wherever it may be recorded.
    pub fn find(&self, key: &str) -> Option<&'t Node> {
        self.entries?.get(key)
    }
}

/// Collects faults and origins.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub faults: Vec<Fault>,
    pub origins: Origins,
}

impl Reader {
    pub fn fault(&mut self, node: &Node, message: impl Into<String>) {
        self.fault_at(&node.place, message);
    }

    pub fn fault_at(&mut self, place: &Place, message: impl Into<String>) {
        self.faults.push(Fault { place: place.clone(), message: message.into() });
    }

    /// The keys of a table, of which none is unknown; an empty table if it is not there.
    pub fn section<'t>(&mut self, node: Option<&'t Node>, path: impl Into<String>, keys: &Keys) -> Section<'t> {
        let entries = match node {
            None => None,
            Some(Node { value: Value::Table(entries), .. }) => Some(entries),
            Some(node) => {
                self.fault(node, format!("{}: keys and values are needed here, not {}", keys.table, kind(node)));
                None
            }
        };
        if let Some(entries) = entries {
            self.unknown(entries, keys);
        }
        Section { path: path.into(), entries }
    }

    /// The keys at the top of a config.
    pub fn top<'t>(&mut self, entries: &'t Entries, keys: &Keys) -> Section<'t> {
        self.unknown(entries, keys);
        Section { path: String::new(), entries: Some(entries) }
    }

    fn unknown(&mut self, entries: &Entries, keys: &Keys) {
        for (key, node) in entries.iter().filter(|(key, _)| !keys.known.contains(&key.as_str())) {
            let message = match keys.old.iter().find(|(old, _)| old == key) {
                Some((_, instead)) => instead(node),
                None => match nearest(key, keys.known.iter().copied()) {
                    Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
                    None => format!("unknown key `{key}`; {} has {}", keys.table, listed(keys.known.iter())),
                },
            };
            self.fault(node, message);
        }
    }

    /// The value of a key.
    pub fn get<'t>(&mut self, section: &Section<'t>, key: &str) -> Option<&'t Node> {
        self.take(&section.path, key, [section.find(key)])
    }

    /// The first of some values, recorded as that of a key.
    pub fn take<'t, const N: usize>(&mut self, path: &str, key: &str, from: [Option<&'t Node>; N]) -> Option<&'t Node> {
        let node = from.into_iter().flatten().next()?;
        let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        self.origins.record(path, &node.place);
        Some(node)
    }

    /// A text.
    pub fn text<'t>(&mut self, node: &'t Node, key: &str) -> Option<&'t str> {
        match &node.value {
            Value::Text(text) => Some(text),
            _ => {
                self.fault(node, format!("{key} = {}: a text in quotes is needed", shown(node)));
                None
            }
        }
    }

    /// A text or a list of texts.
    pub fn texts(&mut self, node: &Node, key: &str) -> Vec<String> {
        let text = |node: &Node| match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<String>> = node.each().iter().map(text).collect();
        if texts.is_none() {
            self.fault(node, format!("{key} = {}: a text in quotes or a list of texts is needed", shown(node)));
        }
        texts.unwrap_or_default()
    }

    /// A whole number, at least so large.
    pub fn whole(&mut self, node: &Node, key: &str, least: u64) -> Option<u64> {
        match &node.value {
            Value::Whole(Some(number), _) if u64::try_from(*number).is_ok_and(|n| n >= least) => {
                return u64::try_from(*number).ok();
            }
            Value::Whole(None, _) => self.fault(node, format!("{key} = {}: the number is too large", shown(node))),
            Value::Text(text) if text.contains(',') => {
                let list =
                    format!("{key} = {}: a whole number from {least} is needed; a list is written [1, 2]", shown(node));
                self.fault(node, list);
            }
            _ => self.fault(node, format!("{key} = {}: a whole number from {least} is needed", shown(node))),
        }
        None
    }

    /// The same where it may be left out.
    pub fn whole_or(&mut self, node: Option<&Node>, key: &str, least: u64, default: u64) -> u64 {
        node.and_then(|node| self.whole(node, key, least)).unwrap_or(default)
    }

    /// A number.
    pub fn number(&mut self, node: &Node, key: &str) -> Option<f64> {
        match &node.value {
            Value::Number(number) => Some(*number),
            Value::Whole(Some(number), _) => Some(*number as f64),
            _ => {
                self.fault(node, format!("{key} = {}: a number is needed", shown(node)));
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn truth(&mut self, node: &Node, key: &str) -> Option<bool> {
        match &node.value {
            Value::Truth(truth) => Some(*truth),
            _ => {
                self.fault(node, format!("{key} = {}: write true or false", shown(node)));
                None
            }
        }
    }

    /// One of several names.
    pub fn one_of<T: Copy>(&mut self, node: &Node, key: &str, choice: &[(&str, T)]) -> Option<T> {
        let name = match &node.value {
            Value::Text(name) => Some(name),
            _ => None,
        };
        let found = choice.iter().find(|(known, _)| Some(*known) == name.map(String::as_str)).map(|c| c.1);
        if found.is_none() {
            let names = listed(choice.iter().map(|(name, _)| name));
            self.fault(node, format!("{key} = {} is not known; it can be {names}", quoted(node)));
        }
        found
    }

    /// The same where it may be left out.
    pub fn one_or<T: Copy>(&mut self, node: Option<&Node>, key: &str, choice: &[(&str, T)], default: T) -> T {
        node.and_then(|node| self.one_of(node, key, choice)).unwrap_or(default)
    }

    /// One or several values, none of them twice.
    pub fn values<T: PartialEq>(
        &mut self,
        node: &Node,
        key: &str,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        if node.each().is_empty() {
            self.fault(node, format!("{key} = []: the grid is empty; name at least one"));
        }
        let mut values = Vec::new();
        for one in node.each() {
            if let Some(value) = read(self, one) {
                if values.contains(&value) {
                    self.fault(one, format!("{key}: {} is given twice", quoted(one)));
                }
                values.push(value);
            }
        }
        values
    }
}

/// What a value looks like, in one line and not too long.
pub(super) fn shown(node: &Node) -> String {
    let text = match &node.value {
        Value::Text(text) => format!("{text:?}"),
        Value::Whole(_, text) | Value::Date(text) => text.clone(),
        Value::Number(number) => plain(*number),
        Value::Truth(truth) => truth.to_string(),
        Value::List(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Table(_) => "{ ... }".to_owned(),
    };
    if text.chars().count() > LONGEST { text.chars().take(LONGEST).collect::<String>() + "..." } else { text }
}

/// Most characters of a value in a message.
const LONGEST: usize = 60;

/// A number as a reader would write it.
pub(super) fn plain(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 { format!("{number:e}") } else { number.to_string() }
}

/// The same, in the marks of a name.
pub(super) fn quoted(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => format!("`{text}`"),
        _ => format!("`{}`", shown(node)),
    }
}

fn kind(node: &Node) -> &'static str {
    match &node.value {
        Value::Text(_) => "a text",
        Value::Whole(..) | Value::Number(_) => "a number",
        Value::Truth(_) => "true or false",
        Value::Date(_) => "a date",
        Value::List(_) => "a list",
        Value::Table(_) => "a table",
    }
}

/// Names for a message.
pub(super) fn listed<T: std::fmt::Display>(names: impl Iterator<Item = T>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The name that was probably meant.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.map(|known| (strsim::jaro_winkler(name, known), known));
    near.filter(|(similar, _)| *similar >= SIMILAR).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

/// How similar a name must be to be what was meant.
const SIMILAR: f64 = 0.8;

/// What to write instead of `k`.
pub(super) fn old_k(node: &Node) -> String {
    let word = |node: &Node| match &node.value {
        Value::Whole(_, k) => format!("\"k={k}\""),
        _ => shown(node),
    };
    instead("k", node, word)
}

/// What to write instead of `threshold`.
pub(super) fn old_threshold(node: &Node) -> String {
    let word = |node: &Node| match &node.value {
        Value::Number(t) => format!("\"t={}\"", if *t < 0.01 { format!("{t:e}") } else { plain(*t) }),
        Value::Whole(_, t) => format!("\"t={t}\""),
        _ => shown(node),
    };
    instead("threshold", node, word)
}

fn instead(old: &str, node: &Node, word: impl Fn(&Node) -> String) -> String {
    let words = node.each().iter().map(word).collect::<Vec<_>>().join(", ");
    let value = if matches!(node.value, Value::List(_)) { format!("[{words}]") } else { words };
    format!("`{old}` is called `pruning` now: write pruning = {value}")
}
