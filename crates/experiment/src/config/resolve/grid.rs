//! `[[grid]]`: what is run. Keys that a grid leaves out are those at the top of the config, `[training]`, `[features]`,
//! `[decoding]` and `[evaluation]`.

use super::learning;
use crate::config::model::{Grid, TemplatesSource};
use crate::config::reader::{self, Keys, Reader, Section, listed, nearest, quoted};
use crate::config::sets;
use crate::config::tree::{MAIN, Node};
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{Axis, CorpusName, FeatureSet, Learner, Method, Split, SystemName, Tags, TemplatesName};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::BUILT_IN;
use treebound_parser::systems::external::External;

/// DP calls a sentence that decoding may spend where the config names no limit.
const DECODING_DP_CALLS: u64 = 20_000;

const GRID: Keys = Keys {
    table: "a grid",
    known: &[
        "name",
        "default",
        "corpus",
        "tags",
        "systems",
        "templates",
        "learners",
        "sets",
        "baseline",
        "pruning",
        "decoders",
        "backbones",
        "seeds",
        "splits",
        "dp_calls",
        "nodes",
    ],
    old: &[("k", reader::old_k), ("threshold", reader::old_threshold)],
};

/// The tables with what grids share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'s, 't> {
    pub top: &'s Section<'t>,
    pub training: &'s Section<'t>,
    pub features: &'s Section<'t>,
    pub decoding: &'s Section<'t>,
    pub evaluation: &'s Section<'t>,
}

/// What grids may name.
pub(super) struct Known<'k> {
    pub corpora: &'k [CorpusName],
    pub externals: &'k [External],
}

