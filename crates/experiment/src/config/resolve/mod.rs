//! From the tree to the full config: defaults filled in, every value checked, all faults reported together.

mod corpus;
mod external;
mod grid;
mod learning;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::compose::{beside, compose};
use super::error::{ConfigError, sorted};
use super::model::{Config, Corpus, Evaluation, Grid, Timing};
use super::place::{Place, Source};
use super::reader::{Keys, Reader, old_k, old_threshold, shown};
use super::tree::{Entries, Node, Value};
use crate::config::model::TemplatesSource;
use crate::store::sha256;
use grid::{Known, Named, Shared};
use treebound_parser::cell::{CorpusName, Fold, Split};
use treebound_parser::systems::external::External;

/// Most bytes of a config's name, which is that of folders.
const LONGEST_NAME: usize = 100;

const TOP: Keys = Keys {
    table: "a config",
    known: &[
        "analysis",
        "extends",
        "seeds",
        "tags",
        "claims",
        "claim",
        "failure",
        "corpus",
        "tagger",
        "pruner",
        "training",
        "learner",
        "features",
        "decoding",
        "evaluation",
        "timing",
        "external",
        "grid",
        "files",
    ],
    old: &[("pruning", |_| "[pruning], how the pruner learns, is called [pruner] now".to_owned())],
};

const FEATURES: Keys = Keys {
    table: "[features]",
    known: &["sets"],
    old: &[("third_order", |node| {
        let sets = shown(node);
        format!(
            "third_order is a grid now: write [[grid]] with backbones = \"grand-sibling\", sets = {sets}, baseline = false"
        )
    })],
};

const DECODING: Keys = Keys {
    table: "[decoding]",
    known: &["pruning", "decoders", "backbones", "dp_calls", "nodes"],
    old: &[
        ("k", old_k),
        ("threshold", old_threshold),
        ("backbone", |node| format!("`backbone` is called `backbones` now: write backbones = {}", shown(node))),
        ("more", |_| "more is a grid now: write [[grid]] with these sets, pruning and baseline = false".to_owned()),
    ],
};

const EVALUATION: Keys = Keys { table: "[evaluation]", known: &["splits", "folds", "rounds", "seed"], old: &[] };

/// Folds where a config names none.
const FOLDS: usize = 10;

const TIMING: Keys = Keys { table: "[timing]", known: &["repeats"], old: &[] };

/// Reads a config file.
///
/// All that is wrong with it, each with its line.
pub fn read(path: &Path) -> Result<Config, ConfigError> {
    read_with(path, &[])
}

/// Reads a config file, with values set as `KEY=VALUE` by the command line.
///
/// As [`read`].
pub fn read_with(path: &Path, set: &[String]) -> Result<Config, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Io { path: path.display().to_string(), source })?;
    parse_with(&text, path, set)
}

/// Parses the text of a config; its name and base folder come from `path`.
///
/// As [`read`].
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    parse_with(text, path, &[])
}

/// Parses the text of a config, with values set as `KEY=VALUE` by the command line.
///
/// As [`read`].
pub fn parse_with(text: &str, path: &Path, set: &[String]) -> Result<Config, ConfigError> {
    let (entries, own) = compose(text, path, set)?;
    let mut reader = Reader::default();
    let config = reader.config(&entries, &own, path);
    match config {
        Some(config) if reader.faults.is_empty() => Ok(config),
        _ => Err(ConfigError::Faults(sorted(reader.faults))),
    }
}

