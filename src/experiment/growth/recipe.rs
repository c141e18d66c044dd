//! A recipe for a parser: what a config would have to say, but for what is measured.

use serde::{Deserialize, Serialize};

use super::GrowthError;
use super::templates::Templates;
use crate::experiment::cell::TrainingRun;
use crate::experiment::config::{ChooseEpoch, Config, Corpus, Expected, FeatureSet, Format, Tags};
use crate::pruning::Rule;
use crate::treebank::Punctuation;
use crate::treebank::synth;

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
            Self::AsConfig => config.training.rule,
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

/// The synthetic treebank of a config, or the default one if it has none.
pub(super) fn synthetic(config: &Config) -> synth::Config {
    config.corpus.iter().find_map(|corpus| corpus.synthetic.clone()).unwrap_or_default()
}

impl Recipe {
    /// The feature set.
    ///
    /// # Errors
    /// If it has no such name.
    pub fn feature_set(&self) -> Result<FeatureSet, GrowthError> {
        FeatureSet::parse(&self.set).ok_or_else(|| GrowthError::Set(self.set.clone()))
    }

    /// The config of the recipe: one corpus, gold tags, and the last pass counts.
    ///
    /// # Errors
    /// If the config has no corpus.
    pub fn config(&self, config: &Config) -> Result<Config, GrowthError> {
        let mut made = config.clone();
        made.corpus.truncate(1);
        let corpus = made.corpus.first_mut().ok_or(GrowthError::Missing("corpus"))?;
        if let Source::Synthetic { sentences, vocabulary } = self.source {
            make_synthetic(corpus);
            // No pass is chosen on the development part, so it need not be there; but an empty one cannot be made.
            corpus.synthetic = Some(synth::Config { train: sentences, dev: 1, vocabulary, ..synthetic(config) });
        }
        made.tags = vec![Tags::Gold];
        made.training.rule = self.keep.rule(config);
        made.training.templates.clone_from(&self.templates.name);
        made.training.epochs = self.epochs;
        made.training.choose_epoch = ChooseEpoch::Last;
        Ok(made)
    }

    /// The training run: the first seed, trainer and backbone of the config.
    ///
    /// # Errors
    /// If the recipe has no known set, or the config lists none of these.
    pub fn run(&self, config: &Config) -> Result<TrainingRun, GrowthError> {
        let first = |missing| GrowthError::Missing(missing);
        Ok(TrainingRun {
            corpus: 0,
            tags: Tags::Gold,
            trainer: *config.training.trainers.first().ok_or(first("trainer"))?,
            set: self.feature_set()?,
            backbone: *config.decoding.backbones.first().ok_or(first("backbone"))?,
            seed: *config.seeds.first().ok_or(first("seed"))?,
        })
    }
}

/// Takes from a corpus what files need.
fn make_synthetic(corpus: &mut Corpus) {
    corpus.name = "synthetic".to_owned();
    corpus.format = Format::Synthetic;
    corpus.rules = None;
    corpus.folder.clear();
    [&mut corpus.train, &mut corpus.dev, &mut corpus.test].into_iter().for_each(Vec::clear);
    corpus.punctuation = Punctuation::named("ud").unwrap_or_else(|| corpus.punctuation.clone());
    corpus.published = None;
    corpus.expected = Expected::default();
}
