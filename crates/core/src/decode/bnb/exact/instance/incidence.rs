//! Which factors begin with an arc: a tree has few arcs, and only the factors of these can have a score in it.

use std::ops::Range;

use crate::decode::bnb::problem::Factors;
use crate::graph::{ArcId, FactorId, TreeArcs};

/// The factors of each first arc.
#[derive(Clone, Debug, Default)]
struct ByFirst {
    /// `arcs + 1` entries.
    start: Vec<u32>,
    factors: Vec<FactorId>,
}

impl ByFirst {
    /// Lists the factors that begin with each of `arcs` arcs, ascending.
    fn fill(&mut self, arcs: usize, factors: &Factors) {
        let Self { start, factors: listed } = self;
        start.clear();
        start.resize(arcs + 1, 0);
        factors.iter().for_each(|(_, of_factor, _)| start[of_factor[0].ix()] += 1);
        let mut end = 0;
        for count in start.iter_mut() {
            end += *count;
            *count = end;
        }
        listed.clear();
        listed.resize(end as usize, FactorId(0));
        // Filling from the back leaves every entry of `start` at its arc's first factor.
        for c in (0..factors.len()).rev().map(FactorId::new) {
            let at = &mut start[factors.arcs(c)[0].ix()];
            *at -= 1;
            listed[*at as usize] = c;
        }
    }

    #[inline(always)]
    fn span(&self, a: ArcId) -> Range<usize> {
        self.start[a.ix()] as usize..self.start[a.ix() + 1] as usize
    }
}

/// The factors of each first arc, those together that have the same second one: a tree has few pairs, and with each pair that
/// it has not a run of factors is passed over.
#[derive(Clone, Debug, Default)]
pub struct PairsOfFactors {
    by_first: ByFirst,
    /// By place in the list of all factors: the second arc.
    second: Vec<ArcId>,
    /// By place: where the run of factors with the same first and second arc ends.
    end: Vec<u32>,
}

impl PairsOfFactors {
    /// Lists factors of two arcs or more, among `arcs` arcs.
    pub fn fill(&mut self, arcs: usize, factors: &Factors) {
        self.by_first.fill(arcs, factors);
        let listed = &self.by_first.factors;
        self.second.clear();
        self.second.extend(listed.iter().map(|&c| factors.arcs(c)[1]));
        self.end.clear();
        self.end.resize(listed.len(), 0);
        for at in (0..listed.len()).rev() {
            let next = at + 1;
            let goes_on = next < listed.len()
                && factors.arcs(listed[at])[0] == factors.arcs(listed[next])[0]
                && self.second[at] == self.second[next];
            self.end[at] = if goes_on { self.end[next] } else { next as u32 };
        }
    }

    /// The factors whose first arc is `first`, an arc of `tree`, and whose second one the tree has too.
    #[inline(always)]
    pub fn for_each_in(&self, first: ArcId, tree: &TreeArcs, mut then: impl FnMut(FactorId)) {
        let Range { start: mut at, end } = self.by_first.span(first);
        while at < end {
            let run = at..self.end[at] as usize;
            at = run.end;
            if tree.has(self.second[run.start]) {
                self.by_first.factors[run].iter().for_each(|&c| then(c));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ArcSpace, Word};

    #[test]
    fn factors_are_listed_at_their_first_arc() {
        let mut factors = Factors::default();
        let ends = [&[3, 0, 1][..], &[1, 3], &[3, 2], &[0, 2]];
        ends.iter().for_each(|arcs| factors.push(&arcs.iter().map(|&a| ArcId(a)).collect::<Vec<_>>(), 5));
        let mut by_first = ByFirst::default();
        by_first.fill(4, &factors);
        let listed = [0, 1, 2, 3].map(|a| &by_first.factors[by_first.span(ArcId(a))]);
        let listed = listed.map(|factors| factors.iter().map(|c| c.ix()).collect::<Vec<_>>());
        assert_eq!(listed, [vec![3], vec![1], vec![], vec![0, 2]]);
    }

    #[test]
    fn factors_are_passed_over_by_their_second_arc() {
        let mut factors = Factors::default();
        let triples = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3], [1, 3, 2]];
        triples.iter().for_each(|arcs| factors.push(&arcs.map(ArcId), 1));
        let mut pairs = PairsOfFactors::default();
        pairs.fill(4, &factors);
        let mut tree = TreeArcs::default();
        let ends: Vec<_> = [(0, 1), (0, 2), (1, 2), (2, 1)].map(|(h, m)| (Word::new(h), Word::new(m))).into();
        let space = ArcSpace::new(2, false, &ends).expect("valid arcs");
        tree.set(&space, &[ArcId(0), ArcId(1), ArcId(3)]);
        let mut found = Vec::new();
        tree.arcs().iter().for_each(|&a| pairs.for_each_in(a, &tree, |c| found.push(c.ix())));
        assert_eq!(found, [0, 1, 4]);
    }
}