impl Reader {
    fn config(&mut self, entries: &Entries, own: &Arc<Source>, path: &Path) -> Option<Config> {
        let top = self.top(entries, &TOP);
        let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        // It names folders of results.
        if name.len() > LONGEST_NAME || name.chars().any(char::is_control) || name.chars().all(|c| c == '.') {
            let message = "results are named by the config's file, whose name is not one for a folder: rename it";
            self.fault_at(&Place::whole(own), message);
        }
        let base = path.parent().map_or_else(Default::default, Path::to_owned);
        let corpora = self.corpora(&top, own);
        let externals: Vec<External> =
            self.members(top.find("external"), "external").into_iter().filter_map(|node| self.external(node)).collect();
        let training = self.section(top.find("training"), "training", &learning::TRAINING);
        let features = self.section(top.find("features"), "features", &FEATURES);
        let decoding = self.section(top.find("decoding"), "decoding", &DECODING);
        let evaluation = self.section(top.find("evaluation"), "evaluation", &EVALUATION);
        let timing = self.section(top.find("timing"), "timing", &TIMING);
        let names: Vec<CorpusName> = corpora.iter().flatten().map(|corpus| corpus.name.clone()).collect();
        let known = Known { corpora: &names, externals: &externals };
        let shared = Shared {
            top: &top,
            training: &training,
            features: &features,
            decoding: &decoding,
            evaluation: &evaluation,
        };
        let nodes = self.members(top.find("grid"), "grid");
        let named: Vec<Named> = match &nodes[..] {
            [] => vec![self.grid(None, shared, &known)],
            nodes => nodes.iter().map(|&node| self.grid(Some(node), shared, &known)).collect(),
        };
        self.same_limits(&named, &nodes);
        let wanted: Vec<_> = named.iter().flat_map(|named| named.learners.iter().cloned()).collect();
        let learners = self.learners(&training, top.find("learner"), &wanted);
        let templates = self.template_sets(&named);
        let analysis = self.get(&top, "analysis").and_then(|node| self.text(node, "analysis"));
        let (rounds, seed) = (self.get(&evaluation, "rounds"), self.get(&evaluation, "seed"));
        let folds = self.get(&evaluation, "folds");
        let folds = self.folds(folds, &named);
        let repeats = self.get(&timing, "repeats");
        let pruner = self.pruner(top.find("pruner"));
        let grids: Vec<Grid> = named.into_iter().map(|named| named.grid).collect();
        let config = Config {
            name,
            analysis: analysis.unwrap_or_default().to_owned(),
            claims: self.claims(&top, &grids),
            tagger: self.tagger(top.find("tagger")),
            learners,
            externals,
            grids,
            evaluation: Evaluation {
                rounds: self.whole_or(rounds, "rounds", 1, 10_000),
                seed: self.whole_or(seed, "seed", 0, 1),
                folds,
            },
            timing: Timing { repeats: self.whole_or(repeats, "repeats", 1, 3) },
            files: self.files_of(top.find("files"), &base, &templates, &pruner.templates, corpora.iter().flatten()),
            templates,
            pruner,
            corpora: corpora.into_iter().collect::<Option<_>>()?,
            origins: std::mem::take(&mut self.origins),
            base,
        };
        Some(config)
    }

    /// The folds of a config whose grids parse some treebank by cross-validation.
    fn folds(&mut self, node: Option<&Node>, named: &[Named]) -> Option<usize> {
        let given = node.and_then(|node| self.whole(node, "folds", Fold::FEWEST as u64));
        if named.iter().any(|named| named.grid.splits.contains(&Split::Cv)) {
            return Some(given.and_then(|given| usize::try_from(given).ok()).unwrap_or(FOLDS));
        }
        if let Some(node) = node {
            let message = format!("folds = {}: no grid is cross-validated; add \"cv\" to splits", shown(node));
            self.fault(node, message);
        }
        None
    }

