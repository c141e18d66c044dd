//! The config with every default filled in. Written to `config.resolved.toml`, which can itself be run.

use std::path::PathBuf;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::claims::Claims;
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoder};
use crate::features::Family;
use crate::pruning::Rule;
use crate::treebank::synth;

/// An experiment: everything that decides its results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// Name of the experiment: the config's file name without its ending.
    #[serde(skip)]
    pub name: String,
    /// Folder of the config file: relative paths start here.
    #[serde(skip)]
    pub base: PathBuf,
    /// Prose printed under the tables.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub analysis: String,
    /// Seeds of the training runs.
    pub seeds: Vec<u64>,
    /// Which tags the parser sees.
    pub tags: Vec<Tags>,
    /// What is claimed of the results.
    #[serde(flatten, serialize_with = "claim_keys")]
    pub claims: Claims,
    /// The tagger, for predicted tags.
    pub tagger: Tagging,
    /// The pruner.
    pub pruning: Pruning,
    /// How parsers are trained.
    pub training: Training,
    /// Which sets of non-local features.
    pub features: Features,
    /// How test sentences are decoded.
    pub decoding: Decoding,
    /// What is evaluated.
    pub evaluation: Evaluation,
    /// How speed is measured.
    pub timing: Timing,
    /// The treebanks.
    pub corpus: Vec<Corpus>,
}

/// Whose part-of-speech tags the parser sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tags {
    /// The treebank's.
    Gold,
    /// The tagger's: the training part by jackknifing.
    Predicted,
}

impl Tags {
    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Tags::Gold => "gold",
            Tags::Predicted => "predicted",
        }
    }
}

/// A part of a treebank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// For learning.
    Train,
    /// For choices.
    Dev,
    /// For results.
    Test,
}

impl Split {
    /// All parts, in the order of [`Origin`]'s lines.
    pub const ALL: [Self; 3] = [Self::Train, Self::Dev, Self::Test];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Dev => "dev",
            Split::Test => "test",
        }
    }
}

/// A treebank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corpus {
    /// Its name in results.
    pub name: String,
    /// File format.
    pub format: Format,
    /// For brackets: a built-in table of head rules, or a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// How the bytes of the files are characters.
    #[serde(skip_serializing_if = "Encoding::is_utf8")]
    pub encoding: Encoding,
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
    /// The data set of the paper whose figures stand beside this corpus's in tables: `PTB` or `CTB`.
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
    pub origin: Origin,
}

/// Where the keys of a corpus stand in a config, for messages on its data: lines, from 1.
///
/// A corpus is the same wherever it stands, so any two of these are equal.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The config file.
    pub path: PathBuf,
    /// The line of `folder`; of the table if there is no such key.
    pub folder: usize,
    /// The lines of `train`, `dev` and `test`.
    pub parts: [usize; 3],
    /// The lines of the expected counts of `train`, `dev` and `test`.
    pub expected: [usize; 3],
    /// The line of `rules`.
    pub rules: usize,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// How the bytes of a file are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// GB 18030, of which GBK and GB 2312 are parts: what the Chinese Treebank was delivered in up to version 5.
    Gb18030,
}

impl Encoding {
    fn is_utf8(&self) -> bool {
        *self == Self::Utf8
    }
}

/// A treebank's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// Which column of a word is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagColumn {
    /// The fine tag.
    Fine,
    /// The coarse tag.
    Coarse,
}

/// Which words are punctuation, by their gold tag; they are left out of the scored counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Punctuation {
    /// The tag that decides.
    pub column: TagColumn,
    /// Its values.
    pub tags: Vec<String>,
}

impl Punctuation {
    /// The rules that have a name: `ud`, `ptb`, `ctb`, `none`.
    pub fn named(name: &str) -> Option<Self> {
        let rule = |column, tags: &[&str]| Self { column, tags: tags.iter().map(ToString::to_string).collect() };
        Some(match name {
            "ud" => rule(TagColumn::Coarse, &["PUNCT"]),
            "ptb" => rule(TagColumn::Fine, &["``", "''", ":", ",", "."]),
            "ctb" => rule(TagColumn::Fine, &["PU"]),
            "none" => rule(TagColumn::Fine, &[]),
            _ => return None,
        })
    }
}

/// What is done with training trees that no projective parser can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nonprojective {
    /// Learn from the projective tree that keeps most of their arcs.
    Projectivize,
    /// Leave them out.
    Drop,
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

    /// Of one part.
    pub fn of(&self, split: Split) -> Option<&Counts> {
        match split {
            Split::Train => self.train.as_ref(),
            Split::Dev => self.dev.as_ref(),
            Split::Test => self.test.as_ref(),
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

/// The pruner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pruning {
    /// Template set: a built-in name, or a file.
    pub templates: String,
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass.
    pub rate: f64,
}

/// How weights are learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trainer {
    /// The averaged structured perceptron.
    Perceptron,
    /// MIRA with one constraint a sentence, found by exact search with wrong heads charged for.
    Mira,
}

impl Trainer {
    /// All trainers.
    pub const ALL: [Self; 2] = [Self::Perceptron, Self::Mira];

    /// The trainer of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perceptron => "perceptron",
            Self::Mira => "mira",
        }
    }
}

/// Which epoch's weights are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChooseEpoch {
    /// Those of the last.
    Last,
    /// Those that score best on the development part; the earliest of equals.
    Dev,
}

