//! Cells: the units of an experiment, as its grids have them, and the training runs that make their models.
//!
//! Grids may overlap: a training run or a cell that several have is one. A run's choice of epoch looks at the limits of
//! the first grid that has it.

use std::collections::{BTreeSet, HashMap};

use super::config::{Config, Grid};
use crate::rows::ModelName;
use treebound_core::decode::bnb::Limits;
use treebound_parser::cell::{AxisValues, CellKey, Setting, Split, SystemName, Tags};
use treebound_parser::model::TreeKind;
use treebound_parser::pruning::Rule;
use treebound_parser::systems::graph::Schedule;

/// A training run: all cells that share a model.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingRun {
    /// Index of the corpus in the config.
    pub corpus: usize,
    /// Whose tags.
    pub tags: Tags,
    /// The parser.
    pub system: SystemName,
    /// The values of its axes that decide the model.
    pub axes: AxisValues,
    /// Limits of the searches by which an epoch is chosen on the development part; none where there is no search.
    pub limits: Limits,
    /// The seed; 0 for what draws nothing.
    pub seed: u64,
}

/// A training run but for its limits.
type RunName = (usize, Tags, u64, SystemName, AxisValues);

/// A cell but for its limits.
type CellName = (RunName, Split, AxisValues);

impl TrainingRun {
    /// How its learner learns; none of a system whose learners no config describes.
    pub fn schedule<'c>(&self, config: &'c Config) -> Option<&'c Schedule> {
        config.kind(&self.system).filter(|kind| kind.has_schedules())?;
        config.learners.get(self.axes.learner()?)
    }

    /// The pruning while training; none for a system without one.
    pub fn pruning(&self, config: &Config) -> Option<Rule> {
        self.schedule(config).map(|schedule| schedule.pruning)
    }

    /// The trees that are learnt from: projective ones with one word on the root for a system that has no schedule.
    pub fn tree_kind(&self, config: &Config) -> TreeKind {
        self.schedule(config).map_or_else(TreeKind::default, Schedule::tree_kind)
    }

    /// The model that each seed of it gives.
    pub fn model_name(&self, config: &Config) -> ModelName {
        let Self { corpus, tags, system, axes, limits: _, seed: _ } = self.clone();
        ModelName { corpus: config.corpora[corpus].name.clone(), tags, system, axes }
    }

    fn name(&self) -> RunName {
        let Self { corpus, tags, system, axes, limits: _, seed } = self.clone();
        (corpus, tags, seed, system, axes)
    }
}

impl std::fmt::Display for TrainingRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.system)?;
        self.axes.iter().try_for_each(|(_, value)| write!(f, " {value}"))?;
        write!(f, ", seed {}", self.seed)
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What made its model.
    pub run: TrainingRun,
    /// The part of the treebank.
    pub split: Split,
    /// The values of all axes, as results have them.
    pub axes: AxisValues,
    /// Limits of the search; none where there is none to stop.
    pub limits: Limits,
}

impl Cell {
    /// The cell's name.
    pub fn key(&self, config: &Config) -> CellKey {
        let TrainingRun { corpus, tags, system, seed, .. } = &self.run;
        let setting = Setting {
            corpus: config.corpora[*corpus].name.clone(),
            split: self.split,
            tags: *tags,
            system: system.clone(),
            axes: self.axes.clone(),
        };
        CellKey { setting, seed: *seed }
    }

    fn name(&self) -> CellName {
        (self.run.name(), self.split, self.axes.clone())
    }
}

/// The training runs of a grid with their cells: for each corpus, tags, system and seed all combinations of values.
fn runs_of(config: &Config, grid: &Grid) -> Vec<(TrainingRun, Vec<Cell>)> {
    // What parses together, shared by all corpora, tags, seeds and parts.
    let of_systems: Vec<_> = grid.systems.iter().map(|system| (system, combined(config, grid, system))).collect();
    let mut runs = Vec::new();
    for corpus in grid.corpora.iter().filter_map(|name| config.corpus_index(name)) {
        for &tags in &grid.tags {
            for (system, combinations) in &of_systems {
                let seeds = if config.has_seed(system) { &grid.seeds[..] } else { &[0] };
                for (&seed, combined) in seeds.iter().flat_map(|seed| combinations.iter().map(move |one| (seed, one))) {
                    let Combined { model, limits, cells } = combined;
                    let (system, axes) = ((*system).clone(), model.clone());
                    let run = TrainingRun { corpus, tags, system, axes, limits: *limits, seed };
                    let cell = |split, axes: &AxisValues| Cell {
                        run: run.clone(),
                        split,
                        axes: axes.clone(),
                        limits: *limits,
                    };
                    let cells = grid.splits.iter().flat_map(|&split| cells.iter().map(move |axes| (split, axes)));
                    let cells = cells.map(|(split, axes)| cell(split, axes)).collect();
                    runs.push((run, cells));
                }
            }
        }
    }
    runs
}

/// Values of a model, the limits of its searches, and all values of each of its cells.
struct Combined {
    model: AxisValues,
    limits: Limits,
    cells: Vec<AxisValues>,
}

