//! From the tables of a config to its model: defaults filled in, every value checked, all faults reported together.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::compose::{MAIN, compose};
use super::model::{
    Claims, Config, Corpus, Counts, EngineSettings, Evaluation, Expected, Format, Grid, Labeller, Places, Pruner,
    Shown, Tagging, TemplatesSource, Timing,
};
use super::sets;
use super::wire::{self, GraphAxes, Parsed, Published, RENAMED, Schedule as Keys, Training};
use super::written::Origins;
use crate::files::did_you_mean;
use crate::store::sha256;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::bnb::paper::Reading;
use treebound_core::decode::{Backbone, Decoder};
use treebound_core::graph::Trees;
use treebound_files::input;
use treebound_parser::cell::{Axis, CorpusName, FeatureSet, Fold, Learner, Method, Split, SystemName, TemplatesName};
use treebound_parser::features::{Family, TemplateSet};
use treebound_parser::learn::crf::Features;
use treebound_parser::learn::mira;
use treebound_parser::model::Roots;
use treebound_parser::pruning::Rule;
use treebound_parser::systems::external::External;
use treebound_parser::systems::graph::{
    Batches, ChooseEpoch, CrfSchedule, GraphGrid, NonlocalFeatures, Schedule, Share, Start,
};
use treebound_parser::systems::{AxisKind, BUILT_IN, Kind, Nonprojective};
use treebound_parser::treebank::penn::HeadRules;
use treebound_parser::treebank::{FineTags, Punctuation, TagColumn};
use treebound_records::spanned::{
    AtLeast, Both, Fault, Faults, Key, Limit, Many, Node, Place, Reader, Source, Value, hint, joined, listed, nearest,
};
use treebound_synthetic as synth;

/// A config that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: cannot read the config: {source}{meant}", meant = did_you_mean(Path::new(path)))]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not TOML, unknown keys, values that make no experiment: all of it, each with its place.
    #[error(transparent)]
    Faults(Faults),
}

/// Reads a config file.
///
/// # Errors
/// All that is wrong with it, each with its line.
pub fn read(path: &Path) -> Result<Config, ConfigError> {
    read_with(path, &[])
}

/// Reads a config file, with values set as `KEY=VALUE` by the command line.
///
/// # Errors
/// As [`read`].
pub fn read_with(path: &Path, set: &[String]) -> Result<Config, ConfigError> {
    let text =
        input::read_settings(path).map_err(|source| ConfigError::Io { path: path.display().to_string(), source })?;
    parse_with(&text, path, set)
}

/// Parses the text of a config; its name and base folder come from `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    parse_with(text, path, &[])
}

/// Parses the text of a config, with values set as `KEY=VALUE` by the command line.
///
/// # Errors
/// As [`read`].
pub fn parse_with(text: &str, path: &Path, set: &[String]) -> Result<Config, ConfigError> {
    parse_with_systems(text, path, set, &BUILT_IN)
}

/// Parses the text of a config of a program with those systems, in the order in which tables show them. One of them must be the
/// graph system.
///
/// # Errors
/// As [`read`].
pub fn parse_with_systems(text: &str, path: &Path, set: &[String], kinds: &[Kind]) -> Result<Config, ConfigError> {
    let (node, own) = compose(text, path, set).map_err(|fault: Fault| ConfigError::Faults(fault.into()))?;
    let (reader, origins) = (Reader::new(RENAMED), RefCell::new(Origins::new(&node)));
    let resolver = Resolver { reader, origins, kinds };
    let config = resolver.config(&node, &own, path);
    match resolver.reader.into_faults() {
        faults if faults.is_empty() => Ok(Config { origins: resolver.origins.into_inner(), ..config }),
        faults => Err(ConfigError::Faults(Faults::new(faults))),
    }
}

/// Most bytes of a config's name, which is that of folders.
const LONGEST_NAME: usize = 100;
/// Folds where a config names none.
const FOLDS: usize = 10;
/// The length of a step along one sentence's gradient where a CRF has batches.
const STEP: f64 = 0.02;

/// What has faults is left out of the config, or is some default: a config with faults is none.
struct Resolver<'k> {
    reader: Reader,
    origins: RefCell<Origins>,
    kinds: &'k [Kind],
}

/// The tables with what grids share.
struct Shared<'s> {
    top: &'s wire::Top,
    training: &'s Training,
    features: wire::Features,
    decoding: wire::Decoding,
    evaluation: &'s wire::Evaluation,
    corpora: Vec<CorpusName>,
    externals: &'s [External],
}

/// A grid, and what it names by other names than results do.
struct Named {
    grid: Grid,
    place: Option<Place>,
    learners: Vec<(Learner, Option<Place>)>,
    templates: Vec<(TemplatesSource, Option<Place>)>,
}

