//! `treebound features`: what fires in a sentence's gold tree, how often each hand-crafted pattern is found, and template sets.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use super::flags::{ConfigFlags, split};
use super::output::print;
use treebound_core::graph::Word;
use treebound_experiment::config::TemplatesSource;
use treebound_experiment::data::Treebank;
use treebound_experiment::one_parser::corpus_index;
use treebound_parser::features::families::Family;
use treebound_parser::features::groups::Folding;
use treebound_parser::features::hand::{Patterns, Sites};
use treebound_parser::features::parts::BetweenWords;
use treebound_parser::features::{TemplateGroups, TemplateSet, describe};
use treebound_parser::model::build::TreeParts;
use treebound_parser::treebank::Sentence;

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
    /// The set: compact, ma-zhao, paper, paper-zh, pruner, or a file
    name: String,
    /// One template a line, with its kind and its variant: what `without` of a template file is matched with
    #[arg(long)]
    lines: bool,
}

pub fn features(features: &Features) -> Result<ExitCode> {
    let mut out = Vec::new();
    match features {
        Features::Sentence(arguments) => sentence(arguments, &mut out)?,
        Features::Patterns(arguments) => {
            let (treebank, templates) = arguments.read()?;
            patterns(templates.patterns(), &treebank.part(split(&arguments.split)?).sentences, &mut out)?;
        }
        Features::Templates(TemplatesArguments { name, lines }) => {
            let set = TemplatesSource::new(name).read(Path::new(""))?;
            write!(out, "{}", if *lines { set.to_string() } else { set.toml() })?;
        }
    }
    print(&String::from_utf8(out)?)?;
    Ok(ExitCode::SUCCESS)
}

impl PartArguments {
    /// The treebank, and the first templates of the config.
    fn read(&self) -> Result<(Treebank, TemplateSet)> {
        let config = self.config.read()?;
        let first = config.main().and_then(|grid| config.templates.get(grid.templates.first()?));
        let templates = first.context("the config has no templates")?.read(&config.base)?;
        let corpus = &config.corpora[corpus_index(&config, self.corpus.as_deref())?];
        Ok((Treebank::read(&config, corpus)?, templates))
    }
}

/// Writes the parts of a gold tree, each with its features.
fn sentence(arguments: &SentenceArguments, out: &mut impl Write) -> Result<()> {
    let (treebank, templates) = arguments.part.read()?;
    let (number, split) = (arguments.sentence, split(&arguments.part.split)?);
    let sentences = &treebank.part(split).sentences;
    let Some(sentence) = number.checked_sub(1).and_then(|i| sentences.get(i)) else {
        bail!("--sentence {number}: the {} part has sentences 1 to {}", split.name(), sentences.len());
    };
    let Some(tree) = &sentence.gold else { bail!("{}: the sentence has no tree", sentence.place) };
    let template_groups = TemplateGroups::new(&templates, |_| true, Folding::All);
    let mut parts = TreeParts::default();
    parts.fill(&template_groups, &Family::ALL, &sentence.tokens, tree, &mut BetweenWords::default());
    writeln!(out, "# {}", sentence.place)?;
    let words: Vec<_> = sentence.tokens.iter().map(|t| t.form.as_str()).collect();
    writeln!(out, "# {}", words.join(" "))?;
    for (kind, part) in &parts.parts {
        writeln!(out, "{}", describe::part(*kind, *part, &sentence.tokens, templates.patterns()))?;
        for template in templates.for_kind(*kind) {
            writeln!(out, "    {template:<40} {}", describe::feature(template, *part, &sentence.tokens))?;
        }
    }
    Ok(())
}

/// Writes as CSV, by tree: the places where the words of its pattern stand, and those where the gold tree has it.
fn patterns(patterns: &Patterns, sentences: &[Sentence], out: &mut impl Write) -> Result<()> {
    let mut counts = vec![(0u64, 0u64); patterns.trees()];
    let mut sites = Sites::default();
    for sentence in sentences {
        let Some(gold) = &sentence.gold else { continue };
        sites.fill(patterns, &sentence.tokens);
        for site in sites.iter() {
            let head = site.modifier_of_any().map_or(Word::ROOT, |m| gold.head(m));
            let has = site.arcs(head).all(|(h, m)| gold.head(m) == h);
            let count = &mut counts[site.tree()];
            *count = (count.0 + 1, count.1 + u64::from(has));
        }
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["pattern", "tree", "places", "in_gold_trees"])?;
    for (number, (places, gold)) in counts.into_iter().enumerate() {
        let name = patterns.name(number);
        let (pattern, tree) = name.split_once(": ").unwrap_or((&name, ""));
        writer.write_record([pattern, tree, &places.to_string(), &gold.to_string()])?;
    }
    writer.flush()?;
    Ok(())
}
