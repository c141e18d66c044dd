//! The shares above 0 of positive factors, by arc.
//!
//! A factor's score begins as the share of one of its arcs, the least probable, so that a likely tree pays few of the
//! thousands of factors that it has a part of. What it pays is found from the shares of its arcs that are above 0, not from
//! its factors. That is done once a tree; a later visit looks at those alone that have come to be above 0 since
//! ([`Seen`](crate::decode::bnb::exact::looseness::Seen)), so a share that has come to be 0 again stays on the list.

use crate::decode::bnb::exact::instance::{Due, Instance};
use crate::graph::{ArcId, FactorId};

/// A share that is above 0, or was.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The place of its incidence.
    pub place: u32,
    pub factor: FactorId,
    /// What a tree with the arc must have to pay it.
    pub due: Due,
}

/// The lists; none is listed twice.
#[derive(Clone, Debug, Default)]
pub struct ArcShares {
    /// By arc, in the order in which they were listed; lists after those of the instance's arcs are memory.
    of_arc: Vec<Vec<Share>>,
    /// Those that were listed one by one, in that order.
    later: Vec<(ArcId, Share)>,
    /// By incidence: 0 if it was listed with all others, or how many were listed one by one with it; [`UNLISTED`].
    rank: Vec<u32>,
}

const UNLISTED: u32 = u32::MAX;

impl ArcShares {
    /// Lists those above 0 of all `shares`, by incidence.
    pub fn list(&mut self, instance: &Instance, shares: &[f64]) {
        let Self { of_arc, later, rank } = self;
        let (arcs, factors) = (instance.space.arcs(), &instance.other);
        of_arc.iter_mut().for_each(Vec::clear);
        of_arc.resize_with(arcs.max(of_arc.len()), Vec::new);
        later.clear();
        rank.clear();
        rank.resize(factors.incidences(), UNLISTED);
        for (c, ..) in factors.iter().filter(|(_, _, score)| *score >= 0) {
            for (place, (a, due)) in factors.span(c).zip(instance.dues(c)) {
                if shares[place] > 0.0 {
                    rank[place] = 0;
                    of_arc[a.ix()].push(Share { place: place as u32, factor: c, due });
                }
            }
        }
    }

    /// Those of an arc.
    #[inline(always)]
    pub fn of(&self, a: ArcId) -> &[Share] {
        &self.of_arc[a.ix()]
    }

    /// Those that were listed one by one, in that order.
    #[inline(always)]
    pub fn later(&self) -> &[(ArcId, Share)] {
        &self.later
    }

    /// Orders shares of a factor by when they were listed, those that are not last.
    #[inline(always)]
    pub fn order(&self, place: usize) -> (u32, usize) {
        (self.rank[place], place)
    }

    /// Lists a share of `a` that has come to be above 0, if it is not there.
    #[inline(always)]
    pub fn add(&mut self, a: ArcId, share: Share) {
        let rank = &mut self.rank[share.place as usize];
        if *rank == UNLISTED {
            self.of_arc[a.ix()].push(share);
            self.later.push((a, share));
            *rank = self.later.len() as u32;
        }
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { of_arc, later, rank } = self;
        of_arc.iter().map(|list| size_of_val(&**list)).sum::<usize>() + size_of_val(&**later) + size_of_val(&**rank)
    }
}
