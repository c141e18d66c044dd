//! Provenance: where results come from. It stands apart from them (`provenance.toml`), so that a diff of the rest shows
//! only science.
//!
//! The file has a table a verb and grid (`[run.main]`, `[time.main]`), because scores and speeds may come from different
//! machines, and grids of one experiment from different days; verbs that know no grid have one table (`[errors]`). It has no
//! date: the same work done again on the same machine leaves it as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use crate::records::{ReportError, file};

pub mod git;
mod machine;
mod repository;

pub use machine::Machine;
pub use repository::Repository;

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
    fn among(&self, verb: &str, grid: Option<&str>, mut existing: toml::Table) -> Result<toml::Table, ReportError> {
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

/// What the rows of a cell may have in common with those that would be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The key of the cell's work, which holds settings, data and versions: then one would make what the other made,
    /// whatever the commit.
    Work,
    /// The program and the machine: then what one measured may stand beside what the other did.
    Measurement,
}

/// A provenance file as it stands.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    tables: toml::Table,
}

/// A table of a provenance file, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginLine {
    /// What was run.
    pub verb: String,
    /// The grid; empty for verbs that know none.
    pub grid: String,
    /// Cells that stand in its files.
    pub cells: usize,
    /// The commit of the sources, and whether they were changed.
    pub commit: String,
    /// The program's version and compiler.
    pub program: String,
    /// The machine.
    pub machine: String,
    /// The command line.
    pub command: String,
}

/// What the rows of a verb and grid were made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeOf {
    /// What was run.
    pub verb: String,
    /// The grid; none of verbs that know none.
    pub grid: Option<String>,
    /// Cells that stand in its files; none of files that have no cells.
    pub cells: Option<usize>,
    /// The version of each kind of piece.
    pub versions: BTreeMap<String, u32>,
}

