//! `treebound errors`: the most common errors of the baseline on sentences that it has not seen.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::{print, say};
use super::train::corpus;
use super::{OutFlags, origin, unless_unkept, with_threads};
use crate::error_analysis::{self, Parsed};
use crate::experiment::cell::TrainingRun;
use crate::experiment::config::{self, FeatureSet};
use crate::experiment::cross_validation;
use crate::experiment::data::TrainingPart;
use crate::experiment::progress::Progress;
use crate::experiment::run::Laboratory;
use crate::experiment::store::Store;
use crate::records::file;

/// Patterns of each view that are printed; the files have `--top` of them.
const PRINTED: u64 = 10;

#[derive(Args)]
pub struct ErrorsArguments {
    /// The config: its corpus, tags, pruning and training settings are used, and the first of its seeds
    config: PathBuf,
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
    out: OutFlags,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

pub fn errors(arguments: &ErrorsArguments) -> Result<ExitCode> {
    let mut config = config::read(&arguments.config)?;
    if let Some(epochs) = arguments.epochs {
        if epochs == 0 {
            bail!("--epochs 0: at least one pass is needed");
        }
        config.training.epochs = epochs;
    }
    if arguments.top == 0 {
        bail!("--top 0: at least one pattern of each view is needed");
    }
    let (Some(&seed), Some(&tags)) = (config.seeds.first(), config.tags.first()) else {
        bail!("{}: no seed or no tags", arguments.config.display());
    };
    let corpus = corpus(&config, arguments.corpus.as_deref())?;
    // Only this corpus is read and tagged, and only with these tags.
    config.corpus = vec![config.corpus.swap_remove(corpus)];
    config.tags = vec![tags];
    let folders = arguments.out.folders(&config);
    let store = Store::new(folders.cache.clone());
    let (Some(&trainer), Some(&backbone)) = (config.training.trainers.first(), config.decoding.backbones.first())
    else {
        bail!("{}: no trainer or no backbone", arguments.config.display());
    };
    let run = TrainingRun { corpus: 0, tags, trainer, set: FeatureSet::baseline(), backbone, seed };
    let report = with_threads(arguments.jobs, || {
        let laboratory = Laboratory::open(&config, &store)?;
        let steps = cross_validation::steps(arguments.folds, config.training.epochs);
        let progress = Progress::new(steps, arguments.quiet);
        let heads = cross_validation::heads(&laboratory, &run, arguments.folds, &progress);
        progress.finish();
        let heads = heads?;
        let treebank = &laboratory.treebanks[0];
        let part = &laboratory.prepared(0, tags).train;
        // The same sentences with the treebank's tags, which say what is punctuation.
        let tagged = TrainingPart::new(&treebank.train.sentences, treebank.corpus.nonprojective);
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
                Some(Parsed { place: &sentence.place, tokens: &sentence.tokens, gold, heads, scored: scored(i) })
            })
            .collect();
        let report = error_analysis::tally(&parsed, arguments.top, arguments.examples);
        file::write(&folders.result("errors.csv"), &error_analysis::csv(&report)?)?;
        let examples = folders.result("errors-examples.txt");
        if arguments.examples > 0 {
            file::write(&examples, error_analysis::examples(&report, &parsed).as_bytes())?;
        } else {
            file::remove(&examples)?;
        }
        origin::record(("errors", None), &arguments.config, rayon::current_num_threads(), &laboratory, &folders)?;
        Ok(report)
    })?;
    if !arguments.quiet {
        print(&error_analysis::summary(&report, PRINTED))?;
        say!("all patterns in {}", folders.result("errors.csv").display());
    }
    Ok(unless_unkept(&store))
}
