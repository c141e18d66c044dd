//! Measurements of the cells of a config: their speed, trials of the search, and looks at finished parses. Each cell's rows are
//! written as they are measured, beside those that are there, so that who stops a long measurement keeps what is done.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::artifacts::ArtifactError;
use super::cell::{Cell, CellGrids, cells};
use super::config::Config;
use super::folders::Folders;
use super::growth::step::StepError;
use super::looks;
use super::provenance::{Data, Entry, LogWriter, shell_word};
use super::results::{CellStates, standing_measurements};
use super::run::ExperimentContext;
use super::search::{self, TrialError, Way, trial};
use super::stop::unless_stopped;
use super::store::Store;
use super::timing::{self, Timed};
use crate::rows::csv::{self, Record};
use crate::rows::{CalibrationRow, ClassRow, ScoreRow, SearchRow, SpeedRow};
use treebound_core::decode::bnb::Limits;
use treebound_parser::answer::WallClock;
use treebound_parser::cell::CellKey;
use treebound_records::{ReportError, RowKey};

/// What measurements work on.
#[derive(Debug)]
pub struct Measuring<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// The file of its config.
    pub source: &'a Path,
    /// What the command line sets in it.
    pub set: &'a [String],
    /// The command that makes its results.
    pub run: String,
    /// Where its files are.
    pub folders: &'a Folders,
    /// Its finished work.
    pub store: &'a Store,
    /// Whether progress is left unsaid.
    pub quiet: bool,
    /// Says a line.
    pub say: fn(String),
}

/// Why cells are not measured.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// What is measured cannot be had.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// A trial of the search has failed.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// A step has no result.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No model that is asked for learns from a training part.
    #[error("there is nothing to learn; see treebound check {config} --cells", config = shell_word(&.0.to_string_lossy()))]
    NothingToLearn(PathBuf),
    /// Rows cannot be read or written.
    #[error(transparent)]
    Rows(#[from] ReportError),
    /// The measurement is of other cells.
    #[error("no cell that is asked for {0}")]
    NoCell(&'static str),
    /// A cell has no results yet.
    #[error("{path} has no results for {cell}, which is to be {measured}: first {run}", path = path.display())]
    NotRun {
        /// The file of results.
        path: PathBuf,
        /// The cell.
        cell: Box<CellKey>,
        /// What is to be done to it.
        measured: &'static str,
        /// The command that makes results.
        run: String,
    },
    /// The results of a cell would not be those of what is measured.
    #[error(
        "the results of {cell} are stale: another version of the program, of its config, template files or treebanks made them; \
         first {run}"
    )]
    Stale {
        /// The cell.
        cell: Box<CellKey>,
        /// The command that makes results.
        run: String,
    },
    /// The finished work of some cells is gone.
    #[error(
        "the finished work of {missing} of {all} cells is not in {cache}, such as that of {cell}: make it with {run}",
        cache = cache.display()
    )]
    Unfinished {
        /// The number of cells without.
        missing: usize,
        /// The number of all.
        all: usize,
        /// Where it should be.
        cache: PathBuf,
        /// One of the cells.
        cell: Box<CellKey>,
        /// The command that makes it.
        run: String,
    },
    /// Rows of another program or machine would be beside the new ones.
    #[error(
        "{file} has rows that are left out now, such as {cell}, measured on {cpu} by a program of {toolchain}: they do not compare \
         with what would be measured now; measure into another folder with --out DIR"
    )]
    Elsewhere {
        /// The file.
        file: &'static str,
        /// A cell with such rows.
        cell: Box<CellKey>,
        /// The other machine.
        cpu: String,
        /// What compiled the other program.
        toolchain: String,
    },
}

/// A file of measurements by cell.
#[derive(Debug)]
pub struct Measurement<R> {
    /// The name in the log.
    pub verb: &'static str,
    /// The file in the results.
    pub file: &'static str,
    /// The cell of a row, and the key of what was measured.
    pub row_key: fn(&R) -> (&CellKey, RowKey),
}

/// The speed of cells.
const SPEED: Measurement<SpeedRow> =
    Measurement { verb: "time", file: "speed.csv", row_key: |row| (&row.cell, row.key) };

/// An experiment on the search.
#[derive(Debug)]
pub struct SearchMeasurement {
    rows: Measurement<SearchRow>,
    ways: fn(Limits) -> Vec<Way>,
}

