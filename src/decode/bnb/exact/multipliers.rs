//! The multipliers of the relaxation.

use super::instance::Instance;
use super::kept::Kept;
use super::owners::Owner;
use super::raised::Raised;
use super::shares::Shares;
use crate::graph::{ArcId, Word};

/// The multipliers of every factor, whole numbers of the fixed point.
#[derive(Clone, Debug, Default)]
pub(super) struct Multipliers {
    /// u by arc.
    pub star: Vec<f64>,
    /// u or v by sibling part.
    pub chain: Vec<f64>,
    /// Of pairs on both sides of a head, with their sums.
    pub cross: Shares,
    /// By incidence: shares for s >= 0; v at the first place for s < 0.
    pub other: Vec<f64>,
    /// The factors whose v is not 0.
    pub raised: Raised,
}

impl Multipliers {
    /// Fills `to` with the multipliers of the factors that are left in `new`, an the instance `old` restricted to the
    /// arcs `renumbered`.
    pub fn restrict(&self, old: &Instance, new: &Instance, renumbered: &Kept, to: &mut Self) {
        let kept = renumbered.old();
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
        self.restrict_cross(old, new, kept, &mut multipliers.cross.multipliers);
        multipliers.cross.add_up(new);
        for (c, arcs, _) in old.other.iter() {
            if arcs.iter().all(|&a| renumbered.new_of(a).is_some()) {
                multipliers.other.extend_from_slice(&self.other[old.other.span(c)]);
            }
        }
        multipliers.list_raised(new);
    }

    /// Finds the factors whose v is not 0.
    pub fn list_raised(&mut self, instance: &Instance) {
        self.raised.list(instance, [&self.chain, &self.cross.multipliers, &self.other]);
    }

    fn restrict_cross(&self, old: &Instance, new: &Instance, kept: &[ArcId], to: &mut Vec<f64>) {
        for (i, Owner { above, left, right }) in new.owners().enumerate() {
            // Heads are the same in both.
            let (start, owner) = match above {
                None => (self.cross.start(i), old.owner_head(Word::new(i))),
                Some(a) => (self.cross.start(kept[a.ix()].ix()), old.owner_arc(kept[a.ix()])),
            };
            for l in left {
                for r in right.clone() {
                    to.push(self.cross.multipliers[start + owner.pair(kept[l], kept[r])]);
                }
            }
        }
    }

    /// Gives each owner of a head's pairs what the head had.
    pub fn tell_apart(&mut self, instance: &Instance) {
        let of_heads = std::mem::take(&mut self.cross.multipliers);
        let multipliers = &mut self.cross.multipliers;
        for Owner { left, right, .. } in instance.owners() {
            for l in left.map(ArcId::new) {
                multipliers.extend(right.clone().map(|r| of_heads[instance.cross_place(l, ArcId::new(r))]));
            }
        }
        self.cross.add_up(instance);
        self.list_raised(instance);
    }

    fn clear(&mut self) {
        self.star.clear();
        self.chain.clear();
        self.cross.multipliers.clear();
        self.other.clear();
    }
}
