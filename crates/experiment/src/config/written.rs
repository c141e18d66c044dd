//! A config as it is written out: every default filled in, and behind each value where it comes from.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::compose::NAMED;
use super::model::{Claims, Config, EngineSettings, Grid, TemplatesSource};
use treebound_records::spanned::{Entries, Node, Place, Value, line_of};

/// Places of values by the path of the key in the resolved config, such as `grid.main.seeds`; none of values that are defaults.
///
/// Any two are equal, so that configs are compared by their values alone.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<String, Place>);

impl Origins {
    /// The places of all keys of a config.
    pub(super) fn new(config: &Node) -> Self {
        let mut origins = Self::default();
        let Value::Table(entries) = &config.value else { return origins };
        for (key, node) in entries {
            match (key.as_str(), &node.value) {
                // Their values are those of another program, or written by this one.
                ("failure" | "files", _) => {}
                ("claim", _) => {
                    let name = |claim: &Node| format!("claim.{}", claim.name().unwrap_or_default());
                    node.each().iter().for_each(|claim| origins.record(name(claim), &claim.place));
                }
                (named, _) if NAMED.contains(&named) => {
                    for member in node.each() {
                        if let Value::Table(entries) = &member.value {
                            origins.record_all(
                                &format!("{named}.{}", member.name().unwrap_or_default()),
                                entries,
                                true,
                            );
                        }
                    }
                }
                (_, Value::Table(entries)) => origins.record_all(key, entries, false),
                _ => origins.record(key.clone(), &node.place),
            }
        }
        origins
    }

    /// The places of the keys of a table. Tables within a member of a list have a place, too, which is that of their defaults.
    fn record_all(&mut self, path: &str, entries: &Entries, is_member: bool) {
        for (key, node) in entries {
            let path = format!("{path}.{key}");
            match &node.value {
                Value::Table(entries) => {
                    self.record_all(&path, entries, is_member);
                    if is_member {
                        self.record(path, &node.place);
                    }
                }
                _ => self.record(path, &node.place),
            }
        }
    }

    pub(super) fn record(&mut self, path: String, place: &Place) {
        self.0.insert(path, place.clone());
    }

    /// Makes the value at a path a default after all.
    pub(super) fn forget(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// The place of the value at a path, or of the nearest table around it whose place is known; none for a default.
    fn get(&self, path: &str) -> Option<String> {
        let mut path = path;
        loop {
            if let Some(place) = self.0.get(path) {
                return Some(place.relative());
            }
            path = path.rsplit_once('.')?.0;
        }
    }
}

impl PartialEq for Origins {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The config with every default written out. It can be run itself, and says the same.
pub fn resolved(config: &Config) -> String {
    format!(
        "# {}: every setting of the experiment, defaults included, and where it stands.\n\
         # To run it again, put it beside the config that it came from: paths start there.\n\n{}",
        config.name,
        with_origins(&settings(config), &config.origins)
    )
}

/// The same without the comments: what decides the experiment, but not where it stands.
pub fn settings(config: &Config) -> String {
    // Every field of a config has a form in TOML: a test reads back what this writes.
    let failed = |e| format!("# cannot be written: {e}\n");
    let analysis = if config.analysis.is_empty() {
        String::new()
    } else {
        toml::to_string_pretty(&Analysis { analysis: &config.analysis }).unwrap_or_else(failed)
    };
    analysis + &toml::to_string(&Written(config)).unwrap_or_else(failed)
}

#[derive(Serialize)]
struct Analysis<'c> {
    analysis: &'c str,
}

/// All but the prose.
struct Written<'c>(&'c Config);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let config = self.0;
        let mut map = serializer.serialize_map(None)?;
        let Claims { list, own, failures } = &config.claims;
        if let Some(list) = list {
            map.serialize_entry("claims", list)?;
        }
        if !config.files.is_empty() {
            map.serialize_entry("files", &config.files)?;
        }
        map.serialize_entry("tagger", &config.tagger)?;
        map.serialize_entry("pruner", &config.pruner)?;
        if config.has_labels() {
            map.serialize_entry("labeller", &config.labeller)?;
        }
        map.serialize_entry("evaluation", &config.evaluation)?;
        map.serialize_entry("timing", &config.timing)?;
        let learners: Learners = Learners(config);
        map.serialize_entry("learner", &learners)?;
        let templates = |grid: &Grid| {
            let source = |name| config.templates.get(name).map_or("", TemplatesSource::as_str);
            grid.graph.templates.iter().map(source).collect()
        };
        let grids: Vec<WrittenGrid> =
            config.grids.iter().map(|grid| WrittenGrid { grid, templates: templates(grid) }).collect();
        map.serialize_entry("grid", &grids)?;
        map.serialize_entry("corpus", &config.corpora)?;
        if config.engine != EngineSettings::USUAL {
            map.serialize_entry("engine", &config.engine)?;
        }
        if !config.externals.is_empty() {
            map.serialize_entry("external", &config.externals)?;
        }
        for (name, shown) in [("table", &config.tables), ("figure", &config.figures)] {
            if !shown.is_empty() {
                map.serialize_entry(name, shown)?;
            }
        }
        if !own.is_empty() {
            map.serialize_entry("claim", own)?;
        }
        if !failures.is_empty() {
            map.serialize_entry("failure", failures)?;
        }
        map.end()
    }
}

struct Learners<'c>(&'c Config);

impl Serialize for Learners<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.learners.iter().map(|(learner, schedule)| (learner.to_string(), schedule)))
    }
}

/// A grid, with its template sets as a config names them.
#[derive(Serialize)]
struct WrittenGrid<'c> {
    #[serde(flatten)]
    grid: &'c Grid,
    templates: Vec<&'c str>,
}

/// Puts behind each value where it comes from.
fn with_origins(text: &str, origins: &Origins) -> String {
    let Ok(table) = DeTable::parse(text) else { return text.to_owned() };
    let mut ends: Vec<(usize, String)> = Vec::new();
    ends_of(table.get_ref(), "", text, origins, &mut ends);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, origin) in ends {
        if let Some(line) = lines.get_mut(line - 1) {
            line.push_str(&format!("  # {origin}"));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The lines on which values end, and where these come from. Values within a list or an inline table go with it.
fn ends_of(table: &DeTable, path: &str, text: &str, origins: &Origins, ends: &mut Vec<(usize, String)>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
        match value.get_ref() {
            DeValue::Table(table) if !is_inline(value, text) => ends_of(table, &path, text, origins, ends),
            DeValue::Array(list) if list.iter().any(|item| item.get_ref().is_table() && !is_inline(item, text)) => {
                for item in list.iter() {
                    if let DeValue::Table(table) = item.get_ref() {
                        let name = table.iter().find(|(key, _)| key.get_ref() == "name");
                        let name = name.and_then(|(_, name)| name.get_ref().as_str()).unwrap_or_default();
                        ends_of(table, &format!("{path}.{name}"), text, origins, ends);
                    }
                }
            }
            _ => {
                if let Some(origin) = origins.get(&path) {
                    ends.push((line_of(text, value.span().end.saturating_sub(1)), origin));
                }
            }
        }
    }
}

fn is_inline(value: &Spanned<DeValue>, text: &str) -> bool {
    text.as_bytes().get(value.span().start) == Some(&b'{')
}
