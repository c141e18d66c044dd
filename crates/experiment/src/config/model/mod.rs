//! The config with every default filled in. Written to `config.resolved.toml`, which can itself be run.

mod corpus;
mod grid;
mod learning;
mod templates;

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::claims::Claims;
use super::origins::Origins;
use treebound_parser::cell::{CorpusName, Fold, Learner, Split, SystemName, Tags, TemplatesName};
use treebound_parser::model::Roots;
use treebound_parser::systems::external::External;
use treebound_parser::systems::graph::Schedule;
use treebound_parser::systems::{Axes, built_in};

use serde::Serialize;

pub use corpus::{Corpus, Counts, Encoding, Expected, Format, Places};
pub use grid::Grid;
pub use learning::{Pruner, Tagging};
pub use templates::TemplatesSource;

/// An experiment: everything that decides its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Name of the experiment: the config's file name without its ending.
    pub name: String,
    /// Folder of the config file: relative paths start here.
    pub base: PathBuf,
    /// Prose printed under the tables.
    pub analysis: String,
    /// What is claimed of the results.
    pub claims: Claims,
    /// The tagger, for predicted tags.
    pub tagger: Tagging,
    /// The pruner.
    pub pruner: Pruner,
    /// The learners that grids name, and further ones that the config describes.
    pub learners: BTreeMap<Learner, Schedule>,
    /// The template sets that grids name.
    pub templates: BTreeMap<TemplatesName, TemplatesSource>,
    /// Parsers that are run by their command lines.
    pub externals: Vec<External>,
    /// What is run: at least one grid, each with at least one value on each axis.
    pub grids: Vec<Grid>,
    /// How results are compared.
    pub evaluation: Evaluation,
    /// How speed is measured.
    pub timing: Timing,
    /// The treebanks.
    pub corpora: Vec<Corpus>,
    /// SHA-256 of the files that decide pieces beside the treebanks: templates, head rules. Those that cannot be read
    /// are not among them; whoever needs them says so.
    pub files: BTreeMap<String, String>,
    /// Where the values stand.
    pub origins: Origins,
}

/// How results are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// Rounds of the paired test.
    pub rounds: u64,
    /// Its seed.
    pub seed: u64,
    /// Folds of the split `cv`; none if no grid has it. There is one number for all grids, since their rows stand in one
    /// table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<usize>,
}

/// How speed is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Timed passes over each cell.
    pub repeats: u64,
}

impl Config {
    /// The index of a corpus, by name.
    pub fn corpus_index(&self, name: &CorpusName) -> Option<usize> {
        self.corpora.iter().position(|corpus| corpus.name == *name)
    }

    /// The first grid, which says what is meant where nothing is said. A config has one.
    pub fn main(&self) -> Option<&Grid> {
        self.grids.first()
    }

    /// The folds of the split `cv`, in order.
    pub fn folds(&self) -> impl DoubleEndedIterator<Item = Fold> + Clone + use<> {
        Fold::all(self.evaluation.folds.unwrap_or_default())
    }

    /// How many folds a corpus is cut into; 0 if no grid cross-validates it.
    pub fn folds_of(&self, corpus: usize) -> usize {
        let name = &self.corpora[corpus].name;
        let is_cut = |grid: &Grid| grid.corpora.contains(name) && grid.splits.contains(&Split::Cv);
        if self.grids.iter().any(is_cut) { self.evaluation.folds.unwrap_or_default() } else { 0 }
    }

    /// The axes that a system has.
    pub fn axes(&self, system: &SystemName) -> Axes {
        let learns = |external: &External| external.name == *system && external.train.is_some();
        match built_in(system) {
            Some(kind) => kind.axes,
            None if self.externals.iter().any(learns) => Axes::Seed,
            None => Axes::None,
        }
    }

    /// Leaves one corpus with one choice of tags, which all grids have.
    pub fn restrict(&mut self, corpus: usize, tags: Tags) {
        self.corpora = vec![self.corpora.swap_remove(corpus)];
        for grid in &mut self.grids {
            grid.corpora = self.corpora.iter().map(|corpus| corpus.name.clone()).collect();
            grid.tags = vec![tags];
        }
    }

    /// The choices of tags that some grid has for a corpus, in order.
    pub fn tags_of(&self, corpus: usize) -> Vec<Tags> {
        let name = &self.corpora[corpus].name;
        let has = |tags: &Tags| self.grids.iter().any(|grid| grid.corpora.contains(name) && grid.tags.contains(tags));
        Tags::ALL.into_iter().filter(has).collect()
    }

    /// How many words may hang on the root of what is learnt from: one, if some system has no learner to say so, and what
    /// learners say.
    pub fn roots(&self) -> Vec<Roots> {
        let has_learner = |system: &SystemName| self.axes(system) == Axes::All;
        let has_other = self.grids.iter().flat_map(|grid| &grid.systems).any(|system| !has_learner(system));
        let has = |roots: &Roots| self.learners.values().any(|schedule| schedule.roots == *roots);
        Roots::ALL.into_iter().filter(|roots| has(roots) || (has_other && *roots == Roots::One)).collect()
    }
}
