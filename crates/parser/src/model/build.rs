//! From a sentence and its kept arcs to a factor graph: every part's features looked up and summed.

use crate::features::families::{Family, Shape};
use crate::features::hand::Sites;
use crate::features::parts::{BetweenWords, Part, PartList};
use crate::features::{Kind, KindGroups, TemplateGroups, Views, parts as part_of};
use crate::model::{Roots, TreeKind};
use crate::treebank::{Token, Tree};
use crate::weights::contexts::scorer::{Guard, Scores, add_scores};
use crate::weights::contexts::{Buffers, Weights};
use treebound_core::graph::{ArcId, ArcSpace, FactorGraph, Room, SpaceError, Word, fits};

/// Builds factor graphs; memory is reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Builder {
    views: Views,
    parts: PartList,
    between: BetweenWords,
    buffers: Buffers,
    sites: Sites,
    /// The arcs of all factors to be scored, and where those of each end.
    factor_arcs: Vec<ArcId>,
    factor_end: Vec<usize>,
    /// Grandchild and sibling part of each grand-sibling to be scored.
    grand_siblings: Vec<(usize, usize)>,
    /// Grand-siblings of one arc whose guards are asked for, with their places.
    asked: Vec<((usize, usize), Part)>,
    scores: Vec<i64>,
    twins: Twins,
    graph: FactorGraph,
    room: Room,
    unguarded: bool,
    /// Whether grand-siblings that score 0 are parts of the graph.
    all_grand_siblings: bool,
}

/// Scores of pairs of arcs that were found with those of the local parts.
#[derive(Debug, Default)]
struct Twins {
    /// By sibling part: the score of the pair as any siblings.
    sibling: Vec<i64>,
    /// By grandchild part.
    grandchild: Vec<i64>,
}

impl Twins {
    /// The score of a factor, if the family is the twin of a local kind and the pair has a local part.
    #[inline(always)]
    fn score(&self, family: Family, space: &ArcSpace, arcs: &[ArcId]) -> Option<i64> {
        match (family, arcs) {
            // A child that crosses the arc above it has no local part.
            (Family::Grandchild, &[a, b]) if space.children(a).contains(&b.ix()) => {
                Some(self.grandchild[space.grandchild_part(a, b)])
            }
            // The arcs of a head are numbered from left to right.
            (Family::Sibling, &[a, b]) if space.modifier(b) < space.head(b) => {
                Some(self.sibling[space.sibling_part(a, b)])
            }
            (Family::Sibling, &[a, b]) if space.modifier(a) > space.head(a) => {
                Some(self.sibling[space.sibling_part(b, a)])
            }
            _ => None,
        }
    }
}

impl Builder {
    /// A builder that looks up all features of every factor, though it could tell that they are 0 or has them from a local
    /// part: slower, with the same graphs.
    pub fn unguarded() -> Self {
        Self { unguarded: true, ..Self::default() }
    }

    /// A builder whose graphs have all grand-siblings, also those that score 0: for sums by part.
    pub fn with_all_grand_siblings() -> Self {
        Self { all_grand_siblings: true, ..Self::default() }
    }

    /// Graphs without `room` for them and their decoding are errors from now on.
    pub fn limit(&mut self, room: Room) {
        self.room = room;
    }

