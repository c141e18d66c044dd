//! The config with every default filled in. Written to `config.resolved.toml`, which can itself be run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use treebound_core::decode::Backbone;
use treebound_core::decode::bnb::Limits;
use treebound_parser::cell::{
    Axis, CorpusName, FeatureSet, Fold, Labelling, Learner, Split, SystemName, Tags, TemplatesName,
};
use treebound_parser::features::TemplateSet;
use treebound_parser::features::template::TemplateError;
use treebound_parser::model::TreeKind;
use treebound_parser::pruning::PrunerModel;
use treebound_parser::systems::external::External;
use treebound_parser::systems::graph::{GraphGrid, Schedule};
use treebound_parser::systems::{AxisKind, Combination, GridAxes, Kind, Nonprojective};
use treebound_parser::treebank::{Encoding, FineTags, Punctuation};
use treebound_records::spanned::{Node, Place};
use treebound_synthetic as synth;

use super::written::Origins;

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
    /// The labeller.
    pub labeller: Labeller,
    /// The learners that grids name, and further ones that the config describes.
    pub learners: BTreeMap<Learner, Schedule>,
    /// The template sets that grids name.
    pub templates: BTreeMap<TemplatesName, TemplatesSource>,
    /// Parsers that are run by their command lines.
    pub externals: Vec<External>,
    /// The systems that the program has, in the order in which tables show them.
    pub kinds: Vec<Kind>,
    /// What is run: at least one grid, each with at least one value on each axis.
    pub grids: Vec<Grid>,
    /// Which rows tables show.
    pub tables: Vec<Shown>,
    /// Which rows figures show.
    pub figures: Vec<Shown>,
    /// How results are compared.
    pub evaluation: Evaluation,
    /// How speed is measured.
    pub timing: Timing,
    /// What a cluster is asked for.
    pub engine: EngineSettings,
    /// The treebanks.
    pub corpora: Vec<Corpus>,
    /// SHA-256 of the files that decide artifacts beside the treebanks: templates, head rules. Those that cannot be read
    /// are not among them; whoever needs them says so.
    pub files: BTreeMap<String, String>,
    /// Where the values stand.
    pub origins: Origins,
}

/// What a config says of claims, as it says it: what reports results reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// `claims`: the name of a list.
    pub list: Option<Node>,
    /// `[[claim]]`: the config's own.
    pub own: Vec<Node>,
    /// `[[failure]]`: why some of both do not hold.
    pub failures: Vec<Node>,
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

/// What a cluster is asked for. It decides no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineSettings {
    /// The partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// The account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Threads of a task.
    pub threads: usize,
    /// Further options, as words of a command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl EngineSettings {
    /// Those of a config that says nothing.
    pub const USUAL: Self = Self { partition: None, account: None, threads: 1, options: Vec::new() };
}

impl Config {
    /// Leaves one corpus alone: all that is asked for is of it.
    pub fn restrict_to(&mut self, corpus: &CorpusName) {
        self.corpora.retain(|one| one.name == *corpus);
        for grid in &mut self.grids {
            grid.corpora.retain(|one| one == corpus);
        }
    }

    /// The index of a corpus, by name.
    pub fn corpus_index(&self, name: &CorpusName) -> Option<usize> {
        self.corpora.iter().position(|corpus| corpus.name == *name)
    }

    /// The first grid, which says what is meant where nothing is said. A config has one.
    pub fn main(&self) -> Option<&Grid> {
        self.grids.first()
    }

