//! Where results come from, written beside them: `provenance.toml`.
//!
//! Rows may stay beside others only if this program would make them again as they are. That is known cell by cell: the file
//! has the key under which the work of each cell is kept, which holds settings, the content of all files that decide it,
//! and the versions of the pieces. A commit that changes none of these parts no rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};

use super::filter::FilterFlags;
use treebound_experiment::cell::{Cell, cells, grids_of};
use treebound_experiment::config::{self, Config};
use treebound_experiment::folders::Folders;
use treebound_experiment::pieces::PieceError;
use treebound_experiment::provenance::{Data, Earlier, Machine, Origin, Program, Provenance, Repository, command_line};
use treebound_experiment::run::Laboratory;
use treebound_experiment::store::sha256;
use treebound_experiment::versions;
use treebound_parser::cell::{CellKey, Split};
use treebound_records::ScoreRow;
use treebound_records::csv::{self, Record};

/// The file, beside the results.
pub const FILE: &str = "provenance.toml";

/// Whether what is recorded can be read, before anything is learnt that would have to be recorded.
pub fn check(folders: &Folders) -> Result<()> {
    Earlier::read(&folders.result(FILE))?;
    Ok(())
}

/// Before the rows of a verb are written: forgets where those come from that are not among `unchanged`. Who is killed before
/// [`record`] has then rows of no known origin, never rows under the origin of others.
pub fn forget(verb: &str, unchanged: &BTreeSet<CellKey>, folders: &Folders) -> Result<()> {
    let file = folders.result(FILE);
    let unchanged: BTreeSet<String> = unchanged.iter().map(ToString::to_string).collect();
    if file.exists() {
        Earlier::read(&file)?.keep(verb, &unchanged).write(&file)?;
    }
    Ok(())
}

/// Records that a verb was run on the config at `path` with so many threads and made the cells `now`; `standing` are all
/// cells that its files have rows of.
pub fn record(
    verb: &str,
    path: &Path,
    threads: usize,
    laboratory: &Laboratory,
    folders: &Folders,
    now: &[Cell],
    standing: &BTreeSet<CellKey>,
) -> Result<()> {
    let config = laboratory.config;
    let mut grids: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
    // A cell that several grids have stands with the first.
    let grid_of = |cell: &Cell| grids_of(config, cell).first().map(|grid| grid.name.as_str());
    let touched: BTreeSet<&str> = now.iter().filter_map(grid_of).collect();
    let file = folders.result(FILE);
    let earlier = Earlier::read(&file)?;
    let recorded = earlier.keys(verb);
    let mut grid_of_each: BTreeMap<String, &str> = BTreeMap::new();
    for cell in cells(config).iter().filter(|cell| standing.contains(&cell.key(config))) {
        let name = cell.key(config).to_string();
        grid_of_each.extend(grid_of(cell).map(|grid| (name.clone(), grid)));
        // A cell whose key cannot be found out has rows of before, or no rows but its error.
        let key = match laboratory.cell_key(cell) {
            Ok(key) => Some(key.to_string()),
            Err(_) => recorded.get(&name).and_then(|keys| keys.first().cloned()),
        };
        if let (Some(grid), Some(key)) = (grid_of(cell).filter(|grid| touched.contains(grid)), key) {
            grids.entry(grid).or_default().insert(name, key);
        }
    }
    let standing: BTreeSet<String> = standing.iter().map(ToString::to_string).collect();
    let plain = provenance(path, threads, config, versions_of(laboratory, now)?, data(laboratory));
    earlier.keep(verb, &standing).regroup(verb, &grid_of_each).record_all(verb, grids, &plain, &file)?;
    Ok(())
}

/// Records a verb of the graph parser that works on no cells.
pub fn record_plain(verb: &str, path: &Path, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    record_data(verb, path, rayon::current_num_threads(), laboratory.config, data(laboratory), folders)
}

/// The same for one with data of its own.
pub fn record_data(
    verb: &str,
    path: &Path,
    threads: usize,
    config: &Config,
    data: Vec<Data>,
    folders: &Folders,
) -> Result<()> {
    let versions = versions::of_the_graph_parser();
    Ok(provenance(path, threads, config, versions, data).record(verb, None, &folders.result(FILE))?)
}

/// Refuses to go on if `files` have rows of `cells`, which a filter leaves out, and this program would make them otherwise:
/// they do not compare with what is made now, so they can neither stay beside it nor be lost.
pub fn may_stay(files: &[&str], cells: &BTreeSet<CellKey>, laboratory: &Laboratory, folders: &Folders) -> Result<()> {
    match others(Origin::Work, "run", cells, laboratory, folders)?.first() {
        Some(other) => refuse(files, Origin::Work, other, folders),
        None => Ok(()),
    }
}

