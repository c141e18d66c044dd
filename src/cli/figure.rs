//! `treebound figure`: the figures of the paper and those of ours, from an experiment's results.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::filter::FilterFlags;
use super::flags::{BesideFlags, ConfigFlags, OutFlags};
use super::output::print;
use super::results::Opened;
use treebound_report::made::{FIGURES, FigureKind};

#[derive(Args)]
pub struct FigureArguments {
    #[command(flatten)]
    config: ConfigFlags,
    /// Which figure
    #[arg(value_parser = names())]
    figure: String,
    #[command(flatten)]
    out: OutFlags,
    // Without a filter a figure shows what the config says of it; else figures 4 and 5 show, as in the paper, the largest feature
    // sets on the test part (or dev, if test is not parsed), breakdown and calibration all that was measured on that part, and the
    // others all that was measured.
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    beside: BesideFlags,
}

/// The names of all figures.
fn names() -> PossibleValuesParser {
    FIGURES.iter().map(|kind| PossibleValue::new(kind.name).help(kind.caption)).collect::<Vec<_>>().into()
}

pub fn figure(arguments: &FigureArguments) -> Result<ExitCode> {
    let kind: Option<&FigureKind> = FIGURES.iter().find(|kind| kind.name == arguments.figure);
    let Some(kind) = kind else { bail!("{}: there is no such figure", arguments.figure) };
    let opened = Opened::new(&arguments.config, &arguments.out, &arguments.filter)?
        .with_template_counts()?
        .with_beside(&arguments.beside);
    if kind.name == "growth" {
        if arguments.filter.is_given() {
            bail!("--filter: the rows of growth.csv belong to no cell");
        }
    } else if opened.results.wanted.is_empty() {
        bail!(arguments.filter.no_match());
    }
    let suffix = arguments.filter.suffix() + &arguments.beside.suffix();
    let figure = kind.drawn(&opened.results)?.with_suffix(&suffix);
    figure.write(&opened.folders.figures)?;
    print(&format!("wrote {}.svg, .png and .csv\n", opened.folders.figures.join(figure.name()).display()))?;
    Ok(ExitCode::SUCCESS)
}
