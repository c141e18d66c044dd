//! The config as it stands in its TOML file. Unknown keys are errors everywhere; what is left out has a default.

use serde::Deserialize;
use toml::Spanned;

/// A value with its place in the file, for messages.
pub(super) type At<T> = Spanned<T>;

/// One or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    pub(super) fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigWire {
    pub analysis: Option<String>,
    pub seeds: Option<At<Vec<u64>>>,
    pub tags: Option<At<Vec<At<String>>>>,
    pub claims: Option<At<String>>,
    #[serde(default)]
    pub claim: Vec<At<ClaimWire>>,
    #[serde(default)]
    pub corpus: Vec<At<CorpusWire>>,
    #[serde(default)]
    pub tagger: TaggerWire,
    #[serde(default)]
    pub pruning: PruningWire,
    #[serde(default)]
    pub training: TrainingWire,
    #[serde(default)]
    pub features: FeaturesWire,
    #[serde(default)]
    pub decoding: DecodingWire,
    #[serde(default)]
    pub evaluation: EvaluationWire,
    #[serde(default)]
    pub timing: TimingWire,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CorpusWire {
    pub name: At<String>,
    pub format: At<String>,
    pub rules: Option<At<String>>,
    pub encoding: Option<At<String>>,
    pub folder: Option<At<OneOrMany<String>>>,
    pub train: Option<At<OneOrMany<String>>>,
    pub dev: Option<At<OneOrMany<String>>>,
    pub test: Option<At<OneOrMany<String>>>,
    pub punctuation: Option<At<PunctuationWire>>,
    pub nonprojective: Option<At<String>>,
    pub published: Option<At<String>>,
    #[serde(default)]
    pub expected: ExpectedWire,
    pub synthetic: Option<At<SyntheticWire>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a name, or a table such as { column = \"fine\", tags = [\".\"] }")]
pub(super) enum PunctuationWire {
    Named(String),
    Tags(PunctuationTagsWire),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PunctuationTagsWire {
    pub column: String,
    pub tags: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedWire {
    pub train: Option<At<CountsWire>>,
    pub dev: Option<At<CountsWire>>,
    pub test: Option<At<CountsWire>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountsWire {
    pub sentences: Option<CountWire>,
    pub tokens: Option<CountWire>,
}

/// A count, or all those that will do.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number, or a list of those that will do")]
pub(super) enum CountWire {
    One(u64),
    AnyOf(Vec<u64>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SyntheticWire {
    pub seed: Option<u64>,
    pub train: Option<At<usize>>,
    pub dev: Option<At<usize>>,
    pub test: Option<At<usize>>,
    pub vocabulary: Option<At<usize>>,
    pub unknown: Option<At<u32>>,
    pub head_noise: Option<At<u32>>,
    pub tag_noise: Option<At<u32>>,
    pub nonprojective: Option<At<u32>>,
    pub phenomena: Option<At<PhenomenaWire>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhenomenaWire {
    pub brackets: Option<At<u32>>,
    pub coordination: Option<At<u32>>,
    pub parallel: Option<At<u32>>,
    pub circumposition: Option<At<u32>>,
    pub resumption: Option<At<u32>>,
    pub concord: Option<At<u32>>,
    pub ideophones: Option<At<u32>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaggerWire {
    pub epochs: Option<At<usize>>,
    pub folds: Option<At<usize>>,
    pub seed: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PruningWire {
    pub templates: Option<String>,
    pub epochs: Option<At<usize>>,
    pub rate: Option<At<f64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainingWire {
    pub templates: Option<String>,
    pub trainer: Option<At<OneOrMany<String>>>,
    pub aggressiveness: Option<At<f64>>,
    pub epochs: Option<At<usize>>,
    pub average_from: Option<At<usize>>,
    pub choose_epoch: Option<At<String>>,
    pub k: Option<At<KWire>>,
    pub threshold: Option<At<f64>>,
    pub decoder: Option<At<String>>,
    pub dp_calls: Option<At<LimitWire>>,
    pub nodes: Option<At<LimitWire>>,
}

/// A number of heads, or `"none"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number of heads or \"none\"")]
pub(super) enum KWire {
    Number(i64),
    Word(String),
}

/// A limit, or `"none"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or \"none\"")]
pub(super) enum LimitWire {
    Number(i64),
    Word(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeaturesWire {
    pub sets: Option<At<SetsWire>>,
    pub third_order: Option<At<Vec<String>>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a name such as \"all\", or a list such as [\"sibling\", \"grandchild+sibling\"]"
)]
pub(super) enum SetsWire {
    Named(String),
    List(Vec<String>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecodingWire {
    pub k: Option<At<Vec<At<KWire>>>>,
    pub threshold: Option<At<Vec<At<f64>>>>,
    pub decoders: Option<At<Vec<At<String>>>>,
    pub backbone: Option<At<OneOrMany<String>>>,
    pub more: Option<At<MoreWire>>,
    pub dp_calls: Option<At<LimitWire>>,
    pub nodes: Option<At<LimitWire>>,
}

/// More prunings for some sets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoreWire {
    pub sets: Vec<String>,
    #[serde(default)]
    pub k: Vec<At<KWire>>,
    #[serde(default)]
    pub threshold: Vec<At<f64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluationWire {
    pub splits: Option<At<Vec<At<String>>>>,
    pub rounds: Option<At<u64>>,
    pub seed: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimingWire {
    pub repeats: Option<At<u64>>,
}

/// A claim: the keys of all kinds, of which each kind has some.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimWire {
    pub name: At<String>,
    pub text: String,
    pub source: String,
    pub kind: At<String>,
    pub a: Option<At<SelectorWire>>,
    pub others: Option<At<Vec<At<SelectorWire>>>>,
    pub metric: Option<At<String>>,
    pub level: Option<At<f64>>,
    pub tolerance: Option<At<f64>>,
    pub value: Option<At<f64>>,
    pub relative: Option<At<f64>>,
    pub low: Option<At<f64>>,
    pub high: Option<At<f64>>,
    pub to_length: Option<At<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectorWire {
    pub set: At<String>,
    pub k: Option<At<KWire>>,
    pub decoder: Option<At<String>>,
    pub backbone: Option<At<String>>,
    pub trainer: Option<At<String>>,
    pub tags: Option<At<String>>,
    pub split: Option<At<String>>,
}

/// A list of claims by itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimListWire {
    pub claim: Vec<At<ClaimWire>>,
}
