//! The shares above 0 of positive factors, by arc.
//!
//! A factor's score begins as the share of one of its arcs, the least probable, so that a likely tree pays few of the
//! thousands of factors that it has a part of. What it pays is found from the shares of its arcs that are above 0, not from
//! its factors.

use crate::decode::bnb::exact::instance::Instance;
use crate::graph::{ArcId, FactorId};

/// A share above 0: the place of its incidence, and the factor.
pub type Share = (u32, FactorId);

/// The lists.
#[derive(Clone, Debug, Default)]
pub struct ArcShares {
    /// By arc, in any order; lists after those of the instance's arcs are memory.
    of_arc: Vec<Vec<Share>>,
    /// By incidence: where it stands in the list of its arc, if it is there.
    at: Vec<u32>,
}

impl ArcShares {
    /// Lists those above 0 of all `shares`, by incidence.
    pub fn list(&mut self, instance: &Instance, shares: &[f64]) {
        let (arcs, factors) = (instance.space.arcs(), &instance.other);
        self.of_arc.iter_mut().for_each(Vec::clear);
        self.of_arc.resize_with(arcs.max(self.of_arc.len()), Vec::new);
        self.at.clear();
        self.at.resize(factors.incidences(), 0);
        for (c, arcs, _) in factors.iter().filter(|(_, _, score)| *score >= 0) {
            for (place, &a) in factors.span(c).zip(arcs) {
                if shares[place] > 0.0 {
                    self.add(a, (place as u32, c));
                }
            }
        }
    }

    /// Those of an arc.
    #[inline(always)]
    pub fn of(&self, a: ArcId) -> &[Share] {
        &self.of_arc[a.ix()]
    }

    /// Lists a share of `a` that has come to be above 0.
    pub fn add(&mut self, a: ArcId, share: Share) {
        let list = &mut self.of_arc[a.ix()];
        self.at[share.0 as usize] = list.len() as u32;
        list.push(share);
    }

    /// Drops a share of `a` that has come to be 0.
    pub fn remove(&mut self, a: ArcId, place: u32) {
        let (list, at) = (&mut self.of_arc[a.ix()], self.at[place as usize] as usize);
        list.swap_remove(at);
        if let Some(moved) = list.get(at) {
            self.at[moved.0 as usize] = at as u32;
        }
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        self.of_arc.iter().map(|list| size_of_val(&**list)).sum::<usize>() + size_of_val(&*self.at)
    }
}
