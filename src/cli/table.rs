//! `treebound table`: the tables of the paper, from an experiment's results.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::derived::difference;
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags};
use super::output::{print, say};
use super::results::Results;
use super::steps::Steps;
use super::table1::rows as corpus_rows;
use polars::prelude::LazyFrame;
use treebound_experiment::cell::cells;
use treebound_experiment::data::Treebank;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::Setting;
use treebound_records::{by_sentence, file, schema};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;
use treebound_report::speed::speeds;
use treebound_report::tables::blocks::TableOptions;
use treebound_report::tables::table::Table;
use treebound_report::tables::table1::table1;
use treebound_report::tables::{ablation, calls, learners as models, table2, table3};

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
    let differences = differences(results, shape)?;
    for difference in &differences {
        say!("treebound: {difference}");
    }
    if differences.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    say!("treebound: make a table anew with: {} 2 (or 3, calls, ...)", results.command("table"));
    Ok(ExitCode::FAILURE)
}

/// Where the tables that are there are not what results say: a line a file.
pub fn differences(results: &Results, shape: &ShapeFlags) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    for (file, which) in OF_RESULTS.into_iter().filter(|(file, _)| results.path(file).exists()) {
        let made = make(results, which, shape)?;
        let path = results.path(file);
        let wanted = made.files.into_iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes);
        differences.extend(match wanted {
            _ if !made.incomplete.is_empty() => Some(format!("{}: {}", path.display(), made.incomplete.join("\n"))),
            None => Some(format!("{}: the results have nothing for it", path.display())),
            Some(wanted) => difference(&path, &wanted)?,
        });
    }
    Ok(differences)
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
            let Steps { steps, incomplete } = Steps::read(results)?;
            let table = ablation::table(&steps, &table_options(&results.config))?;
            let files = vec![("ablation.csv".to_owned(), table.csv()?)];
            let incomplete = incomplete.into_iter().collect();
            Ok(Made { text: shape.print(&table)?, files, incomplete, ..Made::default() })
        }
        Which::Calibration => {
            let rows = results.measured_frame("calibration.csv", &schema::CALIBRATION)?;
            if rows.is_empty() {
                let (path, verb) = (results.path("calibration.csv"), results.command("measure calibration"));
                bail!(
                    "there is nothing to show: {} has no row of a wanted cell; make them with: {verb}",
                    path.display()
                );
            }
            let table = models::calibration(&rows)?;
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
    pub scores: Frame,
    speeds: LazyFrame,
    options: TableOptions,
    incomplete: Vec<String>,
    hints: Vec<String>,
}

impl Scored {
    /// Reads it; there must be some.
    pub fn read(results: &Results) -> Result<Self> {
        let scores = results.frame("scores.csv", &schema::SCORES)?;
        let found: BTreeSet<String> = scores.words("cell")?.into_iter().collect();
        let mut incomplete: Vec<String> = results.missing_names("scores.csv", "run", &found).into_iter().collect();
        if scores.is_empty() {
            bail!("there is nothing to show: {}", incomplete.join("\n"));
        }
        let failed = scores.words("error")?.iter().filter(|error| !error.is_empty()).count();
        if failed > 0 {
            incomplete.push(format!("{failed} of {} cells failed", results.wanted.len()));
        }
        let times = results.measured_frame("speed.csv", &schema::SPEED)?;
        let hints = untimed(results, &times)?.into_iter().collect();
        let speeds = speeds(&times, &scores)?;
        Ok(Self { scores, speeds, options: table_options(&results.config), incomplete, hints })
    }

    /// The cells that `first` takes, and the others; what is missing is said of the first.
    pub fn split(&self, first: impl Fn(&str) -> bool) -> Result<(Self, Self)> {
        let [ours, others] = [true, false].map(|is_first| self.scores.only("cell", |cell| first(cell) == is_first));
        let with = |scores| Self {
            scores,
            speeds: self.speeds.clone(),
            options: self.options.clone(),
            incomplete: Vec::new(),
            hints: Vec::new(),
        };
        let first = Self { incomplete: self.incomplete.clone(), hints: self.hints.clone(), ..with(ours?) };
        Ok((first, with(others?)))
    }

    /// Table 2, and what its p-values lack.
    pub fn sets(&self, results: &Results) -> Result<(Table, Option<String>)> {
        let sentences = results.sentence_numbers(&self.scores)?;
        let unpaired = unpaired(results, &self.scores, &sentences)?;
        let lines = table2::lines(&self.scores, &sentences, self.speeds.clone(), &self.options)?;
        Ok((table2::table(&lines, &self.scores, &self.options)?, unpaired))
    }

    /// Table 3 and the bytes of its speeds, if something was timed; none where no set was run with several prunings.
    pub fn prunings(&self) -> Result<Option<(Table, Option<Vec<u8>>)>> {
        let lines = table3::lines(&self.scores, self.speeds.clone(), &self.options)?;
        if lines.is_empty() {
            return Ok(None);
        }
        let is_timed = lines.query(|_| self.speeds.clone())?.height() > 0;
        let speeds = if is_timed { Some(table3::speed_csv(&lines)?) } else { None };
        Ok(Some((table3::table(&lines, &self.scores, &self.options)?, speeds)))
    }

