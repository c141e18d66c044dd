//! `treebound decode`: factor graph files to best trees.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::Limit;
use super::output::{say, stdout};
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoded, Decoder, Scratch};
use crate::graph::{FactorGraph, Word, json};

#[derive(Args)]
pub struct DecodeArguments {
    /// bnb, paper (or another reading of it, such as paper+polyak), dp (the dynamic program alone) or brute (all trees; short sentences)
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
    /// Factor graph files (see docs/METHOD.md for the format); each may hold several graphs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
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
    let limits = Limits { dp_calls: arguments.dp_calls.0, nodes: arguments.nodes };
    let mut scratch = Scratch::default();
    let mut out = stdout();
    for file in &arguments.files {
        for (i, parsed) in json::read(file)?.iter().enumerate() {
            if parsed.never > 0 {
                let name = file.display();
                say!("{name}: graph {}: {} parts or factors can occur in no tree and never count", i + 1, parsed.never);
            }
            if decoder == Decoder::Brute {
                refuse_endless(&parsed.graph).with_context(|| format!("{}: graph {}", file.display(), i + 1))?;
            }
            let answer = decoder
                .decode(&parsed.graph, backbone, parsed.prior.as_deref(), limits, &mut scratch)
                .with_context(|| format!("{}: graph {}", file.display(), i + 1))?;
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

/// The backbone of that name.
pub fn backbone(name: &str) -> Result<Backbone> {
    let known = Backbone::ALL.map(Backbone::name).join(", ");
    Backbone::parse(name).with_context(|| format!("--backbone {name}: the backbones are {known}"))
}

/// The answer as a line of JSON; `null` where there is no tree or no bound.
fn line(answer: &Decoded) -> String {
    let number = |n: Option<i128>| n.map_or_else(|| "null".to_owned(), |n| n.to_string());
    let heads = answer.tree.as_ref().map_or_else(
        || "null".to_owned(),
        |tree| {
            let heads: Vec<_> = tree.heads().iter().map(ToString::to_string).collect();
            format!("[{}]", heads.join(", "))
        },
    );
    format!(
        r#"{{"heads": {heads}, "score": {}, "bound": {}, "status": "{}", "dp_calls": {}, "nodes": {}}}"#,
        number(answer.score),
        number(answer.bound),
        answer.status.name(),
        answer.dp_calls,
        answer.nodes,
    )
}
