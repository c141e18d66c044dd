//! The results of an experiment as its folder holds them, held against what its config asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use treebound_experiment::config::Config;
use treebound_experiment::folders::Folders;
use treebound_parser::cell::CellKey;
use treebound_records::csv::{self, Record};
use treebound_records::schema::{self, Schema};
use treebound_records::{
    LearningRow, LengthRow, ModelName, RowKey, ScoreRow, SentenceRow, TrainingRow, aggregate, by_sentence,
    joined_to_scores,
};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;

/// An experiment and its folders.
pub struct Results {
    /// The config.
    pub config: Config,
    /// The file that it was read from.
    pub source: PathBuf,
    /// Cells of the config that are wanted: without them results are not complete.
    pub wanted: BTreeSet<CellKey>,
    /// Cells that are looked at where they are there: the wanted ones, and those of grids that are run where they are
    /// named.
    known: BTreeSet<CellKey>,
    /// Where its files are.
    pub folders: Folders,
    /// Whether cells were asked for.
    pub is_filtered: bool,
    /// The rest of a command line that works on the experiment.
    arguments: String,
}

/// Missing cells that are listed before the rest is counted.
const LISTED: usize = 10;

impl Results {
    /// The results of a config, of which the cells that the filter lets through are wanted.
    pub fn open(flags: &ConfigFlags, out: &OutFlags, filter: &FilterFlags) -> Result<Self> {
        let config = flags.read()?;
        let [wanted, known] = filter.keys(&config)?;
        let folders = out.folders(&config);
        let arguments = format!("{flags}{out}{filter}");
        let is_filtered = filter.is_given();
        let source = flags.config.clone();
        Ok(Self { config, source, known, wanted, folders, is_filtered, arguments })
    }

    /// Leaves out cells.
    pub fn restrict(&mut self, keep: impl Fn(&CellKey) -> bool) {
        self.wanted.retain(&keep);
        self.known.retain(&keep);
    }

