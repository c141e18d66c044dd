//! `treebound decode`: factor graph files to best trees.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::{Limit, MemoryFlags, backbone};
use super::output::{say, stdout};
use super::streams;
use treebound_core::decode::Decoder;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::query::{Answers, Query};
use treebound_core::graph::json;

#[derive(Args)]
pub struct DecodeArguments {
    /// bnb, paper (or another reading of it, such as paper+polyak; projective trees only), dp (the dynamic program alone), mbr
    /// (most expected right heads; no factors) or brute (all trees; short sentences)
    #[arg(long, default_value = "bnb")]
    decoder: String,
    /// The dynamic program of dp, bnb and paper: carreras, or grand-sibling; graphs with grand-siblings always take that
    #[arg(long, default_value = "carreras")]
    backbone: String,
    /// Stop a search at this many calls to the dynamic program (a last fixing of arcs may add one), or `none`
    #[arg(long, value_name = "N", default_value = Limit::USUAL, value_parser = limit)]
    dp_calls: Limit,
    /// Stop a search after this many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    memory: MemoryFlags,
    /// Print instead the logarithm of the sum over all trees of the exponential of their scores, their entropy, and the
    /// probability of each arc; nothing is searched, so --decoder, --dp-calls and --nodes do not go with it; a graph with factors is
    /// refused
    #[arg(long, conflicts_with_all = OF_SEARCHES)]
    marginals: bool,
    /// Print instead the best K trees with their scores, best first; those of a graph with factors are searched for within --dp-calls
    /// and --nodes, with the status of the list; --decoder and --marginals do not go with it
    #[arg(long, value_name = "K", value_parser = trees, conflicts_with_all = ["marginals", "decoder"])]
    kbest: Option<usize>,
    /// What scores are divided by under --marginals and --decoder mbr, a finite number above 0 [default: 1]
    #[arg(long, value_name = "S", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<f64>,
    /// Factor graph files (see docs/METHOD.md for the format), or - for standard input; each may hold several graphs of up to 10,000
    /// words
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Flags that choose a search or stop it.
const OF_SEARCHES: [&str; 3] = ["decoder", "dp_calls", "nodes"];

fn scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale: &f64| *scale > 0.0 && scale.is_finite());
    scale.ok_or_else(|| "a finite number above 0 is needed".to_owned())
}

/// Most trees of a sentence that are asked for.
const MOST_TREES: usize = 1_000_000;

fn trees(text: &str) -> Result<usize, String> {
    let trees = text.parse().ok().filter(|&trees| trees <= MOST_TREES);
    trees.ok_or_else(|| format!("a whole number up to {MOST_TREES}"))
}

/// Also 0, which gives no tree and claims nothing.
fn limit(text: &str) -> Result<Limit, String> {
    if text == "0" { Ok(Limit(Some(0))) } else { Limit::parse(text) }
}

pub fn decode(arguments: &DecodeArguments) -> Result<ExitCode> {
    let Some(decoder) = Decoder::parse(&arguments.decoder) else {
        let names: Vec<_> = Decoder::ALL.iter().map(ToString::to_string).collect();
        bail!("--decoder {}: the decoders are {}", arguments.decoder, names.join(", "));
    };
    let scale = arguments.scale.unwrap_or(1.0);
    let query = match arguments.kbest {
        Some(most) => Query::Trees(most),
        None if arguments.marginals => Query::Sums(scale),
        None => Query::Best(decoder, scale),
    };
    if arguments.scale.is_some() && !matches!(query, Query::Sums(_) | Query::Best(Decoder::Mbr, _)) {
        bail!("--scale: no probabilities are asked for; it goes with --marginals and --decoder mbr");
    }
    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: arguments.nodes, bytes: arguments.memory.bytes() };
    let mut answers = Answers::new(query, backbone(&arguments.backbone)?, limits);
    let mut out = stdout();
    for file in &arguments.files {
        for (i, parsed) in json::each(streams::open(file)?, &streams::name(file), answers.room()).enumerate() {
            let (parsed, graph) = (parsed?, format!("{}: graph {}", file.display(), i + 1));
            if parsed.never > 0 {
                say!("{graph}: {} parts or factors can occur in no tree and never count", parsed.never);
            }
            writeln!(out, "{}", answers.line(&parsed).context(graph)?)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
