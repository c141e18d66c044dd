//! `treebound table`: the tables of the paper, from an experiment's results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags};
use super::output::{print, say};
use super::results::Results;
use super::steps::Steps;
use super::table1::rows as corpus_rows;
use treebound_experiment::cell::cells;
use treebound_experiment::data::Treebank;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::{CalibrationRow, ScoreRow, SentenceRow, SpeedRow, by_sentence, csv, file};
use treebound_report::statistics::speed::{Speed, speeds};
use treebound_report::tables::ablation::ablation;
use treebound_report::tables::calibration::calibration;
use treebound_report::tables::calls::calls;
use treebound_report::tables::learners::learners;
use treebound_report::tables::options::TableOptions;
use treebound_report::tables::spread::spread_table;
use treebound_report::tables::table::Table;
use treebound_report::tables::table1::table1;
use treebound_report::tables::table2::table2;
use treebound_report::tables::table3::{Table3, table3};

#[derive(Args)]
pub struct TableArguments {
    #[command(flatten)]
    config: ConfigFlags,
    /// Which table
    #[arg(value_enum, required_unless_present = "check")]
    table: Option<Which>,
    /// Print and write nothing; exit with 1 if a table that stands in the results, of all that are made of results, is not what
    /// they say
    #[arg(long, conflicts_with_all = ["table", "grid", "filter", "markdown", "csv"])]
    check: bool,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    shape: ShapeFlags,
}

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Which {
    /// The data
    #[value(name = "1")]
    Corpora,
    /// Feature sets against the baseline
    #[value(name = "2")]
    Sets,
    /// What pruning costs and brings
    #[value(name = "3")]
    Prunings,
    /// How DP calls are spread over sentences
    Calls,
    /// What each family and each group of templates is worth
    Ablation,
    /// Models without non-local features, by learner
    Learners,
    /// How far the probabilities of heads are to be believed, of CRFs
    Calibration,
}

/// A table that was made.
#[derive(Default)]
struct Made {
    /// For people.
    text: String,
    /// Files to write: names and bytes.
    files: Vec<(String, Vec<u8>)>,
    /// Why it is not what the config asks for; then no file is written.
    incomplete: Vec<String>,
    /// What else there is to say.
    hints: Vec<String>,
}

