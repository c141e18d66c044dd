//! The multipliers of the relaxation.

use super::instance::Instance;
use crate::graph::{ArcId, Word};

/// The multipliers of every factor, whole numbers of the fixed point.
#[derive(Clone, Debug, Default)]
pub(super) struct Multipliers {
    /// u by arc.
    pub star: Vec<f64>,
    /// u or v by sibling part.
    pub chain: Vec<f64>,
    /// The left arc's share, or v.
    pub cross: Vec<f64>,
    /// By incidence: shares for s >= 0; v at the first place for s < 0.
    pub other: Vec<f64>,
}

impl Multipliers {
    /// Fills `to` with the multipliers of the factors that are left in `new`, an instance restricted to the arcs `kept` of
    /// `old`.
    pub fn restrict(&self, old: &Instance, new: &Instance, kept: &[ArcId], to: &mut Self) {
        let multipliers = to;
        multipliers.clear();
        let (from, to) = (&old.space, &new.space);
        multipliers.star.extend(kept.iter().map(|a| self.star[a.ix()]));
        for (i, &a) in kept.iter().enumerate() {
            multipliers.chain.push(0.0);
            for b in to.inner_siblings(ArcId::new(i)) {
                multipliers.chain.push(self.chain[from.sibling_part(a, kept[b])]);
            }
        }
        for h in (0..=to.words()).map(Word::new) {
            for l in to.left_arcs_of(h) {
                for r in to.right_arcs_of(h) {
                    multipliers.cross.push(self.cross[old.cross_place(kept[l], kept[r])]);
                }
            }
        }
        let mut place = vec![false; from.arcs()];
        kept.iter().for_each(|a| place[a.ix()] = true);
        for (c, arcs, _) in old.other.iter() {
            if arcs.iter().all(|a| place[a.ix()]) {
                multipliers.other.extend_from_slice(&self.other[old.other.span(c)]);
            }
        }
    }

    fn clear(&mut self) {
        self.star.clear();
        self.chain.clear();
        self.cross.clear();
        self.other.clear();
    }
}
