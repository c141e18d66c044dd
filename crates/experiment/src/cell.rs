//! Cells: the units of an experiment, as its grids have them, and the training runs that make their models.
//!
//! Grids may overlap: a training run or a cell that several have is one. A run's choice of epoch looks at the limits of
//! the first grid that has it.

use std::collections::BTreeMap;

use super::config::{Config, Grid};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{CellKey, Decoding, FeatureSet, Learner, Setting, Split, SystemName, Tags, TemplatesName};
use treebound_parser::model::Roots;
use treebound_parser::pruning::Rule;
use treebound_parser::systems::Axes;
use treebound_records::ModelName;

/// A training run: all cells that share a model. Axes that a system does not have are none.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingRun {
    /// Index of the corpus in the config.
    pub corpus: usize,
    /// Whose tags.
    pub tags: Tags,
    /// The parser.
    pub system: SystemName,
    /// Its templates.
    pub templates: Option<TemplatesName>,
    /// How the weights are learnt.
    pub learner: Option<Learner>,
    /// The feature set.
    pub set: Option<FeatureSet>,
    /// The dynamic program.
    pub backbone: Option<Backbone>,
    /// Limits of the searches by which an epoch is chosen on the development part; none of the baseline.
    pub limits: Limits,
    /// The seed; 0 for what is not learnt.
    pub seed: u64,
}

/// A training run but for its limits.
type RunName<'r> = (
    usize,
    Tags,
    u64,
    &'r SystemName,
    Option<&'r TemplatesName>,
    Option<&'r Learner>,
    Option<Backbone>,
    Option<&'r FeatureSet>,
);

impl TrainingRun {
    /// Whether it is a training run of the factor graph and its searches.
    pub fn is_graph(&self) -> bool {
        self.system.as_str() == SystemName::GRAPH
    }

    /// The pruning while training; none for a system without one.
    pub fn pruning(&self, config: &Config) -> Option<Rule> {
        self.learner.as_ref().and_then(|learner| config.learners.get(learner)).map(|schedule| schedule.pruning)
    }

    /// How many words may hang on the root; one for a system that has no learner.
    pub fn roots(&self, config: &Config) -> Roots {
        let schedule = self.learner.as_ref().and_then(|learner| config.learners.get(learner));
        schedule.map_or(Roots::One, |schedule| schedule.roots)
    }

    /// The model that each seed of it gives.
    pub fn model_name(&self, config: &Config) -> ModelName {
        let Self { corpus, tags, system, templates, learner, set, backbone, limits: _, seed: _ } = self.clone();
        let corpus = config.corpora[corpus].name.clone();
        ModelName { corpus, tags, system, templates, learner, features: set, backbone }
    }

    fn name(&self) -> RunName<'_> {
        let Self { corpus, tags, system, templates, learner, set, backbone, limits: _, seed } = self;
        (*corpus, *tags, *seed, system, templates.as_ref(), learner.as_ref(), *backbone, set.as_ref())
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What made its model.
    pub run: TrainingRun,
    /// The part of the treebank.
    pub split: Split,
    /// The pruning when parsing.
    pub pruning: Option<Rule>,
    /// The decoder.
    pub decoder: Option<Decoder>,
    /// Limits of the search; none where there is none to stop.
    pub limits: Limits,
}

impl std::fmt::Display for TrainingRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.system)?;
        let axes = [
            self.templates.as_ref().map(ToString::to_string),
            self.learner.as_ref().map(ToString::to_string),
            self.set.as_ref().map(ToString::to_string),
            self.backbone.map(|backbone| backbone.to_string()),
        ];
        axes.iter().flatten().try_for_each(|axis| write!(f, " {axis}"))?;
        write!(f, ", seed {}", self.seed)
    }
}