impl Resolver<'_> {
    fn config(&self, node: &Node, own: &Arc<Source>, path: &Path) -> Config {
        let reader = &self.reader;
        let top: wire::Top = reader.read("config", node).unwrap_or_default();
        let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        // It names folders of results.
        if name.len() > LONGEST_NAME || name.chars().any(char::is_control) || name.chars().all(|c| c == '.') {
            let message = "results are named by the config's file, whose name is not one for a folder: rename it";
            reader.fault_at(&Place::whole(own), message);
        }
        let base = path.parent().map_or_else(Default::default, Path::to_owned);
        let members = self.members(&top.corpus, "corpora");
        if members.is_empty() && top.corpus.is_given() == top.corpus.value().is_some() {
            let message = "no corpus: add a [[corpus]] table with name, format and files, or corpus = \"FILE\"";
            reader.fault_at(&Place::whole(own), message);
        }
        let corpora: Vec<Corpus> = members.into_iter().filter_map(|key| self.corpus(key)).collect();
        let externals: Vec<External> =
            self.members(&top.external, "externals").into_iter().filter_map(|key| self.external(key)).collect();
        let Both(training, schedule) = top.training.value().cloned().unwrap_or_default();
        let evaluation = top.evaluation.value().cloned().unwrap_or_default();
        let shared = Shared {
            top: &top,
            training: &training,
            features: top.features.value().cloned().unwrap_or_default(),
            decoding: top.decoding.value().cloned().unwrap_or_default(),
            evaluation: &evaluation,
            corpora: corpora.iter().map(|corpus| corpus.name.clone()).collect(),
            externals: &externals,
        };
        let grids = self.members(&top.grid, "grids");
        let named: Vec<Named> = match &grids[..] {
            [] => vec![self.grid(None, &shared)],
            grids => grids.iter().map(|grid| self.grid(Some(grid), &shared)).collect(),
        };
        self.same_limits(&named);
        let templates = self.template_sets(&named);
        let pruner = self.pruner(&top.pruner.value().cloned().unwrap_or_default());
        let labeller = self.labeller(&top.labeller.value().cloned().unwrap_or_default());
        let timing = top.timing.value().cloned().unwrap_or_default();
        let list = |key| node.get(key).map_or_else(Vec::new, |node| node.each().to_vec());
        let learners = self.learners(&schedule, &top.learner, &named);
        let of_backbones = reader.place(&shared.decoding.backbones);
        self.trees_of(&named, &learners, &of_backbones.unwrap_or_else(|| Place::whole(own)));
        for corpus in corpora.iter().filter(|corpus| corpus.format != Format::Synthetic && corpus.dev.is_empty()) {
            let needs = |named: &Named| need_of_dev(corpus, &named.grid, &learners, &externals);
            if let Some(need) = named.iter().find_map(needs) {
                let message = format!("the corpus `{}` has no `dev` files, which {need}", corpus.name);
                reader.fault_at(&corpus.places.parts[Split::Dev as usize], message);
            }
        }
        Config {
            name,
            analysis: top.analysis.value().cloned().unwrap_or_default(),
            claims: Claims { list: node.get("claims").cloned(), own: list("claim"), failures: list("failure") },
            tagger: self.tagger(&top.tagger.value().cloned().unwrap_or_default()),
            learners,
            externals: externals.clone(),
            kinds: self.kinds.to_vec(),
            evaluation: Evaluation {
                rounds: whole(&evaluation.rounds),
                seed: evaluation.seed.value().copied().unwrap_or_default(),
                folds: self.folds(&evaluation.folds, &named),
            },
            tables: self.shown(&top.table, "tables", &named),
            figures: self.shown(&top.figure, "figures", &named),
            grids: named.into_iter().map(|named| named.grid).collect(),
            timing: Timing { repeats: whole(&timing.repeats) },
            engine: self.engine(&top.engine.value().cloned().unwrap_or_default()),
            files: self.files(
                &top.files,
                &base,
                templates.values().chain([&pruner.templates, &labeller.templates]),
                &corpora,
            ),
            templates,
            pruner,
            labeller,
            corpora,
            origins: Origins::default(),
            base,
        }
    }

    fn engine(&self, table: &wire::Engine) -> EngineSettings {
        let is_line = |text: &str| !text.is_empty() && !text.chars().any(|c| c.is_control() || "\"\\".contains(c));
        let word = |key: &Key<String>| {
            let text = key.value()?;
            if !is_line(text) {
                self.reader
                    .wrong(key, "it is part of a line of a script: it has no quotes, no backslash and no line break");
            }
            Some(text.clone())
        };
        for key in table.options.value().into_iter().flatten() {
            let Some(option) = word(key) else { continue };
            let name = option.split('=').next().unwrap_or_default();
            let is_own =
                ["--array", "-a", "--dependency", "-d", "--output", "-o", "--wrap", "--parsable"].contains(&name);
            if is_own {
                self.reader.fault(key, format!("options: {name} is chosen by the engine; take it out"));
            } else if !option.starts_with('-') {
                let message =
                    format!("options: `{option}`: an option of sbatch begins with a hyphen, such as --qos=low");
                self.reader.fault(key, message);
            }
        }
        EngineSettings {
            partition: word(&table.partition),
            account: word(&table.account),
            threads: whole(&table.threads) as usize,
            options: self.texts(&table.options),
        }
    }

    /// The tables of a list, each with a name of its own.
    fn members<'k, T>(&self, list: &'k Key<Many<T>>, kinds: &str) -> Vec<&'k Key<T>> {
        let mut names = BTreeSet::new();
        let members: Vec<&Key<T>> = list.value().into_iter().flatten().collect();
        for &member in &members {
            if let Some(name) = self.name(member).filter(|name| !names.insert(name.clone())) {
                self.reader.fault(member, format!("two {kinds} are named `{name}`"));
            }
        }
        members
    }

    /// Which rows tables or figures show. Whether there are such is known to whoever makes them.
    fn shown(&self, list: &Key<Many<wire::Shown>>, kinds: &str, grids: &[Named]) -> Vec<Shown> {
        let shown = |at: &Key<wire::Shown>| {
            let table = at.value()?;
            let name = self.required(at, "the entry", &table.name, "name")?;
            let known = grids.iter().map(|named| named.grid.name.as_str());
            let grid = |key: &Key<String>| {
                let name = key.value()?;
                if known.clone().all(|known| known != name) {
                    let near = nearest(name, known.clone())
                        .map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
                    self.reader
                        .wrong(key, format!("the config has no such grid{near}; it has {}", listed(known.clone())));
                }
                Some(name.clone())
            };
            if let Some(Err(error)) = table.filter.value().map(|filter| regex_lite::Regex::new(filter)) {
                self.reader.wrong(&table.filter, error);
            }
            Some(Shown {
                name: name.clone(),
                grids: if table.grids.is_given() { self.reader.distinct(&table.grids, grid) } else { Vec::new() },
                filter: table.filter.value().cloned(),
                place: self.reader.place(&table.name)?,
            })
        };
        self.members(list, kinds).into_iter().filter_map(shown).collect()
    }

    fn name<T>(&self, member: &Key<T>) -> Option<String> {
        self.reader.node(member)?.name().map(str::to_owned)
    }

    /// The value of a key that a table must have.
    fn required<'k, T, W>(&self, table: &Key<W>, kind: &str, key: &'k Key<T>, name: &str) -> Option<&'k T> {
        if !key.is_given() {
            self.reader.fault(table, format!("{kind} has no key `{name}`"));
        }
        key.value()
    }

    /// The first of some keys that is given, or the default of the last; it decides the value of `path.name`.
    fn take<'k, T>(&self, path: &str, name: &str, keys: &[&'k Key<T>]) -> &'k Key<T> {
        let key = Reader::first(keys);
        if let Some(place) = self.reader.place(key) {
            self.origins.borrow_mut().record(format!("{path}.{name}"), &place);
        }
        key
    }

    /// A number, which is a fault where it does not fit.
    fn number(&self, key: &Key<f64>, fits: impl Fn(f64) -> bool, why: &str) -> f64 {
        let number = key.value().copied().unwrap_or_default();
        if key.value().is_some() && !fits(number) {
            self.reader.wrong(key, why);
        }
        number
    }

    /// Texts as they are.
    fn texts(&self, key: &Key<Many<String>>) -> Vec<String> {
        key.value().into_iter().flatten().filter_map(|text| text.value().cloned()).collect()
    }

    /// A path, from the config's folder.
    fn path(&self, key: &Key<String>) -> Option<String> {
        let path = key.value()?;
        Some(self.reader.place(key).map_or_else(|| path.clone(), |place| place.rebase(path)))
    }

    fn corpus(&self, at: &Key<wire::Corpus>) -> Option<Corpus> {
        let (reader, table) = (&self.reader, at.value()?);
        let name = self.required(at, "the corpus", &table.name, "name");
        // What follows from a format cannot be told without one.
        let format = *self.required(at, "the corpus", &table.format, "format")?;
        let is_synthetic = format == Format::Synthetic;
        let of_files = [&table.folder, &table.train, &table.dev, &table.test];
        let of_files = of_files.map(|key| reader.place(key)).into_iter().chain([reader.place(&table.encoding)]);
        for (place, key) in of_files.zip(["folder", "train", "dev", "test", "encoding"]) {
            if let Some(place) = place.filter(|_| is_synthetic) {
                reader.fault_at(&place, format!("{key}: a synthetic corpus has no files; remove the key"));
            }
        }
        // Files start in `folder`, and where there is none beside the file that names them.
        let paths = |key: &Key<Many<String>>| {
            key.value().into_iter().flatten().filter_map(|path| self.path(path)).collect::<Vec<_>>()
        };
        // Whether anything needs the development part is known once grids are.
        let files = |key: &Key<Many<String>>, name: &str| {
            let is_optional = is_synthetic || name == "dev";
            if !is_optional && key.value().map_or(!key.is_given(), Vec::is_empty) {
                reader.fault(at, format!("the corpus has no `{name}` files"));
            }
            if table.folder.is_given() { self.texts(key) } else { paths(key) }
        };
        if format != Format::Synthetic {
            reader.fault(&table.synthetic, "[corpus.synthetic] is for format = \"synthetic\"");
        }
        if !matches!(format, Format::Conllu | Format::Conllx) {
            let message = "fine_tags is for CoNLL files, which have two columns of tags: remove the key";
            reader.fault(&table.fine_tags, message);
        }
        let expected = table.expected.value().cloned().unwrap_or_default();
        let published = table.published.value().map(Published::to_string);
        let whole = reader.place(at)?;
        let or_whole = |place: Option<Place>| place.unwrap_or_else(|| whole.clone());
        Some(Corpus {
            format,
            rules: self.rules(at, table, format),
            encoding: table.encoding.value().copied().unwrap_or_default(),
            fine_tags: table.fine_tags.value().copied().unwrap_or(FineTags::Own),
            folder: paths(&table.folder),
            train: files(&table.train, "train"),
            dev: files(&table.dev, "dev"),
            test: files(&table.test, "test"),
            punctuation: self.punctuation(table, format),
            nonprojective: table.nonprojective.value().copied().unwrap_or(Nonprojective::Projectivize),
            published,
            expected: Expected {
                train: self.counts(&expected.train),
                dev: self.counts(&expected.dev),
                test: self.counts(&expected.test),
            },
            synthetic: is_synthetic.then(|| self.synthetic(&table.synthetic)),
            places: Places {
                folder: or_whole(reader.place(&table.folder)),
                parts: [&table.train, &table.dev, &table.test].map(|key| or_whole(reader.place(key))),
                expected: [&expected.train, &expected.dev, &expected.test].map(|key| or_whole(reader.place(key))),
                rules: or_whole(reader.place(&table.rules)),
            },
            name: name?.clone(),
        })
    }

    fn rules(&self, at: &Key<wire::Corpus>, table: &wire::Corpus, format: Format) -> Option<String> {
        let key = &table.rules;
        if format == Format::Penn && !key.is_given() {
            let message = "brackets need head rules: add rules = \"english\", \"chinese\" or a file";
            self.reader.fault(at, message);
        }
        if let Some(node) = self.reader.node(&table.format).filter(|_| format != Format::Penn) {
            let format = node.text().unwrap_or_default();
            self.reader.fault(key, format!("rules are for format = \"penn\": in {format} words have heads"));
        }
        let is_built_in = |rules: &&String| HeadRules::BUILT_IN.contains(&rules.as_str());
        key.value().filter(is_built_in).cloned().or_else(|| self.path(key))
    }

    fn punctuation(&self, table: &wire::Corpus, format: Format) -> Punctuation {
        let none = Punctuation { column: TagColumn::Fine, tags: Vec::new() };
        let usual = Punctuation::parse(if format == Format::Penn { "ptb" } else { "ud" }).unwrap_or(none);
        let Some(node) = self.reader.node(&table.punctuation) else { return usual };
        if let Value::Table(_) = node.value {
            let rule = self.reader.read::<wire::PunctuationRule>("punctuation", &node).unwrap_or_default();
            if !(rule.column.is_given() && rule.tags.is_given()) {
                let message = "punctuation needs both keys, as in { column = \"fine\", tags = [\".\"] }";
                self.reader.fault_at(&node.place, message);
            }
            let column = rule.column.value().copied().unwrap_or(TagColumn::Fine);
            return Punctuation { column, tags: self.texts(&rule.tags) };
        }
        node.text().and_then(Punctuation::parse).unwrap_or_else(|| {
            let expected = Punctuation::EXPECTED;
            let message = format!("is not known; it can be {expected}, or {{ column = \"fine\", tags = [...] }}");
            self.reader.wrong(&table.punctuation, message);
            usual
        })
    }

    fn counts(&self, key: &Key<wire::Counts>) -> Option<Counts> {
        let counts = |key: &Key<Many<u64>>| {
            if key.value().is_some_and(Vec::is_empty) {
                self.reader.wrong(key, "no count will do; name one, or remove the key");
            }
            key.value().into_iter().flatten().filter_map(|count| count.value().copied()).collect()
        };
        key.value().map(|table| Counts { sentences: counts(&table.sentences), tokens: counts(&table.tokens) })
    }

    fn synthetic(&self, key: &Key<wire::Synthetic>) -> synth::Config {
        let table = key.value().cloned().unwrap_or_default();
        let phenomena = table.phenomena.value().cloned().unwrap_or_default();
        let size = |key: &Key<u64>| self.narrow::<usize>(key);
        let rate = |key: &Key<u64>| self.narrow::<u32>(key);
        let config = synth::Config {
            seed: table.seed.value().copied().unwrap_or_default(),
            train: size(&table.train),
            dev: size(&table.dev),
            test: size(&table.test),
            vocabulary: size(&table.vocabulary),
            unknown: rate(&table.unknown),
            head_noise: rate(&table.head_noise),
            tag_noise: rate(&table.tag_noise),
            nonprojective: rate(&table.nonprojective),
            phenomena: synth::Rates {
                brackets: rate(&phenomena.brackets),
                coordination: rate(&phenomena.coordination),
                parallel: rate(&phenomena.parallel),
                circumposition: rate(&phenomena.circumposition),
                resumption: rate(&phenomena.resumption),
                concord: rate(&phenomena.concord),
                ideophones: rate(&phenomena.ideophones),
            },
        };
        if let Some(node) = self.reader.node(key).filter(|_| self.reader.is_faultless()) {
            for fault in config.faults() {
                let in_phenomena = || node.get("phenomena")?.get(fault.key());
                let at = node.get(fault.key()).or_else(in_phenomena).unwrap_or(&node);
                self.reader.fault_at(&at.place, fault.to_string());
            }
        }
        config
    }

    fn narrow<N: TryFrom<u64> + Default>(&self, key: &Key<u64>) -> N {
        let number = key.value().copied().unwrap_or_default();
        N::try_from(number).unwrap_or_else(|_| {
            self.reader.wrong(key, "the number is too large");
            N::default()
        })
    }

    fn tagger(&self, table: &wire::Tagger) -> Tagging {
        let folds = table.folds.value().copied().unwrap_or_default();
        if folds < 2 {
            self.reader.wrong(&table.folds, "it takes at least 2 to tag a fold without having learnt from it");
        }
        let seed = table.seed.value().copied().unwrap_or_default();
        Tagging { epochs: whole(&table.epochs) as usize, folds: folds as usize, seed }
    }

    fn pruner(&self, table: &wire::Pruner) -> Pruner {
        let templates = self.templates_source(&table.templates);
        let rate =
            self.number(&table.rate, |rate| rate > 0.0 && rate <= 1.0, "a step size lies above 0 and is at most 1");
        Pruner {
            templates: templates.unwrap_or_else(|| TemplatesSource::new("pruner")),
            epochs: whole(&table.epochs) as usize,
            rate,
            model: table.model.value().copied().unwrap_or_default(),
        }
    }

    fn labeller(&self, table: &wire::Labeller) -> Labeller {
        let templates = self.templates_source(&table.templates);
        Labeller {
            templates: templates.unwrap_or_else(|| TemplatesSource::new("labels")),
            epochs: whole(&table.epochs) as usize,
        }
    }

    fn external(&self, at: &Key<wire::External>) -> Option<External> {
        let (reader, table) = (&self.reader, at.value()?);
        let name = self.required(at, "the external parser", &table.name, "name");
        if name.is_some_and(|name| self.kinds.iter().any(|kind| kind.name == name.as_str())) {
            reader.wrong(&table.name, "a system of this program is called so; take another name");
        }
        let needed = |key: &Key<Many<String>>, needed: &str| {
            if !key.is_given() {
                reader.fault(at, format!("the external parser has no key {needed}, as a list"));
            }
        };
        needed(&table.parse, "`parse`: the program and its arguments");
        // What another version of the parser made must not be taken for this one's.
        needed(&table.version, "`version`: a command that prints its version");
        let train = self.command(&table.train, "train", &["{train}", "{dev}", "{model}", "{seed}", "{config}"]);
        self.has_word(&table.train, "train", &train, "{model}", "what is learnt is written there");
        let parse = self.command(&table.parse, "parse", &["{model}", "{input}", "{output}", "{config}"]);
        self.has_word(&table.parse, "parse", &parse, "{input}", "the sentences to parse are read from there");
        let environment = table.environment.value().cloned().unwrap_or_default();
        Some(External {
            train: table.train.is_given().then_some(train),
            parse,
            version: self.command(&table.version, "version", &["{config}"]),
            time_limit_s: whole(&table.time_limit_s),
            environment: environment.into_iter().filter_map(|(name, key)| Some((name, key.into_value()?))).collect(),
            name: name?.clone(),
        })
    }

    /// A program with its arguments. What looks like one of the words for files and is not known here is refused: the
    /// program would get it as it is.
    fn command(&self, key: &Key<Many<String>>, name: &str, known: &[&str]) -> Vec<String> {
        const WORDS: [&str; 6] = ["{train}", "{dev}", "{model}", "{seed}", "{input}", "{output}"];
        let command = self.texts(key);
        if command.first().is_none_or(String::is_empty) && key.value().is_some() {
            self.reader.fault(key, format!("{name}: the program is needed, and its arguments, as a list"));
        }
        for word in &command {
            let elsewhere = WORDS.iter().find(|other| word.contains(**other) && !known.contains(other));
            let is_misspelt = |one: &&&str| word.starts_with('{') && (1..=2).contains(&strsim::osa_distance(word, one));
            let is_known = known.contains(&word.as_str());
            let near = known.iter().filter(is_misspelt).min_by_key(|one| strsim::osa_distance(word, one));
            let near = near.filter(|_| !is_known);
            if elsewhere.is_some() || near.is_some() {
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                self.reader.fault(key, format!("{name}: `{word}`: this command has {}{near}", known.join(", ")));
            }
        }
        command
    }

    /// Refuses a command without the word for a file that it cannot do without.
    fn has_word(&self, key: &Key<Many<String>>, name: &str, command: &[String], needed: &str, why: &str) {
        if !command.is_empty() && !command.iter().any(|word| word.contains(needed)) {
            self.reader.fault(key, format!("{name}: no word of the command has {needed}: {why}"));
        }
    }

    /// A grid; the one of a config without grids if there is no table.
    fn grid(&self, at: Option<&Key<Both<wire::Grid, GraphAxes>>>, shared: &Shared) -> Named {
        let reader = &self.reader;
        let Both(own, axes) = at.and_then(Key::value).cloned().unwrap_or_default();
        let name = match at {
            None => MAIN.to_owned(),
            Some(at) => {
                let name = self.required(at, "the grid", &own.name, "name");
                if name.is_some_and(|name| TemplatesName::parse(name).is_none()) {
                    reader.wrong(&own.name, format!("{} is needed", TemplatesName::EXPECTED));
                }
                name.cloned().unwrap_or_default()
            }
        };
        let path = format!("grid.{name}");
        let Shared { top, training, features, decoding, evaluation, corpora, .. } = shared;
        let templates = self.take(&path, "templates", &[&axes.templates, &training.templates]);
        let templates = self.grid_templates(templates);
        let learner_keys = self.take(&path, "learners", &[&axes.learners, &training.learner]);
        let learners = reader.distinct(learner_keys, |learner| learner.value().cloned());
        let is_baseline = axes.baseline.value().copied().unwrap_or(true);
        let decoders = self.take(&path, "decoders", &[&axes.decoders, &decoding.decoders]);
        let decoders = reader.distinct(decoders, |key| {
            let decoder = self.decoder(key, &OF_CELLS)?;
            let without = learners.iter().find(|learner| learner.method() != Method::Crf);
            if let Some(learner) = without.filter(|_| decoder == Decoder::Mbr) {
                let message = format!(
                    "the decoder `mbr` needs probabilities, and a parser learnt by `{learner}` has none: name learners that \
                     begin with `crf`"
                );
                reader.fault(key, message);
            }
            Some(decoder)
        });
        let splits = self.take(&path, "splits", &[&own.splits, &evaluation.splits]);
        let splits = match splits.is_given() {
            true => reader.distinct(splits, |split| {
                Some(match split.value()? {
                    Parsed::Dev => Split::Dev,
                    Parsed::Test => Split::Test,
                    Parsed::Cv => Split::Cv,
                })
            }),
            // Who says how many folds, and nothing else, wants them.
            false => vec![if evaluation.folds.is_given() { Split::Cv } else { Split::Test }],
        };
        let sets = self.take(&path, "sets", &[&axes.sets, &features.sets]);
        let prunings = self.take(&path, "pruning", &[&axes.pruning, &decoding.pruning]);
        let backbones = self.take(&path, "backbones", &[&axes.backbones, &decoding.backbones]);
        let dp_calls = self.take(&path, "dp_calls", &[&axes.dp_calls, &decoding.dp_calls]);
        let nodes = self.take(&path, "nodes", &[&axes.nodes, &decoding.nodes]);
        let place_of = |learner: &Learner| {
            let mut keys = learner_keys.value().into_iter().flatten();
            keys.find(|key| key.value() == Some(learner)).and_then(|key| reader.place(key))
        };
        let systems = reader.distinct(&own.systems, |key| self.system(key, shared.externals));
        let seed_keys = self.take(&path, "seeds", &[&own.seeds, &top.seeds]);
        let grid = Grid {
            name,
            axes: self.axes(&own.axes, &systems),
            default: own.default.value().copied().unwrap_or(true),
            corpora: match own.corpus.is_given() {
                true => reader.distinct(&own.corpus, |key| self.known_corpus(key, corpora)),
                false => corpora.clone(),
            },
            tags: reader.distinct(self.take(&path, "tags", &[&own.tags, &top.tags]), |tags| tags.value().copied()),
            systems,
            graph: GraphGrid {
                templates: templates.iter().filter_map(|(source, _)| source.name()).collect(),
                learners: learners.clone(),
                sets: self.sets(sets, is_baseline),
                baseline: is_baseline,
                prunings: reader.distinct(prunings, |rule| rule.value().copied()),
                decoders,
                backbones: reader.distinct(backbones, |backbone| backbone.value().copied()),
                labels: reader.distinct(&axes.labels, |labels| labels.value().copied()),
                reranking: reader.distinct(&axes.reranking, |trees| trees.value().copied()),
            },
            seeds: reader.distinct(seed_keys, |seed| seed.value().copied()),
            splits,
            limits: limits(dp_calls, nodes),
        };
        let Grid { corpora, tags, systems, graph, seeds, splits, .. } = &grid;
        let GraphGrid { templates: named, sets, prunings, decoders, backbones, labels, reranking, .. } = graph;
        let shared_axes = [corpora.len(), tags.len(), systems.len(), seeds.len(), splits.len()];
        let of_graph = [named.len(), learners.len(), sets.len(), prunings.len(), decoders.len(), backbones.len()];
        let of_graph = of_graph.into_iter().chain([labels.len(), reranking.len()]);
        if reranking.iter().any(|trees| trees.0.is_some()) {
            if splits.contains(&Split::Dev) {
                let message = "what chooses among trees learns from the development part: say splits = \"test\"";
                reader.fault(&axes.reranking, message.to_owned());
            }
            if !decoders.contains(&Decoder::Bnb) {
                reader
                    .fault(&axes.reranking, "the decoder `bnb` lists the best trees, and the grid lacks it".to_owned());
            }
        }
        let others = grid.axes.values().map(Vec::len);
        let count = shared_axes.into_iter().chain(of_graph).chain(others).fold(1, usize::saturating_mul);
        if count > MOST_CELLS {
            let message = format!("the grid has {count} cells, and may have at most {MOST_CELLS}; share them out");
            match at {
                Some(at) => reader.fault(at, message),
                None => reader.fault(seed_keys, message),
            }
        }
        let learners = learners.into_iter().map(|learner| (place_of(&learner), learner));
        Named {
            grid,
            place: at.and_then(|at| reader.place(at)),
            learners: learners.map(|(place, learner)| (learner, place)).collect(),
            templates,
        }
    }

    fn known_corpus(&self, key: &Key<String>, corpora: &[CorpusName]) -> Option<CorpusName> {
        let text = key.value()?;
        let found = corpora.iter().find(|name| name.as_str() == text).cloned();
        if found.is_none() {
            self.reader.wrong(key, format!("no corpus has that name; there are {}", listed(corpora)));
        }
        found
    }

    fn system(&self, key: &Key<String>, externals: &[External]) -> Option<SystemName> {
        let text = key.value()?;
        let names = || self.kinds.iter().map(|kind| kind.name).chain(externals.iter().map(|e| e.name.as_str()));
        if names().any(|name| name == text) {
            return SystemName::parse(text);
        }
        let near = hint(text, names());
        let message = format!("is not known; {near}there are {}, and those of [[external]]", listed(names()));
        self.reader.wrong(key, message);
        None
    }

    /// The values that a grid names on the axes of its systems but the graph system, which has keys of its own. Each must be one of
    /// every system of the grid with such an axis.
    fn axes(
        &self,
        key: &Key<BTreeMap<String, Key<Many<String>>>>,
        systems: &[SystemName],
    ) -> BTreeMap<String, Vec<String>> {
        let has_keys = |kind: &Kind| kind.name == SystemName::GRAPH;
        let is_here = |kind: &&Kind| systems.iter().any(|system| system.as_str() == kind.name) && !has_keys(kind);
        let kinds: Vec<&Kind> = self.kinds.iter().filter(is_here).collect();
        let known: Vec<&AxisKind> = kinds.iter().flat_map(|kind| kind.axes).collect();
        let mut axes = BTreeMap::new();
        for (name, values) in key.value().into_iter().flatten() {
            let of_name: Vec<&AxisKind> = known.iter().copied().filter(|axis| axis.name == name).collect();
            if of_name.is_empty() {
                self.reader
                    .fault(values, format!("no system of the grid has an axis `{name}`; {}", axes_there(name, &kinds)));
                continue;
            }
            let found = self.reader.distinct(values, |value| {
                let text = value.value()?;
                let spelt = of_name.iter().map(|&axis| (axis.read)(text).ok_or(axis));
                match spelt.collect::<Result<Vec<String>, _>>() {
                    Ok(mut spelt) => spelt.pop(),
                    Err(axis) => {
                        let near = hint(text, axis.words.iter().copied());
                        self.reader.wrong(value, format!("is not known; {near}it can be {}", axis.expected));
                        None
                    }
                }
            });
            axes.insert(name.clone(), found);
        }
        for kind in kinds {
            for axis in kind.axes.iter().filter(|axis| axis.usual.is_none() && !axes.contains_key(axis.name)) {
                let message = format!("the system `{}` needs axes.{}: {}", kind.name, axis.name, axis.expected);
                self.reader.fault(key, message);
            }
        }
        axes
    }

    /// The feature sets of sets' and lists' names, sorted.
    fn sets(&self, key: &Key<Many<String>>, baseline: bool) -> Vec<FeatureSet> {
        let names = key.value().map_or(&[][..], |names| names);
        let mut all: Vec<FeatureSet> = names.iter().flat_map(|name| self.named_sets(name)).collect();
        all.sort();
        if let Some(twice) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            self.reader.fault(key, format!("the set `{}` is given twice", twice[0]));
        }
        if names.is_empty() && !baseline {
            let message = "the grid is empty; name at least one, or `baseline` for no non-local families";
            self.reader.wrong(key, message);
        }
        all
    }

    fn named_sets(&self, key: &Key<String>) -> Vec<FeatureSet> {
        let Some(text) = key.value() else { return Vec::new() };
        if let Some(sets) = sets::named(text).or_else(|| Some(vec![FeatureSet::from_names(text)?])) {
            return sets;
        }
        let unknown = text.split('+').map(str::trim).find(|name| Family::parse(name).is_none()).unwrap_or_default();
        let names = || Family::ALL.iter().map(|family| family.name());
        let near = hint(unknown, names().chain(sets::NAMES).chain(["baseline"]));
        let message = format!(
            "the family `{unknown}` is not known; {near}families are {}, `baseline` is the set of none, and lists of sets are {}",
            listed(names()),
            listed(sets::NAMES)
        );
        self.reader.fault(key, message);
        Vec::new()
    }

    /// One of some decoders; the paper's search stands for all of its readings.
    fn decoder(&self, key: &Key<String>, known: &[Decoder]) -> Option<Decoder> {
        let text = key.value()?;
        let found = Decoder::parse(text).filter(|found| match found {
            Decoder::Paper(_) => known.contains(&Decoder::PAPER),
            other => known.contains(other),
        });
        if found.is_none() {
            let mut message = format!("is not known; it can be {}", listed(known));
            if let Some(reading) = Reading::spelt_anyhow(text) {
                message = format!("is spelt `{reading}`");
            } else if text.starts_with(Reading::NAME) {
                let (name, words) = (Reading::NAME, Reading::WORDS.join(", "));
                message += &format!(", and `{name}` with choices behind it, in this order, each after a `+`: {words}");
            }
            self.reader.wrong(key, message);
        }
        found
    }

    /// Template sets whose names can be on their axis.
    fn grid_templates(&self, key: &Key<Many<String>>) -> Vec<(TemplatesSource, Option<Place>)> {
        let sources = self.reader.distinct(key, |key| {
            let source = self.templates_source(key)?;
            let Some(name) = source.name() else {
                let message = format!("results name sets by their files: {}", TemplatesName::EXPECTED);
                self.reader.wrong(key, message);
                return None;
            };
            if matches!(source, TemplatesSource::File(_)) && TemplateSet::BUILT_IN.contains(&name.as_str()) {
                let message = format!(
                    "templates: `{name}` is a built-in set, and results name sets by their files; rename the file"
                );
                self.reader.fault(key, message);
                return None;
            }
            Some(source)
        });
        let place = self.reader.place(key);
        sources.into_iter().map(|source| (source, place.clone())).collect()
    }

    /// A template set: a built-in one, or a file beside the one that names it.
    fn templates_source(&self, key: &Key<String>) -> Option<TemplatesSource> {
        Some(match TemplatesSource::new(key.value()?) {
            TemplatesSource::File(_) => TemplatesSource::File(self.path(key)?),
            built_in => built_in,
        })
    }

    /// The template sets of all grids: one source a name.
    fn template_sets(&self, named: &[Named]) -> BTreeMap<TemplatesName, TemplatesSource> {
        let mut sets: BTreeMap<TemplatesName, TemplatesSource> = BTreeMap::new();
        for (source, place) in named.iter().flat_map(|named| &named.templates) {
            let Some(name) = source.name() else { continue };
            let first = sets.entry(name.clone()).or_insert_with(|| source.clone());
            if let Some(place) = place.as_ref().filter(|_| first != source) {
                let message = format!(
                    "templates: `{first}` and `{source}` are both called `{name}` in results; rename one of the files"
                );
                self.reader.fault_at(place, message);
            }
        }
        sets
    }

    /// The folds of a config whose grids parse some treebank by cross-validation.
    fn folds(&self, key: &Key<AtLeast<{ Fold::FEWEST as u64 }>>, named: &[Named]) -> Option<usize> {
        if named.iter().any(|named| named.grid.splits.contains(&Split::Cv)) {
            return Some(key.value().map_or(FOLDS, |folds| folds.0 as usize));
        }
        self.reader.wrong(key, "no grid is cross-validated; add \"cv\" to splits");
        None
    }

    /// A cell of two grids is one, so it has one limit.
    fn same_limits(&self, named: &[Named]) {
        let show = |limit: Option<u64>| limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string());
        for (i, Named { grid: second, place, .. }) in named.iter().enumerate() {
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
                    place.iter().for_each(|place| self.reader.fault_at(place, &*message));
                }
            }
        }
    }

    /// Programs and learners go together with the trees that they are for, and relaxations with arcs as the only local parts.
    fn trees_of(&self, named: &[Named], learners: &BTreeMap<Learner, Schedule>, whole: &Place) {
        for Named { grid, place: of_whole, learners: of_grid, .. } in named {
            for (learner, place) in of_grid {
                let is_crossing = learners.get(learner).is_some_and(|schedule| schedule.trees == Trees::NonProjective);
                let is_relaxed = learners.get(learner).is_some_and(|schedule| schedule.decoder == Decoder::Lp);
                let needs_crossing = grid.graph.backbones.contains(&Backbone::Arborescence);
                let message = if needs_crossing && !is_crossing {
                    format!(
                        "the backbone `arborescence` gives trees that cross, and `{learner}` learns from projective ones; add \
                         trees = \"non-projective\" to [learner.{learner}], or choose another backbone"
                    )
                } else if is_relaxed && grid.graph.backbones.iter().any(|backbone| backbone.is_projective()) {
                    format!(
                        "`{learner}` learns from relaxations, which goes with arcs as the only local parts; take backbones = \
                         \"arborescence\", or another decoder in [learner.{learner}]"
                    )
                } else if is_crossing && learner.method() == Method::Crf {
                    format!(
                        "`{learner}` sums over projective trees alone; take trees = \"non-projective\" out, or learn by `mira`"
                    )
                } else {
                    continue;
                };
                self.reader.fault_at(place.as_ref().or(of_whole.as_ref()).unwrap_or(whole), message);
            }
        }
    }

    /// The schedules of the learners that grids name and of those that have a table; `training` has what they share.
    fn learners(
        &self,
        training: &Keys,
        own: &Key<BTreeMap<String, Key<Keys>>>,
        named: &[Named],
    ) -> BTreeMap<Learner, Schedule> {
        let mut tables: BTreeMap<Learner, Keys> = BTreeMap::new();
        for (name, key) in own.value().into_iter().flatten() {
            match Learner::parse(name) {
                Some(learner) => drop(tables.insert(learner, key.value().cloned().unwrap_or_default())),
                None => {
                    self.reader.fault(key, format!("learner `{name}`: its name can be {}", Learner::EXPECTED));
                }
            }
        }
        for (learner, place) in named.iter().flat_map(|named| &named.learners) {
            if !tables.contains_key(learner) {
                if let Some(place) = place.as_ref().filter(|_| !learner.is_plain()) {
                    let names: Vec<String> = tables.keys().map(ToString::to_string).collect();
                    let near = nearest(&learner.to_string(), names.iter().map(String::as_str))
                        .map_or_else(String::new, |near| format!("did you mean `{near}`? else "));
                    let message = format!(
                        "the learner `{learner}` is not described; {near}add [learner.{learner}] with what it has"
                    );
                    self.reader.fault_at(place, message);
                }
                tables.insert(learner.clone(), Keys::default());
            }
        }
        let schedule = |(learner, own)| (Learner::clone(&learner), self.schedule(&learner, training, &own));
        tables.into_iter().map(schedule).collect()
    }

    /// The schedule of a learner. What has no effect on it is as usual. In `[training]` that may be for other learners; in the
    /// learner's own table it is a fault.
    fn schedule(&self, learner: &Learner, training: &Keys, own: &Keys) -> Schedule {
        let (path, method, usual) = (format!("learner.{learner}"), learner.method(), Keys::default());
        macro_rules! key {
            ($name:ident) => {
                self.take(&path, stringify!($name), &[&own.$name, &training.$name])
            };
        }
        // A key that is of none, or of others.
        macro_rules! silent {
            ($why:expr, $($name:ident),*) => {
                $(self.silent(&path, stringify!($name), &own.$name, None, $why);)*
            };
        }
        let of =
            |methods: &str| format!("it is of {methods}, and `{learner}` learns by `{}`; take it out", method.name());
        let epochs = whole(key!(epochs)) as usize;
        let mut schedule = Schedule {
            method,
            aggressiveness: self.aggressiveness(key!(aggressiveness)),
            kbest: whole(key!(kbest)) as usize,
            crf: None,
            epochs,
            average_from: self.average_from(key!(average_from), epochs),
            choose_epoch: key!(choose_epoch).value().copied().unwrap_or(ChooseEpoch::Last),
            sentences: self.share(key!(sentences)),
            start: key!(start).value().copied().unwrap_or(Start::Zero),
            nonlocal_features: key!(nonlocal_features).value().copied().unwrap_or(NonlocalFeatures::Seen),
            roots: key!(roots).value().copied().unwrap_or(Roots::One),
            trees: key!(trees).value().copied().unwrap_or_default(),
            longest: key!(longest).value().map(|words| words.0 as usize),
            pruning: key!(pruning).value().copied().unwrap_or(Rule::None),
            decoder: self.decoder(key!(decoder), &OF_LEARNERS).unwrap_or(Decoder::Bnb),
            limits: limits(key!(dp_calls), key!(nodes)),
        };
        let mut crf = CrfSchedule {
            c: self.positive(key!(c)),
            charge: self.number(key!(charge), |charge| charge >= 0.0 && charge.is_finite(), "it is not below 0"),
            features: key!(features).value().copied().unwrap_or(Features::Gold),
            tolerance: self.tolerance(key!(tolerance)),
            iterations: whole(key!(iterations)) as usize,
            history: whole(key!(history)) as usize,
            batches: self.batches(key!(batch), key!(rate), method == Method::Crf),
        };
        match method {
            Method::Crf if crf.batches.is_some() => {
                let why = "a CRF learnt with `batch` has no descent; take one of the two out";
                self.silent(&path, "c", &own.c, Some(&usual.c), why);
                self.silent(&path, "features", &own.features, Some(&usual.features), why);
                self.silent(&path, "tolerance", &own.tolerance, Some(&usual.tolerance), why);
                self.silent(&path, "iterations", &own.iterations, Some(&usual.iterations), why);
                self.silent(&path, "history", &own.history, Some(&usual.history), why);
                crf = CrfSchedule {
                    charge: crf.charge,
                    batches: crf.batches,
                    c: usual.c.value().copied().unwrap_or_default(),
                    features: usual.features.value().copied().unwrap_or_default(),
                    tolerance: usual.tolerance.value().copied().unwrap_or_default(),
                    iterations: whole(&usual.iterations) as usize,
                    history: whole(&usual.history) as usize,
                };
            }
            Method::Crf => {}
            Method::Perceptron | Method::Mira => {
                silent!(&of("`crf`"), c, charge, features, tolerance, iterations, history, batch, rate);
            }
        }
        schedule.crf = (method == Method::Crf).then_some(crf);
        if method == Method::Perceptron && schedule.decoder == Decoder::Lp {
            let message =
                format!("`{learner}` learns by `{}`, and relaxations are learnt from by `mira`", method.name());
            self.reader.fault(key!(decoder), message);
        }
        if method == Method::Perceptron {
            let why = of("`mira`, `crf`");
            self.silent(&path, "aggressiveness", &own.aggressiveness, Some(&usual.aggressiveness), &why);
            schedule.aggressiveness = usual.aggressiveness.value().copied().unwrap_or_default();
        }
        if method != Method::Mira {
            silent!(&of("`mira`"), kbest);
            schedule.kbest = 1;
        }
        schedule
    }

    /// A key of a learner that has no effect on it: a fault in its own table, but as resolved configs have it, with the
    /// `usual` value.
    fn silent<T: PartialEq>(&self, path: &str, name: &str, own: &Key<T>, usual: Option<&Key<T>>, why: &str) {
        if !own.is_given() {
            self.origins.borrow_mut().forget(&format!("{path}.{name}"));
        } else if usual.is_none_or(|usual| own.value() != usual.value()) {
            self.reader.fault(own, format!("{name}: {why}"));
        }
    }

    fn positive(&self, key: &Key<f64>) -> f64 {
        self.number(key, |value| value > 0.0 && value.is_finite(), "it lies above 0")
    }

    fn tolerance(&self, key: &Key<f64>) -> f64 {
        let tolerance = self.positive(key);
        let why = "the descent ends when its gradient has fallen to this share, so it lies below 1; 0.001 is usual";
        self.number(key, |_| tolerance < 1.0 || !tolerance.is_finite(), why)
    }

    fn batches(&self, batch: &Key<AtLeast<1>>, rate: &Key<f64>, is_crf: bool) -> Option<Batches> {
        if !batch.is_given() && is_crf {
            self.reader.fault(rate, "rate: it is of steps by batches; add `batch`, the sentences of one");
        }
        let batch = batch.value()?.0 as usize;
        let unit = 1.0 / mira::UNIT as f64;
        let why = format!("steps by batches lie between {unit:e} and 1");
        let fits = |rate: f64| rate * mira::UNIT as f64 >= 1.0 && rate <= 1.0;
        Some(Batches { batch, rate: if rate.is_given() { self.number(rate, fits, &why) } else { STEP } })
    }

    fn share(&self, key: &Key<f64>) -> Share {
        let why = "a share of the training part lies above 0 and is at most 1";
        Share::new(self.number(key, |number| Share::new(number).is_some(), why)).unwrap_or(Share::ALL)
    }

    fn average_from(&self, key: &Key<AtLeast<1>>, epochs: usize) -> usize {
        let first = whole(key) as usize;
        if first > epochs {
            self.reader.wrong(key, format!("there are {epochs} epochs, so no weights would be averaged"));
        }
        first
    }

    fn aggressiveness(&self, key: &Key<f64>) -> f64 {
        let why = "the longest step of `mira` lies above 0 and is at most 1";
        let value = self.number(key, |value| value > 0.0 && value <= 1.0, why);
        let unit = 1.0 / mira::UNIT as f64;
        let why = format!("steps are whole numbers of {unit:e}, so this is none");
        self.number(key, |_| !(value > 0.0 && value < unit), &why)
    }

    /// The checksums of the files that decide artifacts. `[files]` of a resolved config has those that it was written with; they
    /// must be the same still.
    fn files<'c>(
        &self,
        before: &Key<BTreeMap<String, Key<String>>>,
        base: &Path,
        templates: impl Iterator<Item = &'c TemplatesSource>,
        corpora: &'c [Corpus],
    ) -> BTreeMap<String, String> {
        let sets = templates.filter_map(|source| match source {
            TemplatesSource::File(path) => Some(path),
            TemplatesSource::BuiltIn(_) => None,
        });
        let rules = corpora.iter().filter_map(|corpus| corpus.rules.as_ref());
        let rules = rules.filter(|rules| !HeadRules::BUILT_IN.contains(&rules.as_str()));
        let file = |path: &str| input::read_most(&base.join(joined(Path::new(""), path)), input::MOST_SETTINGS);
        let checksum = |path: &String| Some((path.clone(), sha256(&file(path).ok()?)));
        let files: BTreeMap<String, String> = sets.chain(rules).filter_map(checksum).collect();
        for (path, key) in before.value().into_iter().flatten() {
            if key.value().is_some_and(|sum| files.get(path) != Some(sum)) {
                let message = format!(
                    "{path} is not the file that this config was written with; remove this line to go on with it"
                );
                self.reader.fault(key, message);
            }
        }
        files
    }
}