impl Earlier {
    /// Reads a provenance file; there need not be one.
    ///
    /// # Errors
    /// If the file that stands there is no TOML, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        Ok(Self { tables: tables(path)? })
    }

    /// Parses the text of a provenance file; `path` is for messages.
    ///
    /// # Errors
    /// If it is no TOML.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ReportError> {
        Ok(Self { tables: parsed(text, path)? })
    }

    /// The checksums of the treebanks that runs read, by corpus and part (`en_ewt/test`); several where runs read several.
    pub fn treebanks(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut treebanks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let text = |entry: &toml::Value, key| entry.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let data = grids(&self.tables, "run").into_iter().flat_map(toml::Table::values);
        for entry in data.filter_map(|grid| grid.get("data")?.as_array()).flatten() {
            let is_treebank = text(entry, "what").is_some_and(|what| what == "treebank");
            if let (true, Some(name), Some(sum)) = (is_treebank, text(entry, "name"), text(entry, "sha256")) {
                treebanks.entry(name).or_default().insert(sum);
            }
        }
        treebanks
    }

    /// Whether the rows of a cell come from where `now` would make them, with its work under `key`. Without a key nobody can
    /// say, and what is recorded counts.
    ///
    /// # Errors
    /// If `now` cannot be written as TOML.
    pub fn agrees(
        &self,
        origin: Origin,
        verb: &str,
        cell: &str,
        key: Option<&str>,
        now: &Provenance,
    ) -> Result<bool, ReportError> {
        let now = toml::Value::try_from(now)?;
        let kept = |table: &toml::Value| Some(table.get("cells")?.get(cell)?.as_str()?.to_owned());
        let same = |table: &toml::Value| match origin {
            Origin::Work => kept(table).is_some_and(|kept| key.is_none_or(|key| kept == key)),
            Origin::Measurement => {
                kept(table).is_some() && ["program", "machine"].iter().all(|what| table.get(what) == now.get(what))
            }
        };
        Ok(grids(&self.tables, verb).is_some_and(|grids| grids.values().any(same)))
    }

    /// The cells of a verb, each with the keys that its work is kept under: one, unless grids disagree.
    pub fn keys(&self, verb: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for grid in grids(&self.tables, verb).into_iter().flat_map(toml::Table::values) {
            for (cell, key) in grid.get("cells").and_then(toml::Value::as_table).into_iter().flatten() {
                keys.entry(cell.clone()).or_default().extend(key.as_str().map(str::to_owned));
            }
        }
        keys
    }

    /// The machines that a verb ran on, by cell.
    pub fn machines(&self, verb: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut machines: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for grid in grids(&self.tables, verb).into_iter().flat_map(toml::Table::values) {
            let Some(machine) = grid.get("machine").map(ToString::to_string) else { continue };
            for cell in grid.get("cells").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys) {
                machines.entry(cell.clone()).or_default().insert(machine.clone());
            }
        }
        machines
    }

    /// The config files that a verb was run on, as they were given.
    pub fn configs(&self, verb: &str) -> BTreeSet<String> {
        let config = |grid: &toml::Value| Some(grid.get("config")?.as_str()?.to_owned());
        grids(&self.tables, verb).into_iter().flat_map(toml::Table::values).filter_map(config).collect()
    }

    /// By verb and grid (none of verbs that know no grid): how many cells there are, and the versions of the pieces that they were
    /// made of.
    pub fn made_of(&self) -> Vec<MadeOf> {
        let one = |verb: &str, grid: Option<&str>, table: &toml::Value| {
            let versions = table.get("program").and_then(|program| program.get("versions")?.as_table());
            let number = |version: &toml::Value| u32::try_from(version.as_integer()?).ok();
            MadeOf {
                verb: verb.to_owned(),
                grid: grid.map(str::to_owned),
                cells: table.get("cells").and_then(toml::Value::as_table).map(toml::Table::len),
                versions: versions
                    .into_iter()
                    .flatten()
                    .filter_map(|(kind, version)| Some((kind.clone(), number(version)?)))
                    .collect(),
            }
        };
        let mut made_of = Vec::new();
        for (verb, table) in &self.tables {
            match grids(&self.tables, verb) {
                Some(grids) => made_of.extend(grids.iter().map(|(grid, table)| one(verb, Some(grid), table))),
                None => made_of.push(one(verb, None, table)),
            }
        }
        made_of
    }

    /// Every table of the file, for people.
    pub fn origins(&self) -> Vec<OriginLine> {
        let text = |table: &toml::Value, keys: [&str; 2]| {
            let value =
                table.get(keys[0]).and_then(|value| if keys[1].is_empty() { Some(value) } else { value.get(keys[1]) });
            value.and_then(toml::Value::as_str).unwrap_or_default().to_owned()
        };
        let line = |verb: &str, grid: &str, table: &toml::Value| {
            let changed = table.get("source").and_then(|source| source.get("dirty")?.as_bool()) == Some(true);
            let commit: String = text(table, ["source", "commit"]).chars().take(12).collect();
            OriginLine {
                verb: verb.to_owned(),
                grid: grid.to_owned(),
                cells: table.get("cells").and_then(toml::Value::as_table).map_or(0, toml::Table::len),
                commit: if changed { format!("{commit}, changed") } else { commit },
                program: format!("{}, {}", text(table, ["program", "version"]), text(table, ["program", "toolchain"])),
                machine: format!("{}, {}", text(table, ["machine", "cpu"]), text(table, ["machine", "os"])),
                command: text(table, ["command", ""]),
            }
        };
        let of_verb = |(verb, table): (&String, &toml::Value)| match grids(&self.tables, verb) {
            Some(grids) => grids.iter().map(|(grid, table)| line(verb, grid, table)).collect::<Vec<_>>(),
            None => vec![line(verb, "", table)],
        };
        self.tables.iter().flat_map(of_verb).collect()
    }

    /// This file without the cells of a verb whose rows are gone, and without the grids that have none left.
    #[must_use]
    pub fn keep(mut self, verb: &str, standing: &BTreeSet<String>) -> Self {
        let Some(mut kept) = grids(&self.tables, verb).cloned() else { return self };
        for (_, grid) in kept.iter_mut() {
            if let Some(cells) = grid.get_mut("cells").and_then(toml::Value::as_table_mut) {
                cells.retain(|cell, _| standing.contains(cell));
            }
        }
        kept.retain(|_, grid| grid.get("cells").and_then(toml::Value::as_table).is_some_and(|cells| !cells.is_empty()));
        self.tables.insert(verb.to_owned(), kept.into());
        self
    }

    /// This file with the cells of a verb in the tables of the grids that have them now, by name of the cell: a config may have
    /// put some into another grid. They come with all that their table says. A grid's own table takes them if it is of the
    /// same program and machine; else nobody knows any more where they come from.
    #[must_use]
    pub fn regroup(mut self, verb: &str, grid_of: &BTreeMap<String, &str>) -> Self {
        let Some(mut tables) = grids(&self.tables, verb).cloned() else { return self };
        let mut moved: Vec<(&str, toml::Table)> = Vec::new();
        for (grid, table) in tables.iter_mut() {
            let Some(table) = table.as_table_mut() else { continue };
            let Some(cells) = table.get_mut("cells").and_then(toml::Value::as_table_mut) else { continue };
            let mut elsewhere: BTreeMap<&str, toml::Table> = BTreeMap::new();
            let names: Vec<String> = cells.keys().cloned().collect();
            for name in names {
                if let Some(&now) = grid_of.get(&name).filter(|now| **now != grid)
                    && let Some(key) = cells.remove(&name)
                {
                    elsewhere.entry(now).or_default().insert(name, key);
                }
            }
            for (now, cells) in elsewhere {
                let mut table = table.clone();
                table.insert("cells".to_owned(), cells.into());
                moved.push((now, table));
            }
        }
        for (grid, from) in moved {
            let Some(own) = tables.get_mut(grid).and_then(toml::Value::as_table_mut) else {
                tables.insert(grid.to_owned(), from.into());
                continue;
            };
            let is_alike = ["program", "machine"].iter().all(|what| own.get(*what) == from.get(*what));
            let own = own.get_mut("cells").and_then(toml::Value::as_table_mut).filter(|_| is_alike);
            if let (Some(own), Some(cells)) = (own, from.get("cells").and_then(toml::Value::as_table)) {
                own.extend(cells.clone());
            }
        }
        tables.retain(|_, table| {
            table.get("cells").and_then(toml::Value::as_table).is_none_or(|cells| !cells.is_empty())
        });
        self.tables.insert(verb.to_owned(), tables.into());
        self
    }

    /// Writes the file as it stands here.
    ///
    /// # Errors
    /// If it cannot be written as TOML, or the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), ReportError> {
        file::write(path, format!("{HEADER}{}", toml::to_string(&self.tables)?).as_bytes())
    }

    /// Writes the file with a table for each of these grids of a verb: `plain`, with the grid's cells and their keys.
    ///
    /// # Errors
    /// If it cannot be written as TOML, or the system refuses.
    pub fn record_all(
        self,
        verb: &str,
        grids: BTreeMap<&str, BTreeMap<String, String>>,
        plain: &Provenance,
        path: &Path,
    ) -> Result<(), ReportError> {
        let mut tables = self.tables;
        for (grid, cells) in grids {
            tables = Provenance { cells, ..plain.clone() }.among(verb, Some(grid), tables)?;
        }
        Self { tables }.write(path)
    }
}

