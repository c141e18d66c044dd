//! All checks of a results folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::answers::{Found, Sample, answers};
use super::files::Known;
use super::words::{Words, words};
use super::{Check, files, origins, tables};
use crate::config::{self, Config};
use crate::pieces::PieceError;
use crate::provenance::Log;
use crate::run::Laboratory;
use crate::store::Store;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::{CalibrationRow, ClassRow, LengthRow, ReportError, ScoreRow, SentenceRow, by_sentence, csv};

/// What is checked of a results folder.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The config of the results; the one that their log names if none is given.
    pub config: Option<&'a Path>,
    /// What the command line sets in it.
    pub set: &'a [String],
    /// The finished work; beside the folder's own if none is given.
    pub cache: Option<&'a Path>,
    /// The sentences whose answers are made again; without them no tree and no model is looked at.
    pub sample: Option<Sample>,
    /// The cells that are looked at; all if nothing chooses some.
    pub wanted: Option<&'a (dyn Fn(&CellKey) -> bool + Sync)>,
    /// Who is told which cell is looked at.
    pub begin: &'a (dyn Fn(&CellKey) + Sync),
}

/// Why results cannot be checked.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The folder has no scores.
    #[error(
        "{folder}: there is no scores.csv: name a folder that treebound run has made, such as results/ewt",
        folder = .0.display()
    )]
    NoScores(PathBuf),
    /// No cell is left.
    #[error("{folder}: scores.csv has no cell that is asked for", folder = .0.display())]
    NoCell(PathBuf),
    /// Rows cannot be read.
    #[error(transparent)]
    Rows(#[from] ReportError),
    /// Trees, models or sentences cannot be had.
    #[error(transparent)]
    Piece(#[from] PieceError),
}

impl Verification<'_> {
    /// Makes all checks.
    ///
    /// # Errors
    /// See [`VerifyError`].
    pub fn checks(&self) -> Result<Vec<Check>, VerifyError> {
        Results::read(self)?.checks(self)
    }
}

/// The rows of a results folder.
struct Results<'a> {
    folder: &'a Path,
    /// Of all cells: tables are made of them.
    all_scores: Vec<ScoreRow>,
    /// Of those that are looked at, as are the others.
    scores: Vec<ScoreRow>,
    lengths: Vec<LengthRow>,
    /// By cell, as far as the file has them.
    sentences: BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    /// The same of `by_sentence.csv`.
    by_sentence: BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    provenance: Log,
}

fn by_cell(rows: Vec<SentenceRow>) -> BTreeMap<Arc<CellKey>, Vec<SentenceRow>> {
    let mut cells: BTreeMap<Arc<CellKey>, Vec<SentenceRow>> = BTreeMap::new();
    for row in rows {
        cells.entry(row.cell.clone()).or_default().push(row);
    }
    cells
}

impl<'a> Results<'a> {
    fn read(verification: &'a Verification) -> Result<Self, VerifyError> {
        let folder = verification.folder;
        let wanted = |cell: &CellKey| verification.wanted.is_none_or(|wanted| wanted(cell));
        let file = |name: &str| folder.join(name);
        if !file("scores.csv").is_file() {
            return Err(VerifyError::NoScores(folder.to_owned()));
        }
        let all_scores: Vec<ScoreRow> = csv::read(&file("scores.csv"))?;
        let mut scores = all_scores.clone();
        let mut lengths: Vec<LengthRow> = csv::read_if_there(&file("by_length.csv"))?;
        let mut rows: Vec<SentenceRow> = csv::read_if_there(&file("sentences.csv"))?;
        scores.retain(|row| wanted(&row.cell));
        lengths.retain(|row| wanted(&row.cell));
        rows.retain(|row| wanted(&row.cell));
        if scores.is_empty() {
            return Err(VerifyError::NoCell(folder.to_owned()));
        }
        let path = file(by_sentence::FILE);
        let mut by_sentence = by_sentence::read_if_there(&path)?;
        by_sentence.retain(|row| wanted(&row.cell));
        let by_sentence = by_sentence::rows(&by_sentence, &path)?;
        Ok(Self {
            folder,
            all_scores,
            scores,
            lengths,
            sentences: by_cell(rows),
            by_sentence: by_cell(by_sentence),
            provenance: Log::read(&file("provenance.toml"))?,
        })
    }