pub fn table(arguments: &TableArguments) -> Result<ExitCode> {
    let results = Results::open(&arguments.config, &arguments.out, &arguments.filter)?;
    let Some(which) = arguments.table else { return check(&results, &arguments.shape) };
    if which != Which::Corpora && results.wanted.is_empty() {
        bail!(arguments.filter.no_match());
    }
    let made = make(&results, which, &arguments.shape)?;
    print(&(made.text + &arguments.shape.prose(results.analysis())))?;
    for message in made.incomplete.iter().chain(&made.hints) {
        say!("treebound: {message}");
    }
    let names = || made.files.iter().map(|(name, _)| results.path(name).display().to_string()).collect::<Vec<_>>();
    if !made.incomplete.is_empty() {
        say!("treebound: the table is not complete; {} not written", names().join(", "));
        return Ok(ExitCode::FAILURE);
    }
    // Grids that are ablations are named where they are shown, so the table of these is a whole one.
    let is_part = match which {
        Which::Sets | Which::Prunings | Which::Learners | Which::Calibration => arguments.filter.is_given(),
        Which::Ablation => arguments.filter.is_by_name(),
        _ => false,
    };
    if is_part {
        say!("treebound: a part of the table only; {} not written", names().join(", "));
        return Ok(ExitCode::SUCCESS);
    }
    for (name, bytes) in &made.files {
        file::write(&results.path(name), bytes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Files that are made of results alone, and the table that makes each.
const OF_RESULTS: [(&str, Which); 7] = [
    ("table2.csv", Which::Sets),
    ("table3.csv", Which::Prunings),
    ("dp_calls.csv", Which::Prunings),
    ("calls.csv", Which::Calls),
    ("ablation.csv", Which::Ablation),
    ("learners.csv", Which::Learners),
    ("calibration_error.csv", Which::Calibration),
];

/// Whether the tables that are there are what results say.
fn check(results: &Results, shape: &ShapeFlags) -> Result<ExitCode> {
    let mut good = true;
    for (file, which) in OF_RESULTS.into_iter().filter(|(file, _)| results.path(file).exists()) {
        let made = make(results, which, shape)?;
        let path = results.path(file);
        let there = fs::read(&path).with_context(|| path.display().to_string())?;
        let wanted = made.files.into_iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes);
        let fault = match wanted {
            _ if !made.incomplete.is_empty() => made.incomplete.join("\n"),
            None => "the results have nothing for it".to_owned(),
            Some(wanted) if wanted == there => continue,
            Some(wanted) => {
                let lines = [&there, &wanted].map(|bytes| bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>());
                let same = lines[0].iter().zip(&lines[1]).take_while(|(there, wanted)| there == wanted).count();
                format!("line {} is not what the results say", same + 1)
            }
        };
        say!("treebound: {}: {fault}", path.display());
        good = false;
    }
    if !good {
        say!("treebound: make a table anew with: {} 2 (or 3, calls, ...)", results.command("table"));
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes a table.
fn make(results: &Results, which: Which, shape: &ShapeFlags) -> Result<Made> {
    match which {
        Which::Corpora => {
            let table = corpora(results)?;
            let files = vec![("table1.csv".to_owned(), table.csv()?)];
            Ok(Made { text: shape.print(&table)?, files, ..Made::default() })
        }
        Which::Calls => spread(results, shape),
        Which::Ablation => {
            let Steps { steps, notes, incomplete } = Steps::read(results)?;
            let table = ablation(&steps, notes);
            let files = vec![("ablation.csv".to_owned(), table.csv()?)];
            let incomplete = incomplete.into_iter().collect();
            Ok(Made { text: shape.print(&table)?, files, incomplete, ..Made::default() })
        }
        Which::Calibration => {
            let rows: Vec<CalibrationRow> =
                results.measured("calibration.csv", |row: &CalibrationRow| (&row.cell, row.key))?;
            if rows.is_empty() {
                let (path, verb) = (results.path("calibration.csv"), results.command("measure calibration"));
                bail!(
                    "there is nothing to show: {} has no row of a wanted cell; make them with: {verb}",
                    path.display()
                );
            }
            let table = calibration(&rows);
            let files = vec![("calibration_error.csv".to_owned(), table.csv()?)];
            Ok(Made { text: shape.print(&table)?, files, ..Made::default() })
        }
        Which::Sets | Which::Prunings | Which::Learners => Scored::read(results)?.made(results, which, shape),
    }
}

/// Table 1, from the treebanks themselves.
pub fn corpora(results: &Results) -> Result<Table> {
    let config = &results.config;
    let mut rows = Vec::new();
    for corpus in &config.corpora {
        rows.extend(corpus_rows(&Treebank::read(config, corpus)?));
    }
    Ok(table1(rows).table())
}

/// What Tables 2 and 3 are made of.
pub struct Scored {
    /// What is there of the wanted cells.
    pub scores: Vec<ScoreRow>,
    /// Where it was timed.
    pub speeds: BTreeMap<Setting, Speed>,
    options: TableOptions,
    incomplete: Vec<String>,
    hints: Vec<String>,
}

impl Scored {
    /// Reads it; there must be some.
    pub fn read(results: &Results) -> Result<Self> {
        let scores: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
        let mut incomplete: Vec<String> =
            results.missing("scores.csv", "run", scores.iter().map(|row| &*row.cell)).into_iter().collect();
        if scores.is_empty() {
            bail!("there is nothing to show: {}", incomplete.join("\n"));
        }
        let failed = scores.iter().filter(|row| row.counts.is_err()).count();
        if failed > 0 {
            incomplete.push(format!("{failed} of {} cells failed", results.wanted.len()));
        }
        let timed: Vec<SpeedRow> = results.measured("speed.csv", |row: &SpeedRow| (&row.cell, row.key))?;
        let speeds = speeds(&timed, &scores)?;
        let hints = untimed(results, &speeds).into_iter().collect();
        Ok(Self { scores, speeds, options: table_options(&results.config), incomplete, hints })
    }

    /// The cells that `first` takes, and the others; what is missing is said of the first.
    pub fn split(&self, first: impl Fn(&CellKey) -> bool) -> (Self, Self) {
        let (ours, others): (Vec<ScoreRow>, Vec<ScoreRow>) =
            self.scores.iter().cloned().partition(|row| first(&row.cell));
        let with = |scores| Self {
            scores,
            speeds: self.speeds.clone(),
            options: self.options.clone(),
            incomplete: Vec::new(),
            hints: Vec::new(),
        };
        let first = Self { incomplete: self.incomplete.clone(), hints: self.hints.clone(), ..with(ours) };
        (first, with(others))
    }

    /// Table 2, and what its p-values lack.
    pub fn sets(&self, results: &Results) -> Result<(Table, Option<String>)> {
        let sentences = results.sentences()?;
        let unpaired = unpaired(results, &self.scores, &sentences);
        Ok((table2(&self.scores, &sentences, self.options.clone())?.table(&self.speeds), unpaired))
    }

    /// Table 3; none where no set was run with several prunings.
    pub fn prunings(&self) -> Result<Option<Table3>> {
        let table = table3(&self.scores, self.options.clone())?;
        Ok((!table.lines().is_empty()).then_some(table))
    }

    /// The DP calls of section 4.6, which are of interest with one pruning too.
    pub fn calls(&self) -> Result<Table> {
        Ok(calls(&self.scores, &self.options)?.table())
    }

    /// Models without non-local features, by learner.
    pub fn learners(&self) -> Result<Table> {
        Ok(learners(&self.scores, &self.options)?)
    }

    /// Table 2 or 3, or that of the learners, as the verb prints and writes it.
    fn made(self, results: &Results, which: Which, shape: &ShapeFlags) -> Result<Made> {
        if which == Which::Learners {
            let table = self.learners()?;
            let files = vec![("learners.csv".to_owned(), table.csv()?)];
            return Ok(Made { text: shape.print(&table)?, files, incomplete: self.incomplete, hints: self.hints });
        }
        if which == Which::Prunings {
            return self.made_prunings(shape);
        }
        let (table, unpaired) = self.sets(results)?;
        let (incomplete, mut hints) = (self.incomplete, self.hints);
        hints.extend(unpaired);
        let files = vec![("table2.csv".to_owned(), table.csv()?)];
        Ok(Made { text: shape.print(&table)?, files, incomplete, hints })
    }

    /// Table 3, with the calls under it.
    fn made_prunings(self, shape: &ShapeFlags) -> Result<Made> {
        let calls = self.calls()?;
        let prunings = self.prunings()?;
        let Self { speeds, incomplete, hints, .. } = self;
        let mut made = Made { incomplete, hints, ..Made::default() };
        made.files.push(("dp_calls.csv".to_owned(), calls.csv()?));
        match prunings {
            None => {
                let hint =
                    "no Table 3: it compares prunings, and no feature set was run with more than one (see `pruning`)";
                made.hints.push(hint.to_owned());
            }
            Some(table) => {
                let shown = table.table(&speeds);
                made.text = shape.print(&shown)? + &shape.prose("\n".to_owned());
                made.files.push(("table3.csv".to_owned(), shown.csv()?));
                if !speeds.is_empty() {
                    made.files.push(("speed_table3.csv".to_owned(), table.speed_csv(&speeds)?));
                }
            }
        }
        // One CSV is one table: that of the calls if there is no other.
        made.text += &if made.text.is_empty() { shape.print(&calls)? } else { shape.prose(shape.print(&calls)?) };
        Ok(made)
    }
}

/// The spread of DP calls over sentences, of all cells that have scores; what is chosen by a filter is only shown.
fn spread(results: &Results, shape: &ShapeFlags) -> Result<Made> {
    let mut scores: Vec<ScoreRow> = csv::read_if_there(&results.path("scores.csv"))?;
    if scores.is_empty() {
        bail!("there is nothing to show: {}", results.path("scores.csv").display());
    }
    let config = cells(&results.config).iter().map(|cell| cell.key(&results.config)).collect::<BTreeSet<_>>();
    scores.retain(|row| config.contains(&*row.cell));
    let sentences = results.sentences_of(&scores)?;
    let all = spread_table(&scores, &sentences, &table_options(&results.config))?;
    let missing = |wanted: &Setting| results.wanted.iter().any(|key| key.setting == *wanted);
    let missing: Vec<String> = all.missing.iter().filter(|s| missing(s)).map(ToString::to_string).collect();
    if all.is_empty() {
        let missing = results.complaint(by_sentence::FILE, "run", &missing, missing.len());
        bail!("there is nothing to show: {}", missing.unwrap_or_else(|| "no cell was searched".to_owned()));
    }
    let chosen = all.only(|setting| results.wanted.iter().any(|key| key.setting == *setting));
    let shown = if chosen.is_empty() { &all } else { &chosen };
    let hints = results.complaint(by_sentence::FILE, "run", &missing, all.lines() + missing.len());
    Ok(Made {
        text: shape.print(&shown.table())?,
        files: vec![("calls.csv".to_owned(), all.table().csv()?)],
        incomplete: Vec::new(),
        hints: hints.into_iter().collect(),
    })
}

/// What the sentences lack of the scores, without which there is no p-value.
pub fn unpaired(results: &Results, scores: &[ScoreRow], sentences: &[SentenceRow]) -> Option<String> {
    let there: BTreeSet<&CellKey> = sentences.iter().map(|row| &*row.cell).collect();
    // Those of grids that are not run here are not waited for.
    let is_missing =
        |row: &&ScoreRow| row.counts.is_ok() && !there.contains(&*row.cell) && results.wanted.contains(&*row.cell);
    let missing: Vec<String> = scores.iter().filter(is_missing).map(|row| row.cell.to_string()).collect();
    let complaint = results.complaint(by_sentence::FILE, "run", &missing, scores.len());
    complaint.map(|complaint| format!("p-values need the sentences: {complaint}"))
}

/// What was not timed, on the parts where something was: not every part is.
fn untimed(results: &Results, speeds: &BTreeMap<Setting, Speed>) -> Option<String> {
    let part = |setting: &Setting| (setting.corpus.clone(), setting.split);
    let timed: BTreeSet<_> = speeds.keys().map(part).collect();
    let settings: BTreeSet<Setting> = results.wanted.iter().map(|key| key.setting.clone()).collect();
    let settings: Vec<Setting> = settings.into_iter().filter(|setting| timed.contains(&part(setting))).collect();
    let missing: Vec<String> =
        settings.iter().filter(|setting| !speeds.contains_key(setting)).map(ToString::to_string).collect();
    results.complaint("speed.csv", "measure time", &missing, settings.len())
}
