//! `treebound train`: one parser, into a model file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::flags::{CacheFlags, ConfigFlags, JobsFlags, backbone, config_of, feature_set, unless_unkept};
use super::new::{Format, quoted};
use super::output::tell;
use treebound_experiment::config::{self, Config};
use treebound_experiment::one_parser::{Choice, trained_parser};
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_files::try_to_write;
use treebound_parser::cell::{Axis, CorpusName, Labelling, Split, Tags};

#[derive(Args)]
pub struct TrainArguments {
    /// The config, or the folder of its results: its corpus, tags, pruning and training settings are used
    #[arg(value_parser = PathBufValueParser::new().map(config_of), required_unless_present = "train")]
    config: Option<PathBuf>,
    /// Learn from this file without a config, by what is usually best: all families that help, the templates of the paper's
    /// scale, MIRA among heads a thousandth as probable as the best, and labels; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "config")]
    train: Vec<PathBuf>,
    /// Choose the epoch by this file, and say how well it is parsed; may be repeated
    #[arg(long, value_name = "FILE", requires = "train")]
    dev: Vec<PathBuf>,
    /// The format of these files; by their ending if not given
    #[arg(long, value_enum, requires = "train")]
    format: Option<Format>,
    /// Head rules of files in brackets: english, chinese, or a rule file
    #[arg(long, value_name = "NAME|FILE", requires = "train")]
    rules: Option<String>,
    /// Set a value of the config for this time, such as training.epochs=2; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where to write the model
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The feature set: baseline, or families joined by +; baseline of a config if not given
    #[arg(long, value_name = "SET")]
    features: Option<String>,
    /// When labels are found: none, second-stage or in-search; as the first grid of the config says if not given
    #[arg(long, value_name = "WHEN")]
    labels: Option<String>,
    #[command(flatten)]
    choice: ChoiceFlags,
    #[command(flatten)]
    cache: CacheFlags,
    #[command(flatten)]
    jobs: JobsFlags,
}

/// Which of a config's parsers is meant, beside its feature set.
#[derive(Args)]
pub struct ChoiceFlags {
    /// The dynamic program, carreras or grand-sibling; the first of the config if not given
    #[arg(long)]
    backbone: Option<String>,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
    /// How to learn: a learner of the config; the first if not given
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,
    /// The templates, by name; the first of the config if not given
    #[arg(long, value_name = "NAME")]
    templates: Option<String>,
    /// Whose tags, gold or predicted; the first of the config if not given
    #[arg(long)]
    tags: Option<String>,
    /// Training seed; the first of the config if not given
    #[arg(long)]
    seed: Option<u64>,
}

pub fn train(arguments: &TrainArguments) -> Result<ExitCode> {
    let config = arguments.config()?;
    let usual = if arguments.config.is_some() { "baseline" } else { BEST };
    let labels = |name: &String| match name.as_str() {
        "none" => Ok(Labelling::None),
        name => Labelling::parse(name)
            .with_context(|| format!("--labels {name}: it can be none, second-stage or in-search")),
    };
    let labels = arguments.labels.as_ref().map(labels).transpose()?;
    let choice = Choice { labels, ..arguments.choice.choice()? };
    let run = choice.run(&config, feature_set(arguments.features.as_deref().unwrap_or(usual))?)?;
    if config.main().is_some_and(|grid| grid.splits.iter().all(|&split| split == Split::Cv)) {
        tell(
            "learning from the training part: the folds of `cv` are for results, and no one parser is theirs"
                .to_owned(),
        );
    }
    let model = arguments.model.display();
    try_to_write(&arguments.model).with_context(|| format!("--model {model}"))?;
    let store = Store::new(arguments.cache.folder());
    unless_stopped(
        || tell(format!("treebound: stopped before {model} was written; {GOES_ON}")),
        || arguments.jobs.install(|| Ok(trained_parser(&config, &store, &run, tell)?.write(&arguments.model)?)),
    )?;
    let mebibytes = std::fs::metadata(&arguments.model).map_or(0, |file| file.len().div_ceil(1 << 20));
    tell(format!("{model}: {run}, {mebibytes} MiB"));
    Ok(unless_unkept(&store))
}

/// The set that is most accurate on most treebanks.
const BEST: &str = "comb+grandchild+hand+sibling";

impl TrainArguments {
    /// The config that is named, or that of files alone.
    fn config(&self) -> Result<Config> {
        match &self.config {
            Some(config) => ConfigFlags { config: config.clone(), set: self.set.clone() }.read(),
            None => Ok(config::parse_with(&self.text()?, Path::new("train.toml"), &self.set)?),
        }
    }

    /// The config of files alone; their paths are seen from the working folder.
    fn text(&self) -> Result<String> {
        let first = self.train.first().map_or(Path::new(""), PathBuf::as_path);
        let format = Format::find(self.format, first)?;
        let stem = first.file_name().and_then(|name| name.to_str()?.split('.').next()).unwrap_or_default();
        let name = CorpusName::parse(stem).map_or_else(|| "treebank".to_owned(), |name| name.to_string());
        let files = |files: &[PathBuf]| {
            let quoted = files.iter().map(|file| quoted(&file.to_string_lossy()));
            format!("[{}]", quoted.collect::<Vec<_>>().join(", "))
        };
        let (train, dev) = (files(&self.train), files(&self.dev));
        // Nothing is tested; a corpus has a test part.
        let (test, choose_epoch) = if self.dev.is_empty() { (&train, "last") } else { (&dev, "dev") };
        let rules = self.rules.as_ref().map(|rules| format!("rules = {}\n", quoted(rules))).unwrap_or_default();
        let punctuation = if format == Format::Penn { "ptb" } else { "ud" };
        Ok(format!(
            "[[corpus]]\nname = {}\nformat = \"{}\"\n{rules}train = {train}\ndev = {dev}\ntest = {test}\n\
             punctuation = \"{punctuation}\"\n\
             [training]\ntemplates = \"paper\"\nlearner = \"mira\"\nepochs = 8\naverage_from = 3\n\
             choose_epoch = \"{choose_epoch}\"\npruning = \"t=1e-3\"\ndp_calls = 50\n\
             [decoding]\npruning = \"t=1e-3\"\n\
             [[grid]]\nname = \"main\"\nsets = \"{BEST}\"\nlabels = \"second-stage\"\n",
            quoted(&name),
            format.name()
        ))
    }
}

/// What who stops a verb that learns is told.
pub const GOES_ON: &str = "what is finished is kept, and the same command goes on from there";

impl ChoiceFlags {
    /// The choice that they name.
    pub fn choice(&self) -> Result<Choice> {
        let tags =
            |name: &String| Tags::parse(name).with_context(|| format!("--tags {name}: it can be gold or predicted"));
        Ok(Choice {
            backbone: self.backbone.as_deref().map(backbone).transpose()?,
            corpus: self.corpus.clone(),
            learner: self.learner.clone(),
            templates: self.templates.clone(),
            tags: self.tags.as_ref().map(tags).transpose()?,
            seed: self.seed,
            labels: None,
        })
    }
}
