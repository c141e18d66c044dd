//! Links: how factors of other shapes than pairs are bounded through what the program sees of pairs of their arcs.
//!
//! A bound through arcs alone is loose as soon as a tree has some of a factor's arcs. But the program sees more: which
//! modifiers of a head are adjacent, and, if it is the third-order one, which arc is above another. So the arcs of a factor
//! are linked, as a forest: an arc to the next one of the factor towards their head on the same side, or else to the arc
//! of the factor above it. A link says of a tree, exactly,
//!
//! ```text
//! above (a, b)       1 if the tree has a and b, else 0
//! sibling (i, j)     1 if the tree has i and j; 0 if it has one of them; with neither, -1 if it has a modifier between
//!                    them, else 0: the adjacent modifiers from i to j less the modifiers strictly between, as in the
//!                    bound of pairs (`relaxation`)
//! ```
//!
//! **s >= 0**: each arc a has a share of the score, and all shares add up to it. It is paid where the tree has what the arc
//! stands for, and that holds for every arc only if the tree has the whole factor:
//!
//! ```text
//! linked to i, towards the head     the step that enters a comes from i or from between i and a
//! linked to an outer j, not inward  the step that leaves a goes to j or to between a and j
//! linked to an arc above or below   the pair
//! not linked                        the arc
//! ```
//!
//! **s < 0**: `-v * E` with v in [0, -s] and
//!
//! ```text
//! E = 1  +  sum over arcs a linked to b of (link (a, b) - x(b))  +  sum over all other arcs a of (x(a) - 1)
//! ```
//!
//! where x(a) is 1 if the tree has a, else 0. A link is no more than x(a) x(b), so no term is above 0, and all are 0 only
//! if the tree has the whole factor: the root of each tree of the forest, and with b all that is linked to it. So E is 1
//! at trees that have the factor, where the bound is loose by `-s - v`, and at most 0 at others, where it is loose by
//! `-v E`.

use std::ops::Range;

use super::patterns::Patterns;
use crate::decode::backbone::Backbone;
use crate::graph::{ArcId, ArcSpace, FactorId, TreeArcs};

/// The link of an arc of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// None: the arc is a tree of the forest.
    Alone,
    /// To the next arc of the factor towards the head.
    Inward(ArcId),
    /// To the arc of the factor above.
    Above(ArcId),
    /// A tree's root, to which this outer arc of the same head is linked.
    RootBefore(ArcId),
    /// A tree's root, to which this arc below is linked.
    RootOver(ArcId),
    /// None, of an arc that a tree must not have: x(a) is then 1 if it has not.
    Absent,
}

impl Link {
    /// The arc that this one is linked to; none for the root of a tree of the forest.
    pub fn up(self) -> Option<ArcId> {
        match self {
            Link::Inward(b) | Link::Above(b) => Some(b),
            _ => None,
        }
    }
}

/// What a tree must have beside an arc of a factor to pay that arc's share: one of these arcs, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    first: u32,
    end: u32,
}

impl Due {
    /// What is due is that the tree has not the arc.
    const ABSENCE: Due = Due { first: u32::MAX, end: u32::MAX };

    /// Whether it is paid where the tree has not the arc.
    #[inline(always)]
    pub fn is_absence(self) -> bool {
        self == Self::ABSENCE
    }

    /// What is due beside `a` with such a link.
    fn new(a: ArcId, link: Link) -> Self {
        let [first, last] = match link {
            Link::Absent => return Self::ABSENCE,
            Link::Alone => [a.0, a.0],
            Link::Above(b) | Link::RootOver(b) => [b.0, b.0],
            // The next modifier on that side is b or comes before it.
            Link::Inward(b) | Link::RootBefore(b) if b < a => [b.0, a.0 - 1],
            Link::Inward(b) | Link::RootBefore(b) => [a.0 + 1, b.0],
        };
        Self { first, end: last + 1 }
    }
}

/// The links of all factors of an instance.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// By incidence of the factors.
    links: Vec<Link>,
    /// By incidence.
    dues: Vec<Due>,
    /// By factor: the arcs on which the slack of a negative one depends.
    scope: Vec<Range<u32>>,
}

