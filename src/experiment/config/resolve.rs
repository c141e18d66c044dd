//! From the wire form to the full config: defaults filled in, every value checked, all faults reported together.

use std::collections::BTreeSet;
use std::path::Path;

use super::error::{ConfigError, line_of};
use super::model::{
    ChooseEpoch, Config, Corpus, Counts, Decoding, Encoding, Evaluation, Expected, FeatureSet, Features, Format,
    MorePrunings, Nonprojective, Origin, Pruning, Punctuation, Split, TagColumn, Tagging, Tags, Timing, Trainer,
    Training,
};
use super::sets;
use super::synthetic;
use super::wire::{
    At, ConfigWire, CorpusWire, CountWire, CountsWire, DecodingWire, EvaluationWire, FeaturesWire, KWire, LimitWire,
    MoreWire, OneOrMany, PruningWire, PunctuationWire, SetsWire, TaggerWire, TrainingWire,
};
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoder};
use crate::features::Family;
use crate::pruning::Rule;

/// DP calls a sentence that training may spend where the config names no limit.
const TRAINING_DP_CALLS: u64 = 200;
/// The longest step of MIRA unless the config says otherwise.
const AGGRESSIVENESS: f64 = 0.01;
/// DP calls a sentence that decoding may spend where the config names no limit.
const DECODING_DP_CALLS: u64 = 20_000;

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

