//! `treebound figure`: the figures of the paper and those of budgets and growth, from an experiment's results.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use super::output::print;
use super::results::Results;
use super::steps::Steps;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::csv::Record;
use treebound_records::{CalibrationRow, ClassRow, GrowthRow, RowKey, ScoreRow, SearchRow, SpeedRow, by_sentence, csv};
use treebound_report::figures::{
    Figure, ablation, breakdown, budget, calibration, figure4, figure5, growth, main_settings, settings_on_main_part,
    templates,
};
use treebound_report::tables::ablation::notes;

#[derive(Args)]
pub struct FigureArguments {
    #[command(flatten)]
    config: ConfigFlags,
    /// Which figure
    #[arg(value_enum)]
    figure: Which,
    #[command(flatten)]
    out: OutFlags,
    // Without a filter figures 4 and 5 show, as in the paper, the largest feature sets on the test part (or dev, if test is
    // not parsed), breakdown and calibration all that was measured on that part, and the others all that was measured.
    #[command(flatten)]
    filter: FilterFlags,
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// Parse time against sentence length
    #[value(name = "4")]
    Four,
    /// Calls to the dynamic program against sentence length
    #[value(name = "5")]
    Five,
    /// Accuracy and proofs against the most calls to the dynamic program that a search may make
    Budget,
    /// Time and memory against what they grow with
    Growth,
    /// Accuracy and calls to the dynamic program against the number of templates, of what was run with several sets
    Templates,
    /// What each family and each group of templates is worth
    Ablation,
    /// Accuracy by sentence length, arc length and distance from the root, of models without non-local features by learner
    Breakdown,
    /// How many heads are right against how probable they were, of CRFs
    Calibration,
}

impl Which {
    /// What it shows.
    pub fn caption(self) -> &'static str {
        match self {
            Self::Four => "Parse time against sentence length (the paper's Figure 4)",
            Self::Five => "Calls to the dynamic program against sentence length (the paper's Figure 5)",
            Self::Budget => "Accuracy and proofs with searches stopped early",
            Self::Growth => "Time and memory against what they grow with",
            Self::Templates => "Accuracy and calls against the number of templates",
            Self::Ablation => "What each family and each group of templates is worth",
            Self::Breakdown => "Accuracy by sentence length, arc length and distance from the root",
            Self::Calibration => "How many heads are right against how probable they were",
        }
    }

    /// Whether it is of sentences by their length.
    pub fn is_by_length(self) -> bool {
        matches!(self, Self::Four | Self::Five)
    }
}

impl std::fmt::Display for Which {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Four => "4",
            Self::Five => "5",
            Self::Budget => "budget",
            Self::Growth => "growth",
            Self::Templates => "templates",
            Self::Ablation => "ablation",
            Self::Breakdown => "breakdown",
            Self::Calibration => "calibration",
        })
    }
}

pub fn figure(arguments: &FigureArguments) -> Result<ExitCode> {
    let figure = arguments.figure;
    let mut results = Results::open(&arguments.config, &arguments.out, &arguments.filter)?;
    if figure == Which::Growth {
        if arguments.filter.is_given() {
            bail!("--filter: the rows of growth.csv belong to no cell");
        }
    } else if results.wanted.is_empty() {
        bail!(arguments.filter.no_match());
    }
    if figure.is_by_length() && !arguments.filter.is_given() {
        restrict_to_main(&mut results);
    }
    write(&drawn(&results, figure)?, &results)
}

/// Leaves out what the paper's figures do not show.
pub fn restrict_to_main(results: &mut Results) {
    let settings = main_settings(results.wanted.iter().map(|key| key.setting.clone()));
    results.restrict(|key| settings.contains(&key.setting));
}

/// A figure, or why it cannot be drawn.
pub fn drawn(results: &Results, figure: Which) -> Result<Figure> {
    let (drawn, complaint) = match figure {
        Which::Growth => return growths(results),
        Which::Budget => return budgets(results),
        Which::Templates => return by_templates(results),
        Which::Ablation => return by_steps(results),
        Which::Breakdown => {
            return Ok(breakdown(&of_words(results, figure, |row: &ClassRow| (&row.cell, row.key))?));
        }
        Which::Calibration => {
            return Ok(calibration(&of_words(results, figure, |row: &CalibrationRow| (&row.cell, row.key))?));
        }
        Which::Four => times(results)?,
        Which::Five => calls(results)?,
    };
    if let Some(complaint) = complaint {
        bail!("figure {figure} is not drawn: {complaint}");
    }
    Ok(drawn)
}

