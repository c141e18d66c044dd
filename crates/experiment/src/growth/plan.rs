//! Which points are measured.

use serde::{Deserialize, Serialize};

use super::GrowthError;
use super::recipe::{Keep, Recipe, Source, synthetic};
use super::size::sentences_of_sizes;
use super::templates::{Templates, looked_at, thinned};
use super::text::Text;
use crate::config::{Config, TemplatesSource};
use treebound_parser::cell::FeatureSet;
use treebound_parser::features::Family;
use treebound_parser::pruning::Rule;
use treebound_synthetic as synth;

/// What time and memory are measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// Words of a sentence.
    Length,
    /// Candidate heads a word.
    K,
    /// Templates of the baseline.
    Templates,
    /// Families of non-local features.
    Families,
    /// Words of the training part of a synthetic treebank.
    Size,
    /// How much of the config's own first corpus is learnt from.
    Corpus,
}

impl Axis {
    /// All axes, cheap ones first.
    pub const ALL: [Self; 6] = [Self::Length, Self::K, Self::Templates, Self::Families, Self::Size, Self::Corpus];
    /// Those that need no data.
    pub const SYNTHETIC: [Self; 5] = [Self::Length, Self::K, Self::Templates, Self::Families, Self::Size];

    /// The name in results and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::K => "k",
            Self::Templates => "templates",
            Self::Families => "families",
            Self::Size => "size",
            Self::Corpus => "corpus",
        }
    }

    /// The axis of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|axis| axis.name() == name)
    }
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What it belongs to.
    pub axis: Axis,
    /// Where it is on that axis; none for no pruning.
    pub value: Option<u64>,
    /// The parser.
    pub recipe: Recipe,
    /// What is parsed.
    pub text: Text,
}

/// What is measured, beside what the config says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The axes.
    pub axes: Vec<Axis>,
    /// The sets that are measured against length and candidates. The other axes have sets of their own.
    pub sets: Vec<FeatureSet>,
    /// The largest treebank, in words.
    pub most_words: u64,
    /// Sentences of each length.
    pub sentences: usize,
    /// Passes over the training part.
    pub epochs: usize,
}

/// Lengths of sentences.
const LENGTHS: [usize; 7] = [10, 20, 40, 80, 120, 160, 200];
/// Candidate heads a word; none for all of them.
const KS: [Option<usize>; 5] = [Some(3), Some(5), Some(10), Some(20), None];
/// Shares of the paper's templates: one in so many.
const ONE_IN: [usize; 4] = [8, 4, 2, 1];
/// Sizes of treebanks, in words.
const SIZES: [u64; 6] = [20_000, 50_000, 100_000, 200_000, 400_000, 1_000_000];
/// Shares of the config's own training part, in hundredths.
const PERCENT: [u32; 6] = [10, 25, 50, 100, 200, 400];
/// Words of the open classes that treebanks of all sizes draw from, so that large ones do not run out of new words and each
/// is the beginning of the next.
const VOCABULARY: usize = 100_000;

/// The sizes up to `most`, and `most`.
pub fn sizes(most: u64) -> Vec<u64> {
    let smaller = SIZES.into_iter().filter(|&size| size < most);
    smaller.chain([most]).collect()
}

/// The points of a config, in the order in which they are to be measured: those of one recipe stand together.
///
/// # Errors
/// If templates cannot be read or the treebank cannot be made.
pub fn plan(config: &Config, options: &Options) -> Result<Vec<Point>, GrowthError> {
    let mut points = Vec::new();
    for &axis in &options.axes {
        points.extend(match axis {
            Axis::Length => lengths(config, options),
            Axis::K => candidates(config, options),
            Axis::Templates => templates(config, options)?,
            Axis::Families => families(config, options),
            Axis::Size => treebanks(config, options)?,
            Axis::Corpus => shares(config, options),
        });
    }
    Ok(points)
}

