//! The one filter of all verbs that look at cells: by grid, and by name.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use clap::Args;

use treebound_experiment::cell::{Cell, CellGrids, cells, usual_cells};
use treebound_experiment::config::{Config, Grid, Shown, nearest};
use treebound_experiment::provenance::shell_word;
use treebound_parser::cell::CellKey;

#[derive(Args, Default)]
pub struct FilterFlags {
    /// Only cells of this grid of the config; may be repeated [default: the grids that are not `default = false`;
    /// verbs that show results show all that are there]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    grid: Vec<String>,
    #[command(flatten)]
    name: NameFlags,
}

/// As on the command line, each after a blank.
impl std::fmt::Display for FilterFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.grid.iter().try_for_each(|grid| write!(f, " --grid {}", shell_word(grid)))?;
        self.name.filter.iter().try_for_each(|regex| write!(f, " -f {}", shell_word(regex)))
    }
}

/// The filter by name alone.
#[derive(Args, Default)]
pub struct NameFlags {
    /// Only cells whose name (corpus/split/tags/system/templates/learner/features/pruning/decoding/seed=N) matches this regular
    /// expression, of all grids if none is named
    #[arg(short, long, value_name = "REGEX")]
    filter: Option<String>,
}

impl NameFlags {
    /// Whether a filter was given.
    pub fn is_given(&self) -> bool {
        self.filter.is_some()
    }

    /// Tells which cells are wanted, by name.
    pub fn names(&self) -> Result<impl Fn(&str) -> bool + Sync + use<>> {
        let regex = match &self.filter {
            Some(text) => Some(regex_lite::Regex::new(text).with_context(|| format!("--filter {text}"))?),
            None => None,
        };
        Ok(move |name: &str| regex.as_ref().is_none_or(|r| r.is_match(name)))
    }

    /// Tells which cells are wanted, by key.
    pub fn compile(&self) -> Result<impl Fn(&CellKey) -> bool + use<>> {
        let named = self.names()?;
        Ok(move |key: &CellKey| named(&key.to_string()))
    }
}

impl FilterFlags {
    /// The filter of a table or figure of a config; without grids all of them.
    pub fn of_entry(entry: &Shown) -> Self {
        let everything = || String::from(".");
        let filter = entry.filter.clone().or_else(|| entry.grids.is_empty().then(everything));
        Self { grid: entry.grids.clone(), name: NameFlags { filter } }
    }

    /// Whether a filter was given.
    pub fn is_given(&self) -> bool {
        self.name.filter.is_some() || !self.grid.is_empty()
    }

    /// What files of the chosen cells have behind their names: a part never takes the place of the whole.
    pub fn suffix(&self) -> String {
        match self {
            _ if !self.is_given() => String::new(),
            Self { name: NameFlags { filter: Some(_) }, .. } => "-part".to_owned(),
            Self { grid, .. } => format!("-{}", grid.join("+")),
        }
    }

    /// The cells of a config that are wanted; there may be none.
    pub fn wanted(&self, config: &Config) -> Result<Vec<Cell>> {
        let named = self.name.compile()?;
        for name in &self.grid {
            if !config.grids.iter().any(|grid| grid.name == *name) {
                let names: Vec<&str> = config.grids.iter().map(|grid| grid.name.as_str()).collect();
                let meant =
                    nearest(name, names.iter().copied()).map_or_else(String::new, |n| format!("; did you mean {n}?"));
                bail!("--grid {name}: the config has no such grid; it has {}{meant}", names.join(", "));
            }
        }
        let in_grid = |grid: &&Grid| {
            if self.is_given() { self.grid.is_empty() || self.grid.contains(&grid.name) } else { grid.default }
        };
        let grids = CellGrids::new(config);
        let is_wanted = |cell: &Cell| grids.grids(cell).iter().any(in_grid) && named(&cell.key(config));
        Ok(cells(config).into_iter().filter(is_wanted).collect())
    }

    /// Tells which cells of a config are wanted; some are.
    pub fn compile(&self, config: &Config) -> Result<impl Fn(&Cell) -> bool + Sync + use<>> {
        let wanted = self.wanted(config)?;
        if wanted.is_empty() {
            bail!(self.no_match());
        }
        Ok(move |cell: &Cell| wanted.contains(cell))
    }

    /// Tells which cells are wanted; without a filter those of usual grids, and those that the config says some tables and figures
    /// show, such as `figure 4`.
    pub fn compile_shown(&self, config: &Config, shown: &[&str]) -> Result<impl Fn(&Cell) -> bool + Sync + use<>> {
        let mut wanted = self.wanted(config)?;
        if !self.is_given() {
            let entries = [("table", &config.tables), ("figure", &config.figures)];
            for (kind, entry) in entries.into_iter().flat_map(|(kind, all)| all.iter().map(move |entry| (kind, entry)))
            {
                if shown.contains(&format!("{kind} {}", entry.name).as_str()) {
                    wanted.extend(Self::of_entry(entry).wanted(config)?);
                }
            }
        }
        if wanted.is_empty() {
            bail!(self.no_match());
        }
        Ok(move |cell: &Cell| wanted.contains(cell))
    }

    /// As [`compile_shown`](Self::compile_shown); without a filter of each grid those of the last part, and everywhere those of the
    /// first seed.
    pub fn compile_usual(&self, config: &Config, shown: &[&str]) -> Result<impl Fn(&Cell) -> bool + Sync + use<>> {
        let wanted = self.compile_shown(config, shown)?;
        let usual = (!self.is_given()).then(|| {
            let (usual, run) = (usual_cells(config), self.wanted(config)?);
            // Of what is only shown, the first seed of each line.
            let mut lines = BTreeSet::new();
            let others = cells(config).into_iter().filter(|cell| wanted(cell) && !run.contains(cell));
            let first = others.filter(|cell| lines.insert(cell.key(config).setting));
            Ok::<Vec<Cell>, anyhow::Error>(usual.into_iter().chain(first).collect())
        });
        let usual = usual.transpose()?;
        Ok(move |cell: &Cell| wanted(cell) && usual.as_ref().is_none_or(|usual| usual.contains(cell)))
    }

    /// The keys of the wanted cells, and of those that are looked at where they are there: all of the config, if none
    /// are asked for.
    pub fn keys(&self, config: &Config) -> Result<[BTreeSet<CellKey>; 2]> {
        let keys = |cells: Vec<Cell>| cells.iter().map(|cell| cell.key(config)).collect::<BTreeSet<_>>();
        let wanted = keys(self.wanted(config)?);
        let known = if self.is_given() { wanted.clone() } else { keys(cells(config)) };
        Ok([wanted, known])
    }

    /// Says that no cell matches.
    pub fn no_match(&self) -> String {
        match &self.name.filter {
            Some(filter) => {
                format!("--filter {filter}: no cell of the config matches; treebound check CONFIG --cells shows all")
            }
            None => "no grid of the config is run unless it is named: choose one with --grid".to_owned(),
        }
    }
}
