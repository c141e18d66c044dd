//! Why a parser chose a tree: its score by kind of part, beside that of the tree which local parts alone prefer and that of
//! the gold tree, and the parts on which they differ.
//!
//! Which features tell two trees apart, and by how much: the difference of their scores, feature by feature.
//!
//! A model keeps weights by context, and a context counts for every template that does not tell it from what is seen
//! ([`crate::weights::contexts`]). So the weight of one template's feature is the sum over the contexts of its address that agree in
//! what this template looks at. Over all templates of a template group that adds up to what a look-up finds.
//!
//! And what fires in gold trees, before anything is learnt.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::answer::NoClock;
use crate::features::atoms::Attribute;
use crate::features::families::Family;
use crate::features::groups::{Fold, Folding, TemplateGroup};
use crate::features::hand::{Patterns, Sites};
use crate::features::parts::{BetweenWords, Part};
use crate::features::template::{Atom, Kind, Template, Variant};
use crate::features::{PartList, TemplateGroups, TemplateSet, Views, describe};
use crate::model::Model;
use crate::model::build::TreeParts;
use crate::model::parse::{ParseError, Parser, Scratch};
use crate::treebank::{Sentence, Token, Tree};
use crate::weights::contexts::{Context, Seen, Table, for_each_context};
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
    fn in_graph(graph: &FactorGraph, tree: Tree) -> Option<Self> {
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
                TreePart::Factor(_) | TreePart::Count(..) | TreePart::NonProjective(_) => 4,
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
    fn new(decoded: &Decoded) -> Self {
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
        trace.push(Stopped::new(&parser.search(limits, scratch)?));
        calls += (calls / CLOSE).max(1);
    }
    trace.retain(|stopped| stopped.dp_calls < last.dp_calls);
    trace.dedup_by_key(|stopped| stopped.dp_calls);
    trace.push(Stopped::new(&last));
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
    pub fn new(
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
        program.counts.clear();
        program.non_projective.clear();
        let local =
            Decoder::Dp.decode(&program, parser.model.backbone(), None, parser.limits, &mut Default::default())?;
        let scored = |tree: Option<Tree>| tree.and_then(|tree| ScoredTree::in_graph(graph, tree));
        let is_pruned = |m: &Word, gold: &Tree| graph.space.find(gold.head(*m), *m).is_none();
        let words = || (1..=tokens.len()).map(Word::new);
        let possible = gold.filter(|tree| parser.model.tree_kind().allows(tree));
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

/// A feature that stands in one tree more often than in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The template, as `treebound features templates NAME --lines` prints it.
    pub template: String,
    /// What it sees.
    pub value: String,
    /// How much more often in the first tree.
    pub count: i64,
    /// Its weight, in units of the model.
    pub weight: i128,
}

impl Contribution {
    /// What it adds to the score of the first tree less that of the second.
    pub fn score(&self) -> i128 {
        i128::from(self.count) * self.weight
    }
}

/// The features that stand in one of two trees more often than in the other and have a weight: those that decide most first.
/// The tokens have the tags that the parser saw.
pub fn contributions(model: &Model, tokens: &[Token], first: &Tree, second: &Tree) -> Vec<Contribution> {
    // By weight too: words may be such that two features print alike.
    let mut found: BTreeMap<(String, String, i128), i64> = BTreeMap::new();
    for (tree, sign) in [(first, 1), (second, -1)] {
        each_feature(model, tokens, tree, |template, value, weight| {
            *found.entry((template, value, weight)).or_default() += sign;
        });
    }
    let contribution = |((template, value, weight), count)| Contribution { template, value, count, weight };
    let mut all: Vec<Contribution> = found.into_iter().map(contribution).collect();
    all.retain(|one| one.score() != 0);
    // Stable: of those that decide as much, in the order of templates and values.
    all.sort_by_key(|one| std::cmp::Reverse(one.score().unsigned_abs()));
    all
}

/// Calls `visit` with template, value and weight of every feature that a tree fires.
fn each_feature(model: &Model, tokens: &[Token], tree: &Tree, mut visit: impl FnMut(String, String, i128)) {
    let template_groups = model.template_groups();
    let mut parts = TreeParts::default();
    parts.fill(template_groups, model.families(), tokens, tree, &mut BetweenWords::default());
    let mut views = Views::default();
    views.fill(template_groups, tokens);
    for of_kind in parts.parts.chunk_by(|a, b| a.0 == b.0) {
        let Some((kind, of)) = of_kind.first().and_then(|(kind, _)| Some((*kind, template_groups.kind(*kind)?))) else {
            continue;
        };
        let mut list = PartList::default();
        of_kind.iter().for_each(|(_, part)| list.push(*part, 0));
        for_each_context(of, &views, &list, |Seen { part, template_group, context }| {
            let part: Part = of_kind[part].1;
            for seen in subsets(template_group.product.fold) {
                let template = template(kind, template_group, seen);
                let value = describe::feature(&template, part, tokens);
                visit(format!("{kind} {template}"), value, weight(model.weights().table, seen, context));
            }
        });
    }
}

/// What the templates of a template group look at of what some of them look at.
fn subsets(fold: Fold) -> impl Iterator<Item = Fold> {
    let choices = |folded: bool| if folded { &[false, true][..] } else { &[false][..] };
    choices(fold.forms).iter().flat_map(move |&forms| {
        choices(fold.tags)
            .iter()
            .flat_map(move |&tags| choices(fold.distance).iter().map(move |&distance| Fold { forms, tags, distance }))
    })
}

/// The template of a template group that looks at some of the details.
fn template(kind: Kind, template_group: &TemplateGroup, seen: Fold) -> Template {
    let product = &template_group.product;
    let atom = |atom: Atom| {
        let finest = product.finest(kind, atom);
        let is_seen = match finest.attribute {
            Attribute::Form => seen.forms,
            _ => seen.tags,
        };
        if is_seen { finest } else { atom }
    };
    let mut atoms: Vec<Atom> = product.atoms.iter().map(|&one| atom(one)).collect();
    atoms.sort_unstable();
    let variant = if seen.distance { Variant::Distance } else { product.variant };
    Template { kind, atoms, variant }
}

/// The weight of the feature that a template which looks at `seen` has of a context.
fn weight(table: &Table, seen: Fold, context: Context) -> i128 {
    let agrees = |other: Context| {
        (!seen.distance || other.first == context.first)
            && (!seen.forms || other.forms == context.forms)
            && (!seen.tags || other.tags == context.tags)
    };
    let mut sum = 0;
    table.each_at_address(context, |other, weight| {
        if agrees(other) {
            sum += i128::from(weight);
        }
    });
    sum
}

/// The parts of the gold tree of a sentence, each with its features; none without a tree.
pub fn gold_features(templates: &TemplateSet, sentence: &Sentence) -> Option<String> {
    let Sentence { place, tokens, gold, .. } = sentence;
    let groups = TemplateGroups::new(templates, |_| true, Folding::All);
    let mut parts = TreeParts::default();
    parts.fill(&groups, &Family::ALL, tokens, gold.as_ref()?, &mut BetweenWords::default());
    let words: Vec<&str> = tokens.iter().map(|token| token.form.as_str()).collect();
    let mut text = format!("# {place}\n# {}\n", words.join(" "));
    // Writing into a string cannot fail.
    for (kind, part) in &parts.parts {
        let _ = writeln!(text, "{}", describe::part(*kind, *part, tokens, templates.patterns()));
        for template in templates.for_kind(*kind) {
            let _ = writeln!(text, "    {template:<40} {}", describe::feature(template, *part, tokens));
        }
    }
    Some(text)
}

/// By tree of a pattern: the places where its words are found, and those where the gold tree has it.
pub fn pattern_counts(patterns: &Patterns, sentences: &[Sentence]) -> Vec<[u64; 2]> {
    let mut counts = vec![[0, 0]; patterns.trees()];
    let mut sites = Sites::default();
    for Sentence { tokens, gold, .. } in sentences {
        let Some(gold) = gold else { continue };
        sites.fill(patterns, tokens);
        for site in sites.iter() {
            let head = site.modifier_of_any().map_or(Word::ROOT, |m| gold.head(m));
            let is_gold = site.arcs(head).all(|(h, m)| gold.head(m) == h);
            let [places, in_gold] = &mut counts[site.tree()];
            *places += 1;
            *in_gold += u64::from(is_gold);
        }
    }
    counts
}