/// The search with each of its ideas switched off.
pub const ABLATION: SearchMeasurement = SearchMeasurement {
    rows: Measurement { verb: "search-ablation", file: "search.csv", row_key: |row| (&row.cell, row.key) },
    ways: search::ablation,
};

/// The search stopped early.
pub const BUDGET: SearchMeasurement = SearchMeasurement {
    rows: Measurement { verb: "budget", file: "budget.csv", row_key: |row| (&row.cell, row.key) },
    ways: search::budgets,
};

/// Makes the rows of a cell.
type RowsOf<R> = fn(&ExperimentContext, &[ScoreRow], &Cell) -> Result<Vec<R>, ArtifactError>;

/// A look at finished parses of models without non-local features, word by word. Nothing is trained.
#[derive(Debug)]
pub struct Look<R> {
    rows: Measurement<R>,
    /// What it is of, in [`MeasureError::NoCell`].
    about: &'static str,
    is_about: fn(&Config, &Cell) -> bool,
    /// Whether what it needs of a cell is in the store.
    is_finished: fn(&ExperimentContext, &Cell) -> bool,
    look: RowsOf<R>,
}

/// Right words by class.
pub const BREAKDOWN: Look<ClassRow> = Look {
    rows: Measurement { verb: "breakdown", file: "breakdown.csv", row_key: |row| (&row.cell, row.key) },
    about: "is one of models without non-local features",
    is_about: is_local,
    is_finished: |context, cell| context.has_trees(cell) || context.has_models(cell),
    look: looks::classes,
};

/// Right words by the probability of their heads.
pub const CALIBRATION: Look<CalibrationRow> = Look {
    rows: Measurement { verb: "calibration", file: "calibration.csv", row_key: |row| (&row.cell, row.key) },
    about: "is one of CRFs without non-local features",
    is_about: |config, cell| config.kind(&cell.run.system).is_some_and(|kind| kind.has_marginals(&cell.axes)),
    is_finished: |context, cell| context.has_models(cell),
    look: looks::calibration,
};

/// Whether a cell is of factor graphs without non-local features.
fn is_local(config: &Config, cell: &Cell) -> bool {
    config.has_graphs(&cell.run.system) && cell.axes.is_baseline()
}

/// The share of the time that a process has a processor for, if little else runs.
const UNDISTURBED: f64 = 0.9;

