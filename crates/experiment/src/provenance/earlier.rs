//! A provenance file as it stands: what is known of the rows beside it, and what stays known when others are made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::made::Provenance;
use super::tables::{HEADER, grids, parsed, tables};
use treebound_records::{ReportError, file};

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

#[cfg(test)]
mod tests {
    use super::super::machine::Machine;
    use super::super::made::Program;
    use super::super::made::tests::provenance;
    use super::super::repository::Repository;
    use super::*;

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
}