    /// A file of the results.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folders.result(file)
    }

    /// The wanted rows of a file; none if it is not there.
    pub fn read<R: Record>(&self, file: &str, cell: impl Fn(&R) -> &CellKey) -> Result<Vec<R>> {
        let mut rows = csv::read_if_there(&self.path(file))?;
        rows.retain(|row| self.known.contains(cell(row)));
        Ok(rows)
    }

    /// The wanted rows of a file, as a frame; none if it is not there.
    pub fn frame(&self, file: &str, schema: &Schema) -> Result<Frame> {
        let known: BTreeSet<String> = self.known.iter().map(ToString::to_string).collect();
        Ok(Frame::read(&self.path(file), schema)?.only("cell", |cell| known.contains(cell))?)
    }

    /// The names of the wanted cells.
    pub fn wanted_names(&self) -> BTreeSet<String> {
        self.wanted.iter().map(ToString::to_string).collect()
    }

    /// The sentences of cells that have scores. They must add up to these: those of another run are refused.
    pub fn sentence_numbers(&self, scores: &Frame) -> Result<Sentences> {
        let path = self.path(by_sentence::FILE);
        let counted: BTreeSet<String> = scores.only("error", str::is_empty)?.words("cell")?.into_iter().collect();
        let sentences = Sentences::read(&path)?.only(|cell| counted.contains(cell));
        if let Some(cell) = sentences.contradiction(scores)? {
            let scores = self.path("scores.csv");
            bail!("{}: {} does not add up to {}; run again", path.display(), cell, scores.display());
        }
        Ok(sentences)
    }

    /// The wanted rows of a file of measurements, as far as they are of what made the scores of their cell.
    pub fn measured_frame(&self, file: &str, schema: &Schema) -> Result<Frame> {
        let rows = self.frame(file, schema)?;
        let scores = Frame::read(&self.path("scores.csv"), &schema::SCORES)?;
        Ok(rows.of_same_keys(&scores)?)
    }

    /// The wanted rows of a file of measurements, as far as they are of what made the scores of their cell.
    pub fn measured<R: Record>(&self, file: &str, row_key: fn(&R) -> (&CellKey, RowKey)) -> Result<Vec<R>> {
        let scores: Vec<ScoreRow> = csv::read_if_there(&self.path("scores.csv"))?;
        Ok(joined_to_scores(self.read(file, |row| row_key(row).0)?, &scores, row_key))
    }

    /// The rows of `learning.csv`, as far as they are of the models of `training.csv`.
    pub fn learning(&self) -> Result<Vec<LearningRow>> {
        let training: Vec<TrainingRow> = csv::read_if_there(&self.path("training.csv"))?;
        let of_part = training.iter().filter(|row| row.fold.is_none());
        let keys: BTreeMap<(&ModelName, u64), RowKey> = of_part.map(|row| ((&row.model, row.seed), row.key)).collect();
        let mut rows: Vec<LearningRow> = csv::read_if_there(&self.path("learning.csv"))?;
        rows.retain(|row| keys.get(&(&row.model, row.seed)).is_none_or(|of_model| *of_model == row.key));
        Ok(rows)
    }

    /// The wanted rows of sentences, as [`sentences_of`](Self::sentences_of) the scores.
    pub fn sentences(&self) -> Result<Vec<SentenceRow>> {
        self.sentences_of(&self.read("scores.csv", |row: &ScoreRow| &row.cell)?)
    }

    /// The sentences of cells that have scores. They must add up to these: those of another run are refused.
    pub fn sentences_of(&self, scores: &[ScoreRow]) -> Result<Vec<SentenceRow>> {
        let path = self.path(by_sentence::FILE);
        let scores: BTreeMap<&CellKey, &ScoreRow> =
            scores.iter().filter(|row| row.counts.is_ok()).map(|row| (&*row.cell, row)).collect();
        let mut cells = by_sentence::read_if_there(&path)?;
        cells.retain(|row| scores.contains_key(&*row.cell));
        let rows = by_sentence::rows(&cells, &path)?;
        for sum in aggregate::scores(&rows) {
            if scores.get(&*sum.cell).is_some_and(|row| **row != sum) {
                let scores = self.path("scores.csv");
                bail!("{}: {} does not add up to {}; run again", path.display(), sum.cell, scores.display());
            }
        }
        Ok(rows)
    }

    /// The wanted rows by length: sums of [sentences](Self::sentences), and of `by_length.csv` those of cells without.
    pub fn lengths(&self, sentences: &[SentenceRow]) -> Result<Vec<LengthRow>> {
        let mut rows: Vec<LengthRow> = self.read("by_length.csv", |row: &LengthRow| &row.cell)?;
        let summed = aggregate::by_length(sentences);
        let there: BTreeSet<&CellKey> = summed.iter().map(|row| &*row.cell).collect();
        rows.retain(|row| !there.contains(&*row.cell));
        rows.extend(summed.iter().cloned());
        rows.sort();
        Ok(rows)
    }

    /// What is missing where a file has rows of these cells only; nothing if it has all that are wanted.
    pub fn missing<'a>(&self, file: &str, verb: &str, found: impl IntoIterator<Item = &'a CellKey>) -> Option<String> {
        let found: BTreeSet<&CellKey> = found.into_iter().collect();
        let missing: Vec<String> =
            self.wanted.iter().filter(|key| !found.contains(key)).map(ToString::to_string).collect();
        self.complaint(file, verb, &missing, self.wanted.len())
    }

    /// As [`missing`](Self::missing), of cells by name.
    pub fn missing_names(&self, file: &str, verb: &str, found: &BTreeSet<String>) -> Option<String> {
        let names = self.wanted.iter().map(ToString::to_string);
        let missing: Vec<String> = names.filter(|name| !found.contains(name)).collect();
        self.complaint(file, verb, &missing, self.wanted.len())
    }

    /// Says which of `all` cells or settings a file lacks, and what makes them.
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
        if let Some(root) = self.elsewhere(file) {
            text.push_str(&format!("\n{} has one: it is looked at with --out {}", root.display(), root.display()));
        }
        Some(text)
    }

    /// The folder above the config's own, if it has a file that is not here: results are looked for below the working folder.
    fn elsewhere(&self, file: &str) -> Option<PathBuf> {
        let source = std::fs::canonicalize(&self.source).ok()?;
        let root = source.parent()?.parent()?;
        let there = Folders::new(&self.config, Some(root)).result(file);
        (!self.path(file).exists() && there.is_file()).then(|| root.to_owned())
    }

    /// The command line of a verb on the experiment.
    pub fn command(&self, verb: &str) -> String {
        format!("treebound {verb} {}", self.arguments)
    }

    /// The config's prose, to stand beneath a table.
    pub fn analysis(&self) -> String {
        let analysis = self.config.analysis.trim();
        if analysis.is_empty() { String::new() } else { format!("\n{analysis}\n") }
    }
}
