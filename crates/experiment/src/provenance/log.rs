//! The log of runs beside results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use super::repository::Repository;
use crate::config::{self, Config};
use crate::folders::Folders;
use crate::run::ExperimentContext;
use crate::store::sha256;
use treebound_files::input;
use treebound_parser::cell::Split;
use treebound_records::{ReportError, file};

/// The file.
pub const FILE: &str = "provenance.toml";

/// How the file begins.
const HEADER: &str = "# A log of the runs that changed the files beside it. The key of each row says what made it.\n";

/// A run of a verb that changed a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What was run.
    pub verb: String,
    /// The command line, as for a shell.
    pub command: String,
    /// The config file, as it was given.
    pub config: String,
    /// SHA-256 of the config with every default written out.
    pub settings: String,
    /// Threads that worked.
    pub threads: usize,
    /// Rows that it made: of `run` rows of scores.csv, of other verbs rows of their own file.
    pub rows: u64,
    /// The program.
    pub program: Program,
    /// The state of its sources.
    pub source: Repository,
    /// The machine.
    pub machine: Machine,
    /// All that decides what is made and is no setting: treebanks, templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Data>,
    /// SHA-256 of the files that it wrote, by name; of one that it removed, [`REMOVED`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// What stands for the checksum of a file that is no more.
pub const REMOVED: &str = "removed";

/// A program and how it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The compiler.
    pub toolchain: String,
    /// What it was compiled for.
    pub target: String,
    /// `release` or `debug`.
    pub profile: String,
    /// The version of each kind of artifact that it makes, raised when what it makes changes.
    pub versions: BTreeMap<String, u32>,
}

impl Program {
    /// This program, which makes artifacts of these versions.
    pub fn this(versions: BTreeMap<String, u32>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            toolchain: env!("TREEBOUND_TOOLCHAIN").to_owned(),
            target: env!("TREEBOUND_TARGET").to_owned(),
            profile: env!("TREEBOUND_PROFILE").to_owned(),
            versions,
        }
    }

    /// Whether both are built alike, so that their measurements compare.
    fn is_built_alike(&self, other: &Self) -> bool {
        let build = |of: &Self| [&of.version, &of.toolchain, &of.target, &of.profile].map(Clone::clone);
        build(self) == build(other)
    }
}

/// Something that decides what is made, by its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Data {
    /// What it is: `treebank`, `templates`.
    pub what: String,
    /// Its name in the config.
    pub name: String,
    /// SHA-256 of its content.
    pub sha256: String,
}

impl Data {
    /// The treebanks and templates of an experiment.
    pub fn of_experiment(context: &ExperimentContext) -> Vec<Self> {
        let mut data = Vec::new();
        for treebank in &context.treebanks {
            data.extend(Split::PARTS.map(|split| Self {
                what: "treebank".to_owned(),
                name: format!("{}/{split}", treebank.corpus.name),
                sha256: treebank.part(split).checksum.clone(),
            }));
        }
        let builder = &context.builder;
        // The templates themselves, with their patterns: a file may hold others tomorrow.
        let templates = |what: &str, name: String, text: String| Self {
            what: what.to_owned(),
            name,
            sha256: sha256(text.as_bytes()),
        };
        data.extend(
            builder.templates.iter().map(|(name, set)| templates("templates", name.to_string(), set.to_string())),
        );
        let pruner = context.config.pruner.templates.to_string();
        data.push(templates("templates of the pruner", pruner, builder.pruner_templates.to_string()));
        data
    }
}

impl Entry {
    /// That this process ran a verb on the config at `path`, with so many threads.
    pub fn of_this_process(
        verb: &str,
        path: &Path,
        threads: usize,
        config: &Config,
        versions: BTreeMap<String, u32>,
        data: Vec<Data>,
    ) -> Self {
        Self {
            verb: verb.to_owned(),
            command: own_command_line(),
            config: path.display().to_string(),
            settings: sha256(config::settings(config).as_bytes()),
            threads,
            rows: 0,
            program: Program::this(versions),
            source: Repository::of_this_program(),
            machine: Machine::here(),
            data,
            files: BTreeMap::new(),
        }
    }

    /// Whether what it measured may stand beside what `other` did: both were of one program and machine.
    pub fn measures_alike(&self, other: &Self) -> bool {
        self.machine == other.machine && self.program.is_built_alike(&other.program)
    }
}

