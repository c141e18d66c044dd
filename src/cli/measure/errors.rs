//! `treebound measure errors`: the most common errors of the baseline on sentences that it has not seen.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cli::flags::{ConfigFlags, JobsFlags, LockFlags, PlaceFlags, store, unless_unkept};
use crate::cli::output::{print, say};
use treebound_experiment::cell::{TrainingRun, cells_of};
use treebound_experiment::cross_validation;
use treebound_experiment::error_patterns;
use treebound_experiment::measured::log;
use treebound_experiment::one_parser::corpus_index;
use treebound_experiment::progress::Progress;
use treebound_experiment::run::ExperimentContext;
use treebound_parser::cell::{AxisValues, FeatureSet, SystemName};
use treebound_parser::error_analysis::{Parsed, tally};
use treebound_parser::systems::{System, TrainingPart};
use treebound_records::file;

/// Patterns of each view that are printed; the files have `--top` of them.
const PRINTED: u64 = 10;

#[derive(Args)]
pub struct ErrorsArguments {
    // The config: its corpus, tags, pruning and training settings are used, and the first of its seeds
    #[command(flatten)]
    config: ConfigFlags,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
    /// Parsers, each of which parses the sentences that the others learn from
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Passes of each parser over its sentences; those of the config if not given
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Patterns of each view in errors.csv
    #[arg(long, value_name = "N", default_value_t = 100)]
    top: usize,
    /// Sentences for each of them in errors-examples.txt; 0 for no such file
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: usize,
    #[command(flatten)]
    place: PlaceFlags,
    #[command(flatten)]
    lock: LockFlags,
    #[command(flatten)]
    jobs: JobsFlags,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn errors(arguments: &ErrorsArguments) -> Result<ExitCode> {
    let mut config = arguments.config.read()?;
    if let Some(epochs) = arguments.epochs {
        if epochs == 0 {
            bail!("--epochs 0: at least one pass is needed");
        }
        config.learners.values_mut().for_each(|schedule| schedule.epochs = epochs);
    }
    if arguments.top == 0 {
        bail!("--top 0: at least one pattern of each view is needed");
    }
    // A config has a grid, and a grid a value on each axis.
    let grid = config.main().cloned().context("the config has no grid")?;
    let first = (grid.seeds.first(), grid.tags.first(), grid.graph.learners.first(), grid.graph.templates.first());
    let (Some(&seed), Some(&tags), Some(learner), Some(templates)) = first else {
        bail!("{}: the grid `{}` is empty", arguments.config, grid.name);
    };
    let average_from = config.learners.get(learner).map_or(1, |schedule| schedule.average_from);
    if let Some(epochs) = arguments.epochs.filter(|&epochs| epochs < average_from) {
        bail!(
            "--epochs {epochs}: the learner `{learner}` averages from pass {average_from} on, so it takes as many at least"
        );
    }
    let corpus = corpus_index(&config, arguments.corpus.as_deref())?;
    // Only this corpus is read and tagged, and only with these tags.
    config.restrict(corpus, tags);
    let folders = arguments.place.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let run = TrainingRun {
        corpus: 0,
        tags,
        system: SystemName::graph(),
        axes: AxisValues::graph_model(
            templates.clone(),
            learner.clone(),
            FeatureSet::baseline(),
            grid.graph.backbones.first().copied().unwrap_or_default(),
        ),
        limits: grid.limits,
        seed,
    };
    let report = arguments.jobs.install(|| {
        let context = ExperimentContext::open(&config, &store)?;
        let steps = cross_validation::steps(arguments.folds, context.builder.graph(&run)?.passes());
        let progress = Progress::new(steps, None, arguments.quiet);
        let heads = cross_validation::heads(&context, &run, arguments.folds, &progress);
        progress.finish();
        let heads = heads?;
        let treebank = &context.treebanks[0];
        let part = &context.prepared(&run).train;
        // The same sentences with the treebank's tags, which say what is punctuation.
        let tagged =
            TrainingPart::new(&treebank.train.sentences, treebank.corpus.nonprojective, run.tree_kind(&config));
        let scored = |i: usize| -> Vec<bool> {
            tagged.sentences[i].tokens.iter().map(|t| !treebank.corpus.punctuation.covers(t)).collect()
        };
        let parsed: Vec<Parsed> = part
            .sentences
            .iter()
            .zip(&heads)
            .enumerate()
            .filter_map(|(i, (sentence, heads))| {
                let gold = sentence.gold.as_ref()?;
                Some(Parsed {
                    place: &sentence.place,
                    tokens: &sentence.tokens,
                    gold,
                    heads,
                    scored: scored(i),
                    relations: [None, None],
                })
            })
            .collect();
        let report = tally(&parsed, arguments.top, arguments.examples);
        let cells = cells_of(&config, &run);
        let errors = error_patterns::csv(&report)?;
        let lines = errors.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
        let mut log = log("errors", &arguments.config.config, &context, &folders, cells.iter())?;
        log.write(lines as u64, &folders.result("errors.csv"), &errors)?;
        let examples = folders.result("errors-examples.txt");
        if arguments.examples > 0 {
            file::write(&examples, error_patterns::examples(&report, &parsed).as_bytes())?;
        } else {
            file::remove(&examples)?;
        }
        Ok(report)
    })?;
    if !arguments.quiet {
        print(&error_patterns::summary(&report, PRINTED))?;
        say!("all patterns in {}", folders.result("errors.csv").display());
    }
    Ok(unless_unkept(&store))
}