    /// The graph of a sentence over `arcs` (sorted by head, then modifier), about trees of a `kind`; of [`Roots`], about
    /// projective trees with so many words on the root.
    ///
    /// # Errors
    /// If the arcs are no arc space (never, if they came from a pruning rule), or there are more parts than can be numbered
    /// or have [room](Self::limit).
    pub fn build(
        &mut self,
        template_groups: &TemplateGroups,
        families: &[Family],
        weights: Weights<'_>,
        tokens: &[Token],
        arcs: &[(Word, Word)],
        kind: impl Into<TreeKind>,
    ) -> Result<&FactorGraph, SpaceError> {
        let graph = &mut self.graph;
        let TreeKind { trees, roots } = kind.into();
        graph.trees = trees;
        graph.space.rebuild(tokens.len(), roots == Roots::One, arcs)?;
        self.room.start(&graph.space)?;
        graph.local.reset(&graph.space, 0);
        graph.grand_siblings.clear();
        graph.factors.clear();
        graph.counts.clear();
        graph.non_projective.clear();
        self.views.fill(template_groups, tokens);
        self.score_arcs(template_groups, weights, tokens);
        self.score_local_pairs(template_groups, weights);
        self.score_grand_siblings(template_groups, weights)?;
        self.sites.fill(template_groups.patterns(), tokens);
        for &family in families {
            self.score_family(family, template_groups, weights)?;
        }
        Ok(&self.graph)
    }

    /// The graph of the last [`build`](Self::build).
    pub fn graph(&self) -> &FactorGraph {
        &self.graph
    }

    /// Look-ups of features so far.
    pub fn lookups(&self) -> u64 {
        self.buffers.lookups()
    }

    /// Adds `charge` to every arc of the last graph that is not in `gold`, so that a tree gains it for each wrong head.
    pub fn charge_wrong_heads(&mut self, gold: &Tree, charge: i64) {
        let FactorGraph { space, local, .. } = &mut self.graph;
        for (a, score) in local.arc.iter_mut().enumerate() {
            let a = ArcId::new(a);
            if gold.head(space.modifier(a)) != space.head(a) {
                *score += charge;
            }
        }
    }

    /// Adds a score to every arc of the last graph.
    pub fn add_to_arcs(&mut self, scores: &[i64]) {
        self.graph.local.arc.iter_mut().zip(scores).for_each(|(score, more)| *score += more);
    }

    /// The views of the last sentence built.
    pub fn views(&self) -> &Views {
        &self.views
    }

    fn score_arcs(&mut self, template_groups: &TemplateGroups, weights: Weights<'_>, tokens: &[Token]) {
        let graph = &mut self.graph;
        for kind in Kind::OF_ARCS {
            let Some(of_kind) = template_groups.kind(kind) else { continue };
            if kind == Kind::Arc {
                self.parts.fill_arcs(&graph.space);
            } else {
                self.between.fill(kind, tokens);
                self.parts.fill_between(&graph.space, &self.between);
            }
            add_scores(
                weights,
                of_kind,
                &self.views,
                &self.parts,
                &mut self.buffers,
                Scores::new(&mut graph.local.arc),
            );
        }
    }

    fn score_local_pairs(&mut self, template_groups: &TemplateGroups, weights: Weights<'_>) {
        let Self { graph, parts, views, buffers, twins, .. } = self;
        let FactorGraph { space, local, .. } = graph;
        let mut score = |kind: &KindGroups, parts: &PartList, own: &mut [i64], twin: &mut Vec<i64>| {
            twin.clear();
            twin.resize(if kind.with_twin { own.len() } else { 0 }, 0);
            add_scores(weights, kind, views, parts, buffers, Scores { own, twin });
        };
        if let Some(kind) = template_groups.kind(Kind::Sibling) {
            parts.fill_siblings(space, views.none_row());
            score(kind, parts, &mut local.sibling, &mut twins.sibling);
        }
        if let Some(kind) = template_groups.kind(Kind::Grandchild) {
            parts.fill_grandchildren(space);
            score(kind, parts, &mut local.grandchild, &mut twins.grandchild);
        }
    }