pub(super) struct Resolver<'a> {
    text: &'a str,
    faults: Vec<(Option<usize>, String)>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, faults: Vec::new() }
    }

    pub(super) fn is_faultless(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) fn fault<T>(&mut self, at: &At<T>, message: impl Into<String>) {
        self.fault_at(at.span().start, message);
    }

    pub(super) fn fault_at(&mut self, start: usize, message: impl Into<String>) {
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
            features: self.features(&wire.features),
            decoding: self.decoding(&wire.decoding),
            evaluation: self.evaluation(&wire.evaluation),
            timing: Timing { repeats: self.at_least_one(wire.timing.repeats.as_ref(), "repeats", 3) },
            corpus,
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

    /// A non-empty list of distinct names out of a fixed choice.
    fn list<T: Copy + PartialEq>(
        &mut self,
        list: Option<&At<Vec<At<String>>>>,
        key: &str,
        choice: &[(&str, T)],
        default: T,
    ) -> Vec<T> {
        let Some(list) = list else { return vec![default] };
        if list.get_ref().is_empty() {
            self.fault(list, format!("{key} = []: the grid is empty; name at least one"));
        }
        let mut values = Vec::new();
        for at in list.get_ref() {
            if let Some(value) = self.one_of(at, key, choice) {
                if values.contains(&value) {
                    self.fault(at, format!("`{}` is given twice", at.get_ref()));
                }
                values.push(value);
            }
        }
        values
    }

    pub(super) fn one_of<T: Copy>(&mut self, at: &At<String>, key: &str, choice: &[(&str, T)]) -> Option<T> {
        let found = choice.iter().find(|(name, _)| name == at.get_ref()).map(|c| c.1);
        if found.is_none() {
            let names: Vec<String> = choice.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.fault(at, format!("{key} = `{}` is not known; it can be {}", at.get_ref(), names.join(", ")));
        }
        found
    }

    fn one_or<T: Copy>(&mut self, at: Option<&At<String>>, key: &str, choice: &[(&str, T)], default: T) -> T {
        at.and_then(|at| self.one_of(at, key, choice)).unwrap_or(default)
    }

    fn at_least_one<N: Copy + Default + PartialEq>(&mut self, at: Option<&At<N>>, key: &str, default: N) -> N {
        let Some(at) = at else { return default };
        if *at.get_ref() == N::default() {
            self.fault(at, format!("{key} = 0: it must be at least 1"));
        }
        *at.get_ref()
    }

    fn corpus(&mut self, at: &At<CorpusWire>, path: &Path) -> Corpus {
        let wire = at.get_ref();
        let formats = [
            ("conllu", Format::Conllu),
            ("conllx", Format::Conllx),
            ("penn", Format::Penn),
            ("synthetic", Format::Synthetic),
        ];
        let format = self.one_of(&wire.format, "format", &formats).unwrap_or(Format::Conllu);
        if wire.name.get_ref().is_empty() {
            self.fault(&wire.name, "the corpus needs a name");
        }
        let files = |files: &Option<At<OneOrMany<String>>>| {
            files.as_ref().map(|at| at.get_ref().clone().into_vec()).unwrap_or_default()
        };
        let parts = [("train", files(&wire.train)), ("dev", files(&wire.dev)), ("test", files(&wire.test))];
        for (part, files) in &parts {
            match (format, files.is_empty()) {
                (Format::Synthetic, false) => {
                    self.fault(at, format!("{part}: a synthetic corpus has no files; remove the key"));
                }
                (Format::Synthetic, true) | (_, false) => {}
                (_, true) => self.fault(at, format!("the corpus has no `{part}` files")),
            }
        }
        if let (Format::Synthetic, Some(folder)) = (format, &wire.folder) {
            self.fault(folder, "folder: a synthetic corpus has no files; remove the key");
        }
        if let (Format::Synthetic, Some(encoding)) = (format, &wire.encoding) {
            self.fault(encoding, "encoding: a synthetic corpus has no files; remove the key");
        }
        match (&wire.rules, format) {
            (None, Format::Penn) => {
                self.fault(at, "brackets need head rules: add rules = \"english\", \"chinese\" or a file");
            }
            (Some(rules), f) if f != Format::Penn => self.fault(rules, "rules are for format = \"penn\""),
            _ => {}
        }
        let synthetic = match (&wire.synthetic, format) {
            (Some(at), f) if f != Format::Synthetic => {
                self.fault(at, "[corpus.synthetic] is for format = \"synthetic\"");
                None
            }
            (table, Format::Synthetic) => {
                let (settings, faults) = synthetic::resolve(table.as_ref());
                self.faults.extend(faults.into_iter().map(|(at, text)| (Some(line_of(self.text, at)), text)));
                Some(settings)
            }
            _ => None,
        };
        let [(_, train), (_, dev), (_, test)] = parts;
        let origin = self.origin(at, path);
        let encodings = [("utf-8", Encoding::Utf8), ("gb18030", Encoding::Gb18030)];
        let data_sets = [("PTB", "PTB"), ("CTB", "CTB")];
        let kept = [("projectivize", Nonprojective::Projectivize), ("drop", Nonprojective::Drop)];
        Corpus {
            name: wire.name.get_ref().clone(),
            format,
            rules: wire.rules.as_ref().map(|r| r.get_ref().clone()),
            encoding: self.one_or(wire.encoding.as_ref(), "encoding", &encodings, Encoding::Utf8),
            folder: files(&wire.folder),
            train,
            dev,
            test,
            punctuation: self.punctuation(wire.punctuation.as_ref(), format),
            nonprojective: self.one_or(
                wire.nonprojective.as_ref(),
                "nonprojective",
                &kept,
                Nonprojective::Projectivize,
            ),
            published: wire
                .published
                .as_ref()
                .and_then(|at| self.one_of(at, "published", &data_sets))
                .map(str::to_owned),
            expected: Expected {
                train: self.expected(wire.expected.train.as_ref()),
                dev: self.expected(wire.expected.dev.as_ref()),
                test: self.expected(wire.expected.test.as_ref()),
            },
            synthetic,
            origin,
        }
    }

    fn expected(&mut self, at: Option<&At<CountsWire>>) -> Option<Counts> {
        let at = at?;
        let mut counts = |key: &str, count: &Option<CountWire>| match count {
            None => Vec::new(),
            Some(CountWire::One(count)) => vec![*count],
            Some(CountWire::AnyOf(counts)) => {
                if counts.is_empty() {
                    self.fault(at, format!("{key} = []: no count will do; name one, or remove the key"));
                }
                counts.clone()
            }
        };
        let CountsWire { sentences, tokens } = at.get_ref();
        Some(Counts { sentences: counts("sentences", sentences), tokens: counts("tokens", tokens) })
    }

    /// Where the keys stand; the whole table stands for those that are not there.
    fn origin(&self, at: &At<CorpusWire>, path: &Path) -> Origin {
        let wire = at.get_ref();
        let line = |start: Option<usize>| line_of(self.text, start.unwrap_or(at.span().start));
        let files = |files: &Option<At<OneOrMany<String>>>| line(files.as_ref().map(|at| at.span().start));
        let counts = |counts: &Option<At<CountsWire>>| line(counts.as_ref().map(|at| at.span().start));
        Origin {
            path: path.to_owned(),
            folder: files(&wire.folder),
            parts: [&wire.train, &wire.dev, &wire.test].map(files),
            expected: [&wire.expected.train, &wire.expected.dev, &wire.expected.test].map(counts),
            rules: line(wire.rules.as_ref().map(|at| at.span().start)),
        }
    }

    fn punctuation(&mut self, at: Option<&At<PunctuationWire>>, format: Format) -> Punctuation {
        let none = Punctuation { column: TagColumn::Fine, tags: Vec::new() };
        let usual = Punctuation::named(if format == Format::Penn { "ptb" } else { "ud" }).unwrap_or(none);
        let Some(at) = at else { return usual };
        match at.get_ref() {
            PunctuationWire::Named(name) => Punctuation::named(name).unwrap_or_else(|| {
                let message = format!(
                    "punctuation = `{name}` is not known; it can be `ud` (coarse tag PUNCT), `ptb` (fine tags `` '' : , \
                     .), `ctb` (fine tag PU), `none`, or {{ column = \"fine\", tags = [...] }}"
                );
                self.fault(at, message);
                usual
            }),
            PunctuationWire::Tags(tags) => {
                let column = match tags.column.as_str() {
                    "fine" => TagColumn::Fine,
                    "coarse" => TagColumn::Coarse,
                    other => {
                        self.fault(at, format!("column = `{other}` is not known; it can be `fine`, `coarse`"));
                        TagColumn::Fine
                    }
                };
                Punctuation { column, tags: tags.tags.clone() }
            }
        }
    }

    fn tagger(&mut self, wire: &TaggerWire) -> Tagging {
        let folds = wire.folds.as_ref().map_or(10, |f| *f.get_ref());
        if let Some(at) = wire.folds.as_ref().filter(|_| folds < 2) {
            self.fault(at, format!("folds = {folds}: it takes at least 2 to tag a fold without having learnt from it"));
        }
        let epochs = self.at_least_one(wire.epochs.as_ref(), "epochs", 10);
        Tagging { epochs, folds, seed: wire.seed.unwrap_or(1) }
    }

    fn pruning(&mut self, wire: &PruningWire) -> Pruning {
        let rate = wire.rate.as_ref().map_or(0.02, |r| *r.get_ref());
        if let Some(at) = &wire.rate
            && !(rate > 0.0 && rate <= 1.0)
        {
            self.fault(at, format!("rate = {rate}: a step size lies above 0 and is at most 1"));
        }
        Pruning {
            templates: wire.templates.clone().unwrap_or_else(|| "pruner".into()),
            epochs: self.at_least_one(wire.epochs.as_ref(), "epochs", 3),
            rate,
        }
    }

    pub(super) fn rule(&mut self, at: &At<KWire>) -> Option<Rule> {
        match at.get_ref() {
            KWire::Number(k) if *k >= 1 => Some(Rule::Best(*k as usize)),
            KWire::Word(word) if word == "none" => Some(Rule::None),
            KWire::Number(k) => {
                self.fault(at, format!("k = {k}: keep at least 1 head a word, or write \"none\" for no pruning"));
                None
            }
            KWire::Word(word) => {
                self.fault(at, format!("k = `{word}` is neither a number of heads nor \"none\""));
                None
            }
        }
    }

    fn threshold(&mut self, at: &At<f64>) -> Option<Rule> {
        let t = *at.get_ref();
        if t > 0.0 && t <= 1.0 {
            return Some(Rule::Threshold(t));
        }
        self.fault(
            at,
            format!("threshold = {t}: a head is kept if it is at least this times as probable as the best, so it lies above 0 and is at most 1"),
        );
        None
    }

    fn limit(&mut self, at: Option<&At<LimitWire>>, key: &str, default: Option<u64>) -> Option<u64> {
        let Some(at) = at else { return default };
        match at.get_ref() {
            LimitWire::Number(n) if *n >= 1 => Some(*n as u64),
            LimitWire::Word(word) if word == "none" => None,
            LimitWire::Number(n) => {
                self.fault(at, format!("{key} = {n}: a limit is at least 1, or \"none\""));
                default
            }
            LimitWire::Word(word) => {
                self.fault(at, format!("{key} = `{word}` is neither a number nor \"none\""));
                default
            }
        }
    }

    fn training(&mut self, wire: &TrainingWire) -> Training {
        let rule = match (&wire.k, &wire.threshold) {
            (Some(_), Some(at)) => {
                self.fault(at, "training prunes by k or by threshold, not by both");
                None
            }
            (Some(k), None) => self.rule(k),
            (None, Some(t)) => self.threshold(t),
            (None, None) => None,
        };
        let choice = [("last", ChooseEpoch::Last), ("dev", ChooseEpoch::Dev)];
        Training {
            templates: wire.templates.clone().unwrap_or_else(|| "compact".into()),
            trainers: self.trainers(wire),
            aggressiveness: self.aggressiveness(wire),
            epochs: self.at_least_one(wire.epochs.as_ref(), "epochs", 6),
            choose_epoch: self.one_or(wire.choose_epoch.as_ref(), "choose_epoch", &choice, ChooseEpoch::Last),
            rule: rule.unwrap_or(Rule::Best(10)),
            decoder: self.one_or(wire.decoder.as_ref(), "decoder", &search_decoders(), Decoder::Bnb),
            limits: Limits {
                dp_calls: self.limit(wire.dp_calls.as_ref(), "dp_calls", Some(TRAINING_DP_CALLS)),
                nodes: self.limit(wire.nodes.as_ref(), "nodes", None),
            },
        }
    }

    fn trainers(&mut self, wire: &TrainingWire) -> Vec<Trainer> {
        let Some(at) = &wire.trainer else { return vec![Trainer::Perceptron] };
        let mut trainers = Vec::new();
        for name in at.get_ref().clone().into_vec() {
            match Trainer::parse(&name) {
                None => {
                    let message =
                        format!("trainer = `{name}` is not known; it can be `perceptron`, `mira` or a list of both");
                    self.fault(at, message);
                }
                Some(trainer) if trainers.contains(&trainer) => {
                    self.fault(at, format!("trainer: `{name}` is given twice"));
                }
                Some(trainer) => trainers.push(trainer),
            }
        }
        if at.get_ref().clone().into_vec().is_empty() {
            self.fault(at, "trainer = []: name at least one");
        }
        trainers
    }

    fn aggressiveness(&mut self, wire: &TrainingWire) -> f64 {
        let Some(at) = &wire.aggressiveness else { return AGGRESSIVENESS };
        let value = *at.get_ref();
        if !(value > 0.0 && value <= 1.0) {
            self.fault(
                at,
                format!("aggressiveness = {value}: the longest step of `mira` lies above 0 and is at most 1"),
            );
        }
        value
    }

    fn features(&mut self, wire: &FeaturesWire) -> Features {
        let mut sets = match wire.sets.as_ref().map(|at| (at, at.get_ref())) {
            None => sets::named(sets::DEFAULT).unwrap_or_default(),
            Some((at, SetsWire::Named(name))) => sets::named(name).unwrap_or_else(|| {
                let known: Vec<_> = sets::NAMES.iter().map(|n| format!("`{n}`")).collect();
                let message = format!(
                    "sets = `{name}` is not known; it can be {}, or a list such as [\"sibling\", \
                     \"grandchild+sibling\"]",
                    known.join(", ")
                );
                self.fault(at, message);
                Vec::new()
            }),
            Some((at, SetsWire::List(list))) => list.iter().filter_map(|name| self.set(at, name)).collect(),
        };
        sets.sort();
        if let (Some(at), Some(twice)) = (&wire.sets, sets.windows(2).find(|w| w[0] == w[1])) {
            self.fault(at, format!("the set `{}` is given twice", twice[0]));
        }
        let third_order = wire.third_order.as_ref().map(|at| {
            if at.get_ref().is_empty() {
                self.fault(at, "third_order = []: name at least one set, `baseline` for no non-local families");
            }
            let named =
                |name: &String| if name == "baseline" { Some(FeatureSet::baseline()) } else { self.set(at, name) };
            at.get_ref().iter().filter_map(named).collect()
        });
        Features { sets, third_order }
    }

    fn set<T>(&mut self, at: &At<T>, set: &str) -> Option<FeatureSet> {
        let mut families = Vec::new();
        for name in set.split('+').map(str::trim) {
            match Family::parse(name) {
                Some(family) => families.push(family),
                None => {
                    let known: Vec<_> = Family::ALL.iter().map(|f| format!("`{f}`")).collect();
                    self.fault(at, format!("the family `{name}` is not known; families are {}", known.join(", ")));
                    return None;
                }
            }
        }
        Some(FeatureSet::new(families))
    }

    fn decoding(&mut self, wire: &DecodingWire) -> Decoding {
        let mut rules: Vec<Rule> = Vec::new();
        for at in wire.k.iter().flat_map(|list| list.get_ref()) {
            rules.extend(self.rule(at));
        }
        for at in wire.threshold.iter().flat_map(|list| list.get_ref()) {
            rules.extend(self.threshold(at));
        }
        let lists = || wire.k.iter().map(|l| l.span()).chain(wire.threshold.iter().map(|l| l.span()));
        let named = lists().next().map(|span| line_of(self.text, span.start));
        if let Some(line) = named {
            let empty = wire.k.as_ref().is_none_or(|l| l.get_ref().is_empty())
                && wire.threshold.as_ref().is_none_or(|l| l.get_ref().is_empty());
            if empty {
                let message = "the grid is empty: name at least one k or threshold to decode with";
                self.faults.push((Some(line), message.into()));
            }
            if let Some(twice) = rules.iter().enumerate().find(|(i, r)| rules[..*i].contains(r)) {
                self.faults.push((Some(line), format!("the pruning `{}` is given twice", twice.1)));
            }
        } else {
            rules.push(Rule::Best(10));
        }
        let more = wire.more.as_ref().map(|at| self.more(at, &rules));
        Decoding {
            rules,
            decoders: self.list(wire.decoders.as_ref(), "decoders", &search_decoders(), Decoder::Bnb),
            backbones: self.backbones(wire.backbone.as_ref()),
            more,
            limits: Limits {
                dp_calls: self.limit(wire.dp_calls.as_ref(), "dp_calls", Some(DECODING_DP_CALLS)),
                nodes: self.limit(wire.nodes.as_ref(), "nodes", None),
            },
        }
    }

    fn more(&mut self, at: &At<MoreWire>, usual: &[Rule]) -> MorePrunings {
        let wire = at.get_ref();
        let named = |name: &String| {
            if name == "baseline" { Some(FeatureSet::baseline()) } else { self.set(at, name) }
        };
        let sets: Vec<FeatureSet> = wire.sets.iter().filter_map(named).collect();
        let mut rules: Vec<Rule> = wire.k.iter().filter_map(|k| self.rule(k)).collect();
        rules.extend(wire.threshold.iter().filter_map(|t| self.threshold(t)));
        if wire.sets.is_empty() || wire.k.is_empty() && wire.threshold.is_empty() {
            self.fault(at, "more: name at least one of its sets, and at least one k or threshold");
        }
        let seen = |i: usize, rule: &Rule| usual.contains(rule) || rules[..i].contains(rule);
        if let Some((_, twice)) = rules.iter().enumerate().find(|(i, rule)| seen(*i, rule)) {
            let message = format!("more: the pruning `{twice}` is given twice");
            self.fault(at, message);
        }
        MorePrunings { sets, rules }
    }

    fn backbones(&mut self, at: Option<&At<OneOrMany<String>>>) -> Vec<Backbone> {
        let Some(at) = at else { return vec![Backbone::default()] };
        let names = at.get_ref().clone().into_vec();
        if names.is_empty() {
            self.fault(at, "backbone = []: the grid is empty; name at least one");
        }
        let mut backbones = Vec::new();
        for name in &names {
            match Backbone::parse(name) {
                Some(backbone) if backbones.contains(&backbone) => self.fault(at, format!("`{name}` is given twice")),
                Some(backbone) => backbones.push(backbone),
                None => {
                    let known = Backbone::ALL.map(|b| format!("`{b}`")).join(", ");
                    self.fault(at, format!("backbone = `{name}` is not known; it can be {known}"));
                }
            }
        }
        backbones
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

/// The decoders that handle non-local features.
fn search_decoders() -> [(&'static str, Decoder); 2] {
    [Decoder::Bnb, Decoder::Paper].map(|d| (d.name(), d))
}