impl Links {
    /// Links the arcs of all `factors`, as far as the program sees; not at all unless `linking`.
    pub fn fill(&mut self, space: &ArcSpace, patterns: &Patterns, backbone: Backbone, linking: bool) {
        let Self { links, dues, scope } = self;
        links.clear();
        dues.clear();
        scope.clear();
        for (c, arcs, _) in patterns.iter() {
            let start = links.len();
            let (present, absent) = (patterns.present(c), patterns.absent(c));
            let linking = linking && absent.is_empty();
            links.extend(present.iter().map(|&a| if linking { up(space, backbone, a, arcs) } else { Link::Alone }));
            links.extend(absent.iter().map(|_| Link::Absent));
            for (i, &a) in arcs.iter().enumerate() {
                let (up, from) = match links[start + i] {
                    Link::Inward(b) => (b, Link::RootBefore(a)),
                    Link::Above(b) => (b, Link::RootOver(a)),
                    _ => continue,
                };
                let root = links[start..].iter_mut().zip(arcs).find(|(link, b)| **b == up && **link == Link::Alone);
                if let Some((link, _)) = root {
                    *link = from;
                }
            }
            dues.extend(arcs.iter().zip(&links[start..]).map(|(&a, &link)| Due::new(a, link)));
            scope.push(scope_of(space, arcs, &links[start..]));
        }
    }

    /// The links of the incidences of a factor.
    #[inline(always)]
    pub fn links(&self, incidences: Range<usize>) -> &[Link] {
        &self.links[incidences]
    }

    /// The dues of the incidences of a factor.
    #[inline(always)]
    pub fn dues(&self, incidences: Range<usize>) -> &[Due] {
        &self.dues[incidences]
    }

    /// Arcs without which a tree has E >= 0.
    #[inline(always)]
    pub fn scope(&self, c: FactorId) -> &Range<u32> {
        &self.scope[c.ix()]
    }
}

/// Arcs without which a tree has E >= 0: all of the space, but for linked siblings those from the first to the last.
fn scope_of(space: &ArcSpace, arcs: &[ArcId], links: &[Link]) -> Range<u32> {
    let roots = links.iter().filter(|link| link.up().is_none()).count();
    let siblings = links.iter().all(|link| matches!(link, Link::Inward(_) | Link::RootBefore(_)));
    match (arcs.iter().min(), arcs.iter().max()) {
        (Some(first), Some(last)) if roots == 1 && siblings => first.0..last.0 + 1,
        _ => 0..space.arcs() as u32,
    }
}

/// The link of `a` towards a root, among the arcs of its factor.
fn up(space: &ArcSpace, backbone: Backbone, a: ArcId, arcs: &[ArcId]) -> Link {
    let inner = space.inner_siblings(a);
    let siblings = arcs.iter().copied().filter(|b| inner.contains(&b.ix()));
    let rightward = space.head(a) < space.modifier(a);
    if let Some(nearest) = if rightward { siblings.max() } else { siblings.min() } {
        return Link::Inward(nearest);
    }
    let above = arcs.iter().find(|&&b| space.modifier(b) == space.head(a) && space.children(b).contains(&a.ix()));
    match above {
        Some(&b) if backbone == Backbone::GrandSibling => Link::Above(b),
        _ => Link::Alone,
    }
}

/// How many arcs of a tree come before each arc, by number: whether it has one of several is then told at once.
#[derive(Clone, Debug, Default)]
pub struct Counts(Vec<u32>);

impl Counts {
    /// Counts those of `tree`.
    pub fn fill(&mut self, space: &ArcSpace, tree: &TreeArcs) {
        self.0.clear();
        let mut before = 0;
        for a in 0..space.arcs() {
            self.0.push(before);
            before += u32::from(tree.has(ArcId::new(a)));
        }
        self.0.push(before);
    }

    /// Whether the tree has one of the arcs from `start` on, before `end`.
    #[inline(always)]
    fn any(&self, start: usize, end: usize) -> bool {
        self.0[start] < self.0[end]
    }

    /// Whether the tree has one of some arcs.
    #[inline(always)]
    pub fn any_of(&self, arcs: &Range<u32>) -> bool {
        self.any(arcs.start as usize, arcs.end as usize)
    }

    /// Whether the tree has an arc between two.
    #[inline(always)]
    pub fn any_between(&self, a: ArcId, b: ArcId) -> bool {
        let (first, last) = if a < b { (a, b) } else { (b, a) };
        self.any(first.ix() + 1, last.ix())
    }

    /// Whether the tree has what is due beside an arc that it has.
    #[inline(always)]
    pub fn has(&self, due: Due) -> bool {
        self.any(due.first as usize, due.end as usize)
    }

