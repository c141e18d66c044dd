//! `treebound decode`: factor graph files to best trees.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::{Limit, MemoryFlags};
use super::output::{say, stdout};
use super::streams;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::log_scores::LogScores;
use treebound_core::decode::partition::Partitions;
use treebound_core::decode::{Backbone, Decoded, Decoder, Scratch};
use treebound_core::graph::{ArcId, Asked, FactorGraph, LocalScores, Room, Word, json};
use treebound_core::tree::Tree;

#[derive(Args)]
pub struct DecodeArguments {
    /// bnb, paper (or another reading of it, such as paper+polyak), dp (the dynamic program alone), mbr (most expected right
    /// heads; no factors) or brute (all trees; short sentences)
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
    /// Print instead the best K trees with their scores, best first; the same flags do not go with it, nor --marginals; a
    /// graph with factors is refused
    #[arg(long, value_name = "K", conflicts_with = "marginals", conflicts_with_all = OF_SEARCHES)]
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

/// Also 0, which gives no tree and claims nothing.
fn limit(text: &str) -> Result<Limit, String> {
    if text == "0" { Ok(Limit(Some(0))) } else { Limit::parse(text) }
}

pub fn decode(arguments: &DecodeArguments) -> Result<ExitCode> {
    let Some(decoder) = Decoder::parse(&arguments.decoder) else {
        let names: Vec<_> = Decoder::ALL.iter().map(ToString::to_string).collect();
        bail!("--decoder {}: the decoders are {}", arguments.decoder, names.join(", "));
    };
    let backbone = backbone(&arguments.backbone)?;
    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: arguments.nodes, bytes: arguments.memory.bytes() };
    let scale = arguments.scale.unwrap_or(1.0);
    if arguments.scale.is_some() && !arguments.marginals && decoder != Decoder::Mbr {
        bail!("--scale: no probabilities are asked for; it goes with --marginals and --decoder mbr");
    }
    let asked = if arguments.marginals || decoder == Decoder::Mbr { Asked::Sums } else { Asked::Tree };
    let room = Room::new(limits.bytes, asked);
    let mut scratch = Scratch::default();
    let mut partitions = Partitions::default();
    let mut out = stdout();
    for file in &arguments.files {
        for (i, parsed) in json::each(streams::open(file)?, &streams::name(file), room).enumerate() {
            let parsed = parsed?;
            if parsed.never > 0 {
                let name = file.display();
                say!("{name}: graph {}: {} parts or factors can occur in no tree and never count", i + 1, parsed.never);
            }
            if arguments.marginals {
                let line = line_of_sums(&parsed.graph, backbone, scale, &mut partitions);
                writeln!(out, "{}", line.with_context(|| format!("{}: graph {}", file.display(), i + 1))?)?;
                continue;
            }
            if let Some(most) = arguments.kbest {
                let line = line_of_trees(&parsed.graph, backbone, most, limits.bytes, &mut scratch);
                writeln!(out, "{}", line.with_context(|| format!("{}: graph {}", file.display(), i + 1))?)?;
                continue;
            }
            if decoder == Decoder::Brute {
                refuse_endless(&parsed.graph).with_context(|| format!("{}: graph {}", file.display(), i + 1))?;
            }
            if decoder == Decoder::Mbr {
                in_range(&parsed.graph, scale).with_context(|| format!("{}: graph {}", file.display(), i + 1))?;
            }
            let answer = match decoder {
                Decoder::Mbr => scratch.least_risk(&parsed.graph, backbone, scale),
                _ => decoder.decode(&parsed.graph, backbone, parsed.prior.as_deref(), limits, &mut scratch),
            };
            let answer = answer.with_context(|| format!("{}: graph {}", file.display(), i + 1))?;
            writeln!(out, "{}", line(&answer))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Choices of a head for each word beyond which looking at all of them is refused.
const MOST_CHOICES: f64 = 1e10;

/// An error if brute force would not come to an end.
fn refuse_endless(graph: &FactorGraph) -> Result<()> {
    let words = (1..=graph.space.words()).map(Word::new);
    let choices: f64 = words.map(|m| graph.space.arcs_into(m).len() as f64).product();
    if choices > MOST_CHOICES {
        bail!(
            "{choices:.0e} ways to give each word a head: too many for --decoder brute; take bnb, or keep fewer arcs"
        );
    }
    Ok(())
}

/// An error if a graph has factors.
fn local_only(graph: &FactorGraph, flag: &str) -> Result<()> {
    if !graph.factors.is_empty() {
        bail!(
            "{flag}: no dynamic program has all trees of a graph with factors, and there are {}",
            graph.factors.len()
        );
    }
    Ok(())
}

/// An error if the scores of a graph are so large beside the scale that sums over trees lose digits.
fn in_range(graph: &FactorGraph, scale: f64) -> Result<()> {
    /// Two numbers have 106 bits: of sums of this size they keep what is above 10^-9.
    const MOST: f64 = 1e22;
    let LocalScores { arc, sibling, grandchild } = &graph.local;
    let parts = arc.iter().chain(sibling).chain(grandchild).chain(graph.grand_siblings.scores()).copied();
    let all: f64 = parts.chain(graph.factors.iter().map(|factor| factor.2)).map(|score| (score as f64).abs()).sum();
    if all / scale > MOST {
        bail!(
            "scores divided by --scale {scale:?} are too large to be summed: they may add up to {MOST:e}; give a larger --scale"
        );
    }
    Ok(())
}

/// The best `most` trees of a graph as a line of JSON, if the list with what it is made from takes no more than so many bytes.
fn line_of_trees(
    graph: &FactorGraph,
    backbone: Backbone,
    most: usize,
    bytes: Option<u64>,
    scratch: &mut Scratch,
) -> Result<String> {
    local_only(graph, "--kbest")?;
    let (mut line, mut trees) = (r#"{"trees": ["#.to_owned(), 0);
    let mut no_room = None;
    if most > 0 {
        scratch.each_tree(graph, backbone, |tree, score, taken| {
            let separator = if trees == 0 { "" } else { ", " };
            line.push_str(&format!(r#"{separator}{{"heads": {}, "score": {score}}}"#, heads(&tree)));
            trees += 1;
            no_room = bytes.filter(|&bytes| (taken + line.len()) as u64 > bytes);
            trees < most && no_room.is_none()
        })?;
    }
    if let Some(bytes) = no_room {
        bail!(
            "the best {trees} trees take more than {} MiB; give a smaller --kbest or a larger --memory-mib",
            bytes >> 20
        );
    }
    line.push_str("]}");
    Ok(line)
}

/// Heads as a list of JSON.
fn heads(tree: &Tree) -> String {
    let heads: Vec<_> = tree.heads().iter().map(ToString::to_string).collect();
    format!("[{}]", heads.join(", "))
}

/// The sums of a graph without a tree.
const NO_SUMS: &str = r#"{"log_z": null, "entropy": null, "marginals": []}"#;

/// The sums over all trees of a graph as a line of JSON: probabilities of arcs in the order of heads, then of modifiers.
fn line_of_sums(
    graph: &FactorGraph,
    backbone: Backbone,
    scale: f64,
    partitions: &mut Partitions<Vec<f64>>,
) -> Result<String> {
    local_only(graph, "--marginals")?;
    in_range(graph, scale)?;
    let (space, backbone, mut probabilities) = (&graph.space, backbone.for_graph(graph), Vec::new());
    let scores = LogScores::of(graph, scale);
    let log_z = partitions.sum(backbone, space, &scores, &mut probabilities);
    let (Some(log_z), Some(entropy)) = (log_z, partitions.entropy(backbone, space, &scores)) else {
        return Ok(NO_SUMS.to_owned());
    };
    let arc =
        |(a, p): (usize, &f64)| format!("[{}, {}, {p}]", space.head(ArcId::new(a)), space.modifier(ArcId::new(a)));
    let arcs: Vec<String> = probabilities.iter().enumerate().map(arc).collect();
    Ok(format!(r#"{{"log_z": {log_z}, "entropy": {entropy}, "marginals": [{}]}}"#, arcs.join(", ")))
}

/// The backbone of that name.
pub fn backbone(name: &str) -> Result<Backbone> {
    let known = Backbone::ALL.map(Backbone::name).join(", ");
    Backbone::parse(name).with_context(|| format!("--backbone {name}: the backbones are {known}"))
}

/// The answer as a line of JSON; `null` where there is no tree or no bound.
fn line(answer: &Decoded) -> String {
    let number = |n: Option<i128>| n.map_or_else(|| "null".to_owned(), |n| n.to_string());
    let heads = answer.tree.as_ref().map_or_else(|| "null".to_owned(), heads);
    format!(
        r#"{{"heads": {heads}, "score": {}, "bound": {}, "status": "{}", "dp_calls": {}, "nodes": {}}}"#,
        number(answer.score),
        number(answer.bound),
        answer.status.name(),
        answer.dp_calls,
        answer.nodes,
    )
}
