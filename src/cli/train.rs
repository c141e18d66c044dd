//! `treebound train`: one parser, into a model file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::decode::backbone;
use super::output::say;
use super::{OutFlags, unless_unkept, with_threads};
use crate::experiment::cell::TrainingRun;
use crate::experiment::config::{self, Config, FeatureSet, Trainer};
use crate::experiment::run::Laboratory;
use crate::experiment::store::Store;
use crate::parser::TrainedParser;

#[derive(Args)]
pub struct TrainArguments {
    /// The config: its corpus, tags, pruning and training settings are used
    config: PathBuf,
    /// Where to write the model
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The feature set: baseline, or families joined by +
    #[arg(long, default_value = "baseline")]
    set: String,
    /// The dynamic program, carreras or grand-sibling; the first of the config if not given
    #[arg(long)]
    backbone: Option<String>,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
    /// How to learn: perceptron or mira; the first of the config if not given
    #[arg(long, value_name = "NAME")]
    trainer: Option<String>,
    /// Training seed; the first of the config if not given
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    out: OutFlags,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
}

pub fn train(arguments: &TrainArguments) -> Result<ExitCode> {
    let config = config::read(&arguments.config)?;
    let Some(set) = FeatureSet::parse(&arguments.set) else {
        bail!("--set {}: write baseline, or families joined by + (see treebound list)", arguments.set);
    };
    let trainer = match &arguments.trainer {
        Some(name) => {
            Trainer::parse(name).with_context(|| format!("--trainer {name}: it can be perceptron or mira"))?
        }
        None => *config.training.trainers.first().context("the config has no trainer")?,
    };
    let (Some(&seed), Some(&tags)) = (arguments.seed.as_ref().or(config.seeds.first()), config.tags.first()) else {
        bail!("the config has no seed or no tags");
    };
    let backbone = match &arguments.backbone {
        Some(name) => backbone(name)?,
        None => config.decoding.backbones.first().copied().unwrap_or_default(),
    };
    let run = TrainingRun { corpus: corpus(&config, arguments.corpus.as_deref())?, tags, trainer, set, backbone, seed };
    let store = Store::new(arguments.out.folders(&config).cache);
    with_threads(arguments.jobs, || {
        let mut laboratory = Laboratory::open(&config, &store)?;
        let prepared = laboratory.prepared(run.corpus, run.tags);
        let pruned = laboratory.workshop.pruned(prepared, run.seed)?;
        let punctuation = &config.corpus[run.corpus].punctuation;
        let trained = laboratory.workshop.trained(prepared, &pruned, &run, punctuation, |epoch| {
            say!("epoch {epoch} of {}", config.training.epochs);
        })?;
        for (i, epoch) in trained.epochs.iter().enumerate() {
            let s = epoch.statistics;
            say!(
                "epoch {}: {} sentences and {} words wrong, {} sentences unproven, {} DP calls{}",
                i + 1,
                s.mistakes,
                s.wrong_heads,
                s.unproven,
                s.dp_calls,
                if epoch.chosen { ", chosen" } else { "" }
            );
        }
        let parser = TrainedParser {
            tagger: laboratory.take_tagger(run.corpus, run.tags),
            pruner: pruned.pruner,
            rule: config.training.rule,
            model: trained.model,
        };
        parser.write(&arguments.model)?;
        Ok(())
    })?;
    Ok(unless_unkept(&store))
}

/// The index of the named corpus, or of the only one.
pub fn corpus(config: &Config, name: Option<&str>) -> Result<usize> {
    match name {
        None if config.corpus.len() == 1 => Ok(0),
        None => bail!("the config has {} corpora: choose one with --corpus", config.corpus.len()),
        Some(name) => match config.corpus.iter().position(|c| c.name == name) {
            Some(i) => Ok(i),
            None => bail!("the config has no corpus `{name}`"),
        },
    }
}