    /// E of a factor at `tree`, whose counts these are.
    #[inline(always)]
    pub fn excess(&self, tree: &TreeArcs, linked: impl Iterator<Item = (ArcId, Link)>) -> i32 {
        let mut excess = 1;
        for (a, link) in linked {
            let selected = i32::from(tree.has(a));
            excess += match link {
                Link::Above(b) => i32::from(tree.has(b)) * (selected - 1),
                Link::Inward(b) => match (selected, i32::from(tree.has(b))) {
                    (0, 0) => -i32::from(self.any_between(a, b)),
                    (selected, other) => selected * other - other,
                },
                Link::Absent => -selected,
                _ => selected - 1,
            };
        }
        excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::bnb::possible;
    use crate::decode::brute::for_each_tree;
    use crate::graph::{FactorGraph, Factors, LocalScores, Word};

    /// All arcs of `words` words, and as factors all sets of three and four arcs that some tree may have.
    fn graph(words: usize) -> FactorGraph {
        let pairs = (0..=words).flat_map(|h| (1..=words).map(move |m| (Word::new(h), Word::new(m))));
        let ends: Vec<_> = pairs.filter(|(h, m)| h != m).collect();
        let space = ArcSpace::new(words, false, &ends).expect("valid arcs");
        let ids: Vec<ArcId> = (0..space.arcs()).map(ArcId::new).collect();
        let mut factors = Factors::default();
        let mut add = |arcs: &[ArcId]| {
            if possible(&space, arcs, true) {
                factors.push(arcs, 1);
            }
        };
        for (i, &a) in ids.iter().enumerate() {
            for (j, &b) in ids.iter().enumerate().skip(i + 1) {
                for (k, &c) in ids.iter().enumerate().skip(j + 1) {
                    add(&[c, a, b]);
                    ids[k + 1..].iter().for_each(|&d| add(&[b, d, a, c]));
                }
            }
        }
        let local = LocalScores::filled(&space, 0);
        FactorGraph { space, local, factors, ..FactorGraph::default() }
    }

    fn links(graph: &FactorGraph, backbone: Backbone) -> Links {
        let mut links = Links::default();
        let mut patterns = Patterns::default();
        graph.factors.iter().for_each(|(_, arcs, score)| patterns.push(arcs, arcs.len(), score));
        links.fill(&graph.space, &patterns, backbone, true);
        links
    }

    fn linked(graph: &FactorGraph, links: &Links, c: FactorId) -> impl Iterator<Item = (ArcId, Link)> {
        graph.factors.arcs(c).iter().copied().zip(links.links(graph.factors.span(c)).iter().copied())
    }

    #[test]
    fn all_of_a_factor_is_told_from_less_at_every_tree() {
        let graph = graph(5);
        for backbone in Backbone::ALL {
            let links = links(&graph, backbone);
            let (mut trees, mut tight, mut apart) = (0, 0, 0);
            for_each_tree(&graph, |heads| {
                let mut tree = TreeArcs::default();
                assert!(tree.find(&graph.space, heads));
                let mut counts = Counts::default();
                counts.fill(&graph.space, &tree);
                for (c, arcs, _) in graph.factors.iter() {
                    let has = tree.has_all(arcs);
                    let excess = counts.excess(&tree, linked(&graph, &links, c));
                    assert!(excess >= 0 || counts.any_of(links.scope(c)), "{arcs:?} at {heads:?}: {excess}");
                    assert!(if has { excess == 1 } else { excess <= 0 }, "{arcs:?} at {heads:?}: {excess}");
                    let dues = links.dues(graph.factors.span(c));
                    assert_eq!(
                        arcs.iter().zip(dues).all(|(&a, &due)| tree.has(a) && counts.has(due)),
                        has,
                        "{arcs:?} at {heads:?}"
                    );
                    tight += usize::from(excess == 0);
                    apart += usize::from(!counts.any_of(links.scope(c)));
                }
                trees += 1;
            });
            assert!(trees > 100 && tight > 0 && apart > 0 && !graph.factors.is_empty());
        }
    }

    #[test]
    fn arcs_are_linked_inward_and_under_the_third_order_program_upward() {
        let graph = graph(5);
        let arc = |h: usize, m: usize| graph.space.find(Word::new(h), Word::new(m)).expect("a candidate");
        let arcs = [arc(2, 1), arc(2, 3), arc(2, 4), arc(4, 5)];
        let of = |backbone: Backbone| {
            let links = links(&graph, backbone);
            let c = graph.factors.iter().find(|(_, a, _)| arcs.len() == a.len() && arcs.iter().all(|x| a.contains(x)));
            let linked: Vec<_> = linked(&graph, &links, c.expect("listed").0).collect();
            arcs.map(|a| linked.iter().find(|l| l.0 == a).expect("an arc of the factor").1)
        };
        let [first, third] = [Link::Alone, Link::Inward(arc(2, 3))];
        let fourth = Link::Above(arc(2, 4));
        assert_eq!(of(Backbone::GrandSibling), [first, Link::RootBefore(arc(2, 4)), third, fourth]);
        assert_eq!(of(Backbone::Carreras), [first, Link::RootBefore(arc(2, 4)), third, Link::Alone]);
    }
}
