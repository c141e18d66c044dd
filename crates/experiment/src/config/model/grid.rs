//! Grids: cells that are all combinations of some values on each axis.

use serde::Serialize;

use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{CorpusName, FeatureSet, Learner, Split, SystemName, Tags, TemplatesName};
use treebound_parser::pruning::Rule;

/// A grid of cells. Systems but the graph system have no templates, learner, set, pruning and decoding, so those of the grid
/// are not theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grid {
    /// Its name.
    pub name: String,
    /// Whether it is run where no grid is named.
    pub default: bool,
    /// The treebanks.
    #[serde(rename = "corpus")]
    pub corpora: Vec<CorpusName>,
    /// Whose tags.
    pub tags: Vec<Tags>,
    /// The parsers.
    pub systems: Vec<SystemName>,
    /// Their templates.
    #[serde(skip)]
    pub templates: Vec<TemplatesName>,
    /// How weights are learnt.
    pub learners: Vec<Learner>,
    /// Sets of non-local families, in order; sets with one name [under](FeatureSet::under) a backbone are one there.
    pub sets: Vec<FeatureSet>,
    /// Whether the baseline is evaluated beside them.
    pub baseline: bool,
    /// Which candidate heads, when parsing.
    #[serde(rename = "pruning")]
    pub prunings: Vec<Rule>,
    /// Decoders of sets with non-local features. The baseline is decoded by the dynamic program.
    pub decoders: Vec<Decoder>,
    /// Dynamic programs, with a model each.
    pub backbones: Vec<Backbone>,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    /// Parts of the treebank.
    pub splits: Vec<Split>,
    /// Limits of the search when parsing.
    #[serde(flatten)]
    pub limits: Limits,
}

impl Grid {
    /// The name of the grid of a config that names none.
    pub const MAIN: &'static str = super::super::tree::MAIN;

    /// The system of the factor graph.
    pub fn graph() -> SystemName {
        SystemName::graph()
    }

    /// The sets that are trained with a backbone, by their names [under](FeatureSet::under) it.
    pub fn trained(&self, backbone: Backbone) -> Vec<FeatureSet> {
        let baseline = self.baseline.then(FeatureSet::baseline);
        let mut sets = Vec::new();
        for set in baseline.iter().chain(&self.sets).map(|set| set.under(backbone)) {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    }

    /// Limits of the searches of a set; none of the baseline, which is decoded without one.
    pub fn limits_of(&self, set: &FeatureSet) -> Limits {
        if set.is_baseline() { Limits::default() } else { self.limits }
    }

    /// Whether some cell with a search is in both grids: then its limits are theirs.
    pub(in crate::config) fn shares_search(&self, other: &Self) -> bool {
        fn meet<T: PartialEq>(a: &[T], b: &[T]) -> bool {
            a.iter().any(|value| b.contains(value))
        }
        let graph = |grid: &Self| grid.systems.iter().any(|system| system.as_str() == SystemName::GRAPH);
        let sets = |backbone: &Backbone| {
            let searched = |grid: &Self| grid.trained(*backbone).into_iter().filter(|set| !set.is_baseline()).collect();
            let (here, there): (Vec<_>, Vec<_>) = (searched(self), searched(other));
            other.backbones.contains(backbone) && meet(&here, &there)
        };
        graph(self)
            && graph(other)
            && meet(&self.corpora, &other.corpora)
            && meet(&self.tags, &other.tags)
            && meet(&self.templates, &other.templates)
            && meet(&self.learners, &other.learners)
            && meet(&self.prunings, &other.prunings)
            && meet(&self.decoders, &other.decoders)
            && meet(&self.seeds, &other.seeds)
            && meet(&self.splits, &other.splits)
            && self.backbones.iter().any(sets)
    }
}