    /// The DP calls of section 4.6, which are of interest with one pruning too.
    pub fn calls(&self) -> Result<Table> {
        Ok(calls::table(&calls::lines(&self.scores, &self.options)?)?)
    }

    /// Models without non-local features, by learner.
    pub fn learners(&self) -> Result<Table> {
        Ok(models::learners(&self.scores, &self.options)?)
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
        let Self { incomplete, hints, .. } = self;
        let mut made = Made { incomplete, hints, ..Made::default() };
        made.files.push(("dp_calls.csv".to_owned(), calls.csv()?));
        match prunings {
            None => {
                let hint =
                    "no Table 3: it compares prunings, and no feature set was run with more than one (see `pruning`)";
                made.hints.push(hint.to_owned());
            }
            Some((shown, speeds)) => {
                made.text = shape.print(&shown)? + &shape.prose("\n".to_owned());
                made.files.push(("table3.csv".to_owned(), shown.csv()?));
                made.files.extend(speeds.map(|bytes| ("speed_table3.csv".to_owned(), bytes)));
            }
        }
        // One CSV is one table: that of the calls if there is no other.
        made.text += &if made.text.is_empty() { shape.print(&calls)? } else { shape.prose(shape.print(&calls)?) };
        Ok(made)
    }
}

/// The spread of DP calls over sentences, of all cells that have scores; what is chosen by a filter is only shown.
fn spread(results: &Results, shape: &ShapeFlags) -> Result<Made> {
    let config: BTreeSet<String> =
        cells(&results.config).iter().map(|cell| cell.key(&results.config).to_string()).collect();
    let scores = Frame::read(&results.path("scores.csv"), &schema::SCORES)?;
    if scores.is_empty() {
        bail!("there is nothing to show: {}", results.path("scores.csv").display());
    }
    let scores = scores.only("cell", |cell| config.contains(cell))?;
    let sentences = results.sentence_numbers(&scores)?;
    let (all, lacking) = calls::spread(&scores, &sentences, &table_options(&results.config))?;
    let wanted: BTreeSet<String> = results.wanted.iter().map(|key| key.setting.to_string()).collect();
    let missing: Vec<String> = lacking.into_iter().filter(|line| wanted.contains(line)).collect();
    if all.is_empty() {
        let missing = results.complaint(by_sentence::FILE, "run", &missing, missing.len());
        bail!("there is nothing to show: {}", missing.unwrap_or_else(|| "no cell was searched".to_owned()));
    }
    let chosen = all.only("line", |line| wanted.contains(line))?;
    let shown = if chosen.is_empty() { &all } else { &chosen };
    let hints = results.complaint(by_sentence::FILE, "run", &missing, all.height() + missing.len());
    Ok(Made {
        text: shape.print(&calls::spread_table(shown)?)?,
        files: vec![("calls.csv".to_owned(), calls::spread_table(&all)?.csv()?)],
        incomplete: Vec::new(),
        hints: hints.into_iter().collect(),
    })
}

/// What the sentences lack of the scores, without which there is no p-value.
pub fn unpaired(results: &Results, scores: &Frame, sentences: &Sentences) -> Result<Option<String>> {
    let there: BTreeSet<String> = sentences.cells().collect();
    // Those of grids that are not run here are not waited for.
    let wanted = results.wanted_names();
    let rows = scores.words("cell")?.into_iter().zip(scores.words("error")?);
    let missing: Vec<String> = rows
        .filter(|(cell, error)| error.is_empty() && !there.contains(cell) && wanted.contains(cell))
        .map(|(cell, _)| cell)
        .collect();
    let complaint = results.complaint(by_sentence::FILE, "run", &missing, scores.height());
    Ok(complaint.map(|complaint| format!("p-values need the sentences: {complaint}")))
}

/// What was not timed, on the parts where something was: not every part is.
fn untimed(results: &Results, times: &Frame) -> Result<Option<String>> {
    if times.is_empty() {
        return Ok(None);
    }
    let parts: BTreeSet<(String, String)> = times.words("corpus")?.into_iter().zip(times.words("split")?).collect();
    let timed: BTreeSet<String> = times.words("line")?.into_iter().collect();
    let settings: BTreeSet<&Setting> = results.wanted.iter().map(|key| &key.setting).collect();
    let is_part = |setting: &&&Setting| parts.contains(&(setting.corpus.to_string(), setting.split.to_string()));
    let settings: Vec<String> = settings.iter().filter(is_part).map(ToString::to_string).collect();
    let missing: Vec<String> = settings.iter().filter(|setting| !timed.contains(*setting)).cloned().collect();
    Ok(results.complaint("speed.csv", "measure time", &missing, settings.len()))
}
