//! The results of an experiment as its folder holds them, held against the cells that are asked for.
//!
//! A [`Results`] is a folder of CSV files, and the few facts of its config that tables need. It knows cells by name, so whoever
//! opens it says which are wanted and which are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::frame::Frame;
use crate::sentences::Sentences;
use crate::tables::blocks::TableOptions;
use treebound_records::schema::{self, Schema};
use treebound_records::{ReportError, cell_numbers};

/// Why something cannot be made of results.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// There is no row for it.
    #[error("there is nothing to show: {0}")]
    Nothing(String),
    /// A figure lacks rows.
    #[error("figure {figure} is not drawn: {why}")]
    NotDrawn {
        /// Its name.
        figure: &'static str,
        /// What it lacks, and what makes that.
        why: String,
    },
    /// Sentences of another run.
    #[error("{path}: {cell} does not add up to {scores}; run again", path = path.display(), scores = scores.display())]
    Contradiction {
        /// The file of sentences.
        path: PathBuf,
        /// The cell.
        cell: String,
        /// The file of sums.
        scores: PathBuf,
    },
    /// Rows that cannot be read, or do not go together.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// What tables need to know of a config beside its cells.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What tables need to know.
    pub options: TableOptions,
    /// The templates that others are held against.
    pub usual_templates: Option<String>,
    /// The number of templates of each set.
    pub template_counts: BTreeMap<String, u64>,
}

/// How commands that work on the results are spelt, for messages.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// The rest of a command line behind the verb.
    pub arguments: String,
    /// A folder above that may have the results instead, and theirs below it.
    pub elsewhere: Option<[PathBuf; 2]>,
}

/// The cells that a table or a figure of the config shows.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The cells.
    pub cells: Frame,
    /// The flags that choose them, each after a blank.
    pub flags: String,
}

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder of records and tables.
    pub folder: PathBuf,
    /// The folder of figures.
    pub figures: PathBuf,
    /// What is known of the config.
    pub facts: Facts,
    /// Cells that are wanted: without them results are not complete.
    pub wanted: Frame,
    /// The names of the cells that are looked at where they are there: the wanted ones, and those that are run where they are
    /// named.
    pub known: BTreeSet<String>,
    /// The names of all cells of the config.
    pub all: BTreeSet<String>,
    /// Whether cells were asked for.
    pub is_filtered: bool,
    /// What the config's tables and figures show where nothing else is asked for, by `table NAME` and `figure NAME`.
    pub chosen: BTreeMap<String, Chosen>,
    /// What makes what is missing.
    pub commands: Commands,
}

/// Missing cells that are listed before the rest is counted.
const LISTED: usize = 10;

impl Results {
    /// What a table or figure is made of: what was asked for, or else what the config says it shows; none if neither chooses.
    ///
    /// # Errors
    /// If cells have no names.
    pub fn shown_by(&self, name: &str) -> Result<Option<Self>, ReportError> {
        let Some(chosen) = self.chosen.get(name).filter(|_| !self.is_filtered) else { return Ok(None) };
        let known = chosen.cells.words("cell")?.into_iter().collect();
        let arguments = format!("{}{}", self.commands.arguments, chosen.flags);
        let commands = Commands { arguments, ..self.commands.clone() };
        Ok(Some(Self { wanted: chosen.cells.clone(), known, is_filtered: true, commands, ..self.clone() }))
    }

    /// Leaves out cells.
    ///
    /// # Errors
    /// If cells have no names.
    pub fn restrict(&mut self, keep: impl Fn(&str) -> bool) -> Result<(), ReportError> {
        self.wanted = self.wanted.only("line", &keep)?;
        self.known.retain(|cell| keep(cell.rsplit_once("/seed=").map_or(cell.as_str(), |(line, _)| line)));
        Ok(())
    }

    /// A file of the results.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The rows of a file that are looked at; none if it is not there.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn frame(&self, file: &str, schema: &Schema) -> Result<Frame, ReportError> {
        let rows = Frame::read(&self.path(file), schema)?;
        if rows.is_empty() { Ok(rows) } else { rows.only("cell", |cell| self.known.contains(cell)) }
    }

    /// The rows of a file of measurements that are looked at, as far as they are of what made the scores of their cell.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn measured(&self, file: &str, schema: &Schema) -> Result<Frame, ReportError> {
        let rows = self.frame(file, schema)?;
        if rows.is_empty() {
            return Ok(rows);
        }
        rows.of_same_keys(&Frame::read(&self.path("scores.csv"), &schema::SCORES)?)
    }

    /// The sentences of cells that have scores. They must add up to these: those of another run are refused.
    ///
    /// # Errors
    /// If they cannot be read, or are of another run.
    pub fn sentences(&self, scores: &Frame) -> Result<Sentences, ResultsError> {
        let path = self.path(cell_numbers::FILE);
        if scores.is_empty() {
            return Ok(Sentences::default());
        }
        let counted: BTreeSet<String> = scores.only("error", str::is_empty)?.words("cell")?.into_iter().collect();
        let sentences = Sentences::read(&path)?.only(|cell| counted.contains(cell));
        match sentences.contradiction(scores)? {
            Some(cell) => Err(ResultsError::Contradiction { path, cell, scores: self.path("scores.csv") }),
            None => Ok(sentences),
        }
    }

    /// The names of the wanted cells.
    ///
    /// # Errors
    /// If cells have no names.
    pub fn wanted_names(&self) -> Result<BTreeSet<String>, ReportError> {
        Ok(self.wanted.words("cell")?.into_iter().collect())
    }

    /// What is missing where a file has rows of these cells only; nothing if it has all that are wanted.
    ///
    /// # Errors
    /// If cells have no names.
    pub fn missing(&self, file: &str, verb: &str, found: &BTreeSet<String>) -> Result<Option<String>, ReportError> {
        let wanted = self.wanted.words("cell")?;
        let missing: Vec<String> = wanted.iter().filter(|cell| !found.contains(*cell)).cloned().collect();
        Ok(self.complaint(file, verb, &missing, wanted.len()))
    }

    /// Says which of `all` cells or lines a file lacks, and what makes them.
    pub fn complaint(&self, file: &str, verb: &str, missing: &[String], all: usize) -> Option<String> {
        if missing.is_empty() {
            return None;
        }
        let path = self.path(file);
        let mut text = if path.exists() {
            format!("{}: {} of {all} are missing:\n", path.display(), missing.len())
        } else {
            format!("{} is not there; it would hold {all}:\n", path.display())
        };
        for name in missing.iter().take(LISTED) {
            text.push_str(&format!("  {name}\n"));
        }
        if missing.len() > LISTED {
            text.push_str(&format!("  and {} more\n", missing.len() - LISTED));
        }
        text.push_str(&format!("make them with: {}", self.command(verb)));
        let has = |folder: &Path| !path.exists() && folder.join(file).is_file();
        if let Some([root, _]) = self.commands.elsewhere.as_ref().filter(|[_, folder]| has(folder)) {
            text.push_str(&format!("\n{} has one: it is looked at with --out {}", root.display(), root.display()));
        }
        Some(text)
    }

    /// The command line of a verb on the experiment.
    pub fn command(&self, verb: &str) -> String {
        format!("treebound {verb} {}", self.commands.arguments)
    }
}
