//! `treebound train`: one parser, into a model file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::flags::{CacheFlags, ConfigFlags, JobsFlags, backbone, feature_set, unless_unkept};
use super::output::tell;
use treebound_experiment::one_parser::{Choice, trained_parser};
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_files::try_to_write;
use treebound_parser::cell::{Axis, Split, Tags};

#[derive(Args)]
pub struct TrainArguments {
    // The config: its corpus, tags, pruning and training settings are used
    #[command(flatten)]
    config: ConfigFlags,
    /// Where to write the model
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The feature set: baseline, or families joined by +
    #[arg(long, value_name = "SET", default_value = "baseline")]
    features: String,
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
    let config = arguments.config.read()?;
    let run = arguments.choice.choice()?.run(&config, feature_set(&arguments.features)?)?;
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
        })
    }
}
