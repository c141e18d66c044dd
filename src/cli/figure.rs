//! `treebound figure`: the figures of the paper, from an experiment's results.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::OutFlags;
use super::filter::FilterFlags;
use super::output::print;
use super::results::Results;
use crate::report::figure::Figure;
use crate::report::figure::choice::main_settings;
use crate::report::figure::figure4::figure4;
use crate::report::figure::figure5::figure5;
use crate::report::record::{CellKey, LengthRow, Setting, SpeedRow};

#[derive(Args)]
pub struct FigureArguments {
    /// The config
    config: PathBuf,
    /// 4: parse time against sentence length; 5: calls to the dynamic program against sentence length
    #[arg(value_parser = clap::value_parser!(u8).range(4..=5))]
    figure: u8,
    #[command(flatten)]
    out: OutFlags,
    // Without a filter: as in the paper, the largest feature sets on the test part (or dev, if test is not parsed).
    #[command(flatten)]
    filter: FilterFlags,
}

pub fn figure(arguments: &FigureArguments) -> Result<ExitCode> {
    let mut results = Results::open(&arguments.config, &arguments.out, arguments.filter.keys()?)?;
    if results.wanted.is_empty() {
        bail!("--filter: no cell of the config matches; treebound list {} shows them", arguments.config.display());
    }
    if !arguments.filter.is_given() {
        let settings = main_settings(results.wanted.iter().map(CellKey::setting));
        results.wanted.retain(|key| settings.contains(&key.setting()));
    }
    let (figure, complaint) = if arguments.figure == 4 { times(&results)? } else { calls(&results)? };
    if let Some(complaint) = complaint {
        bail!("figure {} is not drawn: {complaint}", arguments.figure);
    }
    figure.write(&results.folders.figures)?;
    let name = results.folders.figures.join(figure.quantity.name());
    print(&format!("wrote {}.svg, .png and .csv\n", name.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Figure 5, and what it lacks.
fn calls(results: &Results) -> Result<(Figure, Option<String>)> {
    let rows: Vec<LengthRow> = results.read("by_length.csv", |row: &LengthRow| &row.cell)?;
    let missing = results.missing("by_length.csv", "run", rows.iter().map(|row| &*row.cell));
    Ok((figure5(&rows), missing))
}

/// Figure 4, and what it lacks. Every setting must be timed, with whichever seeds.
fn times(results: &Results) -> Result<(Figure, Option<String>)> {
    let rows: Vec<SpeedRow> = results.read("speed.csv", |row: &SpeedRow| &row.cell)?;
    let timed: BTreeSet<Setting> = rows.iter().map(|row| row.cell.setting()).collect();
    let wanted: BTreeSet<Setting> = results.wanted.iter().map(CellKey::setting).collect();
    let missing: Vec<String> = wanted.difference(&timed).map(ToString::to_string).collect();
    Ok((figure4(&rows), results.complaint("speed.csv", "time", &missing, wanted.len())))
}