    /// Whether some grid has labels: without them the labeller has no effect.
    pub fn has_labels(&self) -> bool {
        self.grids.iter().flat_map(|grid| &grid.graph.labels).any(|&labels| labels != Labelling::None)
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

    /// The kind of a system; none of parsers that run by command line.
    pub fn kind(&self, system: &SystemName) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.name == system.as_str())
    }

    /// The axes that a system has.
    pub fn axes(&self, system: &SystemName) -> &'static [AxisKind] {
        self.kind(system).map_or(&[], |kind| kind.axes)
    }

    /// Whether a system has seeds.
    pub fn has_seed(&self, system: &SystemName) -> bool {
        let learns = |external: &External| external.name == *system && external.train.is_some();
        self.kind(system).map_or_else(|| self.externals.iter().any(learns), |kind| kind.has_seed)
    }

    /// Whether the parsers of a system have factor graphs.
    pub fn has_graphs(&self, system: &SystemName) -> bool {
        self.kind(system).is_some_and(Kind::has_graphs)
    }

    /// The combinations of values that a grid has of a system.
    pub fn combinations(&self, system: &SystemName, grid: &Grid) -> Vec<Combination> {
        let axes = GridAxes { graph: &grid.graph, others: &grid.axes };
        self.kind(system).map_or_else(|| vec![Combination::only()], |kind| (kind.combinations)(kind, axes))
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

    /// The trees that are learnt from: projective ones with one word on the root, if some system has no learner to say so, and
    /// what learners say.
    pub fn tree_kinds(&self) -> Vec<TreeKind> {
        let has_schedule = |system: &SystemName| self.kind(system).is_some_and(Kind::has_schedules);
        let has_other = self.grids.iter().flat_map(|grid| &grid.systems).any(|system| !has_schedule(system));
        let has = |kind: &TreeKind| self.learners.values().any(|schedule| schedule.tree_kind() == *kind);
        TreeKind::all().filter(|kind| has(kind) || (has_other && *kind == TreeKind::default())).collect()
    }
}

/// A treebank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corpus {
    /// Its name in results.
    pub name: CorpusName,
    /// File format.
    pub format: Format,
    /// For brackets: a built-in table of head rules, or a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// How the bytes of the files are characters.
    #[serde(skip_serializing_if = "Encoding::is_utf8")]
    pub encoding: Encoding,
    /// Where the fine tags of CoNLL files come from.
    #[serde(skip_serializing_if = "FineTags::are_own")]
    pub fine_tags: FineTags,
    /// Folders to look for the files in: the first that exists is used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folder: Vec<String>,
    /// Files of the training part; `*` stands for any characters of a file name, `{0001..0159}` for a run of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub train: Vec<String>,
    /// Files of the development part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dev: Vec<String>,
    /// Files of the test part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// Which words are not scored.
    pub punctuation: Punctuation,
    /// What is done with non-projective training trees.
    pub nonprojective: Nonprojective,
    /// The data set of papers whose figures stand beside this corpus's in tables: `PTB`, `CTB` or `PDT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Counts that prove the data is what it should be.
    #[serde(skip_serializing_if = "Expected::is_empty")]
    pub expected: Expected,
    /// For a synthetic treebank: what it is made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<synth::Config>,
    /// Where it stands in the config file.
    #[serde(skip)]
    pub places: Places,
}

/// Where the keys of a corpus stand, for messages on its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// `folder`; the table if there is no such key.
    pub folder: Place,
    /// `train`, `dev` and `test`.
    pub parts: [Place; 3],
    /// The expected counts of `train`, `dev` and `test`.
    pub expected: [Place; 3],
    /// `rules`.
    pub rules: Place,
}

/// A treebank's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// Penn Treebank brackets.
    Penn,
    /// Made by Treebound.
    Synthetic,
}

/// Expected counts of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// Of the training part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train: Option<Counts>,
    /// Of the development part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dev: Option<Counts>,
    /// Of the test part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Counts>,
}

impl Expected {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Of one part; nothing is expected of what is no part.
    pub fn of(&self, split: Split) -> Option<&Counts> {
        match split {
            Split::Train => self.train.as_ref(),
            Split::Dev => self.dev.as_ref(),
            Split::Test => self.test.as_ref(),
            Split::Cv => None,
        }
    }
}

/// Sentences and words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sentences, if known: any of these will do (publications may disagree).
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "one_or_list")]
    pub sentences: Vec<u64>,
    /// Words, if known: any of these will do.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "one_or_list")]
    pub tokens: Vec<u64>,
}

fn one_or_list<S: Serializer>(counts: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    match counts {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}

/// A grid of cells.
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
    /// What it names on the axes of the graph system.
    #[serde(flatten)]
    pub graph: GraphGrid,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    /// Parts of the treebank.
    pub splits: Vec<Split>,
    /// What it names on the axes of other systems, each value in its one spelling.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub axes: BTreeMap<String, Vec<String>>,
    /// Limits of the search when parsing.
    #[serde(flatten)]
    pub limits: Limits,
}

