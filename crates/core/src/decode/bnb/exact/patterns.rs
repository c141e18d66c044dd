//! Factors of other shapes than pairs: sets of arcs that a tree must have, and of others that it must not.
//!
//! ```text
//! conjunction of arcs              has all
//! OR of arcs, score s              s, and -s where the tree has none
//! consecutive siblings, outermost
//! children (arborescences)         has two or three, and none of those between or beyond
//! arc a, s > 0 where not           s where the tree has a, and -s where it has a and no arc into the words inside a from
//! projective                       outside (then all of these descend from a's ends; see `crossings` for what is left)
//! ```
//!
//! A *literal* is one of these arcs: it holds if the tree has the arc, or has it not. All bounds are on literals.

use std::ops::Range;

use crate::decode::bnb::Factors;
use crate::graph::{ArcId, ArcSpace, FactorGraph, FactorId, TreeArcs, Word};

/// Patterns as a struct of arrays.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// The arcs, those that a tree must have first.
    factors: Factors,
    /// How many these are.
    present: Vec<u32>,
}

impl Patterns {
    /// Removes all, keeping the memory.
    pub fn clear(&mut self) {
        self.factors.clear();
        self.present.clear();
    }

    /// Adds a pattern: a tree must have the first `present` of `arcs`, and none of the others.
    pub fn push(&mut self, arcs: &[ArcId], present: usize, score: i64) {
        self.factors.push(arcs, score);
        self.present.push(present as u32);
    }

    /// Number of patterns.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// Number of literals.
    pub fn incidences(&self) -> usize {
        self.factors.incidences()
    }

    /// Where the literals of a pattern lie among all.
    #[inline(always)]
    pub fn span(&self, c: FactorId) -> Range<usize> {
        self.factors.span(c)
    }

    /// The arcs of all literals of a pattern.
    #[inline(always)]
    pub fn arcs(&self, c: FactorId) -> &[ArcId] {
        self.factors.arcs(c)
    }

    /// The arcs that a tree must have.
    #[inline(always)]
    pub fn present(&self, c: FactorId) -> &[ArcId] {
        &self.arcs(c)[..self.present[c.ix()] as usize]
    }

    /// The arcs that it must not have.
    #[inline(always)]
    pub fn absent(&self, c: FactorId) -> &[ArcId] {
        &self.arcs(c)[self.present[c.ix()] as usize..]
    }

    /// The score of a pattern.
    #[inline(always)]
    pub fn score(&self, c: FactorId) -> i64 {
        self.factors.score(c)
    }

    /// All patterns, with the arcs of their literals and their scores.
    pub fn iter(&self) -> impl Iterator<Item = (FactorId, &[ArcId], i64)> {
        self.factors.iter()
    }

    /// Whether all literals hold.
    #[inline(always)]
    pub fn holds(&self, c: FactorId, tree: &TreeArcs) -> bool {
        tree.has_all(self.present(c)) && !self.absent(c).iter().any(|&a| tree.has(a))
    }
}

/// The factors of each first arc.
#[derive(Clone, Debug, Default)]
struct ByFirst {
    /// `arcs + 1` entries.
    start: Vec<u32>,
    factors: Vec<FactorId>,
}

impl ByFirst {
    /// Lists the patterns, of those that `wanted` picks, that begin with each of `arcs` arcs, ascending.
    fn fill(&mut self, arcs: usize, patterns: &Patterns, wanted: impl Fn(FactorId) -> bool) {
        let Self { start, factors: listed } = self;
        start.clear();
        start.resize(arcs + 1, 0);
        let all = || (0..patterns.len()).map(FactorId::new).filter(|&c| wanted(c));
        all().for_each(|c| start[patterns.arcs(c)[0].ix()] += 1);
        let mut end = 0;
        for count in start.iter_mut() {
            end += *count;
            *count = end;
        }
        listed.clear();
        listed.resize(end as usize, FactorId(0));
        // Filling from the back leaves every entry of `start` at its arc's first factor.
        for c in (0..patterns.len()).rev().map(FactorId::new).filter(|&c| wanted(c)) {
            let at = &mut start[patterns.arcs(c)[0].ix()];
            *at -= 1;
            listed[*at as usize] = c;
        }
    }