fn combined(config: &Config, grid: &Grid, system: &SystemName) -> Vec<Combined> {
    let is_within = |axis: &str| config.axes(system).iter().any(|kind| kind.name == axis && kind.within.is_some());
    let combinations = config.combinations(system, grid).into_iter();
    combinations
        .map(|one| {
            let shown = one.model.only(|axis| !is_within(axis));
            let limits = if one.is_searched { grid.limits } else { Limits::default() };
            Combined { limits, cells: one.parses.iter().map(|parse| shown.and(parse)).collect(), model: one.model }
        })
        .collect()
}

/// All training runs of an experiment, each with its cells in the order of the grids: runs that share a corpus, tags, seed and
/// pruning while training stand together.
pub fn runs_with_cells(config: &Config) -> Vec<(TrainingRun, Vec<Cell>)> {
    let mut runs: Vec<(TrainingRun, Vec<Cell>)> = Vec::new();
    let mut places: HashMap<RunName, usize> = HashMap::new();
    for (run, cells) in config.grids.iter().flat_map(|grid| runs_of(config, grid)) {
        let next = runs.len();
        let place = *places.entry(run.name()).or_insert(next);
        if place == next {
            runs.push((run, cells));
            continue;
        }
        let (run, known) = &mut runs[place];
        // The run is that of the first grid, with its limits.
        let cells = cells.into_iter().map(|cell| Cell { run: run.clone(), ..cell });
        let new: Vec<Cell> = cells.filter(|cell| !known.contains(cell)).collect();
        known.extend(new);
    }
    runs.sort_by_key(|(run, _)| (run.corpus, run.tags, run.seed, run.pruning(config)));
    runs
}

/// All training runs of an experiment, in the order of [`runs_with_cells`].
pub fn training_runs(config: &Config) -> Vec<TrainingRun> {
    runs_with_cells(config).into_iter().map(|(run, _)| run).collect()
}

/// The cells of a training run, in the order of the grids; none of one that no grid has.
pub fn cells_of(config: &Config, run: &TrainingRun) -> Vec<Cell> {
    let name = run.name();
    let found = runs_with_cells(config).into_iter().find(|(known, _)| known.name() == name);
    found.map(|(_, cells)| cells).unwrap_or_default()
}

/// All cells of an experiment, sorted by name.
pub fn cells(config: &Config) -> Vec<Cell> {
    let mut all: Vec<Cell> = runs_with_cells(config).into_iter().flat_map(|(_, cells)| cells).collect();
    all.sort_by_cached_key(|cell| cell.key(config));
    all
}

/// Which grids have which cell.
#[derive(Debug)]
pub struct CellGrids<'c> {
    config: &'c Config,
    places: HashMap<CellName, Vec<usize>>,
}

impl<'c> CellGrids<'c> {
    /// Those of an experiment.
    pub fn new(config: &'c Config) -> Self {
        let mut places: HashMap<CellName, Vec<usize>> = HashMap::new();
        for (place, grid) in config.grids.iter().enumerate() {
            for cell in runs_of(config, grid).iter().flat_map(|(_, cells)| cells) {
                places.entry(cell.name()).or_default().push(place);
            }
        }
        Self { config, places }
    }

    /// The grids that have a cell, in the order of the config.
    pub fn grids(&self, cell: &Cell) -> Vec<&'c Grid> {
        let places = self.places.get(&cell.name()).map(Vec::as_slice).unwrap_or_default();
        places.iter().map(|place| &self.config.grids[*place]).collect()
    }
}

