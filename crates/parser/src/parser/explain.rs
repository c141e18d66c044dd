//! Why a parser chose a tree: its score by kind of part, beside that of the tree which local parts alone prefer and that of
//! the gold tree, and the parts on which they differ.

use std::collections::BTreeMap;

use super::parse::{ParseError, Parser, Scratch};
use crate::answer::NoClock;
use crate::treebank::{Token, Tree};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Decoded, Decoder};
use treebound_core::graph::{FactorGraph, TreeArcs, TreePart, Word, each_part};

/// A tree with the parts that it has in a graph.
#[derive(Clone, Debug)]
pub struct ScoredTree {
    /// The tree.
    pub tree: Tree,
    /// Its parts with their scores.
    pub parts: BTreeMap<TreePart, i64>,
}

/// The kinds of parts, in the order of [`ScoredTree::sums`].
pub const KINDS: [&str; 5] = ["arcs", "siblings", "grand-siblings", "grandchildren", "factors"];

impl ScoredTree {
    /// The tree in a graph; none if an arc of it is not kept there.
    fn of(graph: &FactorGraph, tree: Tree) -> Option<Self> {
        let mut arcs = TreeArcs::default();
        if !arcs.find(&graph.space, tree.heads()) {
            return None;
        }
        let mut parts = BTreeMap::new();
        each_part(graph, &arcs, |part, score| {
            parts.insert(part, score);
        });
        Some(Self { tree, parts })
    }

    /// The sums of the scores by [kind](KINDS).
    pub fn sums(&self) -> [i128; KINDS.len()] {
        let mut sums = [0; KINDS.len()];
        for (part, score) in &self.parts {
            let kind = match part {
                TreePart::Arc(_) => 0,
                TreePart::Sibling(..) => 1,
                TreePart::GrandSibling(..) => 2,
                TreePart::Grandchild(..) => 3,
                TreePart::Factor(_) => 4,
            };
            sums[kind] += i128::from(*score);
        }
        sums
    }

    /// Its score.
    pub fn score(&self) -> i128 {
        self.sums().iter().sum()
    }

    /// Its parts that another tree lacks and that score something, the largest first.
    pub fn parts_beyond(&self, other: &Self) -> Vec<(TreePart, i64)> {
        let is_own = |(part, score): &(&TreePart, &i64)| **score != 0 && !other.parts.contains_key(*part);
        let mut own: Vec<(TreePart, i64)> =
            self.parts.iter().filter(is_own).map(|(part, score)| (*part, *score)).collect();
        own.sort_by_key(|&(part, score)| (std::cmp::Reverse(score.unsigned_abs()), part));
        own
    }
}

/// Why a parser chose a tree.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// How the search ended.
    pub decoded: Decoded,
    /// The tree that was chosen.
    pub chosen: Option<ScoredTree>,
    /// The best tree by local parts alone: what the dynamic program finds that does not see the factors.
    pub local: Option<ScoredTree>,
    /// The tree that a baseline chose, scored by this model, if one was asked and all its arcs are kept.
    pub baseline: Option<ScoredTree>,
    /// The gold tree, if it was given and all its arcs are kept.
    pub gold: Option<ScoredTree>,
    /// Whether a gold tree was given that a parser could give.
    pub is_possible: bool,
    /// Words whose gold head was pruned away.
    pub pruned: Vec<Word>,
    /// Arcs of the graph.
    pub arcs: usize,
    /// Factors of the graph.
    pub factors: usize,
    /// How the search closed.
    pub trace: Vec<Stopped>,
}

/// A search as it stood after some calls to the dynamic program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The calls.
    pub dp_calls: u64,
    /// Its nodes.
    pub nodes: u64,
    /// The score of the best tree that it had.
    pub score: Option<i128>,
    /// What no tree scores more than.
    pub bound: Option<i128>,
    /// Arcs fixed, over all nodes.
    pub fixed_arcs: u64,
}

impl Stopped {
    fn of(decoded: &Decoded) -> Self {
        let &Decoded { dp_calls, nodes, score, bound, fixed_arcs, .. } = decoded;
        Self { dp_calls, nodes, score, bound, fixed_arcs }
    }
}