    /// Scores grand-siblings, if they are wanted, and keeps those whose score is not 0.
    fn score_grand_siblings(
        &mut self,
        template_groups: &TemplateGroups,
        weights: Weights<'_>,
    ) -> Result<(), SpaceError> {
        let Some(kind) = template_groups.kind(Kind::GrandSibling) else { return Ok(()) };
        let Self { graph, parts, grand_siblings, asked, scores, views, buffers, room, .. } = self;
        let (is_unguarded, all) = (self.unguarded, self.all_grand_siblings);
        let guard = Guard::new(kind, views).filter(|_| !is_unguarded);
        parts.clear();
        grand_siblings.clear();
        let space = &graph.space;
        for a in (0..space.arcs()).map(ArcId::new) {
            for (place, part) in part_of::grand_siblings_below(space, a, views.none_row()) {
                guard.iter().for_each(|guard| guard.ask(weights.table, &part));
                asked.push((place, part));
            }
            for (place, part) in asked.drain(..) {
                let may_score = guard.as_ref().is_none_or(|guard| guard.may_score(weights.table, &part));
                if may_score {
                    parts.push(part, grand_siblings.len());
                }
                if may_score || all {
                    grand_siblings.push(place);
                    room.take_factor(0);
                }
            }
            room.check(space)?;
        }
        fits(space.words(), space.arcs(), "grand-siblings", grand_siblings.len() as u64)?;
        scores.clear();
        scores.resize(grand_siblings.len(), 0);
        add_scores(weights, kind, views, parts, buffers, Scores::new(scores));
        for (&(grandchild, sibling), &score) in grand_siblings.iter().zip(&*scores) {
            if score != 0 || all {
                graph.grand_siblings.push(grandchild, sibling, score);
            }
        }
        Ok(())
    }

    fn score_family(
        &mut self,
        family: Family,
        template_groups: &TemplateGroups,
        weights: Weights<'_>,
    ) -> Result<(), SpaceError> {
        let Some(kind) = template_groups.kind(family.kind()) else { return Ok(()) };
        let Self {
            graph, parts, sites, twins, factor_arcs, factor_end, scores, views, buffers, unguarded, room, ..
        } = self;
        parts.clear();
        factor_arcs.clear();
        factor_end.clear();
        scores.clear();
        let mut is_full = false;
        let shape = family.shape();
        // All numbers of a set of arcs are one factor of the graph, and stay together.
        let guard = Guard::new(kind, views).filter(|_| !*unguarded && shape != Shape::Number);
        let is_twin = !*unguarded
            && kind.kind.twin().and_then(|twin| template_groups.kind(twin)).is_some_and(|twin| twin.with_twin);
        family.factors(&graph.space, graph.trees, sites, |arcs, part| {
            if is_full {
                return;
            }
            let known = if is_twin { twins.score(family, &graph.space, arcs) } else { None };
            match known {
                Some(0) => return,
                Some(_) => {}
                None if guard.as_ref().is_some_and(|guard| !guard.may_score(weights.table, &part)) => return,
                None => parts.push(part, scores.len()),
            }
            is_full = !room.take_factor(arcs.len());
            scores.push(known.unwrap_or(0));
            factor_arcs.extend_from_slice(arcs);
            factor_end.push(factor_arcs.len());
        });
        room.check(&graph.space)?;
        // Nothing was added up yet: what no longer fitted is not in a result.
        let incidences = (graph.factors.incidences() + factor_arcs.len()) as u64;
        fits(graph.space.words(), graph.space.arcs(), "arcs of factors", incidences)?;
        add_scores(weights, kind, views, parts, buffers, Scores::new(scores));
        let factors = FoundFactors { arcs: factor_arcs, ends: factor_end, scores };
        match shape {
            Shape::All => factors.each(|arcs, score| graph.factors.push(arcs, score)),
            Shape::Any => factors.each(|arcs, score| graph.counts.push(arcs, &[0, score], None)),
            Shape::NonProjective => {
                graph.non_projective.resize(graph.space.arcs(), 0);
                factors.each(|arcs, score| arcs.iter().for_each(|a| graph.non_projective[a.ix()] += score));
            }
            Shape::Number => {
                let numbers = parts.geometry.iter().map(|geometry| geometry.code());
                factors.each_counted(numbers, |arcs, scores| graph.counts.push(arcs, scores, None));
            }
        }
        Ok(())
    }
}

