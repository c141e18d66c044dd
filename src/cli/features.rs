//! `treebound features`: what fires in a sentence's gold tree, readable; or how often each hand-crafted pattern is found.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::ConfigFlags;
use super::output::stdout;
use super::train::corpus;
use treebound_core::graph::Word;
use treebound_experiment::data::Treebank;
use treebound_parser::cell::Split;
use treebound_parser::features::bundles::Folding;
use treebound_parser::features::families::Family;
use treebound_parser::features::hand::{Patterns, Sites};
use treebound_parser::features::parts::BetweenWords;
use treebound_parser::features::{Bundles, describe};
use treebound_parser::parser::build::TreeParts;
use treebound_parser::treebank::Sentence;

#[derive(Args)]
pub struct FeaturesArguments {
    // The config: its corpus and templates are used
    #[command(flatten)]
    config: ConfigFlags,
    /// Number of the sentence in its part, from 1
    #[arg(long, value_name = "N", required_unless_present = "patterns", conflicts_with = "patterns")]
    sentence: Option<usize>,
    /// train, dev or test
    #[arg(long, default_value = "train")]
    split: String,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
    /// Print instead how often the words of each hand-crafted pattern stand in the part, and how often with each tree
    #[arg(long)]
    patterns: bool,
}

pub fn features(arguments: &FeaturesArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let first = config.main().and_then(|grid| config.templates.get(grid.templates.first()?));
    let templates = first.context("the config has no templates")?.read(&config.base)?;
    let mut out = stdout();
    let split = match arguments.split.as_str() {
        "train" => Split::Train,
        "dev" => Split::Dev,
        "test" => Split::Test,
        other => bail!("--split {other}: it can be train, dev or test"),
    };
    let treebank = Treebank::read(&config, &config.corpora[corpus(&config, arguments.corpus.as_deref())?])?;
    let part = treebank.part(split);
    if arguments.patterns {
        patterns(templates.patterns(), &part.sentences, &mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let (number, sentences) = (arguments.sentence.unwrap_or_default(), part.sentences.len());
    let Some(sentence) = number.checked_sub(1).and_then(|i| part.sentences.get(i)) else {
        bail!("--sentence {number}: the {} part has sentences 1 to {sentences}", split.name());
    };
    let Some(tree) = &sentence.gold else { bail!("{}: the sentence has no tree", sentence.place) };

    let bundles = Bundles::new(&templates, |_| true, Folding::All);
    let mut parts = TreeParts::default();
    parts.fill(&bundles, &Family::ALL, &sentence.tokens, tree, &mut BetweenWords::default());
    writeln!(out, "# {}", sentence.place)?;
    let words: Vec<_> = sentence.tokens.iter().map(|t| t.form.as_str()).collect();
    writeln!(out, "# {}", words.join(" "))?;
    for (kind, part) in &parts.parts {
        writeln!(out, "{}", describe::part(*kind, *part, &sentence.tokens, templates.patterns()))?;
        for template in templates.of(*kind) {
            writeln!(out, "    {template:<40} {}", describe::feature(template, *part, &sentence.tokens))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
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
