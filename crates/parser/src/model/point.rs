//! The parts of a relaxation's point: all that fires features in it, and how much of it.
//!
//! ```text
//! arc, between    what the point has of the arc
//! conjunction     what it has of the factor;      of one that scores 0 the least that its arcs allow: their sum less (arcs - 1)
//! number          what it has of each number;     of a set without scores the two numbers next to the sum of its arcs
//! disjunction     what it has of it;              of one that scores 0 the largest of its arcs
//! not projective  what it has of the arc as such; where that scores 0, what it has of the arc if it is so in the rounded tree
//! ```
//!
//! The right column are values of a point that is worth as much: what scores 0 is in no program.

use crate::features::families::{Family, MOST_COUNTED, Shape};
use crate::features::hand::Sites;
use crate::features::parts::{BetweenWords, Part, PartList, arc};
use crate::features::{Kind, TemplateGroups};
use crate::treebank::{Token, Tree};
use treebound_core::graph::{ArcId, CountId, FactorGraph, FactorId};
use treebound_ilp::Fractions;

/// The parts of a point, as [`TreeParts`](super::build::TreeParts) are those of a tree.
#[derive(Clone, Debug, Default)]
pub struct PointParts {
    /// Kind, part, and how much of it there is, in whole numbers of 1 / [`Fractions::WHOLE`].
    pub parts: Vec<(Kind, Part, i32)>,
    list: PartList,
    sites: Sites,
}

/// The factors and counts of a graph that come next. A graph has those of a family in the order in which the family visits them,
/// but for those that score 0.
#[derive(Default)]
struct Next {
    factor: usize,
    count: usize,
}

impl Next {
    /// The next factor, if it is over these arcs.
    fn factor(&mut self, graph: &FactorGraph, arcs: &[ArcId]) -> Option<FactorId> {
        let next = FactorId(self.factor as u32);
        let found = self.factor < graph.factors.len() && graph.factors.arcs(next) == arcs;
        self.factor += usize::from(found);
        found.then_some(next)
    }

    /// The next count, if it is over these arcs.
    fn count(&mut self, graph: &FactorGraph, arcs: &[ArcId]) -> Option<CountId> {
        let next = CountId(self.count as u32);
        let found = self.count < graph.counts.len() && graph.counts.arcs(next) == arcs;
        self.count += usize::from(found);
        found.then_some(next)
    }
}

impl PointParts {
    /// Collects the parts of the kinds that `template_groups` has templates for, of a graph that was built from the same words and
    /// families and has arcs alone as local parts. `rounded` is the tree that the point was rounded to.
    pub fn fill(
        &mut self,
        (template_groups, families): (&TemplateGroups, &[Family]),
        tokens: &[Token],
        graph: &FactorGraph,
        point: &Fractions,
        rounded: &Tree,
        between: &mut BetweenWords,
    ) {
        let Self { parts, list, sites } = self;
        parts.clear();
        let space = &graph.space;
        let has_some = |a: &ArcId| point.arcs[a.ix()] != 0;
        for kind in Kind::OF_ARCS.into_iter().filter(|&kind| template_groups.kind(kind).is_some()) {
            if kind.told_apart_by().is_some() {
                between.fill(kind, tokens);
            }
            for a in (0..space.arcs()).map(ArcId::new).filter(has_some) {
                let (h, m, value) = (space.head(a), space.modifier(a), point.arcs[a.ix()]);
                if kind.told_apart_by().is_some() {
                    list.clear();
                    list.push_between(h, m, between, 0);
                    parts.extend((0..list.len()).map(|i| (kind, list.get(i), value)));
                } else {
                    parts.push((kind, arc(h, m), value));
                }
            }
        }
        sites.fill(template_groups.patterns(), tokens);
        let mut next = Next::default();
        for &family in families.iter().filter(|family| template_groups.kind(family.kind()).is_some()) {
            let (kind, shape) = (family.kind(), family.shape());
            let mut known: Option<CountId> = None;
            family.factors(space, graph.trees, sites, |arcs, part| {
                let value = match shape {
                    Shape::All => match next.factor(graph, arcs) {
                        Some(c) => point.factors[c.ix()],
                        None => least_of_all(point, arcs),
                    },
                    Shape::Any => match next.count(graph, arcs) {
                        Some(c) => point.counts[c.ix()].get(1).copied().unwrap_or_else(|| largest(point, arcs)),
                        None => largest(point, arcs),
                    },
                    Shape::Number => {
                        let number = part.geometry.code();
                        if number == 0 {
                            known = next.count(graph, arcs);
                        }
                        let numbers = known.map(|c| &point.counts[c.ix()]).filter(|numbers| !numbers.is_empty());
                        match numbers {
                            Some(numbers) => numbers.get(number).copied().unwrap_or(0),
                            None => near_the_sum(point, arcs, number),
                        }
                    }
                    Shape::NonProjective => arcs.iter().map(|&a| crossing(graph, point, rounded, a)).sum(),
                };
                if value != 0 {
                    parts.push((kind, part, value));
                }
            });
        }
    }
}

fn sum(point: &Fractions, arcs: &[ArcId]) -> i32 {
    arcs.iter().map(|a| point.arcs[a.ix()]).sum()
}

fn largest(point: &Fractions, arcs: &[ArcId]) -> i32 {
    arcs.iter().map(|a| point.arcs[a.ix()]).max().unwrap_or(0)
}

/// What a conjunction has at least.
fn least_of_all(point: &Fractions, arcs: &[ArcId]) -> i32 {
    (sum(point, arcs) - (arcs.len() as i32 - 1) * Fractions::WHOLE).max(0)
}

/// What a number has if the two next to the sum of the arcs share it.
fn near_the_sum(point: &Fractions, arcs: &[ArcId], number: usize) -> i32 {
    let sum = sum(point, arcs).min(MOST_COUNTED as i32 * Fractions::WHOLE);
    (Fractions::WHOLE - (sum - number as i32 * Fractions::WHOLE).abs()).max(0)
}

fn crossing(graph: &FactorGraph, point: &Fractions, rounded: &Tree, a: ArcId) -> i32 {
    if graph.non_projective.get(a.ix()).is_some_and(|&score| score != 0) {
        return point.non_projective[a.ix()];
    }
    let (h, m) = (graph.space.head(a), graph.space.modifier(a));
    if rounded.head(m) == h && !rounded.is_projective_arc(m) { point.arcs[a.ix()] } else { 0 }
}
