//! `treebound parse`: a CoNLL file with heads from a model.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;

use super::output::stdout;
use super::with_threads;
use crate::decode::bnb::Limits;
use crate::decode::{Decoder, Status};
use crate::parser::{NoClock, Parser, Scratch, TrainedParser};
use crate::pruning::Rule;
use crate::tagger;
use crate::treebank::{Tree, conll};

#[derive(Args)]
pub struct ParseArguments {
    /// The model, as written by treebound train
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// CoNLL-U or CoNLL-X; heads are replaced, all else is kept. A model of predicted tags looks at the words alone
    input: PathBuf,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep this many heads a word instead of what the model was trained with
    #[arg(long, conflicts_with = "threshold")]
    k: Option<usize>,
    /// Keep heads at least this times as probable as the best
    #[arg(long)]
    threshold: Option<f64>,
    /// bnb or paper, for models with non-local features
    #[arg(long, default_value = "bnb")]
    decoder: String,
    /// Stop the search of a sentence after this many calls to the dynamic program
    #[arg(long, value_name = "N")]
    dp_calls: Option<u64>,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
}

pub fn parse(arguments: &ParseArguments) -> Result<ExitCode> {
    let (trained, input) = with_threads(arguments.jobs, || {
        let (trained, input) = rayon::join(|| TrainedParser::read(&arguments.model), || conll::read(&arguments.input));
        Ok((trained?, input?))
    })?;
    let rule = match (arguments.k, arguments.threshold) {
        (Some(0), _) => bail!("--k 0: keep at least 1 head a word"),
        (Some(k), _) => Rule::Best(k),
        (None, Some(t)) if !(t > 0.0 && t <= 1.0) => bail!("--threshold {t}: it lies above 0 and is at most 1"),
        (None, Some(t)) => Rule::Threshold(t),
        (None, None) => trained.rule,
    };
    let decoder = match Decoder::parse(&arguments.decoder) {
        _ if !trained.model.needs_search() => Decoder::Dp,
        Some(decoder @ (Decoder::Bnb | Decoder::Paper)) => decoder,
        _ => bail!("--decoder {}: it can be bnb or paper", arguments.decoder),
    };
    let parser = Parser {
        pruner: &trained.pruner,
        rule,
        model: &trained.model,
        decoder,
        limits: Limits { dp_calls: arguments.dp_calls, nodes: None },
    };
    let answers: Vec<(Tree, Status)> = with_threads(arguments.jobs, || {
        input
            .sentences
            .par_iter()
            .with_min_len(16)
            .map_init(Default::default, |(tagging, scratch): &mut (tagger::Scratch, Scratch), sentence| {
                let mut tokens = Cow::Borrowed(&sentence.tokens);
                if let Some(tagger) = &trained.tagger {
                    tagger.tag(tokens.to_mut(), tagging);
                }
                let (answer, _) =
                    parser.parse(&tokens, scratch, &mut NoClock).with_context(|| sentence.place.to_string())?;
                let tree = answer.tree.with_context(|| format!("{}: no tree was found", sentence.place))?;
                Ok((tree, answer.status))
            })
            .collect()
    })?;
    let unproven = answers.iter().filter(|a| !a.1.is_proof()).count();
    if unproven > 0 {
        eprintln!(
            "{unproven} of {} trees are not proven to be the best: the search stopped at its limit",
            answers.len()
        );
    }
    let trees: Vec<Tree> = answers.into_iter().map(|a| a.0).collect();
    match &arguments.output {
        Some(path) => {
            let name = || path.display().to_string();
            let mut out = BufWriter::new(File::create(path).with_context(name)?);
            input.write_with_heads(&trees, &mut out).with_context(name)?;
            out.flush().with_context(name)?;
        }
        None => {
            let mut out = stdout();
            input.write_with_heads(&trees, &mut out)?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