/// Arguments as a command line for a shell: what holds more than plain characters is quoted, and the program goes by its
/// file name.
pub fn command_line<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> String {
    let word = |(i, argument): (usize, S)| {
        let text = argument.as_ref();
        let program = || Path::new(text).file_stem().and_then(|name| name.to_str());
        shell_word(if i == 0 { program().unwrap_or(text) } else { text })
    };
    arguments.into_iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// A text as one word of a command line: in quotes if it holds more than plain characters.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The command line of this process, as for a shell.
pub fn own_command_line() -> String {
    command_line(std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()))
}

/// The runs, the first first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Log {
    /// Their entries.
    #[serde(rename = "run")]
    pub runs: Vec<Entry>,
}

impl Log {
    /// The log beside results; empty if there is none.
    ///
    /// # Errors
    /// If what stands there is no log, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        Self::parse(&text(path)?, path)
    }

    /// Parses the text of a log; `path` is for messages. A file without a list of runs is an empty one.
    ///
    /// # Errors
    /// If it is not TOML, or a run lacks something.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ReportError> {
        let fail = |source| ReportError::NotToml { path: path.to_owned(), source: Box::new(source) };
        let table: toml::Table = text.parse().map_err(fail)?;
        let runs = table.get("run").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        Ok(Self { runs: runs.into_iter().map(toml::Value::try_into).collect::<Result<_, _>>().map_err(fail)? })
    }

    /// The last run of a verb.
    pub fn last(&self, verb: &str) -> Option<&Entry> {
        self.runs.iter().rev().find(|entry| entry.verb == verb)
    }

    /// The checksums of the files beside it, as those who wrote each last have left it.
    pub fn files(&self) -> BTreeMap<&str, &str> {
        self.runs.iter().flat_map(|entry| &entry.files).map(|(name, sum)| (&**name, &**sum)).collect()
    }

    /// The checksums of the treebanks that the last runs read, by corpus and part (`en_ewt/test`).
    pub fn treebanks(&self) -> BTreeMap<String, BTreeSet<String>> {
        let runs = self.runs.iter().filter(|entry| entry.verb == "run");
        let treebanks = runs.flat_map(|entry| &entry.data).filter(|data| data.what == "treebank");
        treebanks.map(|data| (data.name.clone(), [data.sha256.clone()].into())).collect()
    }
}

fn text(path: &Path) -> Result<String, ReportError> {
    match input::read_settings(path) {
        Ok(text) => Ok(text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(ReportError::Read { path: path.to_owned(), source }),
    }
}

/// What this process adds to the log: one entry, however often it writes.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    before: String,
    /// The log as it was before.
    pub log: Log,
    /// The entry.
    pub entry: Entry,
}

impl LogWriter {
    /// For the results of an experiment.
    ///
    /// # Errors
    /// If what stands there is no log, or cannot be read.
    pub fn open(folders: &Folders, entry: Entry) -> Result<Self, ReportError> {
        let path = folders.result(FILE);
        let before = text(&path)?;
        let log = Log::parse(&before, &path)?;
        let before = if before.is_empty() { HEADER.to_owned() } else { before };
        Ok(Self { path, before, log, entry })
    }

