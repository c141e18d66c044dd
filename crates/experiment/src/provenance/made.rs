//! What is written of results that are made now.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::machine::Machine;
use super::repository::Repository;
use super::tables::{HEADER, grids, tables};
use treebound_records::{ReportError, file};

/// Where the results of a verb come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The command line, as for a shell.
    pub command: String,
    /// The config file, as it was given.
    pub config: String,
    /// Threads that worked.
    pub threads: usize,
    /// SHA-256 of the config with every default written out.
    pub settings: String,
    /// The program.
    pub program: Program,
    /// The state of its sources.
    pub source: Repository,
    /// The machine.
    pub machine: Machine,
    /// All that decides what is made and is no setting: treebanks, head rules, templates, patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Data>,
    /// The cells that stand in the files of the verb, each with the key under which its work is kept.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, String>,
}

/// A program and how it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The compiler.
    pub toolchain: String,
    /// What it was compiled for.
    pub target: String,
    /// `release` or `debug`.
    pub profile: String,
    /// The version of each kind of piece that it makes, raised when what it makes changes.
    pub versions: BTreeMap<String, u32>,
}

impl Program {
    /// This program, which makes pieces of these versions.
    pub fn this(versions: BTreeMap<String, u32>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            toolchain: env!("TREEBOUND_TOOLCHAIN").to_owned(),
            target: env!("TREEBOUND_TARGET").to_owned(),
            profile: env!("TREEBOUND_PROFILE").to_owned(),
            versions,
        }
    }
}

/// Something that decides what is made, by its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Data {
    /// What it is: `treebank`, `templates`, `head rules`.
    pub what: String,
    /// Its name in the config.
    pub name: String,
    /// SHA-256 of its content.
    pub sha256: String,
}

/// Arguments as a command line for a shell: what holds more than plain characters is quoted, and the program goes by its
/// file name.
pub fn command_line<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> String {
    let quoted = |(i, argument): (usize, S)| {
        let mut text = argument.as_ref();
        if i == 0 {
            text = Path::new(text).file_stem().and_then(|name| name.to_str()).unwrap_or(text);
        }
        let plain = |c: char| c.is_alphanumeric() || "-_./=+:,@%".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    arguments.into_iter().enumerate().map(quoted).collect::<Vec<_>>().join(" ")
}

impl Provenance {
    /// The text of a file whose tables were `existing`, with this one as that of `verb` and `grid`.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn text(&self, verb: &str, grid: Option<&str>, existing: toml::Table) -> Result<String, ReportError> {
        Ok(format!("{HEADER}{}", toml::to_string(&self.among(verb, grid, existing)?)?))
    }

    /// The tables of a file with this one as that of `verb` and `grid`.
    pub(super) fn among(
        &self,
        verb: &str,
        grid: Option<&str>,
        mut existing: toml::Table,
    ) -> Result<toml::Table, ReportError> {
        let this = toml::Value::try_from(self)?;
        match grid {
            None => {
                existing.insert(verb.to_owned(), this);
            }
            Some(grid) => {
                let mut grids = grids(&existing, verb).cloned().unwrap_or_default();
                grids.insert(grid.to_owned(), this);
                existing.insert(verb.to_owned(), grids.into());
            }
        }
        Ok(existing)
    }

    /// Writes the table of `verb` and `grid` into a provenance file, which keeps the others.
    ///
    /// # Errors
    /// If the file that stands there is no TOML, or the system refuses.
    pub fn record(&self, verb: &str, grid: Option<&str>, path: &Path) -> Result<(), ReportError> {
        file::write(path, self.text(verb, grid, tables(path)?)?.as_bytes())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::provenance) fn provenance() -> Provenance {
        Provenance {
            command: "treebound run configs/toy.toml".to_owned(),
            config: "configs/toy.toml".to_owned(),
            threads: 2,
            settings: "34".to_owned(),
            program: Program {
                version: "0.1.0".to_owned(),
                toolchain: "rustc 1.95.0".to_owned(),
                target: "x86_64-unknown-linux-gnu".to_owned(),
                profile: "release".to_owned(),
                versions: BTreeMap::from([("model".to_owned(), 2), ("tags".to_owned(), 1)]),
            },
            source: Repository { commit: "abc".to_owned(), dirty: Some(false) },
            machine: Machine { cpu: "a cpu".to_owned(), cores: 2, memory_mib: Some(1024), os: "an os".to_owned() },
            data: vec![Data { what: "treebank".to_owned(), name: "toy/dev".to_owned(), sha256: "12".to_owned() }],
            cells: BTreeMap::from([("a cell".to_owned(), "rows-56".to_owned())]),
        }
    }

    #[test]
    fn the_file_is_exactly_this() {
        let expected = format!(
            "{HEADER}[run.main]
command = \"treebound run configs/toy.toml\"
config = \"configs/toy.toml\"
threads = 2
settings = \"34\"

[run.main.program]
version = \"0.1.0\"
toolchain = \"rustc 1.95.0\"
target = \"x86_64-unknown-linux-gnu\"
profile = \"release\"

[run.main.program.versions]
model = 2
tags = 1

[run.main.source]
commit = \"abc\"
dirty = false

[run.main.machine]
cpu = \"a cpu\"
cores = 2
memory_mib = 1024
os = \"an os\"

[[run.main.data]]
what = \"treebank\"
name = \"toy/dev\"
sha256 = \"12\"

[run.main.cells]
\"a cell\" = \"rows-56\"
"
        );
        let text = |grid| provenance().text("run", grid, toml::Table::new()).expect("TOML");
        assert_eq!(sorted(&text(Some("main"))), sorted(&expected));
        // A verb that knows no grid.
        assert_eq!(sorted(&text(None)), sorted(&expected.replace("run.main", "run")));
    }

    #[test]
    fn commands_can_be_typed_again() {
        let command = command_line(["/usr/bin/treebound", "run", "it's.toml", "--filter", "k=10 .*", ""]);
        assert_eq!(command, r"treebound run 'it'\''s.toml' --filter 'k=10 .*' ''");
    }

    /// Lines in any order: the writer may sort keys.
    fn sorted(text: &str) -> Vec<&str> {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn verbs_stand_side_by_side_and_the_last_one_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let run = provenance();
        let time = Provenance { threads: 1, ..run.clone() };
        run.record("run", Some("main"), &path).expect("written");
        run.record("run", Some("more"), &path).expect("written");
        time.record("time", None, &path).expect("written");
        let first = std::fs::read_to_string(&path).expect("read");
        run.record("run", Some("main"), &path).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), first);
        let table: toml::Table = first.parse().expect("TOML");
        let threads = |table: &toml::Value| table["threads"].as_integer();
        let [main, more] = ["main", "more"].map(|grid| threads(&table["run"][grid]));
        assert_eq!((main, more, threads(&table["time"])), (Some(2), Some(2), Some(1)));
    }

    #[test]
    fn a_damaged_file_is_named_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        std::fs::write(&path, "<<<<<<< HEAD\n").expect("written");
        let message = provenance().record("run", None, &path).expect_err("no TOML").to_string();
        assert!(message.starts_with(&format!("{}: not TOML: ", path.display())), "{message}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "<<<<<<< HEAD\n");
    }

    #[test]
    fn this_program_and_machine_are_known() {
        let program = Program::this(BTreeMap::new());
        assert!(program.toolchain.starts_with("rustc "), "{program:?}");
        assert!(program.target.contains('-'), "{program:?}");
        let machine = Machine::here();
        assert!(machine.cores > 0 && !machine.cpu.is_empty() && !machine.os.is_empty());
    }
}
