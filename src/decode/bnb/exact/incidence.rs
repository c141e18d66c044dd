//! Which factors have an arc: a tree has few arcs, and only the factors of these can have a score in it.

use crate::decode::bnb::problem::Factors;
use crate::graph::{ArcId, FactorId};

/// The factors of each arc.
#[derive(Clone, Debug, Default)]
pub(super) struct Incidence {
    /// `arcs + 1` entries.
    start: Vec<u32>,
    factors: Vec<FactorId>,
}

impl Incidence {
    /// Lists the factors of each of `arcs` arcs, ascending.
    pub fn fill(&mut self, arcs: usize, factors: &Factors) {
        let Self { start, factors: listed } = self;
        start.clear();
        start.resize(arcs + 1, 0);
        for (_, of_factor, _) in factors.iter() {
            of_factor.iter().for_each(|a| start[a.ix()] += 1);
        }
        let mut end = 0;
        for count in start.iter_mut() {
            end += *count;
            *count = end;
        }
        listed.clear();
        listed.resize(factors.incidences(), FactorId(0));
        // Filling from the back leaves every entry of `start` at its arc's first factor.
        for c in (0..factors.len()).rev().map(FactorId::new) {
            for a in factors.arcs(c) {
                start[a.ix()] -= 1;
                listed[start[a.ix()] as usize] = c;
            }
        }
    }

    /// The factors of an arc.
    #[inline(always)]
    pub fn of(&self, a: ArcId) -> &[FactorId] {
        &self.factors[self.start[a.ix()] as usize..self.start[a.ix() + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factor_is_listed_at_each_of_its_arcs() {
        let mut factors = Factors::default();
        factors.push(&[ArcId(3), ArcId(0), ArcId(1)], 5);
        factors.push(&[ArcId(1), ArcId(3)], -2);
        let mut incidence = Incidence::default();
        incidence.fill(4, &factors);
        let listed = |a| incidence.of(ArcId(a)).iter().map(|c| c.ix()).collect::<Vec<_>>();
        assert_eq!([listed(0), listed(1), listed(2), listed(3)], [vec![0], vec![0, 1], vec![], vec![0, 1]]);
    }
}
