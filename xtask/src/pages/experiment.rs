//! The experiments that pages are about: their configs, the files of their results, and the cells that a block chooses, which are
//! those of the config that are in its grids and have its values on each axis.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::blocks::{Arguments, BlockError};
use treebound_experiment::cell::{CellGrids, cells};
use treebound_experiment::config::{self, Config};
use treebound_experiment::folders::Folders;
use treebound_experiment::provenance::shell_word;
use treebound_parser::cell::{CellKey, Setting};
use treebound_parser::systems;
use treebound_records::schema::{self, Schema};
use treebound_records::table::SEED;
use treebound_report::frame::Frame;
use treebound_report::sentences::check_folder;

/// The experiments of a checkout: `configs/NAME.toml` and `results/NAME/`, read when a block asks for them.
#[derive(Debug)]
pub struct Experiments {
    root: PathBuf,
    read: RefCell<BTreeMap<String, Rc<Experiment>>>,
}

/// An experiment.
#[derive(Debug)]
pub struct Experiment {
    /// Its config.
    pub config: Config,
    /// The file that it was read from.
    source: PathBuf,
    /// Its cells, sorted, with the grids that have them.
    cells: BTreeMap<CellKey, Vec<String>>,
    folders: Folders,
}

impl Experiments {
    /// The experiments below a folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), read: RefCell::default() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The experiment of that name.
    ///
    /// # Errors
    /// If there is none, or its config is wrong.
    pub fn experiment(&self, name: &str) -> Result<Rc<Experiment>, BlockError> {
        if let Some(read) = self.read.borrow().get(name) {
            return Ok(read.clone());
        }
        let source = self.config_path(name)?;
        let config = config::read(&source)?;
        let of_cells = CellGrids::new(&config);
        let grids = |cell| of_cells.grids(cell).iter().map(|grid| grid.name.clone()).collect();
        let cells = cells(&config).iter().map(|cell| (cell.key(&config), grids(cell))).collect();
        let folders = Folders::new(&config, Some(&self.root));
        check_folder(&folders.results)?;
        let experiment = Rc::new(Experiment { config, source, cells, folders });
        self.read.borrow_mut().insert(name.to_owned(), experiment.clone());
        Ok(experiment)
    }

    fn config_path(&self, name: &str) -> Result<PathBuf, BlockError> {
        let folder = self.root.join("configs");
        let path = folder.join(format!("{name}.toml"));
        if path.is_file() {
            return Ok(path);
        }
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let configs = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        let mut names: Vec<String> =
            configs.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
        names.sort();
        Err(BlockError::unknown("experiment", name, names.iter().map(String::as_str)))
    }

    /// The cells that a block chooses, by experiment.
    ///
    /// # Errors
    /// An experiment, grid or value that there is not; nothing chosen.
    pub fn select(&self, arguments: &Arguments<'_>) -> Result<Vec<Selected>, BlockError> {
        if arguments.names.is_empty() {
            return Err(BlockError::Words("name an experiment behind the block, such as `ewt`".to_owned()));
        }
        let experiments: Vec<_> = arguments.names.iter().map(|name| self.experiment(name)).collect::<Result<_, _>>()?;
        let mut chosen: Vec<BTreeSet<CellKey>> =
            experiments.iter().map(|e| e.cells.keys().cloned().collect()).collect();
        for key in selection_keys() {
            let Some(asked) = arguments.list(key) else { continue };
            let mut known: BTreeSet<String> =
                experiments.iter().flat_map(|e| &e.cells).flat_map(|(cell, grids)| values(key, cell, grids)).collect();
            if key == GRID {
                known.extend(experiments.iter().flat_map(|e| &e.config.grids).map(|grid| grid.name.clone()));
            }
            if let Some(unknown) = asked.iter().find(|value| !known.contains(**value)) {
                return Err(BlockError::unknown(key, unknown, known.iter().map(String::as_str)));
            }
            for (experiment, cells) in experiments.iter().zip(&mut chosen) {
                cells.retain(|cell| {
                    values(key, cell, &experiment.cells[cell]).iter().any(|value| asked.contains(&value.as_str()))
                });
            }
        }
        if chosen.iter().all(BTreeSet::is_empty) {
            return Err(BlockError::Words("no cell has all of these values".to_owned()));
        }
        let selected = experiments.into_iter().zip(chosen).map(|(experiment, keys)| Selected { experiment, keys });
        Ok(selected.filter(|selected| !selected.keys.is_empty()).collect())
    }

    /// The cells that a block of one experiment chooses.
    ///
    /// # Errors
    /// As [`Self::select`]; several experiments.
    pub fn select_one(&self, arguments: &Arguments<'_>) -> Result<Selected, BlockError> {
        let mut selected = self.select(arguments)?;
        match (arguments.names.len(), selected.pop()) {
            (1, Some(selected)) => Ok(selected),
            _ => Err(BlockError::several_experiments()),
        }
    }
}