impl Cell {
    /// The cell's name.
    pub fn key(&self, config: &Config) -> CellKey {
        let TrainingRun { corpus, tags, system, templates, learner, set, backbone, limits: _, seed } = &self.run;
        let decoding = backbone.zip(self.decoder).map(|(backbone, decoder)| Decoding { backbone, decoder });
        let setting = Setting {
            corpus: config.corpora[*corpus].name.clone(),
            split: self.split,
            tags: *tags,
            system: system.clone(),
            templates: templates.clone(),
            learner: learner.clone(),
            features: set.clone(),
            pruning: self.pruning,
            decoding,
        };
        setting.with_seed(*seed)
    }
}

/// The training runs of a grid: for each corpus, tags, system, seed, templates, learner and backbone the baseline, then
/// the sets.
fn runs_of(config: &Config, grid: &Grid) -> Vec<TrainingRun> {
    let mut runs = Vec::new();
    for corpus in grid.corpora.iter().filter_map(|name| config.corpus_index(name)) {
        for &tags in &grid.tags {
            for system in &grid.systems {
                let run = |seed| TrainingRun {
                    corpus,
                    tags,
                    system: system.clone(),
                    templates: None,
                    learner: None,
                    set: None,
                    backbone: None,
                    limits: Limits::default(),
                    seed,
                };
                if config.axes(system) == Axes::All {
                    runs.extend(grid.seeds.iter().flat_map(|&seed| graph_runs(grid, &run(seed))));
                } else if config.axes(system) == Axes::Seed {
                    runs.extend(grid.seeds.iter().map(|&seed| run(seed)));
                } else {
                    runs.push(run(0));
                }
            }
        }
    }
    runs
}

/// The runs of the factor graph with a seed.
fn graph_runs(grid: &Grid, run: &TrainingRun) -> Vec<TrainingRun> {
    let mut runs = Vec::new();
    for templates in &grid.templates {
        for learner in &grid.learners {
            for &backbone in &grid.backbones {
                for set in grid.trained(backbone) {
                    runs.push(TrainingRun {
                        templates: Some(templates.clone()),
                        learner: Some(learner.clone()),
                        limits: grid.limits_of(&set),
                        set: Some(set),
                        backbone: Some(backbone),
                        ..run.clone()
                    });
                }
            }
        }
    }
    runs
}

/// The cells of a grid with the model of a run, which the grid has.
fn cells_in(grid: &Grid, run: &TrainingRun) -> Vec<Cell> {
    let cell = |split, pruning, decoder, limits| Cell { run: run.clone(), split, pruning, decoder, limits };
    let mut cells = Vec::new();
    for &split in &grid.splits {
        let Some(set) = &run.set else {
            cells.push(cell(split, None, None, Limits::default()));
            continue;
        };
        for &rule in &grid.prunings {
            let decoders = grid.decoders.iter().copied();
            if set.is_baseline() {
                // No search is needed.
                let has_search = grid.decoders.iter().any(|decoder| decoder.is_search());
                let decoders = has_search.then_some(Decoder::Dp).into_iter().chain(decoders.filter(|d| !d.is_search()));
                cells.extend(decoders.map(|decoder| cell(split, Some(rule), Some(decoder), Limits::default())));
                continue;
            }
            let searches = decoders.filter(|decoder| decoder.is_search());
            cells.extend(searches.map(|decoder| cell(split, Some(rule), Some(decoder), grid.limits)));
        }
    }
    cells
}

/// All training runs of an experiment: those that share a corpus, tags, seed and pruning while training stand together.
pub fn training_runs(config: &Config) -> Vec<TrainingRun> {
    let mut runs: Vec<TrainingRun> = Vec::new();
    let all: Vec<TrainingRun> = config.grids.iter().flat_map(|grid| runs_of(config, grid)).collect();
    let mut seen = std::collections::BTreeSet::new();
    runs.extend(all.iter().filter(|run| seen.insert(run.name())).cloned());
    runs.sort_by_key(|run| (run.corpus, run.tags, run.seed, run.pruning(config)));
    runs
}

