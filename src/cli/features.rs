//! `treebound features`: what fires in a sentence's gold tree, how often each hand-crafted pattern is found, and template sets.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use super::flags::{ConfigFlags, split};
use super::output::print;
use treebound_experiment::config::TemplatesSource;
use treebound_experiment::data::Treebank;
use treebound_experiment::one_parser::corpus_index;
use treebound_parser::features::TemplateSet;
use treebound_parser::model::explain::{gold_features, pattern_counts};
use treebound_parser::systems::shift_reduce::templates::StateTemplates;

#[derive(Subcommand)]
pub enum Features {
    /// Print the features that the gold tree of a sentence fires
    Sentence(SentenceArguments),
    /// Print how often the words of each hand-crafted pattern are found in a part, and how often with each tree
    Patterns(PartArguments),
    /// Print a template set as a file that a config can name
    Templates(TemplatesArguments),
}

/// A part of a treebank, and templates.
#[derive(Args)]
pub struct PartArguments {
    // The config: its corpus and templates are used
    #[command(flatten)]
    config: ConfigFlags,
    /// train, dev or test
    #[arg(long, default_value = "train")]
    split: String,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
}

#[derive(Args)]
pub struct SentenceArguments {
    #[command(flatten)]
    part: PartArguments,
    /// Number of the sentence in its part, from 1
    #[arg(long, value_name = "N")]
    sentence: usize,
}

#[derive(Args)]
pub struct TemplatesArguments {
    /// The set: compact, labels, ma-zhao, paper, paper-zh, pruner, or a file; of the shift-reduce parser edge-factored, huang-sagae
    name: String,
    /// One template a line, with its kind and its variant: what `without` of a template file is matched with
    #[arg(long)]
    lines: bool,
}

pub fn features(features: &Features) -> Result<ExitCode> {
    let text = match features {
        Features::Sentence(arguments) => sentence(arguments)?,
        Features::Patterns(arguments) => patterns(arguments)?,
        Features::Templates(TemplatesArguments { name, lines }) if StateTemplates::BUILT_IN.contains(&&**name) => {
            let set = StateTemplates::built_in(name).context("the set is built in")??;
            if *lines { set.to_string() } else { set.toml() }
        }
        Features::Templates(TemplatesArguments { name, lines }) => {
            let set = TemplatesSource::new(name).read(Path::new(""))?;
            if *lines { set.to_string() } else { set.toml() }
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

impl PartArguments {
    /// The treebank, and the first templates of the config.
    fn read(&self) -> Result<(Treebank, TemplateSet)> {
        let config = self.config.read()?;
        let first = config.main().and_then(|grid| config.templates.get(grid.graph.templates.first()?));
        let templates = first.context("the config has no templates")?.read(&config.base)?;
        let corpus = &config.corpora[corpus_index(&config, self.corpus.as_deref())?];
        Ok((Treebank::read(&config, corpus)?, templates))
    }
}

/// The parts of a gold tree, each with its features.
fn sentence(arguments: &SentenceArguments) -> Result<String> {
    let (treebank, templates) = arguments.part.read()?;
    let (number, split) = (arguments.sentence, split(&arguments.part.split)?);
    let sentences = &treebank.part(split).sentences;
    let Some(sentence) = number.checked_sub(1).and_then(|i| sentences.get(i)) else {
        bail!("--sentence {number}: the {} part has sentences 1 to {}", split.name(), sentences.len());
    };
    gold_features(&templates, sentence).with_context(|| format!("{}: the sentence has no tree", sentence.place))
}

/// The counts of patterns as CSV.
fn patterns(arguments: &PartArguments) -> Result<String> {
    let (treebank, templates) = arguments.read()?;
    let patterns = templates.patterns();
    let counts = pattern_counts(patterns, &treebank.part(split(&arguments.split)?).sentences);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["pattern", "tree", "places", "in_gold_trees"])?;
    for (number, [places, gold]) in counts.into_iter().enumerate() {
        let name = patterns.name(number);
        let (pattern, tree) = name.split_once(": ").unwrap_or((&name, ""));
        writer.write_record([pattern, tree, &places.to_string(), &gold.to_string()])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