impl Experiment {
    /// A file of the results.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folders.result(file)
    }

    /// The rows of a file of the results, which a verb of the command (`run CONFIG`) makes.
    ///
    /// # Errors
    /// If it is not there or wrong.
    pub fn frame(&self, file: &str, schema: &Schema, verb: &str) -> Result<Frame, BlockError> {
        let path = self.path(file);
        if path.exists() {
            Ok(Frame::read(&path, schema)?)
        } else {
            Err(self.missing(&format!("{} is not there", path.display()), verb))
        }
    }

    /// The rows of a file of measurements, as far as they are of what made the scores of their cell.
    ///
    /// # Errors
    /// If it is not there or wrong.
    pub fn measured(&self, file: &str, schema: &Schema, verb: &str) -> Result<Frame, BlockError> {
        let rows = self.frame(file, schema, verb)?;
        Ok(rows.of_same_keys(&Frame::read(&self.path("scores.csv"), &schema::SCORES)?)?)
    }

    /// The error of what is missing and what makes it.
    pub fn missing(&self, what: &str, verb: &str) -> BlockError {
        let command = format!("treebound {}", verb.replace("CONFIG", &shell_word(&self.source.to_string_lossy())));
        BlockError::Missing { what: what.to_owned(), command }
    }
}

/// The key that chooses grids.
const GRID: &str = "grid";

/// The keys that choose cells.
pub fn selection_keys() -> impl Iterator<Item = &'static str> {
    let own = systems::BUILT_IN.iter().flat_map(|kind| kind.axes).filter(|axis| axis.within.is_none());
    let further = own.map(|axis| axis.name);
    let further = further.filter(|axis| !Setting::AXES.contains(axis));
    [GRID].into_iter().chain(Setting::AXES).chain([SEED]).chain(further)
}

/// What a cell has for a key: its grids, or the one value on an axis.
fn values(key: &str, cell: &CellKey, grids: &[String]) -> Vec<String> {
    if key == GRID {
        return grids.to_vec();
    }
    if key == SEED {
        return vec![cell.seed.to_string()];
    }
    vec![cell.setting.spelt_in(key)]
}

/// The cells of an experiment that a block has chosen; at least one.
#[derive(Debug)]
pub struct Selected {
    /// The experiment.
    pub experiment: Rc<Experiment>,
    /// The cells.
    pub keys: BTreeSet<CellKey>,
}

impl Selected {
    /// The names of the cells.
    pub fn names(&self) -> BTreeSet<String> {
        self.keys.iter().map(ToString::to_string).collect()
    }

    /// The scores of the cells.
    ///
    /// # Errors
    /// If some have none.
    pub fn scores(&self) -> Result<Frame, BlockError> {
        let names = self.names();
        let verb = format!("run CONFIG{}", self.grids(&self.keys));
        let scores = self.experiment.frame("scores.csv", &schema::SCORES, &verb)?;
        let scores = scores.only("cell", |cell| names.contains(cell))?;
        let found: BTreeSet<String> = scores.words("cell")?.into_iter().collect();
        let missing: BTreeSet<CellKey> =
            self.keys.iter().filter(|key| !found.contains(&key.to_string())).cloned().collect();
        let Some(first) = missing.first() else { return Ok(scores) };
        let (path, all) = (self.experiment.path("scores.csv"), self.keys.len());
        let what = format!("{}: {} of {all} cells are missing, {first} the first", path.display(), missing.len());
        Err(self.experiment.missing(&what, &format!("run CONFIG{}", self.grids(&missing))))
    }

    /// Times of the cells; none if nothing was timed.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn times(&self) -> Result<Frame, BlockError> {
        let path = self.experiment.path("speed.csv");
        if !path.exists() {
            return Ok(Frame::read(&path, &schema::SPEED)?);
        }
        let names = self.names();
        let times = self.experiment.measured("speed.csv", &schema::SPEED, "measure time CONFIG")?;
        Ok(times.only("cell", |cell| names.contains(cell))?)
    }

    /// Flags that name grids which have these cells: those that are needed, in the order of the config.
    pub fn grids(&self, cells: &BTreeSet<CellKey>) -> String {
        let mut left: Vec<&CellKey> = cells.iter().collect();
        let mut flags = String::new();
        for grid in &self.experiment.config.grids {
            let before = left.len();
            left.retain(|cell| !self.experiment.cells[*cell].contains(&grid.name));
            if left.len() < before {
                flags.push_str(&format!(" --grid {}", grid.name));
            }
        }
        flags
    }

    /// The grid of a line: the first of the config that has one of its chosen cells.
    pub fn grid(&self, line: &str) -> String {
        let cells: Vec<&CellKey> = self.keys.iter().filter(|key| key.setting.to_string() == line).collect();
        let has = |name: &String| cells.iter().any(|key| self.experiment.cells[*key].contains(name));
        let found = self.experiment.config.grids.iter().find(|grid| has(&grid.name));
        found.map_or_else(String::new, |grid| grid.name.clone())
    }
}