impl Measuring<'_> {
    /// Times the wanted cells on this thread. Returns those that failed when they were run: they have nothing to time, and keep
    /// no other from being timed.
    ///
    /// # Errors
    /// See [`MeasureError`].
    pub fn time(&self, wanted: impl Fn(&Cell) -> bool) -> Result<Vec<CellKey>, MeasureError> {
        let mut timed: Vec<Cell> = cells(self.config).into_iter().filter(wanted).collect();
        let scores = self.scores(&timed, "timed")?;
        let failed = failed(&scores);
        let key = |cell: &Cell| cell.key(self.config);
        let left_out: Vec<CellKey> = timed.iter().map(key).filter(|cell| failed.contains(cell)).collect();
        timed.retain(|cell| !failed.contains(&key(cell)));
        let context = ExperimentContext::open_cells(self.config, self.store, |cell| timed.contains(cell))?;
        self.refuse_stale(&context, &scores, &timed)?;
        let mut rows = self.rows(&SPEED, &context, &timed, &scores)?;
        rows.refuse_elsewhere(&timed.iter().map(key).collect())?;
        let stopped = rows.stopped_message("timed");
        let stopped = || {
            context.builder.end_commands();
            (self.say)(stopped);
        };
        let begin = |cell: &CellKey| self.note(|| format!("timing {cell}"));
        let keep = |Timed { rows: made, processor_share }: Timed| {
            if let (Some(share), Some(row)) = (processor_share.filter(|&share| share < UNDISTURBED), made.first()) {
                (self.say)(format!(
                    "treebound: {}: other work had the processor {:.0} % of the time, so these times say little; time it again \
                     when nothing else runs",
                    row.cell,
                    100.0 * (1.0 - share)
                ));
            }
            Ok::<_, MeasureError>(rows.put(made)?)
        };
        let (clock, is_timed) = (&mut WallClock::default(), |cell: &Cell| timed.contains(cell));
        unless_stopped(stopped, || timing::time(&context, &scores, is_timed, clock, begin, keep))?;
        Ok(left_out)
    }

    /// Decodes the wanted cells in each way of an experiment on the search. Returns the new rows.
    ///
    /// # Errors
    /// See [`MeasureError`].
    pub fn search(
        &self,
        measurement: &SearchMeasurement,
        wanted: impl Fn(&Cell) -> bool,
    ) -> Result<Vec<SearchRow>, MeasureError> {
        // Cells of several searches have the same graphs.
        let grids = CellGrids::new(self.config);
        let is_first =
            |cell: &Cell, decoder| grids.grids(cell).iter().any(|grid| grid.graph.decoders.first() == Some(&decoder));
        let is_searched =
            |cell: &Cell| cell.axes.decoder().is_some_and(|decoder| decoder.is_search() && is_first(cell, decoder));
        let mut decoded = cells(self.config);
        decoded.retain(|cell| wanted(cell) && is_searched(cell));
        if decoded.is_empty() {
            return Err(MeasureError::NoCell("has non-local features: there is no search to look at"));
        }
        let is_decoded = |cell: &Cell| decoded.contains(cell);
        let context = ExperimentContext::open_cells(self.config, self.store, is_decoded)?;
        let scores: Vec<ScoreRow> = csv::read_if_there(&self.folders.result("scores.csv"))?;
        let mut rows = self.rows(&measurement.rows, &context, &decoded, &scores)?;
        let stopped = rows.stopped_message("decoded");
        let begin = |cell: &CellKey| self.note(|| format!("decoding {cell}"));
        let keep = |made| Ok::<_, MeasureError>(rows.put(made)?);
        unless_stopped(|| (self.say)(stopped), || trial(&context, measurement.ways, is_decoded, begin, keep))?;
        Ok(rows.new)
    }

    /// Looks at the wanted cells, as far as they did not fail. Returns the new rows, and their file.
    ///
    /// # Errors
    /// See [`MeasureError`].
    pub fn look<R: Record + Clone + Send>(
        &self,
        look: &Look<R>,
        wanted: impl Fn(&Cell) -> bool,
    ) -> Result<(Vec<R>, PathBuf), MeasureError> {
        let mut seen = cells(self.config);
        seen.retain(|cell| wanted(cell) && (look.is_about)(self.config, cell));
        if seen.is_empty() {
            return Err(MeasureError::NoCell(look.about));
        }
        let scores = self.scores(&seen, "looked at")?;
        let failed = failed(&scores);
        seen.retain(|cell| !failed.contains(&cell.key(self.config)));
        let context = ExperimentContext::open_cells(self.config, self.store, |cell| seen.contains(cell))?;
        let unfinished: Vec<&Cell> = seen.iter().filter(|cell| !(look.is_finished)(&context, cell)).collect();
        if let Some(first) = unfinished.first() {
            return Err(MeasureError::Unfinished {
                missing: unfinished.len(),
                all: seen.len(),
                cache: self.folders.cache.clone(),
                cell: Box::new(first.key(self.config)),
                run: self.run.clone(),
            });
        }
        self.refuse_stale(&context, &scores, &seen)?;
        let mut rows = self.rows(&look.rows, &context, &seen, &scores)?;
        let stopped = rows.stopped_message("looked at");
        unless_stopped(
            || (self.say)(stopped),
            || {
                for cell in &seen {
                    self.note(|| format!("looking at {}", cell.key(self.config)));
                    rows.put((look.look)(&context, &scores, cell)?)?;
                }
                Ok::<_, MeasureError>(())
            },
        )?;
        Ok((rows.new, rows.path))
    }

    /// Says how it goes.
    pub(super) fn note(&self, text: impl FnOnce() -> String) {
        if !self.quiet {
            (self.say)(text());
        }
    }

    /// All scores, among which each of these cells has some.
    fn scores(&self, wanted: &[Cell], measured: &'static str) -> Result<Vec<ScoreRow>, MeasureError> {
        let path = self.folders.result("scores.csv");
        let scores: Vec<ScoreRow> = csv::read_if_there(&path)?;
        let there: BTreeSet<&CellKey> = scores.iter().map(|row| &*row.cell).collect();
        match wanted.iter().map(|cell| cell.key(self.config)).find(|cell| !there.contains(cell)) {
            Some(cell) => Err(MeasureError::NotRun { path, cell: Box::new(cell), measured, run: self.run.clone() }),
            None => Ok(scores),
        }
    }

    /// Refuses to measure cells whose rows in the results are stale: what is measured would not be theirs.
    fn refuse_stale(
        &self,
        context: &ExperimentContext,
        scores: &[ScoreRow],
        cells: &[Cell],
    ) -> Result<(), MeasureError> {
        let stale = CellStates::of(context, scores).stale;
        match cells.iter().map(|cell| cell.key(self.config)).find(|cell| stale.contains(cell)) {
            Some(cell) => Err(MeasureError::Stale { cell: Box::new(cell), run: self.run.clone() }),
            None => Ok(()),
        }
    }

    /// The rows of a measurement that is made of these cells.
    fn rows<R: Record + Clone>(
        &self,
        measurement: &Measurement<R>,
        context: &ExperimentContext,
        cells: &[Cell],
        scores: &[ScoreRow],
    ) -> Result<MeasuredRows<R>, MeasureError> {
        let path = self.folders.result(measurement.file);
        let log = log(measurement.verb, self.source, context, self.folders, cells.iter())?;
        let all = standing_measurements(csv::read_if_there(&path)?, measurement.row_key, scores, context);
        let (file, row_key) = (measurement.file, measurement.row_key);
        Ok(MeasuredRows { file, row_key, path, log, all, new: Vec::new() })
    }
}

