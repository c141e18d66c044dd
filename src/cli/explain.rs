//! `treebound explain`: why a parser of a config chose the tree of one sentence.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::{CacheFlags, ConfigFlags, JobsFlags, Limit, MemoryFlags, feature_set, split, unless_unkept};
use super::output::{print, tell};
use super::train::{ChoiceFlags, GOES_ON};
use treebound_core::decode::Decoder;
use treebound_core::decode::bnb::Limits;
use treebound_core::shown::shown;
use treebound_experiment::data::read_part;
use treebound_experiment::explanation::{Page, number_by_id};
use treebound_experiment::one_parser::trained_parser;
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::store::Store;
use treebound_parser::cell::{Axis, FeatureSet, Tags};
use treebound_parser::model::explain::Explanation;
use treebound_parser::model::{Parser, Scratch, TrainedParser};
use treebound_parser::pruning::Rule;
use treebound_parser::tagger;
use treebound_records::file;
use treebound_report::figures::trees::{Arcs, drawing};

#[derive(Args)]
pub struct ExplainArguments {
    // The config: its parser is learnt as for train, or taken from what is finished
    #[command(flatten)]
    config: ConfigFlags,
    /// Number of the sentence in its part, from 1
    #[arg(long, value_name = "N", required_unless_present = "id")]
    sentence: Option<usize>,
    /// The sentence by its `sent_id`, which stands above it in a CoNLL-U file
    #[arg(long, conflicts_with = "sentence")]
    id: Option<String>,
    /// dev, test or train
    #[arg(long, default_value = "test")]
    split: String,
    /// The feature set; the largest of the config's first grid if not given
    #[arg(long, value_name = "SET")]
    features: Option<String>,
    #[command(flatten)]
    choice: ChoiceFlags,
    /// Which candidate heads, as in a config, such as k=10, t=1e-3 or none; the first of the config's first grid if not given
    #[arg(long, value_name = "RULE")]
    pruning: Option<String>,
    /// bnb, or paper and its readings
    #[arg(long, default_value = "bnb")]
    decoder: String,
    /// Stop the search at this many calls to the dynamic program, or `none`
    #[arg(long, value_name = "N", default_value = Limit::USUAL, value_parser = Limit::parse)]
    dp_calls: Limit,
    #[command(flatten)]
    memory: MemoryFlags,
    /// Also draw the trees into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheFlags,
    #[command(flatten)]
    jobs: JobsFlags,
}

pub fn explain(arguments: &ExplainArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    arguments.svg.iter().try_for_each(|path| file::try_to_write(path))?;
    let split = split(&arguments.split)?;
    let set = match &arguments.features {
        Some(name) => feature_set(name)?,
        None => config.main().and_then(|grid| largest(&grid.graph.sets)).unwrap_or_else(FeatureSet::baseline),
    };
    let choice = arguments.choice.choice()?;
    let is_baseline = set.is_baseline();
    let run = choice.run(&config, set)?;
    let decoder = Decoder::parse(&arguments.decoder).filter(|decoder| decoder.is_search());
    let decoder =
        decoder.with_context(|| format!("--decoder {}: it can be bnb, paper, ilp or lp", arguments.decoder))?;
    let rule = match &arguments.pruning {
        Some(text) => Rule::parse(text).with_context(|| format!("--pruning {text}: {} is needed", Rule::EXPECTED))?,
        None => {
            config.main().and_then(|grid| grid.graph.prunings.first().copied()).context("the config has no pruning")?
        }
    };
    let corpus = &config.corpora[run.corpus];
    let part = read_part(&config, corpus, split)?;
    let count = part.sentences.len();
    let number = match (&arguments.id, arguments.sentence) {
        (Some(id), _) => number_by_id(&part.sentences, id)?,
        (None, number) => number.unwrap_or_default(),
    };
    if count == 0 {
        bail!("--split {split}: the corpus `{}` has no sentence in that part", corpus.name);
    }
    let Some(sentence) = number.checked_sub(1).and_then(|i| part.sentences.get(i)) else {
        bail!("--sentence {number}: the {split} part has sentences 1 to {count}");
    };
    let (name, tags) = (format!("{} {split} sentence {number}, {run}, {rule}", corpus.name), run.tags);
    let store = Store::new(arguments.cache.folder());
    let stopped = || tell(format!("treebound: stopped; {GOES_ON}"));
    let (trained, baseline) = unless_stopped(stopped, || {
        arguments.jobs.install(|| {
            let trained = trained_parser(&config, &store, &run, tell)?;
            if is_baseline {
                return Ok((trained, None));
            }
            tell("the baseline:".to_owned());
            let baseline = choice.run(&config, FeatureSet::baseline())?;
            Ok((trained, Some(trained_parser(&config, &store, &baseline, tell)?)))
        })
    })?;
    let mut tokens = sentence.tokens.clone();
    if let (Some(tagger), Tags::Predicted) = (&trained.tagger, tags) {
        tagger.tag(&mut tokens, &mut tagger::Scratch::default());
    }
    let mut scratch = Scratch::default();
    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: None, bytes: arguments.memory.bytes() };
    let baseline = baseline.as_ref().map(|baseline| parser(baseline, rule, decoder, limits));
    let parser = parser(&trained, rule, decoder, limits);
    let found = Explanation::new(&parser, &tokens, sentence.gold.as_ref(), baseline.as_ref(), &mut scratch)
        .with_context(|| sentence.place.to_string())?;
    let model = &trained.model;
    let page = Page { tokens: &tokens, sentence, found: &found, graph: scratch.graph(), model };
    print(&format!("{name}\n{}\n\n{}", sentence.place, page.text()))?;
    if let Some(path) = &arguments.svg {
        let words: Vec<String> = tokens.iter().map(|token| shown(&token.form)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let trees: Vec<Arcs> = page.drawn_trees().into_iter().map(|(name, tree)| Arcs { name, tree }).collect();
        file::write(path, drawing(&words, &trees).as_bytes())?;
    }
    Ok(unless_unkept(&store))
}

fn largest(sets: &[FeatureSet]) -> Option<FeatureSet> {
    sets.iter().max_by_key(|set| set.families().len()).cloned()
}

fn parser(trained: &TrainedParser, rule: Rule, decoder: Decoder, limits: Limits) -> Parser<'_> {
    let decoder = if trained.model.needs_search() { decoder } else { Decoder::Dp };
    Parser { pruner: &trained.pruner, rule, model: &trained.model, decoder, limits }
}
