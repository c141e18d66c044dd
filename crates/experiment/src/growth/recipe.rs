//! A recipe for a parser: what a config would have to say, but for what is measured.

use serde::{Deserialize, Serialize};

use super::GrowthError;
use super::templates::Templates;
use crate::cell::TrainingRun;
use crate::config::{Config, Corpus, Expected, Format, TemplatesSource};
use treebound_parser::cell::{Axis, AxisValues, CorpusName, FeatureSet, Learner, SystemName, Tags, TemplatesName};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::graph::{ChooseEpoch, Schedule};
use treebound_parser::treebank::Punctuation;
use treebound_synthetic as synth;

/// Which heads are kept, in training and in parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keep {
    /// Those that the config's training keeps.
    AsConfig,
    /// So many a word.
    Best(usize),
    /// All.
    All,
}

impl Keep {
    /// As a rule.
    pub fn rule(self, config: &Config) -> Rule {
        match self {
            Self::AsConfig => schedule(config).map_or(Rule::None, |(_, schedule)| schedule.pruning),
            Self::Best(k) => Rule::Best(k),
            Self::All => Rule::None,
        }
    }
}

/// What a parser learns from, and whose test part it is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A synthetic treebank.
    Synthetic {
        /// Training sentences.
        sentences: usize,
        /// Words of the open classes of the treebank's language.
        vocabulary: usize,
    },
    /// The first corpus of the config.
    Corpus {
        /// So much of its training part, in hundredths: below 100 sentences spread evenly over it, above 100 some more than
        /// once.
        percent: u32,
    },
}

/// What decides a parser beside the config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The feature set: `baseline`, or families joined by `+`.
    pub set: String,
    /// Candidate heads.
    pub keep: Keep,
    /// Templates.
    pub templates: Templates,
    /// What it learns from.
    pub source: Source,
    /// Passes over the training part.
    pub epochs: usize,
}

/// The first learner of a config's first grid, and how it learns.
fn schedule(config: &Config) -> Option<(&Learner, &Schedule)> {
    config.learners.get_key_value(config.main()?.graph.learners.first()?)
}

/// The synthetic treebank of a config, or the default one if it has none.
pub(super) fn synthetic(config: &Config) -> synth::Config {
    config.corpora.iter().find_map(|corpus| corpus.synthetic.clone()).unwrap_or_default()
}

impl Recipe {
    /// The feature set.
    ///
    /// # Errors
    /// If it has no such name.
    pub fn feature_set(&self) -> Result<FeatureSet, GrowthError> {
        FeatureSet::from_names(&self.set).ok_or_else(|| GrowthError::Set(self.set.clone()))
    }

    /// The config of the recipe: one corpus, gold tags, and the last pass counts.
    ///
    /// # Errors
    /// If the config has no corpus.
    pub fn config(&self, config: &Config) -> Result<Config, GrowthError> {
        let mut made = config.clone();
        made.corpora.truncate(1);
        let corpus = made.corpora.first_mut().ok_or(GrowthError::Missing("corpus"))?;
        if let Source::Synthetic { sentences, vocabulary } = self.source {
            make_synthetic(corpus);
            // No pass is chosen on the development part, so it need not be there; but an empty one cannot be made.
            corpus.synthetic = Some(synth::Config { train: sentences, dev: 1, vocabulary, ..synthetic(config) });
        }
        made.restrict(0, Tags::Gold);
        let source = TemplatesSource::new(&self.templates.name);
        made.templates = self.templates_name().map(|name| (name, source)).into_iter().collect();
        for schedule in made.learners.values_mut() {
            schedule.pruning = self.keep.rule(config);
            schedule.epochs = self.epochs;
            schedule.average_from = schedule.average_from.min(self.epochs);
            schedule.choose_epoch = ChooseEpoch::Last;
        }
        Ok(made)
    }

    fn templates_name(&self) -> Option<TemplatesName> {
        TemplatesSource::new(&self.templates.name).name()
    }

    /// The training run: the first seed, learner and backbone of the config's first grid.
    ///
    /// # Errors
    /// If the recipe has no known set, or the config lists none of these.
    pub fn run(&self, config: &Config) -> Result<TrainingRun, GrowthError> {
        let first = |missing| GrowthError::Missing(missing);
        let grid = config.main().ok_or(first("grid"))?;
        Ok(TrainingRun {
            corpus: 0,
            tags: Tags::Gold,
            system: SystemName::graph(),
            axes: AxisValues::graph_model(
                self.templates_name().ok_or(first("templates"))?,
                schedule(config).ok_or(first("learner"))?.0.clone(),
                self.feature_set()?,
                *grid.graph.backbones.first().ok_or(first("backbone"))?,
            ),
            limits: grid.limits,
            seed: *grid.seeds.first().ok_or(first("seed"))?,
        })
    }
}

/// Takes from a corpus what files need.
fn make_synthetic(corpus: &mut Corpus) {
    if let Some(name) = CorpusName::parse("synthetic") {
        corpus.name = name;
    }
    corpus.format = Format::Synthetic;
    corpus.rules = None;
    corpus.folder.clear();
    [&mut corpus.train, &mut corpus.dev, &mut corpus.test].into_iter().for_each(Vec::clear);
    corpus.punctuation = Punctuation::parse("ud").unwrap_or_else(|| corpus.punctuation.clone());
    corpus.published = None;
    corpus.expected = Expected::default();
}
