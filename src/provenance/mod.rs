//! Provenance: where results come from. It stands apart from them (`provenance.toml`), so that a diff of the rest shows
//! only science.
//!
//! The file has a table a verb (`[run]`, `[time]`), because scores and speeds may come from different machines. It has
//! no date: the same work done again on the same machine leaves it as it was.

use std::path::Path;

use serde::Serialize;

use crate::records::{ReportError, file};

pub mod git;
mod machine;
mod repository;

pub use machine::Machine;
pub use repository::Repository;

/// What is written where it could not be found out.
pub const UNKNOWN: &str = "unknown";

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
    /// The data, by corpus and part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Data>,
}

/// A program and how it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// Checksum of the sources and dependencies that decide results, taken when it was built.
    pub sources: String,
    /// The compiler.
    pub toolchain: String,
    /// What it was compiled for.
    pub target: String,
    /// `release` or `debug`.
    pub profile: String,
}

impl Program {
    /// This program.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sources: env!("TREEBOUND_SOURCES").to_owned(),
            toolchain: env!("TREEBOUND_TOOLCHAIN").to_owned(),
            target: env!("TREEBOUND_TARGET").to_owned(),
            profile: env!("TREEBOUND_PROFILE").to_owned(),
        }
    }
}

/// The data of a part of a corpus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Data {
    /// Name of the corpus in the config.
    pub corpus: String,
    /// `train`, `dev` or `test`.
    pub split: String,
    /// Files read; 0 for a treebank that is made.
    pub files: usize,
    /// SHA-256 of their bytes one after the other, or of the sentences of a treebank that is made.
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
    /// The text of a file whose tables were `existing`, with this one as that of `verb`.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn text(&self, verb: &str, mut existing: toml::Table) -> Result<String, ReportError> {
        existing.insert(verb.to_owned(), toml::Value::try_from(self)?);
        Ok(format!("{HEADER}{}", toml::to_string(&existing)?))
    }

    /// Writes the table of `verb` into a provenance file, which keeps those of other verbs.
    ///
    /// # Errors
    /// If the file that stands there is no TOML, or the system refuses.
    pub fn record(&self, verb: &str, path: &Path) -> Result<(), ReportError> {
        file::write(path, self.text(verb, tables(path)?)?.as_bytes())
    }

    /// Whether a provenance file says the same of an earlier run of `verb`.
    ///
    /// # Errors
    /// If the file that stands there is no TOML, or the system refuses.
    pub fn agrees(&self, origin: Origin, verb: &str, path: &Path) -> Result<bool, ReportError> {
        let (now, tables) = (toml::Value::try_from(self)?, tables(path)?);
        let Some(before) = tables.get(verb) else { return Ok(false) };
        Ok(origin.keys().iter().all(|key| before.get(key) == now.get(key)))
    }
}

/// What two runs of a verb may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program, its settings and its data: then it would make the same again.
    Work,
    /// The program and the machine: then what one measured may stand beside what the other did.
    Measurement,
}

impl Origin {
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Work => &["program", "settings", "data"],
            Self::Measurement => &["program", "machine"],
        }
    }
}

/// The tables of a provenance file; none if there is no file.
fn tables(path: &Path) -> Result<toml::Table, ReportError> {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let parsed = text.parse::<toml::Table>();
            parsed.map_err(|source| ReportError::NotToml { path: path.to_owned(), source: Box::new(source) })
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(toml::Table::new()),
        Err(source) => Err(ReportError::Read { path: path.to_owned(), source }),
    }
}

const HEADER: &str = "# Where the results beside this file come from. Nothing here decides them but the config, the data and the sources.\n\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance() -> Provenance {
        Provenance {
            command: "treebound run configs/toy.toml".to_owned(),
            config: "configs/toy.toml".to_owned(),
            threads: 2,
            settings: "34".to_owned(),
            program: Program {
                version: "0.1.0".to_owned(),
                sources: "00ff".to_owned(),
                toolchain: "rustc 1.95.0".to_owned(),
                target: "x86_64-unknown-linux-gnu".to_owned(),
                profile: "release".to_owned(),
            },
            source: Repository { commit: "abc".to_owned(), dirty: Some(false) },
            machine: Machine { cpu: "a cpu".to_owned(), cores: 2, memory_mib: Some(1024), os: "an os".to_owned() },
            data: vec![Data { corpus: "toy".to_owned(), split: "dev".to_owned(), files: 1, sha256: "12".to_owned() }],
        }
    }

    #[test]
    fn the_file_is_exactly_this() {
        let expected = format!(
            "{HEADER}[run]
command = \"treebound run configs/toy.toml\"
config = \"configs/toy.toml\"
threads = 2
settings = \"34\"

[run.program]
version = \"0.1.0\"
sources = \"00ff\"
toolchain = \"rustc 1.95.0\"
target = \"x86_64-unknown-linux-gnu\"
profile = \"release\"

[run.source]
commit = \"abc\"
dirty = false

[run.machine]
cpu = \"a cpu\"
cores = 2
memory_mib = 1024
os = \"an os\"

[[run.data]]
corpus = \"toy\"
split = \"dev\"
files = 1
sha256 = \"12\"
"
        );
        assert_eq!(sorted(&provenance().text("run", toml::Table::new()).expect("TOML")), sorted(&expected));
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
        run.record("run", &path).expect("written");
        time.record("time", &path).expect("written");
        let first = std::fs::read_to_string(&path).expect("read");
        run.record("run", &path).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), first);
        let table: toml::Table = first.parse().expect("TOML");
        let threads = |verb: &str| table[verb]["threads"].as_integer();
        assert_eq!((threads("run"), threads("time")), (Some(2), Some(1)));
    }

    #[test]
    fn measurements_of_another_program_or_machine_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let this = provenance();
        let alike = |now: &Provenance| {
            [Origin::Work, Origin::Measurement].map(|origin| now.agrees(origin, "time", &path).expect("TOML"))
        };
        assert_eq!(alike(&this), [false; 2], "there is no file");
        this.record("run", &path).expect("written");
        assert_eq!(alike(&this), [false; 2], "nothing was timed");
        this.record("time", &path).expect("written");
        assert_eq!(alike(&Provenance { command: "another".to_owned(), threads: 1, ..this.clone() }), [true; 2]);
        let program = Program { sources: "01ff".to_owned(), ..this.program.clone() };
        assert_eq!(alike(&Provenance { program, ..this.clone() }), [false; 2]);
        assert_eq!(alike(&Provenance { settings: "35".to_owned(), ..this.clone() }), [false, true]);
        let data = this.data.iter().map(|d| Data { sha256: "13".to_owned(), ..d.clone() }).collect();
        assert_eq!(alike(&Provenance { data, ..this.clone() }), [false, true]);
        let machine = Machine { cpu: "another cpu".to_owned(), ..this.machine.clone() };
        assert_eq!(alike(&Provenance { machine, ..this }), [true, false]);
    }

    #[test]
    fn a_damaged_file_is_named_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        std::fs::write(&path, "<<<<<<< HEAD\n").expect("written");
        let message = provenance().record("run", &path).expect_err("no TOML").to_string();
        assert!(message.starts_with(&format!("{}: not TOML: ", path.display())), "{message}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "<<<<<<< HEAD\n");
    }

    #[test]
    fn this_program_and_machine_are_known() {
        let program = Program::this();
        assert!(program.toolchain.starts_with("rustc "), "{program:?}");
        assert!(program.target.contains('-') && program.sources.len() == 16, "{program:?}");
        let machine = Machine::here();
        assert!(machine.cores > 0 && !machine.cpu.is_empty() && !machine.os.is_empty());
    }
}
