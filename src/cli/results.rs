//! The results of an experiment as its folder holds them, held against what its config asks for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::OutFlags;
use crate::cell::CellKey;
use crate::experiment::cell::cells;
use crate::experiment::config::{self, Config};
use crate::experiment::results::Folders;
use crate::records::csv::{self, Record};

/// An experiment and its folders.
pub struct Results {
    /// The config.
    pub config: Config,
    /// Cells of the config that are wanted.
    pub wanted: BTreeSet<CellKey>,
    /// Where its files are.
    pub folders: Folders,
    /// The rest of a command line that works on the experiment.
    arguments: String,
}

/// Missing cells that are listed before the rest is counted.
const LISTED: usize = 10;

impl Results {
    /// The results of a config, whose wanted cells are those that the filter lets through.
    pub fn open(path: &Path, out: &OutFlags, filter: impl Fn(&CellKey) -> bool) -> Result<Self> {
        let config = config::read(path)?;
        let wanted = cells(&config).iter().map(|cell| cell.key(&config)).filter(filter).collect();
        let folders = out.folders(&config);
        let mut arguments = path.display().to_string();
        if let Some(out) = &out.out {
            arguments.push_str(&format!(" --out {}", out.display()));
        }
        Ok(Self { config, wanted, folders, arguments })
    }

    /// A file of the results.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folders.result(file)
    }

    /// The wanted rows of a file; none if it is not there.
    pub fn read<R: Record>(&self, file: &str, cell: impl Fn(&R) -> &CellKey) -> Result<Vec<R>> {
        let mut rows = csv::read_if_there(&self.path(file))?;
        rows.retain(|row| self.wanted.contains(cell(row)));
        Ok(rows)
    }

    /// What is missing where a file has rows of these cells only; nothing if it has all that are wanted.
    pub fn missing<'a>(&self, file: &str, verb: &str, found: impl IntoIterator<Item = &'a CellKey>) -> Option<String> {
        let found: BTreeSet<&CellKey> = found.into_iter().collect();
        let missing: Vec<String> =
            self.wanted.iter().filter(|key| !found.contains(key)).map(ToString::to_string).collect();
        self.complaint(file, verb, &missing, self.wanted.len())
    }

    /// Says which of `all` cells or settings a file lacks, and what makes them.
    pub fn complaint(&self, file: &str, verb: &str, missing: &[String], all: usize) -> Option<String> {
        if missing.is_empty() {
            return None;
        }
        let path = self.path(file);
        let mut text = if path.exists() {
            format!("{}: {} of {all} are missing:\n", path.display(), missing.len())
        } else {
            format!("{} is not there; it would hold {all}:\n", path.display())
        };
        for name in missing.iter().take(LISTED) {
            text.push_str(&format!("  {name}\n"));
        }
        if missing.len() > LISTED {
            text.push_str(&format!("  and {} more\n", missing.len() - LISTED));
        }
        text.push_str(&format!("make them with: {}", self.command(verb)));
        Some(text)
    }

    /// The command line of a verb on the experiment.
    pub fn command(&self, verb: &str) -> String {
        format!("treebound {verb} {}", self.arguments)
    }

    /// The config's prose, to stand beneath a table.
    pub fn analysis(&self) -> String {
        let analysis = self.config.analysis.trim();
        if analysis.is_empty() { String::new() } else { format!("\n{analysis}\n") }
    }
}