/// The tables of a verb by grid; none if it has one for all, as an earlier version wrote it.
fn grids<'a>(tables: &'a toml::Table, verb: &str) -> Option<&'a toml::Table> {
    let grids = tables.get(verb)?.as_table()?;
    grids.values().all(|grid| grid.get("command").is_some()).then_some(grids)
}

/// The tables of a provenance file; none if there is no file.
fn tables(path: &Path) -> Result<toml::Table, ReportError> {
    match std::fs::read_to_string(path) {
        Ok(text) => parsed(&text, path),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(toml::Table::new()),
        Err(source) => Err(ReportError::Read { path: path.to_owned(), source }),
    }
}

fn parsed(text: &str, path: &Path) -> Result<toml::Table, ReportError> {
    text.parse().map_err(|source| ReportError::NotToml { path: path.to_owned(), source: Box::new(source) })
}

const HEADER: &str = "# Where the results beside this file come from. Nothing here decides them but the settings, the data and the versions.\n\n";

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
    fn measurements_of_another_program_or_machine_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let this = provenance();
        let alike_of = |now: &Provenance, cell: &str, key: &str| {
            let earlier = Earlier::read(&path).expect("TOML");
            let agrees = |origin| earlier.agrees(origin, "time", cell, Some(key), now).expect("TOML");
            [Origin::Work, Origin::Measurement].map(agrees)
        };
        let alike = |now: &Provenance| alike_of(now, "a cell", "rows-56");
        assert_eq!(alike(&this), [false; 2], "there is no file");
        this.record("run", Some("main"), &path).expect("written");
        assert_eq!(alike(&this), [false; 2], "nothing was timed");
        let other =
            Provenance { cells: BTreeMap::from([("another".to_owned(), "rows-57".to_owned())]), ..this.clone() };
        other.record("time", Some("more"), &path).expect("written");
        assert_eq!(alike(&this), [false; 2], "another grid was timed");
        this.record("time", Some("main"), &path).expect("written");
        assert_eq!(alike(&Provenance { command: "another".to_owned(), threads: 1, ..this.clone() }), [true; 2]);
        assert_eq!(alike_of(&this, "another", "rows-57"), [true; 2], "a cell of the other grid");
        assert_eq!(alike_of(&this, "a third", "rows-56"), [false; 2]);
        let source = Repository { commit: "def".to_owned(), dirty: Some(true) };
        assert_eq!(alike(&Provenance { source, ..this.clone() }), [true; 2]);
        let program = Program { toolchain: "rustc 2.0.0".to_owned(), ..this.program.clone() };
        assert_eq!(alike(&Provenance { program, ..this.clone() }), [true, false]);
        let versions = BTreeMap::from([("model".to_owned(), 3), ("tags".to_owned(), 1)]);
        let program = Program { versions, ..this.program.clone() };
        // Versions, settings and data are in the key.
        assert_eq!(alike(&Provenance { program, ..this.clone() }), [true, false]);
        assert_eq!(alike_of(&this, "a cell", "rows-58"), [false, true]);
        assert_eq!(alike(&Provenance { settings: "35".to_owned(), ..this.clone() }), [true, true]);
        let machine = Machine { cpu: "another cpu".to_owned(), ..this.machine.clone() };
        assert_eq!(alike(&Provenance { machine, ..this }), [true, false]);
    }

    #[test]
    fn cells_whose_rows_are_gone_are_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let this = provenance();
        this.record("run", Some("main"), &path).expect("written");
        let earlier = || Earlier::read(&path).expect("TOML");
        let agrees =
            |earlier: &Earlier| earlier.agrees(Origin::Work, "run", "a cell", Some("rows-56"), &this).expect("TOML");
        assert!(agrees(&earlier().keep("run", &BTreeSet::from(["a cell".to_owned()]))));
        assert!(agrees(&earlier().keep("time", &BTreeSet::new())));
        assert!(!agrees(&earlier().keep("run", &BTreeSet::new())));
    }

    /// A grid without a table gets one with all that the old one says; one of another program takes none.
    #[test]
    fn cells_go_where_the_config_has_them_now() {
        let cells = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), format!("rows-{name}"))).collect();
        let made_by = |version: &str, names: &[&str]| {
            let this = provenance();
            Provenance {
                program: Program { version: version.to_owned(), ..this.program },
                cells: cells(names),
                command: format!("treebound of {version}"),
                ..this
            }
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let first = made_by("1", &["a", "b", "c", "d"]);
        let grids =
            |tables: &[(&'static str, &[&str])]| tables.iter().map(|&(grid, names)| (grid, cells(names))).collect();
        Earlier::default()
            .record_all("run", grids(&[("main", &["a", "b", "c", "d"])]), &first, &path)
            .expect("written");
        let second = made_by("2", &[]);
        let earlier = Earlier::read(&path).expect("TOML");
        earlier.record_all("run", grids(&[("other", &["e"])]), &second, &path).expect("written");
        let now = [("a", "main"), ("b", "new"), ("c", "new"), ("d", "other"), ("e", "other")];
        let now = now.map(|(cell, grid)| (cell.to_owned(), grid)).into();
        let regrouped = Earlier::read(&path).expect("TOML").regroup("run", &now);
        let of = |grid: &str| {
            let origin = regrouped.origins().into_iter().find(|origin| origin.grid == grid).expect("a table");
            (origin.cells, origin.command)
        };
        let expected = [(1, "treebound of 1"), (2, "treebound of 1"), (1, "treebound of 2")];
        assert_eq!(["main", "new", "other"].map(of), expected.map(|(cells, command)| (cells, command.to_owned())));
        let keys = regrouped.keys("run");
        assert_eq!(keys.keys().collect::<Vec<_>>(), ["a", "b", "c", "e"]);
        assert_eq!(keys["b"], BTreeSet::from(["rows-b".to_owned()]));
    }

    /// Such a file says nothing of any grid, and its table makes room for those of grids.
    #[test]
    fn tables_of_an_earlier_version_are_of_no_grid() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("provenance.toml");
        let this = provenance();
        this.record("run", None, &path).expect("written");
        let earlier = Earlier::read(&path).expect("TOML");
        assert!(!earlier.agrees(Origin::Work, "run", "a cell", Some("rows-56"), &this).expect("TOML"));
        this.record("run", Some("main"), &path).expect("written");
        let expected = this.text("run", Some("main"), toml::Table::new()).expect("TOML");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), expected);
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