/// The recipe that the axes vary: the config's own synthetic treebank and templates.
fn usual(config: &Config, options: &Options, set: &FeatureSet) -> Recipe {
    let synth::Config { train, vocabulary, .. } = synthetic(config);
    let own = config.main().and_then(|grid| config.templates.get(grid.graph.templates.first()?));
    Recipe {
        set: set.to_string(),
        keep: Keep::AsConfig,
        templates: Templates::all(own.map_or("", TemplatesSource::as_str)),
        source: Source::Synthetic { sentences: train, vocabulary },
        epochs: options.epochs,
    }
}

fn lengths(config: &Config, options: &Options) -> Vec<Point> {
    let of_set = |set: &FeatureSet| {
        let recipe = usual(config, options, set);
        LENGTHS.map(|words| Point {
            axis: Axis::Length,
            value: Some(words as u64),
            recipe: recipe.clone(),
            text: Text::OfLength { words, sentences: options.sentences },
        })
    };
    options.sets.iter().flat_map(of_set).collect()
}

fn candidates(config: &Config, options: &Options) -> Vec<Point> {
    let of_set = |set: &FeatureSet| {
        let recipe = usual(config, options, set);
        KS.map(|k| {
            let keep = match k {
                // One recipe, one name: the model may have been learnt for another axis.
                Some(k) if Keep::AsConfig.rule(config) == Rule::Best(k) => Keep::AsConfig,
                Some(k) => Keep::Best(k),
                None => Keep::All,
            };
            let recipe = Recipe { keep, ..recipe.clone() };
            Point { axis: Axis::K, value: k.map(|k| k as u64), recipe, text: Text::TestPart }
        })
    };
    options.sets.iter().flat_map(of_set).collect()
}

fn templates(config: &Config, options: &Options) -> Result<Vec<Point>, GrowthError> {
    let recipe = usual(config, options, &FeatureSet::baseline());
    let backbone = recipe.run(config)?.axes.backbone().unwrap_or_default();
    let mut points = Vec::new();
    let shares = ONE_IN.map(|one_in| Templates { name: "paper".to_owned(), one_in });
    let own = Some(recipe.templates.clone()).filter(|own| own.name != "paper");
    for templates in shares.into_iter().chain(own) {
        let set = thinned(&TemplatesSource::new(&templates.name).read(&config.base)?, templates.one_in);
        let families = treebound_parser::model::scored_families(&[], backbone);
        points.push(Point {
            axis: Axis::Templates,
            value: Some(looked_at(&set, &families, backbone) as u64),
            recipe: Recipe { templates, ..recipe.clone() },
            text: Text::TestPart,
        });
    }
    points.sort_by_key(|point| point.value);
    Ok(points)
}

fn families(config: &Config, options: &Options) -> Vec<Point> {
    let order = Family::by_growth();
    let of_count = |count: usize| {
        let set = FeatureSet::new(order[..count].to_vec());
        let recipe = usual(config, options, &set);
        Point { axis: Axis::Families, value: Some(count as u64), recipe, text: Text::TestPart }
    };
    (0..=order.len()).map(of_count).collect()
}

fn treebanks(config: &Config, options: &Options) -> Result<Vec<Point>, GrowthError> {
    let usual = usual(config, options, &FeatureSet::baseline());
    let own = synthetic(config);
    let vocabulary = own.vocabulary.max(VOCABULARY);
    let settings = synth::Config { vocabulary, ..own };
    let sizes = sizes(options.most_words);
    let sentences = sentences_of_sizes(&settings, &sizes)?;
    let point = |(words, sentences): (u64, usize)| Point {
        axis: Axis::Size,
        value: Some(words),
        recipe: Recipe { source: Source::Synthetic { sentences, vocabulary }, ..usual.clone() },
        text: Text::TestPart,
    };
    Ok(sizes.into_iter().zip(sentences).map(point).collect())
}

fn shares(config: &Config, options: &Options) -> Vec<Point> {
    let usual = usual(config, options, &FeatureSet::baseline());
    let point = |percent: u32| Point {
        axis: Axis::Corpus,
        value: Some(u64::from(percent)),
        recipe: Recipe { source: Source::Corpus { percent }, ..usual.clone() },
        text: Text::TestPart,
    };
    PERCENT.into_iter().map(point).collect()
}