/// The rows of a file that stay until they are replaced, cell by cell, by what the verb makes now of the cells that are
/// `wanted`: those of cells that a filter leaves out, and those of wanted cells, so that who stops a long verb has lost
/// nothing. Rows of another origin do not compare with what is made now: if a filter leaves some out, nothing is done; else
/// they go, as do rows of no cell.
///
/// # Errors
/// If rows can neither stay nor go, or a file cannot be read.
pub fn standing<R: Record>(
    file: &str,
    cell: impl Fn(&R) -> Option<CellKey>,
    wanted: &BTreeSet<CellKey>,
    filter: &FilterFlags,
    (origin, verb): (Origin, &str),
    laboratory: &Laboratory,
    folders: &Folders,
) -> Result<Vec<R>> {
    let mut rows: Vec<R> = csv::read_if_there(&folders.result(file))?;
    rows.retain(|row| cell(row).is_some());
    if !filter.leaves_out(laboratory.config) {
        rows.retain(|row| cell(row).is_some_and(|cell| wanted.contains(&cell)));
    }
    let cells: BTreeSet<CellKey> = rows.iter().filter_map(&cell).collect();
    let others: BTreeSet<CellKey> = others(origin, verb, &cells, laboratory, folders)?.into_iter().collect();
    if let Some(other) = others.iter().find(|other| !wanted.contains(other)) {
        refuse(&[file], origin, other, folders)?;
    }
    rows.retain(|row| cell(row).is_some_and(|cell| !others.contains(&cell)));
    Ok(rows)
}

/// The cells whose rows in the results are those that this program would make.
pub fn made_alike(laboratory: &Laboratory, folders: &Folders) -> Result<BTreeSet<CellKey>> {
    let rows: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv"))?;
    let cells: BTreeSet<CellKey> = rows.iter().map(|row| CellKey::clone(&row.cell)).collect();
    let others = others(Origin::Work, "run", &cells, laboratory, folders)?;
    Ok(cells.into_iter().filter(|cell| !others.contains(cell)).collect())
}

/// The cells of another origin than the verb would now give them.
fn others(
    origin: Origin,
    verb: &str,
    of: &BTreeSet<CellKey>,
    laboratory: &Laboratory,
    folders: &Folders,
) -> Result<Vec<CellKey>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let config = laboratory.config;
    let earlier = Earlier::read(&folders.result(FILE))?;
    let mut others: BTreeSet<CellKey> = of.clone();
    for cell in cells(config).into_iter().filter(|cell| of.contains(&cell.key(config))) {
        // A parser of somebody else that is not on this machine does not say its version: its rows stand as recorded.
        let key = laboratory.cell_key(&cell).ok().map(|key| key.to_string());
        let now =
            provenance(Path::new(""), 0, config, versions_of(laboratory, std::slice::from_ref(&cell))?, Vec::new());
        let name = cell.key(config);
        if earlier.agrees(origin, verb, &name.to_string(), key.as_deref(), &now)? {
            others.remove(&name);
        }
    }
    Ok(others.into_iter().collect())
}

fn refuse(files: &[&str], origin: Origin, cell: &CellKey, folders: &Folders) -> Result<()> {
    let another = match origin {
        Origin::Work => "version of the program, config, template file or treebank",
        Origin::Measurement => "program or machine",
    };
    bail!(
        "{}: {} has rows that are left out now, such as {cell}, and that another {another} made: they do not compare with \
         what would be made now. Make all cells again (-f . chooses those of all grids), or use --out DIR to put what is made \
         elsewhere (a config that was changed is better one of its own, with `extends`), or remove what is named here",
        folders.results.display(),
        files.join(", ")
    )
}

/// The versions of the systems of some cells.
fn versions_of(laboratory: &Laboratory, cells: &[Cell]) -> Result<BTreeMap<String, u32>, PieceError> {
    laboratory.workshop.versions(cells.iter().map(|cell| &cell.run))
}

fn provenance(
    path: &Path,
    threads: usize,
    config: &Config,
    versions: BTreeMap<String, u32>,
    data: Vec<Data>,
) -> Provenance {
    Provenance {
        command: command_line(std::env::args_os().map(|argument| argument.to_string_lossy().into_owned())),
        config: path.display().to_string(),
        threads,
        settings: sha256(config::settings(config).as_bytes()),
        program: Program::this(versions),
        source: Repository::of_this_program(),
        machine: Machine::here(),
        data,
        cells: BTreeMap::new(),
    }
}

/// All that decides an experiment and is no setting, by its content.
fn data(laboratory: &Laboratory) -> Vec<Data> {
    let mut data = Vec::new();
    for treebank in &laboratory.treebanks {
        for split in Split::PARTS {
            data.push(Data {
                what: "treebank".to_owned(),
                name: format!("{}/{split}", treebank.corpus.name),
                sha256: treebank.part(split).checksum.clone(),
            });
        }
    }
    let workshop = &laboratory.workshop;
    // The templates themselves, with their patterns: a file may hold others tomorrow.
    let templates =
        |what: &str, name: String, text: String| Data { what: what.to_owned(), name, sha256: sha256(text.as_bytes()) };
    for (name, set) in &workshop.templates {
        data.push(templates("templates", name.to_string(), set.to_string()));
    }
    let pruner = laboratory.config.pruner.templates.to_string();
    data.push(templates("templates of the pruner", pruner, workshop.pruner_templates.to_string()));
    data
}
