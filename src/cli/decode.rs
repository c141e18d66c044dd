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
use treebound_core::graph::json::{self, Parsed};
use treebound_core::graph::{Asked, Room};
use treebound_ilp::{Form, Goal, IlpError, Settings};

#[derive(Args)]
pub struct DecodeArguments {
    /// bnb, paper (or another reading of it, such as paper+polyak; projective trees only), dp (the dynamic program alone), mbr
    /// (most expected right heads; no factors), brute (all trees; short sentences), ilp (an integer program) or lp (its
    /// relaxation, rounded); the last two need a build with `--features ilp`
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
    /// Stop ilp and lp after this many seconds a graph; what is not proven then depends on the machine
    #[arg(long, value_name = "S", value_parser = scale, conflicts_with_all = ["marginals", "kbest"])]
    seconds: Option<f64>,
    /// How ilp and lp say what a tree is: by a flow of one commodity (flow), of one commodity a word (paths), or by what an arc
    /// may lie over (spans; projective trees) [default: the smallest program]
    #[arg(long, value_name = "FORM", conflicts_with_all = ["marginals", "kbest"])]
    form: Option<String>,
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
    let mut out = stdout();
    let bytes = arguments.memory.bytes();
    if let Some(goal) = Decoder::parse(&arguments.decoder).and_then(Goal::of) {
        let settings = of_programs(arguments)?;
        each_graph(arguments, Room::new(bytes, Asked::Tree), |parsed| {
            writeln!(out, "{}", treebound_ilp::decode(&parsed.graph, goal, &settings)?.line()).map_err(Into::into)
        })?;
    } else {
        let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: arguments.nodes, bytes };
        let mut answers = Answers::new(query(arguments)?, backbone(&arguments.backbone)?, limits);
        each_graph(arguments, answers.room(), |parsed| writeln!(out, "{}", answers.line(parsed)?).map_err(Into::into))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// How programs are written and when their solver stops.
fn of_programs(arguments: &DecodeArguments) -> Result<Settings> {
    if !treebound_ilp::is_built() {
        bail!("--decoder {}: {}", arguments.decoder, IlpError::NotBuilt);
    }
    if arguments.scale.is_some() {
        bail!("{NO_PROBABILITIES}");
    }
    let form = arguments.form.as_deref().map(|name| {
        let names: Vec<_> = Form::ALL.iter().map(|form| form.name()).collect();
        Form::parse(name).with_context(|| format!("--form {name}: the forms are {}", names.join(", ")))
    });
    let (nodes, seconds) = (arguments.nodes, arguments.seconds);
    Ok(Settings { form: form.transpose()?, nodes, seconds, ..Settings::default() })
}

const NO_PROBABILITIES: &str = "--scale: no probabilities are asked for; it goes with --marginals and --decoder mbr";

fn query(arguments: &DecodeArguments) -> Result<Query> {
    let Some(decoder) = Decoder::parse(&arguments.decoder) else {
        let names: Vec<_> = Decoder::ALL.iter().map(ToString::to_string).collect();
        bail!("--decoder {}: the decoders are {}", arguments.decoder, names.join(", "));
    };
    if arguments.seconds.is_some() || arguments.form.is_some() {
        bail!("--seconds and --form go with --decoder ilp and lp; other decoders are stopped by counts");
    }
    let scale = arguments.scale.unwrap_or(1.0);
    let query = match arguments.kbest {
        Some(most) => Query::Trees(most),
        None if arguments.marginals => Query::Sums(scale),
        None => Query::Best(decoder, scale),
    };
    if arguments.scale.is_some() && !matches!(query, Query::Sums(_) | Query::Best(Decoder::Mbr, _)) {
        bail!("{NO_PROBABILITIES}");
    }
    Ok(query)
}

/// Visits the graphs of all files in order.
fn each_graph(arguments: &DecodeArguments, room: Room, mut visit: impl FnMut(&Parsed) -> Result<()>) -> Result<()> {
    for file in &arguments.files {
        for (i, parsed) in json::each(streams::open(file)?, &streams::name(file), room).enumerate() {
            let (parsed, graph) = (parsed?, format!("{}: graph {}", file.display(), i + 1));
            if parsed.never > 0 {
                say!("{graph}: {} parts or factors can occur in no tree and never count", parsed.never);
            }
            visit(&parsed).context(graph)?;
        }
    }
    Ok(())
}