/// Who needs a development part of a corpus in a grid, and what does without; none if nobody does.
fn need_of_dev(
    corpus: &Corpus,
    grid: &Grid,
    learners: &BTreeMap<Learner, Schedule>,
    externals: &[External],
) -> Option<String> {
    if !grid.corpora.contains(&corpus.name) {
        return None;
    }
    let name = &grid.name;
    if grid.splits.contains(&Split::Dev) {
        return Some(format!("the grid `{name}` parses: add dev = \"FILE\", or write splits = \"test\""));
    }
    // In cross-validation epochs are chosen by a fold.
    if grid.splits.iter().all(|&split| split == Split::Cv) {
        return None;
    }
    let chooses = |learner: &&Learner| learners.get(learner).is_some_and(|one| one.choose_epoch == ChooseEpoch::Dev);
    if let Some(learner) =
        grid.graph.learners.iter().find(chooses).filter(|_| grid.systems.contains(&SystemName::graph()))
    {
        return Some(format!(
            "the learner `{learner}` chooses its epochs by: add dev = \"FILE\", or write choose_epoch = \"last\""
        ));
    }
    let is_given_it = |external: &&External| {
        let mut words = external.train.iter().flatten();
        grid.systems.contains(&external.name) && words.any(|word| word.contains("{dev}"))
    };
    let external = externals.iter().find(is_given_it)?;
    let parser = &external.name;
    Some(format!(
        "the parser `{parser}` is given to learn from: add dev = \"FILE\", or take {{dev}} out of its `train`"
    ))
}

