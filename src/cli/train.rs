//! `treebound train`: one parser, into a model file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::decode::backbone;
use super::flags::{ConfigFlags, OutFlags, unless_unkept, with_threads};
use super::output::say;
use super::stop::unless_stopped;
use treebound_experiment::cell::TrainingRun;
use treebound_experiment::config::Config;
use treebound_experiment::run::Laboratory;
use treebound_experiment::store::Store;
use treebound_parser::cell::{Axis, FeatureSet, Learner, Split, SystemName, Tags};
use treebound_parser::parser::TrainedParser;
use treebound_parser::parser::crf::lbfgs::End;
use treebound_parser::parser::online::PassStatistics;
use treebound_parser::systems::{Descent, PassRecord, System};
use treebound_parser::whole_file::try_to_write;

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
    out: OutFlags,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
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
    let run = arguments.choice.run(&config, feature_set(&arguments.features)?)?;
    if config.main().is_some_and(|grid| grid.splits.iter().all(|&split| split == Split::Cv)) {
        say!("learning from the training part: the folds of `cv` are for results, and no one parser is theirs");
    }
    try_to_write(&arguments.model).with_context(|| format!("--model {}", arguments.model.display()))?;
    let store = Store::new(arguments.out.folders(&config).cache);
    let stopped = || say!("treebound: stopped before {} was written; {GOES_ON}", arguments.model.display());
    unless_stopped(stopped, || {
        with_threads(arguments.jobs, || learnt(&config, &store, run)?.write(&arguments.model).map_err(Into::into))
    })?;
    Ok(unless_unkept(&store))
}

/// What who stops a verb that learns is told.
pub const GOES_ON: &str = "what is finished is kept in cache, and the same command goes on from there";

/// The feature set of that name.
pub fn feature_set(name: &str) -> Result<FeatureSet> {
    FeatureSet::from_names(name).with_context(|| {
        format!("--features {name}: write baseline, or families joined by + (see treebound check --cells)")
    })
}

impl ChoiceFlags {
    /// The training run of a config that is meant.
    pub fn run(&self, config: &Config, set: FeatureSet) -> Result<TrainingRun> {
        let grid = config.main().context("the config has no grid")?;
        let learner = match &self.learner {
            Some(name) => {
                Learner::parse(name).filter(|learner| config.learners.contains_key(learner)).with_context(|| {
                    let known: Vec<String> = config.learners.keys().map(ToString::to_string).collect();
                    format!("--learner {name}: the config has {}; a [learner.NAME] gives it another", known.join(", "))
                })?
            }
            None => grid.learners.first().cloned().context("the config has no learner")?,
        };
        let templates = match &self.templates {
            Some(name) => config.templates.keys().find(|known| known.as_str() == name).with_context(|| {
                let known: Vec<&str> = config.templates.keys().map(|name| name.as_str()).collect();
                format!("--templates {name}: the config has {}", known.join(", "))
            })?,
            None => grid.templates.first().context("the config has no templates")?,
        };
        let tags = match &self.tags {
            Some(name) => {
                Some(Tags::parse(name).with_context(|| format!("--tags {name}: it can be gold or predicted"))?)
            }
            None => grid.tags.first().copied(),
        };
        let (Some(&seed), Some(tags)) = (self.seed.as_ref().or(grid.seeds.first()), tags) else {
            bail!("the config has no seed or no tags");
        };
        let backbone = match &self.backbone {
            Some(name) => backbone(name)?,
            None => grid.backbones.first().copied().unwrap_or_default(),
        };
        Ok(TrainingRun {
            corpus: corpus(config, self.corpus.as_deref())?,
            tags,
            system: SystemName::graph(),
            templates: Some(templates.clone()),
            learner: Some(learner),
            limits: grid.limits_of(&set),
            set: Some(set),
            backbone: Some(backbone),
            seed,
        })
    }
}

/// The parser of a training run, which is learnt if the store does not have it; says how learning went.
pub fn learnt(config: &Config, store: &Store, run: TrainingRun) -> Result<TrainedParser> {
    let learner = run.learner.as_ref().context("the run has no learner")?;
    let schedule = config.learners.get(learner).context("the config does not describe the learner")?;
    let needed = |corpus, of| (corpus, of) == (run.corpus, run.tags);
    say!("reading {}", config.corpora[run.corpus].name);
    let mut laboratory = Laboratory::open_for(config, store, needed)?;
    let material = laboratory.material(&run);
    say!("pruning the arcs of its sentences");
    let pruned = laboratory.workshop.pruned(material.prepared, schedule.pruning, run.seed)?;
    let system = laboratory.workshop.graph(&run)?;
    let (step, steps) = if system.is_descent() { ("step", "at most ") } else { ("epoch", "") };
    let mut is_new = false;
    let trained = laboratory.workshop.trained_graph(material, &pruned, &run, &mut |pass| {
        is_new = true;
        say!("{step} {pass} of {steps}{}", system.passes());
    })?;
    if !is_new {
        say!("learnt before: the model is from {}", store.folder().display());
    }
    for (i, pass) in trained.passes.iter().enumerate() {
        let chosen = if pass.chosen { ", chosen" } else { "" };
        say!("{step} {}: {}{chosen}", i + 1, did(pass));
    }
    if let Some(end) = trained.end {
        say!("{}", ended(end));
    }
    Ok(TrainedParser {
        tagger: laboratory.take_tagger(run.corpus, run.tags),
        pruner: pruned.pruner,
        rule: schedule.pruning,
        model: trained.model,
    })
}

/// The index of the named corpus, or of the only one: of the config, else of its first grid.
pub fn corpus(config: &Config, name: Option<&str>) -> Result<usize> {
    let of_grid = || match &config.main()?.corpora[..] {
        [only] => Some(only.as_str()),
        _ => None,
    };
    let known = || config.corpora.iter().map(|corpus| corpus.name.as_str()).collect::<Vec<_>>().join(", ");
    match name.or_else(of_grid) {
        None if config.corpora.len() == 1 => Ok(0),
        None => bail!("the config has several corpora, {}: choose one with --corpus", known()),
        Some(name) => match config.corpora.iter().position(|corpus| corpus.name.as_str() == name) {
            Some(i) => Ok(i),
            None => bail!("the config has no corpus `{name}`; it has {}", known()),
        },
    }
}

/// Why a descent ended.
fn ended(end: End) -> &'static str {
    match end {
        End::Small => "the descent ended: the gradient has fallen to `tolerance` of what it was",
        End::OutOfSteps => "the descent ended before the gradient had fallen to `tolerance`: its `iterations` ran out",
        End::NoLowerPoint => {
            "the descent ended before the gradient had fallen to `tolerance`: no lower point was found"
        }
    }
}

/// What a pass did, or where it led.
fn did(pass: &PassRecord) -> String {
    let Some(Descent { objective, gradient_norm, .. }) = pass.descent else {
        let PassStatistics { mistakes, wrong_heads, unproven, dp_calls } = pass.statistics;
        return format!(
            "{mistakes} sentences and {wrong_heads} words wrong, {unproven} sentences unproven, {dp_calls} DP calls"
        );
    };
    let norm = gradient_norm.map_or_else(String::new, |norm| format!(", gradient {norm:.3}"));
    format!("objective {objective:.3}{norm}")
}
