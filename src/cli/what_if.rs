//! `treebound try`: what if a config were another? Run in a folder of its own, and held against the results of the config.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::diff::{between_folders, shown};
use super::flags::{ConfigFlags, WorkArguments};
use super::output::{print_coloured, say};
use super::run::run_into;
use treebound_experiment::config::{self, Config, settings};
use treebound_experiment::engine::local::Local;
use treebound_experiment::folders::Folders;
use treebound_experiment::provenance::shell_word;
use treebound_experiment::results::{CellStates, RESOLVED};
use treebound_experiment::rows::{ScoreRow, csv};
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::store::{Store, sha256};
use treebound_files::input;
use treebound_parser::cell::CellKey;
use treebound_records::number::counted;

/// The folder of all tries, which git ignores.
const TRIES: &str = "tries";

/// Most characters of the name of a try that are of what is set.
const LONGEST_NAME: usize = 60;

pub fn what_if(arguments: &WorkArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let usual = arguments.place.folders(&config);
    let out = arguments.place.out.out.as_deref().unwrap_or(Path::new(""));
    let out = out.join(TRIES).join(name(&config, &arguments.config.set));
    let folders = Folders { cache: usual.cache.clone(), ..Folders::new(&config, Some(&out)) };
    let code = run_into(arguments, &config, &folders, &Local)?;
    if usual.result("scores.csv").is_file() {
        compare(arguments, &config, &usual, &folders)?;
    } else {
        let (results, config) = (usual.results.display(), shell_word(&arguments.config.config.to_string_lossy()));
        say!("treebound: {results} has nothing to compare with; it is made with: treebound run {config}");
    }
    let (flags, filter) = (&arguments.config, &arguments.filter);
    say!("the whole table: treebound table {flags} --out {}{filter} 2", shell_word(&out.to_string_lossy()));
    Ok(code)
}

/// Prints the cells of a try against those of the config's results.
fn compare(arguments: &WorkArguments, config: &Config, usual: &Folders, tried: &Folders) -> Result<()> {
    let cells = |config: &Config| -> Result<BTreeSet<CellKey>> {
        Ok(arguments.filter.wanted(config)?.iter().map(|cell| cell.key(config)).collect())
    };
    let now = cells(config)?;
    // A cell that has another value on an axis now had another name before. A grid that is new had no cells.
    let mut before = now.clone();
    if let Some(base) = base(&arguments.config, usual) {
        before.extend(cells(&base).unwrap_or_default());
        let store = Store::new(usual.cache.clone());
        let rows: Vec<ScoreRow> = csv::read_if_there(&usual.result("scores.csv"))?;
        let context = ExperimentContext::open_for(&base, &store, |_, _| false)?;
        let stale = CellStates::of(&context, &rows).stale.intersection(&before).count();
        if stale > 0 {
            let (stale, results) = (counted(stale as u64, "cell", "cells"), usual.results.display());
            say!("treebound: {stale} of {results} are stale: what differs below may be due to the program or its data");
        }
    }
    let names = |cells: &BTreeSet<CellKey>| cells.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
    let (before, now) = (names(&before), names(&now));
    let old = (&*usual.results, |cell: &str| before.contains(cell));
    let new = (&*tried.results, |cell: &str| now.contains(cell));
    print_coloured(&shown(&between_folders(old, new)?.with_replacements_once().table(false)?))?;
    Ok(())
}

/// The folder of a try: the config's name, what is set, and a checksum of all settings, since the file itself may be another
/// tomorrow.
fn name(config: &Config, set: &[String]) -> String {
    let mut set = set.to_vec();
    set.sort();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "=._-".contains(c) { c } else { '_' };
    let set: String = set.join("_").chars().map(plain).take(LONGEST_NAME).collect();
    let parts = [config.name.as_str(), &set, &sha256(settings(config).as_bytes())[..8]];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The config that is compared with: that of the results, if it can be read, else the file without what is set.
fn base(flags: &ConfigFlags, usual: &Folders) -> Option<Config> {
    let resolved = input::read_settings(&usual.result(RESOLVED)).ok();
    let of_results = resolved.and_then(|text| config::parse(&text, &flags.config).ok());
    of_results.or_else(|| config::read(&flags.config).ok())
}