/// The log of what a verb makes of some cells by the config at `source`.
///
/// # Errors
/// If what is there is no log, or the version of a system cannot be had.
pub fn log<'c>(
    verb: &str,
    source: &Path,
    context: &ExperimentContext,
    folders: &Folders,
    cells: impl Iterator<Item = &'c Cell>,
) -> Result<LogWriter, MeasureError> {
    let versions = context.builder.versions(cells.map(|cell| &cell.run))?;
    let (threads, data) = (rayon::current_num_threads(), Data::of_experiment(context));
    let entry = Entry::of_this_process(verb, source, threads, context.config, versions, data);
    Ok(LogWriter::open(folders, entry)?)
}

/// The cells that failed when they were run.
fn failed(scores: &[ScoreRow]) -> BTreeSet<CellKey> {
    scores.iter().filter(|row| row.counts.is_err()).map(|row| CellKey::clone(&row.cell)).collect()
}

/// The rows of a file of measurements: those that stay until they are measured again, and the new ones.
struct MeasuredRows<R> {
    file: &'static str,
    row_key: fn(&R) -> (&CellKey, RowKey),
    path: PathBuf,
    log: LogWriter,
    all: Vec<R>,
    new: Vec<R>,
}

impl<R: Record + Clone> MeasuredRows<R> {
    /// Writes the rows of some cells in place of those that they have.
    fn put(&mut self, rows: Vec<R>) -> Result<(), ReportError> {
        let made: BTreeSet<CellKey> = rows.iter().map(|row| (self.row_key)(row).0.clone()).collect();
        self.all.retain(|row| !made.contains((self.row_key)(row).0));
        self.all.extend_from_slice(&rows);
        self.new.extend(rows);
        self.log.write(self.new.len() as u64, &self.path, &csv::text(&self.all)?)
    }

    /// Leaves out rows that another program or machine measured, if all of them are measured again.
    fn refuse_elsewhere(&mut self, measured: &BTreeSet<CellKey>) -> Result<(), MeasureError> {
        let Some(elsewhere) = self.log.measured_elsewhere() else { return Ok(()) };
        let left_out = self.all.iter().map(|row| (self.row_key)(row).0).find(|cell| !measured.contains(cell));
        refuse_to_mix(self.file, elsewhere, left_out)?;
        self.all.clear();
        Ok(())
    }

    /// What who stops the measurement is told.
    fn stopped_message(&self, measured: &str) -> String {
        format!("treebound: stopped; the cells that are {measured} are in {}", self.path.display())
    }
}

/// Refuses to put measurements beside those of another program or machine, if there are some of a cell that is left out now.
///
/// # Errors
/// If there are.
pub fn refuse_to_mix(file: &'static str, elsewhere: &Entry, left_out: Option<&CellKey>) -> Result<(), MeasureError> {
    let Some(cell) = left_out else { return Ok(()) };
    Err(MeasureError::Elsewhere {
        file,
        cell: Box::new(cell.clone()),
        cpu: elsewhere.machine.cpu.clone(),
        toolchain: elsewhere.program.toolchain.clone(),
    })
}
