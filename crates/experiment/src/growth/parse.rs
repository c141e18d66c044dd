//! Parsing a text several times on one thread, with the clock running.

use serde::{Deserialize, Serialize};

use super::GrowthError;
use super::recipe::Recipe;
use super::text::Text;
use crate::artifacts::ArtifactError;
use crate::config::Config;
use crate::data::read_part;
use treebound_core::decode::Decoder;
use treebound_parser::answer::{Clock, Phase, Phases};
use treebound_parser::cell::Split;
use treebound_parser::model::{Parser, Scratch, TrainedParser};
use treebound_parser::treebank::Place;

/// What parsing took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parsing {
    /// Sentences.
    pub sentences: u64,
    /// Words.
    pub words: u64,
    /// Candidate heads kept, over all words.
    pub heads_kept: u64,
    /// Sentences whose tree is proven optimal.
    pub proven: u64,
    /// Branch-and-bound nodes.
    pub nodes: u64,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
    /// `dp`, `bnb` or `paper`.
    pub decoder: String,
    /// Of each pass: time to choose candidates, to score and to search.
    pub passes: Vec<[u64; 3]>,
}

/// Parses a text `repeats` times after one pass to warm up, from tokens to trees, as `treebound measure time` does.
///
/// # Errors
/// See [`GrowthError`].
pub fn parse(
    config: &Config,
    recipe: &Recipe,
    text: Text,
    trained: &TrainedParser,
    repeats: u64,
    clock: &mut impl Clock,
) -> Result<Parsing, GrowthError> {
    let made = recipe.config(config)?;
    let corpus = made.corpora.first().ok_or(GrowthError::Missing("corpus"))?;
    let text = text.sentences(&read_part(&made, corpus, Split::Test)?.sentences);
    let grid = config.main().ok_or(GrowthError::Missing("grid"))?;
    let searches = grid.graph.decoders.first().copied().ok_or(GrowthError::Missing("decoder"))?;
    let parser = Parser {
        pruner: &trained.pruner,
        rule: trained.rule,
        model: &trained.model,
        decoder: if trained.model.needs_search() { searches } else { Decoder::Dp },
        limits: grid.limits,
    };
    let mut scratch = Scratch::default();
    let mut parsing = Parsing { decoder: parser.decoder.to_string(), ..Parsing::default() };
    for pass in 0..=repeats {
        let mut sum = Phases::default();
        for (i, tokens) in text.iter().enumerate() {
            let (answer, phases) = parser
                .parse(tokens, &mut scratch, clock)
                .map_err(|e| ArtifactError::Parse(Place { sentence: i + 1, ..Place::default() }, e))?;
            sum.add(&phases);
            if pass == 0 {
                parsing.sentences += 1;
                parsing.words += tokens.len() as u64;
                parsing.heads_kept += scratch.arcs().len() as u64;
                parsing.proven += u64::from(answer.status.is_proof());
                parsing.nodes += answer.nodes;
                parsing.dp_calls += answer.dp_calls;
            }
        }
        if pass > 0 {
            let ns = |phase| sum.get(phase).unwrap_or(0);
            parsing.passes.push([Phase::Prune, Phase::Score, Phase::Decode].map(ns));
        }
    }
    Ok(parsing)
}
