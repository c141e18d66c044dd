//! `treebound table`: the tables of the paper and those of ours, from an experiment's results.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::filter::FilterFlags;
use super::flags::{BesideFlags, ConfigFlags, OutFlags, ShapeFlags};
use super::output::{print, say};
use super::results::Opened;
use super::table1::corpora;
use treebound_records::file;
use treebound_report::made::{Made, TABLES, differences};

#[derive(Args)]
pub struct TableArguments {
    #[command(flatten)]
    config: ConfigFlags,
    /// Which table
    #[arg(value_parser = names(), required_unless_present = "check")]
    table: Option<String>,
    /// Print and write nothing; exit with 1 if a table that stands in the results, of all that are made of results, is not what
    /// they say
    #[arg(long, conflicts_with_all = ["table", "grid", "filter", "markdown", "csv", "beside"])]
    check: bool,
    #[command(flatten)]
    beside: BesideFlags,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    shape: ShapeFlags,
}

/// The table that is made of treebanks, not of results.
const DATA: &str = "1";

/// The names of all tables.
fn names() -> PossibleValuesParser {
    let of_results = TABLES.iter().map(|kind| PossibleValue::new(kind.name).help(kind.help));
    std::iter::once(PossibleValue::new(DATA).help("The data")).chain(of_results).collect::<Vec<_>>().into()
}

pub fn table(arguments: &TableArguments) -> Result<ExitCode> {
    let opened = Opened::new(&arguments.config, &arguments.out, &arguments.filter)?.with_beside(&arguments.beside);
    let Some(name) = &arguments.table else { return check(&opened) };
    let results = &opened.results;
    let made = match TABLES.iter().find(|kind| kind.name == name) {
        None => Made::new(corpora(&opened.config)?, "table1.csv")?,
        Some(_) if results.wanted.is_empty() => bail!(arguments.filter.no_match()),
        Some(kind) => kind.made(results)?,
    };
    print(&(arguments.shape.all(&made.tables)? + &arguments.shape.prose(opened.analysis())))?;
    for message in made.incomplete.iter().chain(&made.hints) {
        say!("treebound: {message}");
    }
    let names = || made.files.iter().map(|(name, _)| results.path(name).display().to_string()).collect::<Vec<_>>();
    if !made.incomplete.is_empty() {
        say!("treebound: the table is not complete; {} not written", names().join(", "));
        return Ok(ExitCode::FAILURE);
    }
    // Tables of treebanks, and of the spread of calls, are whole whatever is shown of them.
    let is_whole = name == DATA || name == "calls";
    let suffix = if is_whole { String::new() } else { arguments.filter.suffix() };
    for (name, bytes) in &made.files {
        let path = results.path(&name.replace(".csv", &format!("{suffix}.csv")));
        file::write(&path, bytes)?;
        if !suffix.is_empty() {
            say!("treebound: a part of the table, in {}", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the tables that are there are what results say.
fn check(opened: &Opened) -> Result<ExitCode> {
    let differences = differences(&opened.results)?;
    for difference in &differences {
        say!("treebound: {difference}");
    }
    if differences.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    say!("treebound: make a table anew with: {} 2 (or 3, calls, ...)", opened.results.command("table"));
    Ok(ExitCode::FAILURE)
}
