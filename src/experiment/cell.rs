//! Cells: the units of an experiment. A cell is corpus x tags x trainer x feature set x backbone x pruning x decoder x
//! split x seed.

use super::config::{Config, FeatureSet, Split, Tags, Trainer};
use crate::cell::{CellKey, CorpusName, Decoding, Setting, SystemName};
use crate::decode::{Backbone, Decoder};
use crate::pruning::Rule;

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Index of the corpus in the config.
    pub corpus: usize,
    /// Whose tags.
    pub tags: Tags,
    /// How the weights were learnt.
    pub trainer: Trainer,
    /// The feature set.
    pub set: FeatureSet,
    /// The dynamic program.
    pub backbone: Backbone,
    /// The pruning.
    pub rule: Rule,
    /// The decoder.
    pub decoder: Decoder,
    /// The part of the treebank.
    pub split: Split,
    /// The training seed.
    pub seed: u64,
}

impl Cell {
    /// The cell's name in results.
    pub fn key(&self, config: &Config) -> CellKey {
        let setting = Setting {
            corpus: CorpusName::like(&config.corpus[self.corpus].name),
            split: axes::split(self.split),
            tags: axes::tags(self.tags),
            system: SystemName::graph(),
            templates: Some(axes::templates(config)),
            learner: Some(axes::learner(self.trainer)),
            features: Some(axes::features(&self.set)),
            pruning: Some(self.rule),
            decoding: Some(Decoding { backbone: self.backbone, decoder: self.decoder }),
        };
        setting.with_seed(self.seed)
    }
}

/// From the types of configs to those of cells.
pub mod axes {
    use std::path::Path;

    use crate::cell::{self, Learner, Method, TemplatesName};
    use crate::experiment::config::{Config, FeatureSet, Split, Tags, Trainer};

    /// The part.
    pub fn split(split: Split) -> cell::Split {
        match split {
            Split::Train => cell::Split::Train,
            Split::Dev => cell::Split::Dev,
            Split::Test => cell::Split::Test,
        }
    }

    /// The tags.
    pub fn tags(tags: Tags) -> cell::Tags {
        match tags {
            Tags::Gold => cell::Tags::Gold,
            Tags::Predicted => cell::Tags::Predicted,
        }
    }

    /// The learner.
    pub fn learner(trainer: Trainer) -> Learner {
        match trainer {
            Trainer::Perceptron => Method::Perceptron.into(),
            Trainer::Mira => Method::Mira.into(),
        }
    }

    /// The feature set.
    pub fn features(set: &FeatureSet) -> cell::FeatureSet {
        cell::FeatureSet::new(set.families().to_vec())
    }

    /// The templates: by their name, or that of their file.
    pub fn templates(config: &Config) -> TemplatesName {
        let stem = Path::new(&config.training.templates).file_stem().unwrap_or_default();
        TemplatesName::like(&stem.to_string_lossy())
    }
}

/// A training run: all cells that share a model.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingRun {
    /// Index of the corpus in the config.
    pub corpus: usize,
    /// Whose tags.
    pub tags: Tags,
    /// How the weights were learnt.
    pub trainer: Trainer,
    /// The feature set.
    pub set: FeatureSet,
    /// The dynamic program.
    pub backbone: Backbone,
    /// The seed.
    pub seed: u64,
}

/// All training runs of an experiment: for each corpus, tags, seed, trainer and backbone the baseline, then the sets.
pub fn training_runs(config: &Config) -> Vec<TrainingRun> {
    let mut runs = Vec::new();
    for corpus in 0..config.corpus.len() {
        for &tags in &config.tags {
            for &seed in &config.seeds {
                for &trainer in &config.training.trainers {
                    for &backbone in &config.decoding.backbones {
                        for set in config.features.trained(backbone) {
                            runs.push(TrainingRun { corpus, tags, trainer, set, backbone, seed });
                        }
                    }
                }
            }
        }
    }
    runs
}

/// The cells of a training run.
pub fn cells_of(config: &Config, run: &TrainingRun) -> Vec<Cell> {
    let baseline = [Decoder::Dp];
    let decoders = if run.set.is_baseline() { &baseline[..] } else { &config.decoding.decoders };
    let mut cells = Vec::new();
    for &split in &config.evaluation.splits {
        for rule in config.decoding.rules_of(&run.set, run.backbone) {
            for &decoder in decoders {
                cells.push(Cell {
                    corpus: run.corpus,
                    tags: run.tags,
                    trainer: run.trainer,
                    set: run.set.clone(),
                    backbone: run.backbone,
                    rule,
                    decoder,
                    split,
                    seed: run.seed,
                });
            }
        }
    }
    cells
}

/// All cells of an experiment, sorted by key.
pub fn cells(config: &Config) -> Vec<Cell> {
    let mut all: Vec<Cell> = training_runs(config).iter().flat_map(|run| cells_of(config, run)).collect();
    all.sort_by_cached_key(|cell| cell.key(config));
    all
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cell::show_optional;
    use crate::experiment::config::parse;

    /// The sets and prunings of the cells over the third-order program.
    fn third_order(sets: &str, more: &str) -> Vec<String> {
        third_order_cells(sets, more).expect("a config")
    }

    fn third_order_cells(sets: &str, more: &str) -> Result<Vec<String>, String> {
        let corpus = "[[corpus]]\nname = 'made'\nformat = 'synthetic'\n";
        let decoding =
            format!("backbone = ['carreras', 'grand-sibling']\nk = [10]\nmore = {{ sets = {more}, k = [3] }}");
        let text = format!("{corpus}[features]\nsets = {sets}\n[decoding]\n{decoding}\n");
        let config = parse(&text, Path::new("made.toml")).map_err(|e| e.to_string())?;
        let keys = cells(&config).into_iter().map(|cell| cell.key(&config));
        let named = |Setting { features, pruning, .. }: Setting| {
            format!("{} {}", show_optional(features.as_ref()), show_optional(pruning.as_ref()))
        };
        let settings = keys.map(|key| key.setting);
        Ok(settings.filter(|s| s.backbone() == Some(Backbone::GrandSibling)).map(named).collect())
    }

    /// The baseline of the third-order program is a set to choose, where its sets are chosen.
    #[test]
    fn more_prunings_of_cells_that_there_are_not_are_a_fault() {
        let sets = "['sibling']\nthird_order = ['sibling']";
        assert_eq!(third_order(sets, "['sibling']"), ["sibling k=10", "sibling k=3"]);
        // The baseline is run over the other program.
        assert_eq!(third_order(sets, "['baseline']"), ["sibling k=10"]);
        let fault = third_order_cells(sets, "['grandchild']").expect_err("a fault");
        assert!(fault.contains("the set `grandchild` is not among the sets of [features]"), "{fault}");
    }

    /// Grandchildren are in all of its sets, so they are not named.
    #[test]
    fn more_prunings_are_for_a_set_by_either_of_its_names() {
        let expected = ["baseline k=10", "sibling k=10", "sibling k=3"];
        assert_eq!(third_order("['grandchild+sibling']", "['grandchild+sibling']"), expected);
        assert_eq!(third_order("['grandchild+sibling']", "['sibling']"), expected);
        assert_eq!(
            third_order("['grandchild', 'sibling']", "['grandchild']"),
            ["baseline k=10", "baseline k=3", "sibling k=10"]
        );
    }
}
