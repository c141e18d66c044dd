//! `treebound verify`: results held against what they are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;

use super::filter::NameFlags;
use super::flags::{ConfigFlags, JobsFlags, Limit};
use super::output::{print, say};
use treebound_core::decode::bnb::Limits;
use treebound_experiment::config::Config;
use treebound_experiment::provenance::Log;
use treebound_experiment::run::Laboratory;
use treebound_experiment::store::Store;
use treebound_experiment::verify::answers::{Found, Sample, answers};
use treebound_experiment::verify::files::Known;
use treebound_experiment::verify::words::{Words, words};
use treebound_experiment::verify::{Check, files, origins, tables};
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::number::counted;
use treebound_records::{CalibrationRow, ClassRow, LengthRow, ScoreRow, SentenceRow, by_sentence, csv};

/// Faults of a check that are listed before the rest is counted.
const LISTED: usize = 20;

#[derive(Args)]
pub struct VerifyArguments {
    /// A results folder
    results: PathBuf,
    /// The config that the results are of [default: the one that provenance.toml names]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Set a value of the config, as the run did; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The finished work [default: cache beside the folder that RESULTS is in]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Look at no tree and no model, only at records
    #[arg(long, conflicts_with_all = ["sample", "seed", "dp_calls"])]
    records: bool,
    /// Sentences of each cell that are parsed again and solved by another exact decoder
    #[arg(long, value_name = "N", default_value_t = 20)]
    sample: usize,
    /// What these sentences are drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop the other decoder at this many calls to the dynamic program, or `none`
    #[arg(long, value_name = "N", default_value = Limit::USUAL, value_parser = Limit::parse)]
    dp_calls: Limit,
    /// List all that is wrong, not the first twenty of each check
    #[arg(long)]
    all: bool,
    /// Exit with an error also where a check could not be made
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    filter: NameFlags,
    #[command(flatten)]
    jobs: JobsFlags,
    /// Do not say which cell is looked at
    #[arg(short, long)]
    quiet: bool,
}

pub fn verify(arguments: &VerifyArguments) -> Result<ExitCode> {
    let results = Results::read(arguments)?;
    let checks = arguments.jobs.install(|| results.checks(arguments))?;
    let mut text = String::new();
    let mut wrong = 0;
    for check in &checks {
        for line in check.lines() {
            text.push_str(&line);
            text.push('\n');
        }
        let faults = check.faults();
        let listed = if arguments.all { faults.len() } else { LISTED };
        for fault in faults.iter().take(listed) {
            say!("treebound: {fault}");
        }
        if faults.len() > listed {
            say!("treebound: and {} more like these; --all lists them", faults.len() - listed);
        }
        wrong += faults.len();
    }
    let open = checks.iter().filter(|check| !check.is_whole()).count();
    if open > 0 {
        let of = counted(checks.len() as u64, "check", "checks");
        text.push_str(&format!(
            "{open} of {of} could not be made, or not of everything: lines that begin with `open` say why\n"
        ));
    }
    print(&text)?;
    if wrong == 0 {
        return Ok(if open > 0 && arguments.strict { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    say!("treebound: {}: {}", arguments.results.display(), counted(wrong as u64, "disagreement", "disagreements"));
    Ok(ExitCode::FAILURE)
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
    fn read(arguments: &'a VerifyArguments) -> Result<Self> {
        let folder = &arguments.results;
        let wanted = arguments.filter.compile()?;
        let file = |name: &str| folder.join(name);
        if !file("scores.csv").is_file() {
            bail!(
                "{}: there is no scores.csv: name a folder that treebound run has made, such as results/ewt",
                folder.display()
            );
        }
        let all_scores: Vec<ScoreRow> = csv::read(&file("scores.csv"))?;
        let mut scores = all_scores.clone();
        let mut lengths: Vec<LengthRow> = csv::read_if_there(&file("by_length.csv"))?;
        let mut rows: Vec<SentenceRow> = csv::read_if_there(&file("sentences.csv"))?;
        scores.retain(|row| wanted(&row.cell));
        lengths.retain(|row| wanted(&row.cell));
        rows.retain(|row| wanted(&row.cell));
        if scores.is_empty() {
            bail!("{}: scores.csv has no cell that is asked for", folder.display());
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
    fn words<R: csv::Record + Into<Words>>(&self, name: &str) -> Result<Vec<Words>> {
        Ok(csv::read_if_there::<R>(&self.file(name))?.into_iter().map(Into::into).collect())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn checks(mut self, arguments: &VerifyArguments) -> Result<Vec<Check>> {
        let mut checks = Vec::new();
        let (config, cache) = (self.config(arguments), self.cache(arguments));
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
                if !arguments.records {
                    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: None, bytes: None };
                    let sample = Sample { sentences: arguments.sample, seed: arguments.seed, limits };
                    let begin = |cell: &CellKey| {
                        if !arguments.quiet {
                            say!("looking at {cell}");
                        }
                    };
                    found = answers(&rows, laboratory, &alike, &self.sentences, sample, begin)?;
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
        let is_wanted = |setting: &Setting| !arguments.filter.is_given() || settings.contains(setting);
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
        if !arguments.records {
            checks.extend(found.into_checks());
        }
        Ok(checks)
    }

    /// The config of the results, or why there is none.
    fn config(&self, arguments: &VerifyArguments) -> Result<Config, String> {
        let runs = self.provenance.runs.iter().filter(|entry| entry.verb == "run");
        let named: BTreeSet<&String> = runs.map(|entry| &entry.config).collect();
        let config = match (&arguments.config, named.len()) {
            (Some(config), _) => config.clone(),
            (None, 1) => named.into_iter().map(PathBuf::from).collect(),
            (None, 0) => return Err("provenance.toml names no config: name it with --config".to_owned()),
            (None, _) => {
                return Err(format!("provenance.toml names several configs, {named:?}: name one with --config"));
            }
        };
        if !config.is_file() {
            return Err(format!("the config {} is not here: name it with --config", config.display()));
        }
        let flags = ConfigFlags { config, set: arguments.set.clone() };
        flags.read().map_err(|e| e.to_string())
    }

    fn cache(&self, arguments: &VerifyArguments) -> PathBuf {
        let beside = || match self.folder.parent().and_then(Path::parent) {
            Some(folder) => folder.join("cache"),
            None => self.folder.join("../../cache"),
        };
        arguments.cache.clone().unwrap_or_else(beside)
    }
}
