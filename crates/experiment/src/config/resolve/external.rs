//! `[[external]]`.

use std::collections::BTreeMap;

use crate::config::reader::{Keys, Reader, shown};
use crate::config::tree::{Node, Value};
use treebound_parser::cell::{Axis, SystemName};
use treebound_parser::systems::built_in;
use treebound_parser::systems::external::External;

/// Seconds that a command may take where the config names no limit.
const TIME_LIMIT_S: u64 = 3600;

/// The words for files and numbers, of which each command has some.
const WORDS: [&str; 6] = ["{train}", "{dev}", "{model}", "{seed}", "{input}", "{output}"];

const EXTERNAL: Keys = Keys {
    table: "an external parser",
    known: &["name", "train", "parse", "version", "time_limit_s", "environment"],
    old: &[],
};

impl Reader {
    pub(super) fn external(&mut self, node: &Node) -> Option<External> {
        let name = node.name().unwrap_or_default();
        let table = self.section(Some(node), format!("external.{name}"), &EXTERNAL);
        let name = match self.get(&table, "name") {
            None => {
                self.fault(node, "the external parser has no key `name`");
                None
            }
            Some(node) => self.external_name(node),
        };
        let train = self.get(&table, "train").map(|node| {
            let train = self.command(node, "train", &["{train}", "{dev}", "{model}", "{seed}", "{config}"]);
            self.has_word(node, "train", &train, "{model}", "what is learnt is written there");
            train
        });
        let parse = match self.get(&table, "parse") {
            None => {
                self.fault(node, "the external parser has no key `parse`: the program and its arguments, as a list");
                Vec::new()
            }
            Some(node) => {
                let parse = self.command(node, "parse", &["{model}", "{input}", "{output}", "{config}"]);
                self.has_word(node, "parse", &parse, "{input}", "the sentences to parse are read from there");
                parse
            }
        };
        // What another version of the parser made must not be taken for this one's.
        let version = match self.get(&table, "version") {
            None => {
                self.fault(
                    node,
                    "the external parser has no key `version`: a command that prints its version, as a list",
                );
                Vec::new()
            }
            Some(node) => self.command(node, "version", &["{config}"]),
        };
        let limit = self.get(&table, "time_limit_s");
        let environment = self.get(&table, "environment").map_or_else(BTreeMap::new, |node| self.environment(node));
        Some(External {
            train,
            parse,
            version,
            time_limit_s: self.whole_or(limit, "time_limit_s", 1, TIME_LIMIT_S),
            environment,
            name: name?,
        })
    }

    fn external_name(&mut self, node: &Node) -> Option<SystemName> {
        let text = self.text(node, "name")?;
        let name = SystemName::parse(text);
        if name.as_ref().is_some_and(|name| built_in(name).is_some()) {
            self.fault(node, format!("name = `{text}`: a system of this program is called so; take another name"));
            return None;
        }
        if name.is_none() {
            self.fault(node, format!("name = `{text}`: {} is needed", SystemName::EXPECTED));
        }
        name
    }

    /// A program with its arguments. What looks like one of the words for files and is not known here is refused: the
    /// program would get it as it stands.
    fn command(&mut self, node: &Node, key: &str, known: &[&str]) -> Vec<String> {
        let command = self.texts(node, key);
        if node.each().is_empty() || command.first().is_some_and(String::is_empty) {
            self.fault(node, format!("{key}: the program is needed, and its arguments, as a list"));
        }
        for word in &command {
            let elsewhere = WORDS.iter().find(|other| word.contains(**other) && !known.contains(other));
            let is_misspelt = |one: &&&str| word.starts_with('{') && (1..=2).contains(&strsim::osa_distance(word, one));
            let is_known = known.contains(&word.as_str());
            let near = known.iter().filter(is_misspelt).min_by_key(|one| strsim::osa_distance(word, one));
            let near = near.filter(|_| !is_known);
            if elsewhere.is_some() || near.is_some() {
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                self.fault(node, format!("{key}: `{word}`: this command has {}{near}", known.join(", ")));
            }
        }
        command
    }

    /// Refuses a command without the word for a file that it cannot do without.
    fn has_word(&mut self, node: &Node, key: &str, command: &[String], needed: &str, why: &str) {
        if !command.is_empty() && !command.iter().any(|word| word.contains(needed)) {
            self.fault(node, format!("{key}: no word of the command has {needed}: {why}"));
        }
    }

    fn environment(&mut self, node: &Node) -> BTreeMap<String, String> {
        let Value::Table(entries) = &node.value else {
            self.fault(node, format!("environment = {}: a table is needed, as in {{ LANG = \"C\" }}", shown(node)));
            return BTreeMap::new();
        };
        let entry = |(name, node): (&String, &Node)| Some((name.clone(), self.text(node, name)?.to_owned()));
        entries.iter().filter_map(entry).collect()
    }
}