fn write(figure: &Figure, results: &Results) -> Result<ExitCode> {
    figure.write(&results.folders.figures)?;
    print(&format!("wrote {}.svg, .png and .csv\n", results.folders.figures.join(figure.name()).display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The growth figure. Its rows belong to no cell.
fn growths(results: &Results) -> Result<Figure> {
    let rows: Vec<GrowthRow> = csv::read_if_there(&results.path("growth.csv"))?;
    if rows.is_empty() {
        let path = results.path("growth.csv");
        bail!(
            "figure growth is not drawn: {} has no rows; make them with: {}",
            path.display(),
            results.command("measure growth")
        );
    }
    Ok(growth(&rows))
}

/// The budget figure, of the cells that were decoded on budgets.
fn budgets(results: &Results) -> Result<Figure> {
    let rows: Vec<SearchRow> = results.measured("budget.csv", |row: &SearchRow| (&row.cell, row.key))?;
    if rows.is_empty() {
        let path = results.path("budget.csv");
        let verb = results.command("measure budget");
        bail!("figure budget is not drawn: {} has no row of a wanted cell; make them with: {verb}", path.display());
    }
    Ok(budget(&rows))
}

/// The rows of a figure that has its name and file from the verb which makes them. Without a filter they are those of the
/// test part, if it was looked at.
fn of_words<R: Record>(results: &Results, figure: Which, row_key: fn(&R) -> (&CellKey, RowKey)) -> Result<Vec<R>> {
    let file = format!("{figure}.csv");
    let mut rows: Vec<R> = results.measured(&file, row_key)?;
    if !results.is_filtered {
        let shown = settings_on_main_part(rows.iter().map(|row| row_key(row).0.setting.clone()));
        rows.retain(|row| shown.contains(&row_key(row).0.setting));
    }
    if rows.is_empty() {
        let (path, verb) = (results.path(&file), results.command(&format!("measure {figure}")));
        bail!("figure {figure} is not drawn: {} has no row of a wanted cell; make them with: {verb}", path.display());
    }
    Ok(rows)
}

/// The templates figure.
fn by_templates(results: &Results) -> Result<Figure> {
    let rows: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
    let mut sizes = BTreeMap::new();
    for (name, source) in &results.config.templates {
        sizes.insert(name.clone(), source.read(&results.config.base)?.templates().len() as u64);
    }
    let figure = templates(&rows, &sizes)?;
    if figure.is_empty() {
        bail!(
            "figure templates is not drawn: no row of {} was run with two template sets",
            results.path("scores.csv").display()
        );
    }
    Ok(figure)
}

/// The ablation figure.
fn by_steps(results: &Results) -> Result<Figure> {
    let Steps { steps, incomplete } = Steps::read(results)?;
    if let Some(complaint) = incomplete {
        bail!("figure ablation is not drawn: {complaint}");
    }
    Ok(ablation(&steps, notes(&table_options(&results.config)).join(" "))?)
}

/// Figure 5, and what it lacks.
fn calls(results: &Results) -> Result<(Figure, Option<String>)> {
    let rows = results.lengths(&results.sentences()?)?;
    let missing = results.missing(by_sentence::FILE, "run", rows.iter().map(|row| &*row.cell));
    Ok((figure5(&rows), missing))
}

/// Figure 4, and what it lacks. Every setting must be timed, with whichever seeds.
fn times(results: &Results) -> Result<(Figure, Option<String>)> {
    let rows: Vec<SpeedRow> = results.measured("speed.csv", |row: &SpeedRow| (&row.cell, row.key))?;
    let timed: BTreeSet<Setting> = rows.iter().map(|row| row.cell.setting.clone()).collect();
    let wanted: BTreeSet<Setting> = results.wanted.iter().map(|key| key.setting.clone()).collect();
    let missing: Vec<String> = wanted.difference(&timed).map(ToString::to_string).collect();
    Ok((figure4(&rows), results.complaint("speed.csv", "measure time", &missing, wanted.len())))
}