    #[inline(always)]
    fn span(&self, a: ArcId) -> Range<usize> {
        self.start[a.ix()] as usize..self.start[a.ix() + 1] as usize
    }
}

/// The patterns of each first arc, those together that have the same second one: a tree has few pairs, and with each pair that
/// it has not a run of patterns is passed over. Those that ask for one arc or none have lists of their own.
#[derive(Clone, Debug, Default)]
pub struct PatternIndex {
    by_first: ByFirst,
    /// By place in the list of all patterns: the second arc.
    second: Vec<ArcId>,
    /// By place: where the run of patterns with the same first and second arc ends.
    end: Vec<u32>,
    of_one: ByFirst,
    of_none: Vec<FactorId>,
}

impl PatternIndex {
    /// Lists patterns over `arcs` arcs.
    pub fn fill(&mut self, arcs: usize, patterns: &Patterns) {
        let asked = |c: FactorId| patterns.present[c.ix()];
        self.by_first.fill(arcs, patterns, |c| asked(c) > 1);
        self.of_one.fill(arcs, patterns, |c| asked(c) == 1);
        self.of_none.clear();
        self.of_none.extend((0..patterns.len()).map(FactorId::new).filter(|&c| asked(c) == 0));
        let listed = &self.by_first.factors;
        self.second.clear();
        self.second.extend(listed.iter().map(|&c| patterns.arcs(c)[1]));
        self.end.clear();
        self.end.resize(listed.len(), 0);
        for at in (0..listed.len()).rev() {
            let next = at + 1;
            let goes_on = next < listed.len()
                && patterns.arcs(listed[at])[0] == patterns.arcs(listed[next])[0]
                && self.second[at] == self.second[next];
            self.end[at] = if goes_on { self.end[next] } else { next as u32 };
        }
    }

    /// The patterns of which a tree has the first arcs, up to two, that they ask for.
    #[inline(always)]
    pub fn for_each_begun(&self, tree: &TreeArcs, mut then: impl FnMut(FactorId)) {
        for &first in tree.arcs() {
            let Range { start: mut at, end } = self.by_first.span(first);
            while at < end {
                let run = at..self.end[at] as usize;
                at = run.end;
                if tree.has(self.second[run.start]) {
                    self.by_first.factors[run].iter().for_each(|&c| then(c));
                }
            }
            self.of_one.factors[self.of_one.span(first)].iter().for_each(|&c| then(c));
        }
        self.of_none.iter().for_each(|&c| then(c));
    }
}

/// Visits what is local to programs over projective trees, and arcs that are worth something where they are not projective, as
/// patterns: arcs, how many of them a tree must have, score. Arcs' own scores are left out.
pub fn each_pattern(graph: &FactorGraph, mut visit: impl FnMut(&[ArcId], usize, i64)) {
    let (space, local) = (&graph.space, &graph.local);
    let mut arcs = Vec::new();
    for a in (0..space.arcs()).map(ArcId::new) {
        let mut pattern = |present: &[ArcId], absent: Range<usize>, score: i64| {
            if score != 0 {
                arcs.clear();
                arcs.extend_from_slice(present);
                arcs.extend(absent.map(ArcId::new));
                visit(&arcs, present.len(), score);
            }
        };
        let inner = space.inner_siblings(a);
        pattern(&[a], inner.clone(), local.sibling[space.first_modifier_part(a)]);
        for b in inner.clone().map(ArcId::new) {
            pattern(&[a, b], between(a, b), local.sibling[space.sibling_part(a, b)]);
        }
        for b in space.children(a).map(ArcId::new) {
            let (m, part) = (space.modifier(a), space.grandchild_part(a, b));
            let beyond = if space.modifier(b) < m {
                space.left_arcs_of(m).start..b.ix()
            } else {
                b.ix() + 1..space.right_arcs_of(m).end
            };
            pattern(&[a, b], beyond, local.grandchild[part]);
            for (sibling, score) in graph.grand_siblings.entries(part) {
                let inner = space.inner_siblings(b);
                match sibling.checked_sub(space.first_modifier_part(b) + 1) {
                    None => pattern(&[a, b], inner, score),
                    Some(i) => {
                        let c = ArcId::new(inner.start + i);
                        pattern(&[a, b, c], between(b, c), score);
                    }
                }
            }
        }
    }
    for (a, &score) in graph.non_projective.iter().enumerate().filter(|(_, score)| **score > 0) {
        let a = ArcId::new(a);
        visit(&[a], 1, score);
        arcs.clear();
        arcs.push(a);
        into_inside(space, a, &mut arcs);
        visit(&arcs, 1, -score);
    }
}