    /// Writes the log with the entry, which has made so many rows by now, and then a file with them.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn write(&mut self, rows: u64, path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
        self.record(rows, [(path, Some(bytes))])?;
        file::write(path, bytes)
    }

    /// Writes the log with the entry, which has made so many rows by now and leaves files with these bytes, or removes them. It
    /// is written before they are, so that no row stands there without an entry.
    ///
    /// # Errors
    /// If it cannot be written as TOML, or the system refuses.
    pub fn record<'f>(
        &mut self,
        rows: u64,
        files: impl IntoIterator<Item = (&'f Path, Option<&'f [u8]>)>,
    ) -> Result<(), ReportError> {
        self.entry.rows = rows;
        for (path, bytes) in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.entry.files.insert(name, bytes.map_or_else(|| REMOVED.to_owned(), sha256));
        }
        let entry = toml::to_string(&Log { runs: vec![self.entry.clone()] })?;
        file::write(&self.path, format!("{}\n{entry}", self.before).as_bytes())
    }

    /// The last run of the same verb before, if what this process measures may not stand beside what that did.
    pub fn measured_elsewhere(&self) -> Option<&Entry> {
        self.log.last(&self.entry.verb).filter(|last| !last.measures_alike(&self.entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(verb: &str) -> Entry {
        Entry {
            verb: verb.to_owned(),
            command: "treebound run a.toml".to_owned(),
            config: "a.toml".to_owned(),
            settings: "34".to_owned(),
            threads: 2,
            rows: 0,
            program: Program {
                version: "0.1.0".to_owned(),
                toolchain: "rustc 1.0.0".to_owned(),
                target: "x86_64-unknown-linux-gnu".to_owned(),
                profile: "release".to_owned(),
                versions: BTreeMap::from([("tags".to_owned(), 1)]),
            },
            source: Repository { commit: "abc".to_owned(), dirty: Some(true) },
            machine: Machine { cpu: "a cpu".to_owned(), cores: 2, memory_mib: Some(1024), os: "an os".to_owned() },
            data: vec![Data { what: "treebank".to_owned(), name: "toy/dev".to_owned(), sha256: "12".to_owned() }],
            files: BTreeMap::new(),
        }
    }

    fn folders(folder: &Path) -> Folders {
        Folders { results: folder.to_owned(), figures: folder.to_owned(), cache: folder.to_owned() }
    }

    #[test]
    fn the_log_is_only_added_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = folders(folder.path());
        let mut first = LogWriter::open(&folders, entry("run")).expect("no log");
        first.record(3, []).expect("written");
        first.record(5, [(Path::new("x/a.csv"), Some(&b"1"[..])), (Path::new("b.csv"), None)]).expect("written");
        let before = std::fs::read_to_string(folders.result(FILE)).expect("read");
        assert!(before.contains("dirty = true") && before.matches("[[run]]").count() == 1, "{before}");
        LogWriter::open(&folders, entry("time")).expect("a log").record(1, []).expect("written");
        let after = std::fs::read_to_string(folders.result(FILE)).expect("read");
        assert!(after.starts_with(&before));
        let log = Log::read(&folders.result(FILE)).expect("a log");
        let made = |entry: &Entry| (entry.verb.clone(), entry.rows);
        assert_eq!(log.runs.iter().map(made).collect::<Vec<_>>(), [("run".to_owned(), 5), ("time".to_owned(), 1)]);
        let files = BTreeMap::from([("a.csv", sha256(b"1")), ("b.csv", REMOVED.to_owned())]);
        assert_eq!(log.files(), files.iter().map(|(name, sum)| (*name, &**sum)).collect());
        let files = files.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
        assert_eq!(log.last("run"), Some(&Entry { rows: 5, files, ..entry("run") }));
        assert_eq!(log.treebanks().len(), 1);
    }

    #[test]
    fn measurements_of_another_program_or_machine_are_told() {
        let this = entry("time");
        let program = |program| Entry { program, ..this.clone() };
        let changed = Repository { commit: "def".to_owned(), dirty: Some(false) };
        let versions = BTreeMap::from([("tags".to_owned(), 2)]);
        for alike in [
            Entry { threads: 1, source: changed, ..this.clone() },
            // What it makes is in the keys of rows.
            program(Program { versions, ..this.program.clone() }),
        ] {
            assert!(this.measures_alike(&alike), "{alike:?}");
        }
        for other in [
            program(Program { toolchain: "rustc 2.0.0".to_owned(), ..this.program.clone() }),
            Entry { machine: Machine { cores: 1, ..this.machine.clone() }, ..this.clone() },
        ] {
            assert!(!this.measures_alike(&other), "{other:?}");
        }
    }

    #[test]
    fn a_damaged_file_is_named_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = folders(folder.path());
        std::fs::write(folders.result(FILE), "<<<<<<< HEAD\n").expect("written");
        let message = LogWriter::open(&folders, entry("run")).expect_err("not TOML").to_string();
        assert!(message.starts_with(&format!("{}: not TOML: ", folders.result(FILE).display())), "{message}");
    }

    #[test]
    fn commands_can_be_typed_again() {
        let command = command_line(["/usr/bin/treebound", "run", "it's.toml", "--filter", "k=10 .*", ""]);
        assert_eq!(command, r"treebound run 'it'\''s.toml' --filter 'k=10 .*' ''");
    }

    #[test]
    fn this_program_and_machine_are_known() {
        let program = Program::this(BTreeMap::new());
        assert!(program.toolchain.starts_with("rustc ") && program.target.contains('-'), "{program:?}");
        let machine = Machine::here();
        assert!(machine.cores > 0 && !machine.cpu.is_empty() && !machine.os.is_empty());
    }
}