    /// A cell of two grids is one, so it has one limit.
    fn same_limits(&mut self, named: &[Named], nodes: &[&Node]) {
        let show = |limit: Option<u64>| limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string());
        for (i, (second, node)) in named.iter().zip(nodes).enumerate() {
            let second = &second.grid;
            for first in named[..i].iter().map(|named| &named.grid).filter(|first| first.shares_search(second)) {
                let limits = [
                    ("dp_calls", first.limits.dp_calls, second.limits.dp_calls),
                    ("nodes", first.limits.nodes, second.limits.nodes),
                ];
                for (key, a, b) in limits.into_iter().filter(|(_, a, b)| a != b) {
                    let message = format!(
                        "the grids `{}` and `{}` have cells in common, with different limits: {key} = {} and {}; write the \
                         same in both, or take the cells out of one",
                        first.name,
                        second.name,
                        show(a),
                        show(b)
                    );
                    self.fault(node, message);
                }
            }
        }
    }

    /// The tables of a list, each with a name of its own.
    pub(super) fn members<'t>(&mut self, node: Option<&'t Node>, kind: &str) -> Vec<&'t Node> {
        let mut names = BTreeSet::new();
        let members: Vec<&Node> = node.into_iter().flat_map(|node| node.each()).collect();
        for member in &members {
            if let Some(name) = member.name().filter(|name| !names.insert(*name)) {
                let kinds = if kind == "corpus" { "corpora".to_owned() } else { format!("{kind}s") };
                self.fault(member, format!("two {kinds} are named `{name}`"));
            }
        }
        members
    }

    /// None for a corpus that has faults.
    fn corpora(&mut self, top: &super::reader::Section, own: &Arc<Source>) -> Vec<Option<Corpus>> {
        let members = self.members(top.find("corpus"), "corpus");
        if members.is_empty() {
            let message = "no corpus: add a [[corpus]] table with name, format and files, or corpus = \"FILE\"";
            self.fault_at(&Place::whole(own), message);
        }
        members.into_iter().map(|node| self.corpus(node)).collect()
    }

    /// The template sets of all grids: one source a name.
    fn template_sets(&mut self, named: &[Named]) -> BTreeMap<treebound_parser::cell::TemplatesName, TemplatesSource> {
        let mut sets: BTreeMap<_, TemplatesSource> = BTreeMap::new();
        for (name, source, node) in named.iter().flat_map(|named| &named.templates) {
            let first = sets.entry(name.clone()).or_insert_with(|| source.clone());
            if first != source
                && let Some(node) = node
            {
                let message = format!(
                    "templates: `{first}` and `{source}` are both called `{name}` in results; rename one of the files"
                );
                self.fault(node, message);
            }
        }
        sets
    }

    /// The checksums of the files that decide pieces. `[files]` of a resolved config has those that it was written
    /// with; they must be the same still.
    fn files_of<'c>(
        &mut self,
        node: Option<&Node>,
        base: &Path,
        templates: &BTreeMap<treebound_parser::cell::TemplatesName, TemplatesSource>,
        pruner: &TemplatesSource,
        corpora: impl Iterator<Item = &'c Corpus>,
    ) -> BTreeMap<String, String> {
        let sets = templates.values().chain([pruner]).filter_map(|source| match source {
            TemplatesSource::File(path) => Some(path),
            TemplatesSource::BuiltIn(_) => None,
        });
        let rules = corpora.filter_map(|corpus| corpus.rules.as_ref());
        let rules =
            rules.filter(|rules| !treebound_parser::treebank::penn::HeadRules::BUILT_IN.contains(&rules.as_str()));
        let checksum = |path: &String| Some((path.clone(), sha256(&std::fs::read(beside(base, path)).ok()?)));
        let files: BTreeMap<String, String> = sets.chain(rules).filter_map(checksum).collect();
        let before = match node.map(|node| (node, &node.value)) {
            None => return files,
            Some((_, Value::Table(entries))) => entries,
            Some((node, _)) => {
                self.fault(node, "[files] has the checksum of each file; it is written by this program");
                return files;
            }
        };
        for (path, node) in before {
            let same = matches!(&node.value, Value::Text(sum) if files.get(path) == Some(sum));
            if !same {
                let message = format!(
                    "{path} is not the file that this config was written with; remove this line to go on with it"
                );
                self.fault(node, message);
            }
        }
        files
    }
}