/// Most cells of a grid, baselines not counted.
const MOST_CELLS: usize = 100_000;

/// The decoders of cells; the paper's search stands for all of its readings.
const OF_CELLS: [Decoder; 6] =
    [Decoder::Bnb, Decoder::PAPER, Decoder::Mbr, Decoder::ArcChanges, Decoder::Ilp, Decoder::Lp];

/// The decoders of training searches.
const OF_LEARNERS: [Decoder; 4] = [Decoder::Bnb, Decoder::PAPER, Decoder::ArcChanges, Decoder::Lp];

/// The axes that systems of a grid have, for a name that is none of them.
fn axes_there(name: &str, kinds: &[&Kind]) -> String {
    let names = || kinds.iter().flat_map(|kind| kind.axes).map(|axis| axis.name);
    if names().next().is_none() {
        return "they have none, and the system `graph` has keys of its own, beside `axes`".to_owned();
    }
    let near = hint(name, names());
    format!("{near}there are {}", listed(names()))
}

fn whole<const LEAST: u64>(key: &Key<AtLeast<LEAST>>) -> u64 {
    key.value().map_or(LEAST, |number| number.0)
}

fn limits(dp_calls: &Key<Limit>, nodes: &Key<Limit>) -> Limits {
    let limit = |key: &Key<Limit>| key.value().and_then(|limit| limit.0);
    Limits { dp_calls: limit(dp_calls), nodes: limit(nodes), bytes: None }
}