    /// The words of a file that has them by class or by probability, if it is there.
    fn words<R: csv::Record + Into<Words>>(&self, name: &str) -> Result<Vec<Words>, ReportError> {
        Ok(csv::read_if_there::<R>(&self.file(name))?.into_iter().map(Into::into).collect())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn checks(mut self, verification: &Verification) -> Result<Vec<Check>, VerifyError> {
        let mut checks = Vec::new();
        let (config, cache) = (self.config(verification), self.cache(verification));
        let store = Store::new(cache);
        let laboratory = match &config {
            // No tags are predicted for it: those that are asked for come from the store.
            Ok(config) => Laboratory::open_for(config, &store, |_, _| false).map_err(|e| e.to_string()),
            Err(why) => Err(why.clone()),
        };
        let mut found = Found::default();
        match &laboratory {
            Ok(laboratory) => {
                let (check, alike) = origins::alike(&self.file("scores.csv"), &self.scores, laboratory);
                checks.push(check);
                let rows = self.file("sentences.csv");
                checks.push(origins::kept(&rows, laboratory, &alike, &mut self.sentences));
                if let Some(sample) = verification.sample {
                    found = answers(&rows, laboratory, &alike, &self.sentences, sample, verification.begin)?;
                }
            }
            Err(why) => {
                let cells = self.scores.len() as u64;
                let rows = self.sentences.values().map(|rows| rows.len() as u64).sum();
                checks.extend(origins::unknown(why, cells, rows));
                found.leave_open(why, rows, 0);
            }
        }

        let rows = self.file("sentences.csv");
        let all: Vec<SentenceRow> = self.sentences.values().flatten().cloned().collect();
        checks.push(files::sentences(&rows, &all));
        checks.push(files::same_sentences(&rows, &self.sentences));
        checks.push(files::decoders(&rows, &self.sentences));
        let known: Known<'_> =
            self.by_sentence.iter().chain(&self.sentences).map(|(cell, rows)| (&**cell, rows.as_slice())).collect();
        checks.push(files::scores(&self.file("scores.csv"), &self.scores, &known));
        checks.push(files::lengths(&self.file("by_length.csv"), &self.lengths, &known));
        checks.push(files::by_sentence(
            &self.file(by_sentence::FILE),
            &self.scores,
            &self.by_sentence,
            &self.sentences,
        ));
        let settings: BTreeSet<&Setting> = self.scores.iter().map(|row| &row.cell.setting).collect();
        let is_wanted = |setting: &Setting| verification.wanted.is_none() || settings.contains(setting);
        let mut means: Option<Check> = None;
        for table in tables::FILES.map(|name| self.file(name)).into_iter().filter(|table| table.is_file()) {
            let check = tables::means(&table, &self.all_scores, is_wanted)?;
            match &mut means {
                Some(means) => means.join(check),
                None => means = Some(check),
            }
        }
        checks.extend(means);
        for (name, of_file) in [
            ("breakdown.csv", self.words::<ClassRow>("breakdown.csv")?),
            ("calibration.csv", self.words::<CalibrationRow>("calibration.csv")?),
        ] {
            if !of_file.is_empty() {
                checks.push(words(&self.file(name), of_file, &self.all_scores));
            }
        }
        if verification.sample.is_some() {
            checks.extend(found.into_checks());
        }
        Ok(checks)
    }

    /// The config of the results, or why there is none.
    fn config(&self, verification: &Verification) -> Result<Config, String> {
        let runs = self.provenance.runs.iter().filter(|entry| entry.verb == "run");
        let named: BTreeSet<&String> = runs.map(|entry| &entry.config).collect();
        let config = match (verification.config, named.len()) {
            (Some(config), _) => config.to_owned(),
            (None, 1) => named.into_iter().map(PathBuf::from).collect(),
            (None, 0) => return Err("provenance.toml names no config: name it with --config".to_owned()),
            (None, _) => {
                return Err(format!("provenance.toml names several configs, {named:?}: name one with --config"));
            }
        };
        if !config.is_file() {
            return Err(format!("the config {} is not here: name it with --config", config.display()));
        }
        config::read_with(&config, verification.set).map_err(|error| error.to_string())
    }

    fn cache(&self, verification: &Verification) -> PathBuf {
        let beside = || match self.folder.parent().and_then(Path::parent) {
            Some(folder) => folder.join("cache"),
            None => self.folder.join("../../cache"),
        };
        verification.cache.map_or_else(beside, Path::to_owned)
    }
}