/// The cells that are measured where none are asked for: of each grid those of the last part and the first
/// seed. Speed and search hardly depend on the seed, and one part is enough.
pub fn usual_cells(config: &Config) -> Vec<Cell> {
    let of_grid = |grid: &Grid| {
        let mut grid = grid.clone();
        grid.splits = grid.splits.last().copied().into_iter().collect();
        grid.seeds.truncate(1);
        runs_of(config, &grid).into_iter().flat_map(|(_, cells)| cells).collect::<Vec<_>>()
    };
    let usual: BTreeSet<CellKey> = config.grids.iter().flat_map(of_grid).map(|cell| cell.key(config)).collect();
    // Their runs are those of the whole experiment.
    cells(config).into_iter().filter(|cell| usual.contains(&cell.key(config))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::parse;
    use treebound_core::decode::{Backbone, Decoder};

    const CORPUS: &str = "[[corpus]]\nname = 'made'\nformat = 'synthetic'\n";

    fn config(text: &str) -> Config {
        parse(&format!("{text}\n{CORPUS}"), Path::new("made.toml")).expect("a config")
    }

    fn names(config: &Config) -> Vec<String> {
        cells(config).iter().map(|cell| cell.key(config).to_string()).collect()
    }

    /// The sets and prunings of the cells over the third-order program.
    fn third_order(sets: &str, more: &str) -> Vec<String> {
        let grid = |name: &str, keys: &str| format!("[[grid]]\nname = '{name}'\nbackbones = 'grand-sibling'\n{keys}\n");
        let usual = grid("usual", sets) + &grid("more", &format!("{more}\npruning = 'k=3'\nbaseline = false"));
        let config = config(&format!("{usual}[[grid]]\nname = 'second'\nsets = 'baseline'\n"));
        let cells = cells(&config).into_iter().map(|cell| cell.key(&config));
        let named = |Setting { axes, .. }: Setting| format!("{} {}", axes.spelt("features"), axes.spelt("pruning"));
        let settings = cells.map(|key| key.setting);
        settings.filter(|setting| setting.backbone() == Some(Backbone::GrandSibling)).map(named).collect()
    }

    #[test]
    fn more_prunings_are_a_grid_of_their_own() {
        let sets = "sets = 'sibling'\nbaseline = false";
        assert_eq!(third_order(sets, "sets = 'sibling'"), ["sibling k=10", "sibling k=3"]);
        assert_eq!(third_order(sets, "sets = 'baseline'"), ["baseline k=3", "sibling k=10"]);
    }

    /// Grandchildren are in all of its sets, so they are not named.
    #[test]
    fn more_prunings_are_for_a_set_by_either_of_its_names() {
        let expected = ["baseline k=10", "sibling k=10", "sibling k=3"];
        assert_eq!(third_order("sets = 'grandchild+sibling'", "sets = 'grandchild+sibling'"), expected);
        assert_eq!(third_order("sets = 'grandchild+sibling'", "sets = 'sibling'"), expected);
        assert_eq!(
            third_order("sets = ['grandchild', 'sibling']", "sets = 'grandchild'"),
            ["baseline k=10", "baseline k=3", "sibling k=10"]
        );
    }

    #[test]
    fn a_cell_of_two_grids_is_one_and_belongs_to_both() {
        let config = config(
            "[[grid]]\nname = 'a'\nsets = 'sibling'\nseeds = [1, 2]\n[[grid]]\nname = 'b'\nsets = ['sibling', 'comb']\n\
             default = false\n",
        );
        assert_eq!(
            names(&config),
            [
                "made/test/gold/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=1",
                "made/test/gold/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=2",
                "made/test/gold/graph/compact/perceptron/comb/k=10/carreras/bnb/seed=1",
                "made/test/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb/seed=1",
                "made/test/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb/seed=2",
            ]
        );
        let of_cells = CellGrids::new(&config);
        let grids = |cell: &Cell| of_cells.grids(cell).iter().map(|grid| grid.name.as_str()).collect::<Vec<_>>();
        let all: Vec<_> = cells(&config).iter().map(grids).collect();
        assert_eq!(all, [vec!["a", "b"], vec!["a"], vec!["b"], vec!["a", "b"], vec!["a"]]);
    }

    #[test]
    fn a_run_has_the_limits_of_the_first_grid_and_a_cell_its_own() {
        let config = config(
            "[[grid]]\nname = 'a'\nsets = 'sibling'\n[[grid]]\nname = 'b'\nsets = 'sibling'\npruning = 'none'\n\
             dp_calls = 5\n",
        );
        let calls = |cell: &Cell| (cell.axes.pruning(), cell.run.limits.dp_calls, cell.limits.dp_calls);
        let searched = cells(&config).into_iter().filter(|cell| cell.axes.decoder() == Some(Decoder::Bnb));
        let searched: Vec<_> = searched.map(|cell| calls(&cell)).collect();
        let first = Some(20_000);
        assert_eq!(searched, [(Some(Rule::None), first, Some(5)), (Some(Rule::Best(10)), first, first)]);
    }

    #[test]
    fn systems_have_the_axes_that_are_theirs() {
        let config = config(
            "[[external]]\nname = 'old'\nparse = ['parse', '{input}']\nversion = 'version'\n[[external]]\nname = 'new'\ntrain = ['train', '{model}']\n\
             parse = ['parse', '{model}', '{input}']\nversion = 'version'\n\
             [[grid]]\nname = 'a'\nsystems = ['chain-before', 'old', 'new']\nseeds = [1, 2]\nsplits = ['dev', 'test']\n",
        );
        let expected = |system: &str, seed: u64| {
            ["dev", "test"].map(|split| format!("made/{split}/gold/{system}/-/-/-/-/-/seed={seed}"))
        };
        let mut all =
            [expected("chain-before", 0), expected("new", 1), expected("new", 2), expected("old", 0)].concat();
        let mut found = names(&config);
        all.sort();
        found.sort();
        assert_eq!(found, all);
    }

    #[test]
    fn the_usual_cells_are_of_the_last_part_and_the_first_seed_of_each_grid() {
        let config = config(
            "seeds = [2, 1]\n[evaluation]\nsplits = ['dev', 'test']\n[[grid]]\nname = 'a'\nsets = 'sibling'\n\
             [[grid]]\nname = 'b'\nsets = 'comb'\nbaseline = false\nsplits = 'dev'\nseeds = 3\n",
        );
        let usual: Vec<String> = usual_cells(&config).iter().map(|cell| cell.key(&config).to_string()).collect();
        assert_eq!(
            usual,
            [
                "made/dev/gold/graph/compact/perceptron/comb/k=10/carreras/bnb/seed=3",
                "made/test/gold/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=2",
                "made/test/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb/seed=2",
            ]
        );
    }
}
