//! `treebound check`, `list`, `run`: experiments from configs.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::filter::FilterFlags;
use super::output::stdout;
use super::{OutFlags, with_threads};
use crate::experiment::cell::cells;
use crate::experiment::config::{self, Split};
use crate::experiment::progress::Progress;
use crate::experiment::run::{CellResult, Laboratory};
use crate::experiment::store::Store;

#[derive(Args)]
pub struct CheckArguments {
    /// The config
    config: PathBuf,
}

#[derive(Args)]
pub struct ListArguments {
    /// The config
    config: PathBuf,
    #[command(flatten)]
    filter: FilterFlags,
}

#[derive(Args)]
pub struct RunArguments {
    /// The config
    config: PathBuf,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn check(arguments: &CheckArguments) -> Result<ExitCode> {
    let config = config::read(&arguments.config)?;
    let store = Store::new(PathBuf::from("cache"));
    let laboratory = Laboratory::open(&config, &store)?;
    let mut out = stdout();
    for treebank in &laboratory.treebanks {
        writeln!(out, "corpus {}", treebank.corpus.name)?;
        for split in [Split::Train, Split::Dev, Split::Test] {
            let part = treebank.part(split);
            writeln!(
                out,
                "  {:<5} {:>6} sentences {:>8} words, {} non-projective, {} with several roots",
                split.name(),
                part.sentences.len(),
                part.tokens(),
                part.nonprojective(),
                part.several_roots()
            )?;
            for place in &part.wordless {
                writeln!(out, "        {place}: a tree without words was passed over")?;
            }
        }
    }
    writeln!(out, "{} cells; treebound list {} shows them", cells(&config).len(), arguments.config.display())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

pub fn list(arguments: &ListArguments) -> Result<ExitCode> {
    let config = config::read(&arguments.config)?;
    let wanted = arguments.filter.compile(&config)?;
    let mut writer = csv::Writer::from_writer(stdout());
    for cell in cells(&config).iter().filter(|c| wanted(c)) {
        writer.serialize(cell.key(&config))?;
    }
    writer.flush()?;
    Ok(ExitCode::SUCCESS)
}

pub fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let config = config::read(&arguments.config)?;
    let wanted = arguments.filter.compile(&config)?;
    let store = Store::new(arguments.out.folder("cache"));
    let results = with_threads(arguments.jobs, || {
        let laboratory = Laboratory::open(&config, &store)?;
        let progress = Progress::new(laboratory.steps(&wanted), arguments.quiet);
        let results = laboratory.run(&wanted, &progress);
        progress.finish();
        Ok(results)
    })?;
    let (_, cells) = results;
    let mut failed = false;
    for CellResult { cell, rows } in &cells {
        match rows {
            Ok(rows) => {
                let sum = |f: fn(&crate::report::record::SentenceRow) -> u64| rows.iter().map(f).sum::<u64>();
                println!(
                    "{} {:.2} {:.2} {}/{} {}",
                    cell.key(&config),
                    100.0 * sum(|r| r.correct) as f64 / sum(|r| r.tokens) as f64,
                    100.0 * sum(|r| r.scored_correct) as f64 / sum(|r| r.scored_tokens) as f64,
                    rows.iter().filter(|r| r.status == "optimal").count(),
                    rows.len(),
                    sum(|r| r.dp_calls) as f64 / rows.len() as f64,
                );
            }
            Err(e) => {
                eprintln!("treebound: {}: {e}", cell.key(&config));
                failed = true;
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