/// What a grid names: itself, the learners, the template sets, each with its place.
pub(super) struct Named<'t> {
    pub grid: Grid,
    pub learners: Vec<(Learner, Option<&'t Node>)>,
    pub templates: Vec<(TemplatesName, TemplatesSource, Option<&'t Node>)>,
}

impl Reader {
    /// A grid; the one of a config without grids if there is no table.
    pub(super) fn grid<'t>(&mut self, node: Option<&'t Node>, shared: Shared<'_, 't>, known: &Known) -> Named<'t> {
        let name = match node {
            None => MAIN,
            Some(node) => node.name().unwrap_or_default(),
        };
        let own = self.section(node, format!("grid.{name}"), &GRID);
        if let Some(at) = node {
            self.grid_name(&own, at);
        }
        let Shared { top, training, features, decoding, evaluation } = shared;
        let find = |reader: &mut Self, key: &'static str, shared: Option<&'t Node>| {
            reader.take(&own.path, key, [own.find(key), shared])
        };
        let corpora = match find(self, "corpus", None) {
            None => known.corpora.to_vec(),
            Some(node) => self.values(node, "corpus", |reader, node| reader.known_corpus(node, known.corpora)),
        };
        let tags = find(self, "tags", top.find("tags"));
        let systems = find(self, "systems", None);
        let templates = find(self, "templates", training.find("templates"));
        let templates = self.grid_templates(templates);
        let learners = find(self, "learners", training.find("learner"));
        let sets = find(self, "sets", features.find("sets"));
        let baseline = find(self, "baseline", None);
        let is_baseline = baseline.and_then(|node| self.truth(node, "baseline")).unwrap_or(true);
        let (prunings, decoders) =
            (find(self, "pruning", decoding.find("pruning")), find(self, "decoders", decoding.find("decoders")));
        let backbones = find(self, "backbones", decoding.find("backbones"));
        let (seeds, splits) = (find(self, "seeds", top.find("seeds")), find(self, "splits", evaluation.find("splits")));
        let default = find(self, "default", None).and_then(|node| self.truth(node, "default"));
        let learners = self.grid_learners(learners);
        // Who says how many folds, and nothing else, wants them.
        let usual = if evaluation.find("folds").is_some() { Split::Cv } else { Split::Test };
        let splits = self.axis(
            splits,
            usual,
            |reader, node| reader.one_of(node, "splits", &Split::PARSED.map(|split| (split.name(), split))),
            "splits",
        );
        let grid = Grid {
            name: name.to_owned(),
            default: default.unwrap_or(true),
            corpora,
            tags: self.axis(
                tags,
                Tags::Gold,
                |reader, node| reader.one_of(node, "tags", &Tags::ALL.map(|tags| (tags.name(), tags))),
                "tags",
            ),
            systems: self.systems(systems, known.externals),
            templates: templates.iter().map(|t| t.0.clone()).collect(),
            learners: learners.iter().map(|l| l.0.clone()).collect(),
            sets: self.grid_sets(sets, is_baseline),
            baseline: is_baseline,
            prunings: self.axis(prunings, Rule::Best(10), |reader, node| reader.pruning(node, "pruning"), "pruning"),
            decoders: self.axis(
                decoders,
                Decoder::Bnb,
                |reader, node| {
                    let found = reader.decoder(node, "decoders", &[Decoder::Bnb, Decoder::PAPER, Decoder::Mbr]);
                    if found == Some(Decoder::Mbr) {
                        reader.probabilities_are_there(node, &learners);
                    }
                    found
                },
                "decoders",
            ),
            backbones: self.axis(
                backbones,
                Backbone::default(),
                |reader, node| reader.backbone(node, "backbones"),
                "backbones",
            ),
            seeds: self.seeds(seeds),
            splits,
            limits: self.limits(DECODING_DP_CALLS, |reader, key| find(reader, key, decoding.find(key))),
        };
        Named { grid, learners, templates }
    }

    /// A fault if a learner has no probabilities for a decoder that wants them.
    fn probabilities_are_there(&mut self, node: &Node, learners: &[(Learner, Option<&Node>)]) {
        if let Some((learner, _)) = learners.iter().find(|(learner, _)| learner.method() != Method::Crf) {
            let message = format!(
                "the decoder `mbr` needs probabilities, and a parser learnt by `{learner}` has none: name learners that begin \
                 with `crf`"
            );
            self.fault(node, message);
        }
    }

    fn grid_name(&mut self, own: &Section, grid: &Node) {
        match self.get(own, "name") {
            None => self.fault(grid, "the grid has no key `name`"),
            Some(node) => {
                if self.text(node, "name").is_some_and(|name| TemplatesName::parse(name).is_none()) {
                    self.fault(node, format!("name = {}: {} is needed", quoted(node), TemplatesName::EXPECTED));
                }
            }
        }
    }

    fn axis<T: Clone + PartialEq>(
        &mut self,
        node: Option<&Node>,
        default: T,
        read: impl FnMut(&mut Self, &Node) -> Option<T>,
        key: &str,
    ) -> Vec<T> {
        match node {
            None => vec![default],
            Some(node) => self.values(node, key, read),
        }
    }

    fn known_corpus(&mut self, node: &Node, corpora: &[CorpusName]) -> Option<CorpusName> {
        let text = self.text(node, "corpus")?;
        let found = corpora.iter().find(|name| name.as_str() == text).cloned();
        if found.is_none() {
            let names = listed(corpora.iter());
            self.fault(node, format!("corpus = `{text}`: no corpus has that name; there are {names}"));
        }
        found
    }

    fn systems(&mut self, node: Option<&Node>, externals: &[External]) -> Vec<SystemName> {
        let built_in: Vec<&str> = BUILT_IN.iter().map(|kind| kind.name).collect();
        let names = || built_in.iter().copied().chain(externals.iter().map(|external| external.name.as_str()));
        let Some(node) = node else { return vec![SystemName::graph()] };
        self.values(node, "systems", |reader, node| {
            let text = reader.text(node, "systems")?;
            if names().all(|name| name != text) {
                let near = nearest(text, names()).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                let message = format!(
                    "systems = `{text}` is not known; {near}there are {}, and those of [[external]]",
                    listed(names())
                );
                reader.fault(node, message);
                return None;
            }
            SystemName::parse(text)
        })
    }

    fn grid_templates<'t>(
        &mut self,
        node: Option<&'t Node>,
    ) -> Vec<(TemplatesName, TemplatesSource, Option<&'t Node>)> {
        let Some(node) = node else {
            let source = TemplatesSource::new(TEMPLATES);
            return source.name().map(|name| (name, source, None)).into_iter().collect();
        };
        let sources = self.values(node, "templates", |reader, node| reader.templates(node, "templates"));
        sources.into_iter().filter_map(|source| Some((source.name()?, source, Some(node)))).collect()
    }

    fn grid_learners<'t>(&mut self, node: Option<&'t Node>) -> Vec<(Learner, Option<&'t Node>)> {
        let Some(node) = node else { return vec![(learning::usual(), None)] };
        let learners = self.values(node, "learner", |reader, node| reader.learner(node, "learner"));
        learners.into_iter().map(|learner| (learner, Some(node))).collect()
    }

    /// Sorted, each once.
    fn grid_sets(&mut self, node: Option<&Node>, baseline: bool) -> Vec<FeatureSet> {
        let Some(node) = node else { return sets::named(sets::DEFAULT).unwrap_or_default() };
        let mut all: Vec<FeatureSet> = node.each().iter().flat_map(|node| self.sets(node)).collect();
        all.sort();
        if let Some(twice) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            self.fault(node, format!("the set `{}` is given twice", twice[0]));
        }
        if node.each().is_empty() && !baseline {
            self.fault(
                node,
                "sets = []: the grid is empty; name at least one, or `baseline` for no non-local families",
            );
        }
        all
    }

    fn seeds(&mut self, node: Option<&Node>) -> Vec<u64> {
        let Some(node) = node else { return vec![1] };
        if node.each().is_empty() {
            self.fault(node, "seeds = []: an experiment needs at least one seed");
            return Vec::new();
        }
        self.values(node, "seeds", |reader, node| reader.whole(node, "seeds", 0))
    }
}

/// The templates of a config that names none.
const TEMPLATES: &str = "compact";