impl Grid {
    /// The name of the grid of a config that names none.
    pub const MAIN: &'static str = super::compose::MAIN;

    /// Limits of the searches of a set; none of the baseline, which is decoded without one.
    pub fn limits_of(&self, set: &FeatureSet) -> Limits {
        if set.is_baseline() { Limits::default() } else { self.limits }
    }

    /// Whether some cell with a search is in both grids: then its limits are theirs.
    pub(super) fn shares_search(&self, other: &Self) -> bool {
        fn meet<T: PartialEq>(a: &[T], b: &[T]) -> bool {
            a.iter().any(|value| b.contains(value))
        }
        let graph = |grid: &Self| grid.systems.iter().any(|system| system.as_str() == SystemName::GRAPH);
        let (own, others) = (&self.graph, &other.graph);
        let sets = |backbone: &Backbone| {
            let searched =
                |grid: &GraphGrid| grid.trained(*backbone).into_iter().filter(|set| !set.is_baseline()).collect();
            let (here, there): (Vec<_>, Vec<_>) = (searched(own), searched(others));
            others.backbones.contains(backbone) && meet(&here, &there)
        };
        graph(self)
            && graph(other)
            && meet(&self.corpora, &other.corpora)
            && meet(&self.tags, &other.tags)
            && meet(&own.templates, &others.templates)
            && meet(&own.learners, &others.learners)
            && meet(&own.prunings, &others.prunings)
            && meet(&own.decoders, &others.decoders)
            && meet(&self.seeds, &other.seeds)
            && meet(&self.splits, &other.splits)
            && own.backbones.iter().any(sets)
    }
}

/// Which rows a table or a figure shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// Its name on the command line.
    pub name: String,
    /// Rows of these grids; of all if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<String>,
    /// Rows of cells whose name matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Where its name stands.
    #[serde(skip)]
    pub place: Place,
}

/// The tagger. It is trained once for all seeds of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tagging {
    /// Passes over the training part.
    pub epochs: usize,
    /// Folds by which the training part is tagged.
    pub folds: usize,
    /// Of the shuffles.
    pub seed: u64,
}

/// The pruner: how it learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pruner {
    /// Template set.
    pub templates: TemplatesSource,
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass.
    pub rate: f64,
    /// What it is.
    #[serde(skip_serializing_if = "is_usual_model")]
    pub model: PrunerModel,
}

fn is_usual_model(model: &PrunerModel) -> bool {
    *model == PrunerModel::default()
}

/// The labeller: how it learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Labeller {
    /// Template set.
    pub templates: TemplatesSource,
    /// Passes over the training part.
    pub epochs: usize,
}

/// A template set: its name, or its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TemplatesSource {
    /// A built-in set.
    BuiltIn(String),
    /// A file, from the config's folder.
    File(String),
}

impl TemplatesSource {
    /// The built-in set of that name, or else the file.
    pub fn new(text: &str) -> Self {
        if TemplateSet::BUILT_IN.contains(&text) { Self::BuiltIn(text.to_owned()) } else { Self::File(text.to_owned()) }
    }

    /// As a config has it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::BuiltIn(name) | Self::File(name) => name,
        }
    }

    /// The name on the axis of templates: that of the set, or that of the file without its ending; none if a file's
    /// name cannot be one.
    pub fn name(&self) -> Option<TemplatesName> {
        match self {
            Self::BuiltIn(name) => TemplatesName::parse(name),
            Self::File(path) => TemplatesName::parse(Path::new(path).file_stem()?.to_str()?),
        }
    }

    /// The set; `base` is the config's folder.
    ///
    /// If the file cannot be read.
    pub fn read(&self, base: &Path) -> Result<TemplateSet, TemplateError> {
        match self {
            Self::BuiltIn(name) => TemplateSet::built_in(name).unwrap_or_else(|| TemplateSet::read(&base.join(name))),
            Self::File(path) => TemplateSet::read(&base.join(path)),
        }
    }
}

impl fmt::Display for TemplatesSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for TemplatesSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