/// The search of the graph in `scratch` stopped after 1, 2, 3 calls and so on, ever wider apart, up to where it ended: a search
/// that stops is that search so far. What an earlier search took, whose graph had no tree, stands in all lines.
fn trace(parser: &Parser, ended: &Decoded, scratch: &mut Scratch) -> Result<Vec<Stopped>, ParseError> {
    let last = parser.search(parser.limits, scratch)?;
    let (earlier_calls, earlier_nodes) = (ended.dp_calls - last.dp_calls, ended.nodes - last.nodes);
    let mut trace: Vec<Stopped> = Vec::new();
    let mut calls = 1;
    while calls < last.dp_calls {
        let limits = Limits { dp_calls: Some(calls), ..parser.limits };
        trace.push(Stopped::of(&parser.search(limits, scratch)?));
        calls += (calls / CLOSE).max(1);
    }
    trace.retain(|stopped| stopped.dp_calls < last.dp_calls);
    trace.dedup_by_key(|stopped| stopped.dp_calls);
    trace.push(Stopped::of(&last));
    for stopped in &mut trace {
        stopped.dp_calls += earlier_calls;
        stopped.nodes += earlier_nodes;
    }
    Ok(trace)
}

/// Up to so many calls every one is shown, and then so many of each size.
const CLOSE: u64 = 10;

/// Whose fault a wrong tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The chosen tree is the gold one.
    Right,
    /// The gold tree was pruned away.
    Pruning,
    /// The model prefers the chosen tree, or cannot tell the two apart.
    Model,
    /// The model prefers the gold tree, which the search missed.
    Search,
}

impl Explanation {
    /// Parses a sentence and looks at what came of it, beside what `baseline` chooses; the graph stays in `scratch`.
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn of(
        parser: &Parser,
        tokens: &[Token],
        gold: Option<&Tree>,
        baseline: Option<&Parser>,
        scratch: &mut Scratch,
    ) -> Result<Self, ParseError> {
        let of_baseline = match baseline {
            Some(baseline) => baseline.parse(tokens, scratch, &mut NoClock)?.0.tree,
            None => None,
        };
        let (decoded, _) = parser.parse(tokens, scratch, &mut NoClock)?;
        let trace = trace(parser, &decoded, scratch)?;
        let graph = scratch.graph();
        let mut program = graph.clone();
        program.factors.clear();
        let local =
            Decoder::Dp.decode(&program, parser.model.backbone(), None, parser.limits, &mut Default::default())?;
        let scored = |tree: Option<Tree>| tree.and_then(|tree| ScoredTree::of(graph, tree));
        let is_pruned = |m: &Word, gold: &Tree| graph.space.find(gold.head(*m), *m).is_none();
        let words = || (1..=tokens.len()).map(Word::new);
        let possible = gold.filter(|tree| parser.model.roots().allow_tree(tree));
        Ok(Self {
            chosen: scored(decoded.tree.clone()),
            local: scored(local.tree),
            baseline: scored(of_baseline),
            gold: scored(possible.cloned()),
            is_possible: possible.is_some(),
            pruned: gold.map_or_else(Vec::new, |gold| words().filter(|m| is_pruned(m, gold)).collect()),
            arcs: graph.space.arcs(),
            factors: graph.factors.len(),
            trace,
            decoded,
        })
    }

    /// Whose fault it is that the chosen tree is not the gold one; none without a gold tree that a parser could give.
    pub fn verdict(&self) -> Option<Verdict> {
        if !self.is_possible {
            return None;
        }
        if !self.pruned.is_empty() {
            return Some(Verdict::Pruning);
        }
        let (chosen, gold) = (self.chosen.as_ref()?, self.gold.as_ref()?);
        Some(match chosen.score().cmp(&gold.score()) {
            _ if chosen.tree == gold.tree => Verdict::Right,
            std::cmp::Ordering::Less => Verdict::Search,
            _ => Verdict::Model,
        })
    }
}