/// Factors of a family with their scores, as a struct of arrays.
struct FoundFactors<'a> {
    arcs: &'a [ArcId],
    ends: &'a [usize],
    scores: &'a [i64],
}

impl FoundFactors<'_> {
    fn arcs(&self, factor: usize) -> &[ArcId] {
        let start = factor.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arcs[start..self.ends[factor]]
    }

    /// Those whose score is not 0.
    fn each(&self, mut visit: impl FnMut(&[ArcId], i64)) {
        for (factor, &score) in self.scores.iter().enumerate().filter(|(_, score)| **score != 0) {
            visit(self.arcs(factor), score);
        }
    }

    /// Of each set of arcs the scores of its `numbers`, which begin at 0, if they are not all 0.
    fn each_counted(&self, numbers: impl Iterator<Item = usize>, mut visit: impl FnMut(&[ArcId], &[i64])) {
        let starts: Vec<usize> = numbers.enumerate().filter(|(_, number)| *number == 0).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([self.scores.len()]);
        for (&start, end) in starts.iter().zip(ends) {
            let scores = &self.scores[start..end];
            if scores.iter().any(|&score| score != 0) {
                visit(self.arcs(start), scores);
            }
        }
    }
}

/// Whether `m` may hang on `h`, which hangs on `g`, without crossing that arc.
fn is_within(g: Word, h: Word, m: Word) -> bool {
    g.is_root() || (g < h) == (g < m)
}

/// The parts of a tree: all that fires features in it.
#[derive(Clone, Debug, Default)]
pub struct TreeParts {
    /// Kind and part, sorted, so that two trees can be compared.
    pub parts: Vec<(Kind, Part)>,
    list: PartList,
    sites: Sites,
}

impl TreeParts {
    /// Collects the parts of the kinds that `template groups` has templates for.
    pub fn fill(
        &mut self,
        template_groups: &TemplateGroups,
        families: &[Family],
        tokens: &[Token],
        tree: &Tree,
        between: &mut BetweenWords,
    ) {
        self.parts.clear();
        let none_row = tokens.len() + 1;
        let words = || (1..=tree.len()).map(Word::new);
        for kind in Kind::OF_ARCS {
            if template_groups.kind(kind).is_none() {
                continue;
            }
            if kind.told_apart_by().is_some() {
                between.fill(kind, tokens);
                self.list.clear();
                for m in words() {
                    self.list.push_between(tree.head(m), m, between, 0);
                }
                self.parts.extend((0..self.list.len()).map(|i| (kind, self.list.get(i))));
            } else {
                self.parts.extend(words().map(|m| (kind, part_of::arc(tree.head(m), m))));
            }
        }
        for m in words() {
            let h = tree.head(m);
            let inner = |s: &Word| tree.head(*s) == h;
            let sibling = if h < m {
                (h.ix() + 1..m.ix()).rev().map(Word::new).find(inner)
            } else {
                (m.ix() + 1..h.ix()).map(Word::new).find(inner)
            };
            self.parts.push((Kind::Sibling, part_of::sibling(h, sibling, m, none_row)));
            if !h.is_root() && is_within(tree.head(h), h, m) {
                let part = part_of::grand_sibling(tree.head(h), h, sibling, m, none_row);
                self.parts.push((Kind::GrandSibling, part));
            }
            let child = |c: &Word| tree.head(*c) == m;
            let left = (1..m.ix()).map(Word::new).find(child);
            let right = (m.ix() + 1..=tree.len()).rev().map(Word::new).find(child);
            for c in left.into_iter().chain(right).filter(|&c| is_within(h, m, c)) {
                self.parts.push((Kind::Grandchild, part_of::grandchild(h, m, c)));
            }
        }
        self.sites.fill(template_groups.patterns(), tokens);
        for &family in families {
            family.parts_in(tree, &self.sites, |part| self.parts.push((family.kind(), part)));
        }
        self.parts.retain(|(kind, _)| template_groups.kind(*kind).is_some());
        self.parts.sort_unstable();
    }
}
