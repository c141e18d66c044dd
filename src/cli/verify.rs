//! `treebound verify`: results held against what they are made of.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::filter::NameFlags;
use super::flags::{JobsFlags, Limit, results_of};
use super::output::{print, say};
use treebound_core::decode::bnb::Limits;
use treebound_experiment::provenance::Log;
use treebound_experiment::verify::Verification;
use treebound_experiment::verify::answers::Sample;
use treebound_experiment::verify::records::Records;
use treebound_parser::cell::CellKey;
use treebound_records::number::counted;
use treebound_report::verify::tables;

/// Faults of a check that are listed before the rest is counted.
const LISTED: usize = 20;

#[derive(Args)]
pub struct VerifyArguments {
    /// A results folder, or the config of one
    results: PathBuf,
    /// The config that the results are of [default: the one that provenance.toml names]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Set a value of the config, as the run did; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The finished work [default: TREEBOUND_CACHE, or cache beside the folder that RESULTS is in, or in the working folder]
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
    let wanted = arguments.filter.compile()?;
    let wanted: &(dyn Fn(&CellKey) -> bool + Sync) = &wanted;
    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: None, bytes: None };
    let sample = Sample { sentences: arguments.sample, seed: arguments.seed, limits };
    let folder = results_of(arguments.results.clone());
    let own = Some(&arguments.results).filter(|path| **path != folder);
    let verification = Verification {
        folder: &folder,
        config: arguments.config.as_ref().or(own).map(PathBuf::as_path),
        set: &arguments.set,
        cache: arguments.cache.as_deref(),
        sample: Some(sample).filter(|_| !arguments.records),
        begin: &|cell| {
            if !arguments.quiet {
                say!("looking at {cell}");
            }
        },
    };
    let mut records = Records::read(&folder, Some(wanted).filter(|_| arguments.filter.is_given()))?;
    let log = Log::read(&folder.join("provenance.toml"))?;
    let checks = arguments.jobs.install(|| {
        let [mut checks, answers] = verification.checks(&log, &records.scores, &mut records.sentences)?;
        checks.extend(records.checks()?);
        let lines: BTreeSet<String> = records.scores.iter().map(|row| row.cell.setting.to_string()).collect();
        checks.extend(tables(&folder, |line| !arguments.filter.is_given() || lines.contains(line))?);
        checks.extend(answers);
        Ok(checks)
    })?;
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
    say!("treebound: {}: {}", folder.display(), counted(wrong as u64, "disagreement", "disagreements"));
    Ok(ExitCode::FAILURE)
}
