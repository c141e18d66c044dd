//! Configs as flat lists of settings, so that a change is one line.

use std::collections::BTreeMap;

use serde::Serialize;

/// A setting that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigChange {
    /// Its name, such as `training.epochs` or `corpus.en_ewt.train`.
    pub setting: String,
    /// What it was, as in TOML; none if it was not there.
    pub old: Option<String>,
    /// What it is; none if it is not there.
    pub new: Option<String>,
}

/// All settings that changed, by name.
pub fn changes(old: &toml::Table, new: &toml::Table) -> Vec<ConfigChange> {
    let (mut old, mut new) = (settings(old), settings(new));
    let names: Vec<String> =
        old.keys().chain(new.keys()).cloned().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    let change = |setting: String| {
        let (old, new) = (old.remove(&setting), new.remove(&setting));
        (old != new).then_some(ConfigChange { setting, old, new })
    };
    names.into_iter().filter_map(change).collect()
}

/// The changes with those of a table that came or went put into one: nobody reads the fifteen settings of a new grid.
pub fn by_table(changes: &[ConfigChange]) -> Vec<ConfigChange> {
    let table = |change: &ConfigChange| -> Option<(String, bool)> {
        let is_new = change.old.is_none();
        let mut names = change.setting.splitn(3, '.');
        let (list, name) = (names.next()?, names.next()?);
        // A setting of a list of tables with names.
        names.next()?;
        (is_new || change.new.is_none()).then(|| (format!("{list}.{name}"), is_new))
    };
    let mut lines: Vec<ConfigChange> = Vec::new();
    for group in changes.chunk_by(|a, b| table(a).is_some() && table(a) == table(b)) {
        match table(&group[0]) {
            Some((setting, is_new)) if group.len() > 2 => {
                let settings = Some(format!("{} settings", group.len()));
                let (old, new) = if is_new { (None, settings) } else { (settings, None) };
                lines.push(ConfigChange { setting, old, new });
            }
            _ => lines.extend_from_slice(group),
        }
    }
    lines
}

/// The punctuation rule of a corpus, as in TOML.
pub fn punctuation(config: &toml::Table, corpus: &str) -> Option<String> {
    let named = |value: &&toml::Value| name(value) == Some(corpus);
    let corpus = config.get("corpus")?.as_array()?.iter().find(named)?;
    Some(corpus.get("punctuation")?.to_string())
}

fn settings(config: &toml::Table) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    for (key, value) in config {
        collect(key, value, &mut settings);
    }
    settings
}

/// Tables are entered, and so are lists of tables that have names; all else is a setting.
fn collect(path: &str, value: &toml::Value, settings: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                collect(&format!("{path}.{key}"), value, settings);
            }
        }
        toml::Value::Array(list) if !list.is_empty() && list.iter().all(|value| name(value).is_some()) => {
            for value in list {
                collect(&format!("{path}.{}", name(value).unwrap_or_default()), value, settings);
            }
        }
        value => {
            settings.insert(path.to_owned(), value.to_string());
        }
    }
}

fn name(value: &toml::Value) -> Option<&str> {
    value.get("name")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> toml::Table {
        text.parse().expect("TOML")
    }

    #[test]
    fn changes_are_named_by_table_and_corpus() {
        let old = table(
            "seeds = [1]\n[training]\nepochs = 6\nk = 10\n[[corpus]]\nname = 'a'\ntest = ['x']\n[[corpus]]\nname = 'b'",
        );
        let new = table(
            "seeds = [1, 2]\n[training]\nepochs = 6\n[[corpus]]\nname = 'b'\n[[corpus]]\nname = 'a'\ntest = ['y']",
        );
        let line = |c: ConfigChange| format!("{} {:?} {:?}", c.setting, c.old, c.new);
        let lines: Vec<String> = changes(&old, &new).into_iter().map(line).collect();
        let expected = [
            r#"corpus.a.test Some("[\"x\"]") Some("[\"y\"]")"#,
            r#"seeds Some("[1]") Some("[1, 2]")"#,
            r#"training.k Some("10") None"#,
        ];
        assert_eq!(lines, expected);
        assert!(changes(&old, &old).is_empty());
    }

    #[test]
    fn a_table_that_came_or_went_is_one_line() {
        let old = table("[[grid]]\nname = 'a'\nsets = 1\nseeds = 2\n[[grid]]\nname = 'b'\nsets = 3");
        let new = table("[[grid]]\nname = 'b'\nsets = 4\nseeds = 5");
        let line = |c: &ConfigChange| format!("{} {:?} {:?}", c.setting, c.old, c.new);
        let lines: Vec<String> = by_table(&changes(&old, &new)).iter().map(line).collect();
        let expected = [
            r#"grid.a Some("3 settings") None"#,
            r#"grid.b.seeds None Some("5")"#,
            r#"grid.b.sets Some("3") Some("4")"#,
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn rules_are_found_by_corpus() {
        let config =
            table("[[corpus]]\nname = 'a'\npunctuation = { column = 'fine', tags = ['.'] }\n[[corpus]]\nname = 'b'");
        assert_eq!(punctuation(&config, "a").as_deref(), Some(r#"{ column = "fine", tags = ["."] }"#));
        assert_eq!(punctuation(&config, "b"), None);
        assert_eq!(punctuation(&table(""), "a"), None);
    }
}
