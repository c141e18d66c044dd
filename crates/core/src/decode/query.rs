//! What is asked of a graph, and its answer as a line of JSON.

use thiserror::Error;

use super::arborescence::matrix_tree;
use super::bnb::Limits;
use super::bnb::exact::BestTrees;
use super::log_scores::LogScores;
use super::partition::Partitions;
use super::{Backbone, Decoded, Decoder, DpError, Scratch};
use crate::graph::json::Parsed;
use crate::graph::{ArcId, ArcSpace, Asked, FactorGraph, LocalScores, Room, Trees, Word};
use crate::tree::Tree;

/// What is asked of a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    /// The best tree by a decoder; scores are divided by the scale where the decoder takes probabilities.
    Best(Decoder, f64),
    /// So many of the best trees.
    Trees(usize),
    /// The sums over all trees of a graph without factors, whose scores are divided by the scale.
    Sums(f64),
}

/// Why a graph has no answer.
#[derive(Debug, Error)]
pub enum QueryError {
    /// Brute force would not come to an end.
    #[error("{0:.0e} ways to give each word a head: too many for brute force; take bnb, or keep fewer arcs")]
    Endless(f64),
    /// Only a search decodes a graph with factors.
    #[error("no dynamic program has all trees of a graph with factors, and there are {0}")]
    Factors(usize),
    /// Sums over trees would lose digits.
    #[error(
        "scores divided by the scale {0:?} are too large to be summed: they may add up to {MOST_SUMMED:e}; give a larger scale"
    )]
    OutOfRange(f64),
    /// A list of trees is larger than the memory limit.
    #[error("the best {0} trees take more than {1} MiB; ask for fewer trees, or allow more memory")]
    OutOfMemory(usize, u64),
    /// A dynamic program has failed.
    #[error(transparent)]
    Dp(#[from] DpError),
}

/// Choices of a head for each word beyond which looking at all of them is refused.
const MOST_CHOICES: f64 = 1e10;

/// Sum of scores beyond which sums over trees are refused. Two numbers have 106 bits: of sums of this size they keep what is above
/// 10^-9.
const MOST_SUMMED: f64 = 1e22;

/// The sums of a graph without a tree.
const NO_SUMS: &str = r#"{"log_z": null, "entropy": null, "marginals": []}"#;

/// A query with the memory that answers to it share.
#[derive(Debug)]
pub struct Answers {
    query: Query,
    backbone: Backbone,
    limits: Limits,
    scratch: Scratch,
    partitions: Partitions<Vec<f64>>,
}

impl Answers {
    /// Answers to a query, by a dynamic program and within limits.
    pub fn new(query: Query, backbone: Backbone, limits: Limits) -> Self {
        Self { query, backbone, limits, scratch: Scratch::default(), partitions: Partitions::default() }
    }

    /// The memory that a graph may take.
    pub fn room(&self) -> Room {
        let sums = matches!(self.query, Query::Sums(_) | Query::Best(Decoder::Mbr, _));
        Room::new(self.limits.bytes, if sums { Asked::Sums } else { Asked::Tree })
    }

    /// The answer of a graph.
    ///
    /// # Errors
    /// If the query cannot be answered for this graph.
    pub fn line(&mut self, Parsed { graph, prior, .. }: &Parsed) -> Result<String, QueryError> {
        let answer = match self.query {
            Query::Sums(scale) => return self.sums(graph, scale),
            Query::Trees(most) => return self.trees(graph, prior.as_deref(), most),
            Query::Best(Decoder::Mbr, scale) => {
                check_range(graph, scale)?;
                self.scratch.least_risk(graph, self.backbone, scale)?
            }
            Query::Best(decoder, _) => {
                if decoder == Decoder::Brute {
                    check_choices(graph)?;
                }
                decoder.decode(graph, self.backbone, prior.as_deref(), self.limits, &mut self.scratch)?
            }
        };
        Ok(best(&answer))
    }

