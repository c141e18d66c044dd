//! A config from its files: what it extends, the corpora that it names, and what the command line sets.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::did_you_mean;
use treebound_files::input;
use treebound_records::spanned::{self, Entries, Fault, Node, Place, Source, Value};

/// The lists of tables whose members have names, by which they are merged and set.
pub(super) const NAMED: [&str; 6] = ["grid", "corpus", "external", "claim", "table", "figure"];

/// The grid of a config that names none.
pub(super) const MAIN: &str = "main";

/// All keys of a config, from whatever file, and the source that is the config's own file.
pub(super) fn compose(text: &str, path: &Path, flags: &[String]) -> Result<(Node, Arc<Source>), Fault> {
    let mut composer = Composer { base: path.parent().map_or_else(PathBuf::new, Path::to_owned), sources: 0 };
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let own = composer.source(path.display().to_string(), name, PathBuf::new());
    let entries = composer.whole(text, &own, flags)?;
    Ok((Node::new(&Place::whole(&own), Value::Table(entries)), own))
}

struct Composer {
    base: PathBuf,
    sources: usize,
}

impl Composer {
    fn source(&mut self, shown: String, relative: String, folder: PathBuf) -> Arc<Source> {
        self.sources += 1;
        Arc::new(Source { order: self.sources, shown, relative, folder })
    }

    fn whole(&mut self, text: &str, own: &Arc<Source>, flags: &[String]) -> Result<Entries, Fault> {
        let entries = spanned::parse(text, own)?;
        let mut entries = self.with_extended(entries, &mut vec![own.shown.clone()])?;
        for flag in flags {
            let source = self.source(format!("--set {flag}"), "--set".to_owned(), PathBuf::new());
            set(&mut entries, flag, &Place::whole(&source))?;
        }
        // A corpus may be set too.
        self.with_corpora(entries)
    }

    /// The keys of a file over those of the file that it extends, which may extend another. `chain` has the files so far.
    fn with_extended(&mut self, entries: Entries, chain: &mut Vec<String>) -> Result<Entries, Fault> {
        let mut entries = self.with_corpora(entries)?;
        let Some(node) = entries.remove("extends") else { return Ok(entries) };
        let (base, source) = self.file(&node, "extends")?;
        let is_same = |file: &String| canonical(file) == canonical(&source.shown);
        if chain.iter().any(is_same) {
            let message = format!("extends: {} is extended by itself, by way of this file", source.shown);
            return Err(fault(&node, message));
        }
        chain.push(source.shown.clone());
        let mut base = self.with_extended(base, chain)?;
        merge(&mut base, entries);
        Ok(base)
    }

    /// The keys of the file that a node names, and the file.
    fn file(&mut self, node: &Node, key: &str) -> Result<(Entries, Arc<Source>), Fault> {
        let name = node.text().ok_or_else(|| fault(node, format!("{key}: the path of a file is needed, in quotes")))?;
        let relative = node.place.rebase(name);
        let path = self.base.join(&relative);
        let fail = |e: std::io::Error| {
            fault(node, format!("{key}: cannot read {}: {e}{}", path.display(), did_you_mean(&path)))
        };
        let text = input::read_settings(&path).map_err(fail)?;
        let folder = Path::new(&relative).parent().map_or_else(PathBuf::new, Path::to_owned);
        let source = self.source(path.display().to_string(), relative, folder);
        Ok((spanned::parse(&text, &source)?, source))
    }

    /// Puts the keys of corpus files where they are named.
    fn with_corpora(&mut self, mut entries: Entries) -> Result<Entries, Fault> {
        let Some(node) = entries.get_mut("corpus") else { return Ok(entries) };
        if node.text().is_none() && node.each().iter().all(|member| member.text().is_none()) {
            return Ok(entries);
        }
        let mut corpora = Vec::new();
        for member in node.each() {
            corpora.push(match member.text() {
                Some(_) => {
                    let (entries, source) = self.file(member, "corpus")?;
                    Node::new(&Place::whole(&source), Value::Table(entries))
                }
                None => member.clone(),
            });
        }
        node.value = Value::List(corpora);
        Ok(entries)
    }
}

/// One path for each file.
fn canonical(file: &str) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file))
}

fn fault(node: &Node, message: String) -> Fault {
    Fault { place: node.place.clone(), message }
}

/// Puts the keys of a file over those of the file that it extends.
fn merge(base: &mut Entries, over: Entries) {
    for (key, node) in over {
        match base.entry(key) {
            Entry::Vacant(free) => {
                free.insert(node);
            }
            Entry::Occupied(mut taken) => {
                let is_named = NAMED.contains(&taken.key().as_str());
                match (&mut taken.get_mut().value, node) {
                    (Value::Table(old), Node { value: Value::Table(new), .. }) => merge(old, new),
                    (Value::List(old), Node { value: Value::List(new), .. }) if is_named => merge_named(old, new),
                    (_, node) => *taken.get_mut() = node,
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

/// Sets what `--set KEY=VALUE` says; the place is that flag.
fn set(root: &mut Entries, flag: &str, place: &Place) -> Result<(), Fault> {
    let fail = |message: String| Fault { place: place.clone(), message };
    let (key, value) = flag.split_once('=').ok_or_else(|| fail("write KEY=VALUE, as in training.epochs=2".into()))?;
    let node = Node::from_text(value.trim(), place);
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
        let is_list = NAMED.contains(&first);
        let empty = if is_list { Value::List(Vec::new()) } else { Value::Table(Entries::new()) };
        let below = &mut entries.entry(first.to_owned()).or_insert_with(|| Node::new(place, empty)).value;
        (entries, rest) = match below {
            Value::Table(below) => (below, behind),
            Value::List(list) if is_list => member(list, behind, first, place).map_err(fail)?,
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
        let name = Node::new(place, Value::Text(MAIN.to_owned()));
        list.push(Node::new(place, Value::Table(Entries::from([("name".to_owned(), name)]))));
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
