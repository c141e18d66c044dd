//! `treebound features`: what fires in a sentence's gold tree, readable.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::stdout;
use super::train::corpus;
use crate::experiment::config::{self, Split};
use crate::experiment::data::Treebank;
use crate::experiment::pieces::template_set;
use crate::features::families::Family;
use crate::features::parts::BetweenWords;
use crate::features::{Plan, describe};
use crate::parser::build::TreeParts;

#[derive(Args)]
pub struct FeaturesArguments {
    /// The config: its corpus and templates are used
    config: PathBuf,
    /// Number of the sentence in its part, from 1
    #[arg(long, value_name = "N")]
    sentence: usize,
    /// train, dev or test
    #[arg(long, default_value = "train")]
    split: String,
    /// Name of the corpus, if the config has several
    #[arg(long)]
    corpus: Option<String>,
    /// Print the templates instead, with their number
    #[arg(long)]
    templates: bool,
}

pub fn features(arguments: &FeaturesArguments) -> Result<ExitCode> {
    let config = config::read(&arguments.config)?;
    let templates = template_set(&config, &config.training.templates)?;
    let mut out = stdout();
    if arguments.templates {
        write!(out, "{templates}")?;
        writeln!(out, "{} templates", templates.templates().len())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let split = match arguments.split.as_str() {
        "train" => Split::Train,
        "dev" => Split::Dev,
        "test" => Split::Test,
        other => bail!("--split {other}: it can be train, dev or test"),
    };
    let treebank = Treebank::read(&config, &config.corpus[corpus(&config, arguments.corpus.as_deref())?])?;
    let part = treebank.part(split);
    let sentences = part.sentences.len();
    let Some(sentence) = arguments.sentence.checked_sub(1).and_then(|i| part.sentences.get(i)) else {
        bail!("--sentence {}: the {} part has sentences 1 to {sentences}", arguments.sentence, split.name());
    };
    let Some(tree) = &sentence.gold else { bail!("{}: the sentence has no tree", sentence.place) };

    let plan = Plan::new(&templates, |_| true);
    let mut parts = TreeParts::default();
    parts.fill(&plan, &Family::ALL, &sentence.tokens, tree, &mut BetweenWords::default());
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