    /// The best trees, if the list with what it is made from fits into memory. Those of a graph with factors are searched for, and
    /// what is proven of them stands beside them.
    fn trees(&mut self, graph: &FactorGraph, prior: Option<&[f64]>, most: usize) -> Result<String, QueryError> {
        if most > 0 && beyond(graph) > 0 {
            let best = self.scratch.search_trees(graph, most, self.backbone, prior, self.limits)?;
            return Ok(searched(&best));
        }
        let (mut line, mut trees) = (r#"{"trees": ["#.to_owned(), 0);
        let mut no_room = None;
        if most > 0 {
            self.scratch.each_tree(graph, self.backbone, |tree, score, taken| {
                let separator = if trees == 0 { "" } else { ", " };
                line.push_str(&format!(r#"{separator}{{"heads": {}, "score": {score}}}"#, heads(&tree)));
                trees += 1;
                no_room = self.limits.bytes.filter(|&bytes| (taken + line.len()) as u64 > bytes);
                trees < most && no_room.is_none()
            })?;
        }
        match no_room {
            Some(bytes) => Err(QueryError::OutOfMemory(trees, bytes >> 20)),
            None => Ok(line + "]}"),
        }
    }

    /// The logarithm of the sum over trees, their entropy, and the probabilities of arcs in the order of heads, then of modifiers.
    fn sums(&mut self, graph: &FactorGraph, scale: f64) -> Result<String, QueryError> {
        if beyond(graph) > 0 {
            return Err(QueryError::Factors(beyond(graph)));
        }
        check_range(graph, scale)?;
        if graph.trees == Trees::NonProjective {
            return Ok(sums_of_crossing(graph, scale));
        }
        let (space, backbone, mut probabilities) = (&graph.space, self.backbone.for_graph(graph), Vec::new());
        let scores = LogScores::from_graph(graph, scale);
        let log_z = self.partitions.sum(backbone, space, &scores, &mut probabilities);
        let (Some(log_z), Some(entropy)) = (log_z, self.partitions.entropy(backbone, space, &scores)) else {
            return Ok(NO_SUMS.to_owned());
        };
        Ok(sums(space, log_z, entropy, &probabilities))
    }
}

fn sums(space: &ArcSpace, log_z: f64, entropy: f64, probabilities: &[f64]) -> String {
    let arc =
        |(a, p): (usize, &f64)| format!("[{}, {}, {p}]", space.head(ArcId::new(a)), space.modifier(ArcId::new(a)));
    let arcs: Vec<String> = probabilities.iter().enumerate().map(arc).collect();
    format!(r#"{{"log_z": {log_z}, "entropy": {entropy}, "marginals": [{}]}}"#, arcs.join(", "))
}

/// The sums over trees that may cross: the entropy is log Z less the expected score.
fn sums_of_crossing(graph: &FactorGraph, scale: f64) -> String {
    let scores: Vec<f64> = graph.local.arc.iter().map(|&score| score as f64 / scale).collect();
    let mut probabilities = Vec::new();
    let Some(log_z) = matrix_tree::sum(&graph.space, &scores, &mut probabilities) else { return NO_SUMS.to_owned() };
    let expected: f64 = scores.iter().zip(&probabilities).map(|(score, p)| score * p).sum();
    sums(&graph.space, log_z, (log_z - expected).max(0.0), &probabilities)
}

/// How much of a graph no dynamic program scores, whichever is taken.
fn beyond(graph: &FactorGraph) -> usize {
    let parts = if graph.trees == Trees::NonProjective { graph.parts_beyond_arcs() } else { 0 };
    graph.factors.len() + graph.counts.len() + parts
}

/// The trees that a search has found, and what is proven of them.
fn searched(BestTrees { trees, decoded }: &BestTrees) -> String {
    let tree = |(tree, score): &(Tree, i128)| format!(r#"{{"heads": {}, "score": {score}}}"#, heads(tree));
    let trees: Vec<_> = trees.iter().map(tree).collect();
    let (status, dp_calls, nodes) = (decoded.status.name(), decoded.dp_calls, decoded.nodes);
    let trees = trees.join(", ");
    format!(r#"{{"trees": [{trees}], "status": "{status}", "dp_calls": {dp_calls}, "nodes": {nodes}}}"#)
}

fn check_choices(graph: &FactorGraph) -> Result<(), QueryError> {
    let words = (1..=graph.space.words()).map(Word::new);
    let choices: f64 = words.map(|m| graph.space.arcs_into(m).len() as f64).product();
    if choices > MOST_CHOICES { Err(QueryError::Endless(choices)) } else { Ok(()) }
}

fn check_range(graph: &FactorGraph, scale: f64) -> Result<(), QueryError> {
    let LocalScores { arc, sibling, grandchild } = &graph.local;
    let parts = arc.iter().chain(sibling).chain(grandchild).chain(graph.grand_siblings.scores()).copied();
    let all: f64 = parts.chain(graph.factors.iter().map(|factor| factor.2)).map(|score| (score as f64).abs()).sum();
    if all / scale > MOST_SUMMED { Err(QueryError::OutOfRange(scale)) } else { Ok(()) }
}

/// A tree with its certificate; `null` where there is no tree or no bound.
fn best(answer: &Decoded) -> String {
    let number = |n: Option<i128>| n.map_or_else(|| "null".to_owned(), |n| n.to_string());
    format!(
        r#"{{"heads": {}, "score": {}, "bound": {}, "status": "{}", "dp_calls": {}, "nodes": {}}}"#,
        answer.tree.as_ref().map_or_else(|| "null".to_owned(), heads),
        number(answer.score),
        number(answer.bound),
        answer.status.name(),
        answer.dp_calls,
        answer.nodes,
    )
}

/// Heads as a list of JSON.
fn heads(tree: &Tree) -> String {
    let heads: Vec<_> = tree.heads().iter().map(ToString::to_string).collect();
    format!("[{}]", heads.join(", "))
}