/// How parsers are trained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Training {
    /// Template set: a built-in name, or a file.
    pub templates: String,
    /// The learners.
    #[serde(rename = "trainer")]
    pub trainers: Vec<Trainer>,
    /// The longest step of MIRA.
    pub aggressiveness: f64,
    /// Passes over the training part.
    pub epochs: usize,
    /// Which pass counts.
    pub choose_epoch: ChooseEpoch,
    /// Candidate heads while training.
    #[serde(flatten, serialize_with = "rule_key")]
    pub rule: Rule,
    /// Decoder of sets with non-local features while training.
    pub decoder: Decoder,
    /// Its limits.
    #[serde(flatten, serialize_with = "limit_keys")]
    pub limits: Limits,
}

/// Sets of non-local families.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Features {
    /// The sets, in canonical form and order; the baseline is always evaluated and is not among them.
    pub sets: Vec<FeatureSet>,
    /// The sets with the backbone `grand-sibling`, `baseline` for none; those of `sets` and the baseline if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third_order: Option<Vec<FeatureSet>>,
}

/// A set of non-local families, sorted; the empty set is the baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeatureSet(Vec<Family>);

impl FeatureSet {
    /// The set of these families.
    pub fn new(mut families: Vec<Family>) -> Self {
        families.sort_unstable();
        families.dedup();
        Self(families)
    }

    /// Reads `baseline`, or family names joined by `+` in any order.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "baseline" {
            return Some(Self::baseline());
        }
        text.split('+').map(|name| Family::parse(name.trim())).collect::<Option<_>>().map(Self::new)
    }

    /// The baseline: no non-local features.
    pub fn baseline() -> Self {
        Self(Vec::new())
    }

    /// The families, sorted.
    pub fn families(&self) -> &[Family] {
        &self.0
    }

    /// True for the baseline.
    pub fn is_baseline(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_baseline() {
            return f.write_str("baseline");
        }
        let names: Vec<_> = self.0.iter().map(|f| f.name()).collect();
        f.write_str(&names.join("+"))
    }
}

impl Serialize for FeatureSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How sentences are decoded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoding {
    /// Pruning rules, one cell each.
    #[serde(flatten, serialize_with = "rule_keys")]
    pub rules: Vec<Rule>,
    /// Decoders of sets with non-local features, one cell each. The baseline is decoded by the dynamic program.
    pub decoders: Vec<Decoder>,
    /// Dynamic programs, with a model and cells each.
    #[serde(rename = "backbone")]
    pub backbones: Vec<Backbone>,
    /// More prunings for some sets, such as those of Table 3 for the best set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MorePrunings>,
    /// Limits of the search.
    #[serde(flatten, serialize_with = "limit_keys")]
    pub limits: Limits,
}

impl Decoding {
    /// The prunings that a set is decoded with.
    pub fn rules_of(&self, set: &FeatureSet) -> impl Iterator<Item = Rule> {
        let more = self.more.as_ref().filter(|more| more.sets.contains(set));
        self.rules.iter().chain(more.into_iter().flat_map(|more| &more.rules)).copied()
    }
}

/// Prunings for some sets only.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorePrunings {
    /// The sets.
    pub sets: Vec<FeatureSet>,
    /// The prunings that are added for them.
    #[serde(flatten, serialize_with = "rule_keys")]
    pub rules: Vec<Rule>,
}

/// What is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// Parts of the treebank.
    pub splits: Vec<Split>,
    /// Rounds of the paired test.
    pub rounds: u64,
    /// Its seed.
    pub seed: u64,
}

/// How speed is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Timed passes over each cell.
    pub repeats: u64,
}

fn k_value(rule: Rule) -> Option<toml::Value> {
    match rule {
        Rule::None => Some("none".into()),
        Rule::Best(k) => Some((k as i64).into()),
        Rule::Threshold(_) => None,
    }
}

fn threshold_value(rule: Rule) -> Option<toml::Value> {
    match rule {
        Rule::Threshold(t) => Some(t.into()),
        _ => None,
    }
}

fn rule_key<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
    let entries = [("k", k_value(*rule)), ("threshold", threshold_value(*rule))];
    serializer.collect_map(entries.into_iter().filter_map(|(k, v)| v.map(|v| (k, v))))
}

fn rule_keys<S: Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    let k: Vec<_> = rules.iter().filter_map(|&r| k_value(r)).collect();
    let threshold: Vec<_> = rules.iter().filter_map(|&r| threshold_value(r)).collect();
    serializer.collect_map([("k", k), ("threshold", threshold)])
}

fn claim_keys<S: Serializer>(claims: &Claims, serializer: S) -> Result<S::Ok, S::Error> {
    let Claims { list, own } = claims;
    let mut map = serializer.serialize_map(None)?;
    if let Some(list) = list {
        map.serialize_entry("claims", list)?;
    }
    if !own.is_empty() {
        map.serialize_entry("claim", own)?;
    }
    map.end()
}

fn limit_keys<S: Serializer>(limits: &Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let value = |limit: Option<u64>| match limit {
        Some(limit) => toml::Value::from(limit as i64),
        None => "none".into(),
    };
    serializer.collect_map([("dp_calls", value(limits.dp_calls)), ("nodes", value(limits.nodes))])
}