/// The arcs between two of a head.
fn between(a: ArcId, b: ArcId) -> Range<usize> {
    a.ix().min(b.ix()) + 1..a.ix().max(b.ix())
}

/// Adds the arcs from outside the ends of `a` to a word inside, of which a tree with a has none exactly if a is projective
/// in it.
fn into_inside(space: &ArcSpace, a: ArcId, arcs: &mut Vec<ArcId>) {
    let (h, m) = (space.head(a), space.modifier(a));
    let (first, last) = (h.min(m), h.max(m));
    for k in first.ix() + 1..last.ix() {
        let into = space.arcs_into(Word::new(k)).iter();
        arcs.extend(into.filter(|&&b| !(first..=last).contains(&space.head(b))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(all: &[(&[u32], usize)]) -> Patterns {
        let mut patterns = Patterns::default();
        for (arcs, present) in all {
            patterns.push(&arcs.iter().map(|&a| ArcId(a)).collect::<Vec<_>>(), *present, 5);
        }
        patterns
    }

    #[test]
    fn patterns_are_listed_at_their_first_arc() {
        let patterns = patterns(&[(&[3, 0, 1], 3), (&[1, 3], 2), (&[3, 2], 2), (&[0, 2], 2)]);
        let mut by_first = ByFirst::default();
        by_first.fill(4, &patterns, |_| true);
        let listed = [0, 1, 2, 3].map(|a| &by_first.factors[by_first.span(ArcId(a))]);
        let listed = listed.map(|factors| factors.iter().map(|c| c.ix()).collect::<Vec<_>>());
        assert_eq!(listed, [vec![3], vec![1], vec![], vec![0, 2]]);
    }

    #[test]
    fn patterns_are_passed_over_by_their_second_arc() {
        let all: [(&[u32], usize); 8] = [
            (&[0, 1, 2], 3),
            (&[0, 1, 3], 3),
            (&[0, 2, 3], 3),
            (&[1, 2, 3], 3),
            (&[1, 3, 2], 2),
            (&[3, 2, 1], 1),
            (&[2, 3], 1),
            (&[0], 0),
        ];
        let patterns = patterns(&all);
        let mut index = PatternIndex::default();
        index.fill(4, &patterns);
        let mut tree = TreeArcs::default();
        let ends: Vec<_> = [(0, 1), (0, 2), (1, 2), (2, 1)].map(|(h, m)| (Word::new(h), Word::new(m))).into();
        let space = ArcSpace::new(2, false, &ends).expect("valid arcs");
        tree.set(&space, &[ArcId(0), ArcId(1), ArcId(3)]);
        let mut found = Vec::new();
        index.for_each_begun(&tree, |c| found.push(c.ix()));
        assert_eq!(found, [0, 1, 4, 5, 7]);
        let holds: Vec<_> = found.into_iter().filter(|&c| patterns.holds(FactorId::new(c), &tree)).collect();
        assert_eq!(holds, [1, 4]);
    }
}
