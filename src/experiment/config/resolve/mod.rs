//! From the wire form to the full config: defaults filled in, every value checked, all faults reported together.

mod corpus;
mod decoding;
mod features;
mod learning;
mod values;

use std::collections::BTreeSet;
use std::path::Path;

use super::error::{ConfigError, line_of};
use super::model::{Config, Corpus, Decoding, Evaluation, FeatureSet, Features, Split, Tags, Timing};
use super::wire::{At, ConfigWire, EvaluationWire};
use crate::decode::Backbone;

/// Reads a config file.
///
/// # Errors
/// All that is wrong with it, each with its line.
pub fn read(path: &Path) -> Result<Config, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Io { path: path.display().to_string(), source })?;
    parse(&text, path)
}

/// Parses the text of a config; its name and base folder come from `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let name = path.display().to_string();
    let wire: ConfigWire = toml::from_str(text).map_err(|e| ConfigError::Toml {
        path: name.clone(),
        line: e.span().map_or(1, |span| line_of(text, span.start)),
        message: e.message().to_owned(),
    })?;
    let mut resolver = Resolver::new(text);
    let config = resolver.config(wire, path);
    if resolver.faults.is_empty() {
        Ok(config)
    } else {
        resolver.faults.sort();
        Err(ConfigError::Faults { path: name, faults: resolver.faults })
    }
}

pub(in crate::experiment::config) struct Resolver<'a> {
    text: &'a str,
    faults: Vec<(Option<usize>, String)>,
}

impl<'a> Resolver<'a> {
    pub(in crate::experiment::config) fn new(text: &'a str) -> Self {
        Self { text, faults: Vec::new() }
    }

    pub(in crate::experiment::config) fn is_faultless(&self) -> bool {
        self.faults.is_empty()
    }

    pub(in crate::experiment::config) fn fault<T>(&mut self, at: &At<T>, message: impl Into<String>) {
        self.fault_at(at.span().start, message);
    }

    pub(in crate::experiment::config) fn fault_at(&mut self, start: usize, message: impl Into<String>) {
        self.faults.push((Some(line_of(self.text, start)), message.into()));
    }

    fn config(&mut self, wire: ConfigWire, path: &Path) -> Config {
        let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let base = path.parent().map_or_else(Default::default, Path::to_owned);
        if wire.corpus.is_empty() {
            self.faults.push((None, "no corpus: add a [[corpus]] table with name, format and files".into()));
        }
        let corpus: Vec<Corpus> = wire.corpus.iter().map(|c| self.corpus(c, path)).collect();
        let mut names = BTreeSet::new();
        for (corpus, at) in corpus.iter().zip(&wire.corpus) {
            if !names.insert(&corpus.name) {
                self.fault(at, format!("two corpora are named `{}`", corpus.name));
            }
        }
        let (features, decoding) = (self.features(&wire.features), self.decoding(&wire.decoding));
        self.unused(&wire, &features, &decoding);
        Config {
            name,
            base,
            analysis: wire.analysis.clone().unwrap_or_default(),
            seeds: self.seeds(wire.seeds.as_ref()),
            tags: self.list(
                wire.tags.as_ref(),
                "tags",
                &[("gold", Tags::Gold), ("predicted", Tags::Predicted)],
                Tags::Gold,
            ),
            claims: self.claims(&wire),
            tagger: self.tagger(&wire.tagger),
            pruning: self.pruning(&wire.pruning),
            training: self.training(&wire.training),
            features,
            decoding,
            evaluation: self.evaluation(&wire.evaluation),
            timing: Timing { repeats: self.at_least_one(wire.timing.repeats.as_ref(), "repeats", 3) },
            corpus,
        }
    }

    /// Settings for cells that the experiment does not have.
    fn unused(&mut self, wire: &ConfigWire, features: &Features, decoding: &Decoding) {
        if let Some(at) = &wire.features.third_order
            && !decoding.backbones.contains(&Backbone::GrandSibling)
        {
            let message = "third_order: its sets are for backbone = \"grand-sibling\", which [decoding] does not name";
            self.fault(at, message);
        }
        if let (Some(at), Some(more)) = (&wire.decoding.more, &decoding.more) {
            let has = |backbone: Backbone, set: &FeatureSet| features.trained(backbone).contains(&set.under(backbone));
            let is_run = |set: &FeatureSet| decoding.backbones.iter().any(|&backbone| has(backbone, set));
            if let Some(set) = more.sets.iter().find(|set| !is_run(set)) {
                self.fault(at, format!("more: the set `{set}` is not among the sets of [features]"));
            }
        }
    }

    fn seeds(&mut self, seeds: Option<&At<Vec<u64>>>) -> Vec<u64> {
        let Some(at) = seeds else { return vec![1] };
        let seeds = at.get_ref();
        if seeds.is_empty() {
            self.fault(at, "seeds = []: an experiment needs at least one seed");
        }
        if seeds.iter().collect::<BTreeSet<_>>().len() < seeds.len() {
            self.fault(at, "a seed is given twice");
        }
        seeds.clone()
    }

    fn evaluation(&mut self, wire: &EvaluationWire) -> Evaluation {
        Evaluation {
            splits: self.list(
                wire.splits.as_ref(),
                "splits",
                &[("dev", Split::Dev), ("test", Split::Test)],
                Split::Test,
            ),
            rounds: self.at_least_one(wire.rounds.as_ref(), "rounds", 10_000),
            seed: wire.seed.unwrap_or(1),
        }
    }
}
