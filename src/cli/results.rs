//! The results of a config: its folder, and which of its cells are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::filter::FilterFlags;
use super::flags::{BesideFlags, ConfigFlags, OutFlags};
use treebound_experiment::cell::cells;
use treebound_experiment::config::{Config, Shown};
use treebound_experiment::folders::Folders;
use treebound_experiment::rows::csv::{self, Record};
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::ReportError;
use treebound_records::schema::Schema;
use treebound_report::frame::Frame;
use treebound_report::results::{Chosen, Commands, Facts, Results};
use treebound_report::sentences::check_folder;

/// A config with its results.
pub struct Opened {
    /// The config.
    pub config: Config,
    /// The file that it was read from.
    pub source: PathBuf,
    /// Where its files are.
    pub folders: Folders,
    /// Its results.
    pub results: Results,
}

impl Opened {
    /// The results of a config, of which the cells that the filter lets through are wanted. Sentences must add up to scores.
    pub fn new(flags: &ConfigFlags, out: &OutFlags, filter: &FilterFlags) -> Result<Self> {
        let config = flags.read()?;
        let [wanted, known] = filter.keys(&config)?;
        let folders = out.folders(&config);
        let arguments = format!("{flags}{out}{filter}");
        check_folder(&folders.results)?;
        let options = table_options(&config);
        let usual = config.main().and_then(|grid| grid.graph.templates.first());
        let facts = Facts { options, usual_templates: usual.map(ToString::to_string), ..Facts::default() };
        let results = Results {
            folder: folders.results.clone(),
            figures: folders.figures.clone(),
            facts,
            wanted: frame(&wanted)?,
            known: known.iter().map(ToString::to_string).collect(),
            all: cells(&config).iter().map(|cell| cell.key(&config).to_string()).collect(),
            is_filtered: filter.is_given(),
            chosen: chosen(&config)?,
            commands: Commands { arguments, elsewhere: elsewhere(&config, &flags.config) },
        };
        Ok(Self { config, source: flags.config.clone(), folders, results })
    }

    /// With the number of templates of each set, which one figure needs.
    pub fn with_template_counts(mut self) -> Result<Self> {
        let mut counts = BTreeMap::new();
        for (name, source) in &self.config.templates {
            counts.insert(name.to_string(), source.read(&self.config.base)?.templates().len() as u64);
        }
        self.results.facts.template_counts = counts;
        Ok(self)
    }

    /// With the values of some axes side by side.
    pub fn with_beside(mut self, beside: &BesideFlags) -> Self {
        self.results.facts.options.beside.clone_from(&beside.beside);
        self
    }

    /// The config's prose, to stand beneath a table.
    pub fn analysis(&self) -> String {
        let analysis = self.config.analysis.trim();
        if analysis.is_empty() { String::new() } else { format!("\n{analysis}\n") }
    }
}

/// Rows as a frame: as their file would be read.
pub fn rows_frame<R: Record>(rows: &[R], schema: &Schema) -> Result<Frame, ReportError> {
    Frame::parse(&csv::text(rows)?, Path::new("rows"), schema)
}

/// What the tables and figures of a config show.
fn chosen(config: &Config) -> Result<BTreeMap<String, Chosen>> {
    let entries = [("table", &config.tables), ("figure", &config.figures)];
    let entries = entries.into_iter().flat_map(|(kind, entries)| entries.iter().map(move |entry| (kind, entry)));
    let chosen = |(kind, entry): (&str, &Shown)| {
        let filter = FilterFlags::of_entry(entry);
        let [cells, _] = filter.keys(config)?;
        Ok((format!("{kind} {}", entry.name), Chosen { cells: frame(&cells)?, flags: filter.to_string() }))
    };
    entries.map(chosen).collect()
}

/// Cells as a frame.
pub fn frame(keys: &BTreeSet<CellKey>) -> Result<Frame> {
    let axes = Setting::columns(keys.iter().map(|key| &key.setting));
    let spelt = |key: &CellKey| axes.iter().map(|axis| key.setting.spelt_in(axis)).collect::<Vec<String>>();
    let cells: Vec<(Vec<String>, u64)> = keys.iter().map(|key| (spelt(key), key.seed)).collect();
    Ok(Frame::cells(&axes, &cells)?)
}

/// The folder above the config's own, with that of its results there: results are looked for below the working folder.
fn elsewhere(config: &Config, source: &Path) -> Option<[PathBuf; 2]> {
    let source = std::fs::canonicalize(source).ok()?;
    let root = source.parent()?.parent()?;
    Some([root.to_owned(), Folders::new(config, Some(root)).results])
}