/// The cells of a training run, in the order of the grids.
pub fn cells_of(config: &Config, run: &TrainingRun) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for grid in config.grids.iter().filter(|grid| has_run(config, grid, run)) {
        for cell in cells_in(grid, run) {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    cells
}

/// All cells of an experiment, sorted by name.
pub fn cells(config: &Config) -> Vec<Cell> {
    let mut all: Vec<Cell> = training_runs(config).iter().flat_map(|run| cells_of(config, run)).collect();
    all.sort_by_cached_key(|cell| cell.key(config));
    all
}

/// The grids that have a cell, in the order of the config.
pub fn grids_of<'c>(config: &'c Config, cell: &Cell) -> Vec<&'c Grid> {
    let has = |grid: &&Grid| has_run(config, grid, &cell.run) && cells_in(grid, &cell.run).contains(cell);
    config.grids.iter().filter(has).collect()
}

/// The cells that are measured where none are asked for: of each grid those of the last part and the first
/// seed. Speed and search hardly depend on the seed, and one part is enough.
pub fn usual_cells(config: &Config) -> Vec<Cell> {
    let of_grid = |grid: &Grid| {
        let mut grid = grid.clone();
        grid.splits = grid.splits.last().copied().into_iter().collect();
        grid.seeds.truncate(1);
        runs_of(config, &grid).into_iter().flat_map(|run| cells_in(&grid, &run)).collect::<Vec<_>>()
    };
    let mut usual: BTreeMap<CellKey, Cell> = BTreeMap::new();
    for cell in config.grids.iter().flat_map(of_grid) {
        usual.entry(cell.key(config)).or_insert(cell);
    }
    // Their runs are those of the whole experiment.
    cells(config).into_iter().filter(|cell| usual.contains_key(&cell.key(config))).collect()
}

fn has_run(config: &Config, grid: &Grid, run: &TrainingRun) -> bool {
    let here = grid.corpora.contains(&config.corpora[run.corpus].name)
        && grid.tags.contains(&run.tags)
        && grid.systems.contains(&run.system);
    let seeded = config.axes(&run.system) == Axes::None || grid.seeds.contains(&run.seed);
    let has = |templates: &TemplatesName, learner: &Learner, set: &FeatureSet, backbone: Backbone| {
        grid.templates.contains(templates)
            && grid.learners.contains(learner)
            && grid.backbones.contains(&backbone)
            && grid.trained(backbone).contains(set)
    };
    let graph = match (&run.templates, &run.learner, &run.set, run.backbone) {
        (Some(templates), Some(learner), Some(set), Some(backbone)) => has(templates, learner, set, backbone),
        _ => true,
    };
    here && seeded && graph
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::parse;
    use treebound_parser::cell::show_optional;

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
        let named = |Setting { features, pruning, .. }: Setting| {
            format!("{} {}", show_optional(features.as_ref()), show_optional(pruning.as_ref()))
        };
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
        let grids = |cell: &Cell| grids_of(&config, cell).iter().map(|grid| grid.name.as_str()).collect::<Vec<_>>();
        let all: Vec<_> = cells(&config).iter().map(grids).collect();
        assert_eq!(all, [vec!["a", "b"], vec!["a"], vec!["b"], vec!["a", "b"], vec!["a"]]);
    }

    #[test]
    fn a_run_has_the_limits_of_the_first_grid_and_a_cell_its_own() {
        let config = config(
            "[[grid]]\nname = 'a'\nsets = 'sibling'\n[[grid]]\nname = 'b'\nsets = 'sibling'\npruning = 'none'\n\
             dp_calls = 5\n",
        );
        let calls = |cell: &Cell| (cell.pruning, cell.run.limits.dp_calls, cell.limits.dp_calls);
        let searched = cells(&config).into_iter().filter(|cell| cell.decoder == Some(Decoder::Bnb));
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
