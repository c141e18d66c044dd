//! The experiments that pages are about: their configs and the files of their results, read when they are asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::error::BlockError;
use treebound_experiment::cell::{cells, grids_of};
use treebound_experiment::config::{self, Config};
use treebound_experiment::folders::Folders;
use treebound_parser::cell::CellKey;
use treebound_records::csv::{self, Record};
use treebound_records::{RowKey, ScoreRow, joined_to_scores};

/// The experiments of a checkout: `configs/NAME.toml` and `results/NAME/`.
#[derive(Debug)]
pub struct Shelf {
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
    pub cells: BTreeMap<CellKey, Vec<String>>,
    folders: Folders,
}

impl Shelf {
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
        let path = self.path(name)?;
        let config = config::read(&path)?;
        let grids = |cell| grids_of(&config, cell).iter().map(|grid| grid.name.clone()).collect();
        let cells = cells(&config).iter().map(|cell| (cell.key(&config), grids(cell))).collect();
        let folders = Folders::new(&config, Some(&self.root));
        let experiment = Rc::new(Experiment { config, source: path, cells, folders });
        self.read.borrow_mut().insert(name.to_owned(), experiment.clone());
        Ok(experiment)
    }

    /// The config of that name.
    fn path(&self, name: &str) -> Result<PathBuf, BlockError> {
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
}

impl Experiment {
    /// A file of the results.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folders.result(file)
    }

    /// The rows of a file of the results, which a verb makes.
    ///
    /// # Errors
    /// If it is not there or wrong.
    pub fn rows<R: Record>(&self, file: &str, verb: &str) -> Result<Vec<R>, BlockError> {
        let path = self.path(file);
        if path.exists() {
            Ok(csv::read(&path)?)
        } else {
            Err(self.lacks(&format!("{} is not there", path.display()), verb))
        }
    }

    /// The rows of a file of measurements, as far as they are of what made the scores of their cell.
    ///
    /// # Errors
    /// If it is not there or wrong.
    pub fn measured<R: Record>(
        &self,
        file: &str,
        verb: &str,
        row_key: fn(&R) -> (&CellKey, RowKey),
    ) -> Result<Vec<R>, BlockError> {
        let scores: Vec<ScoreRow> = csv::read_if_there(&self.path("scores.csv"))?;
        Ok(joined_to_scores(self.rows(file, verb)?, &scores, row_key))
    }

    /// The error of what is missing and what makes it.
    pub fn lacks(&self, what: &str, verb: &str) -> BlockError {
        let (verb, rest) = verb.split_once(' ').unwrap_or((verb, ""));
        let command = format!("treebound {verb} {} {rest}", self.source.display());
        BlockError::Missing { what: what.to_owned(), command: command.trim_end().to_owned() }
    }
}
