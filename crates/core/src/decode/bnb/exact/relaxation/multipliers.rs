//! The multipliers of the relaxation, and all that changes them.

use super::arc_shares::{ArcShares, Share};
use super::raised::{Multiplier, Raised};
use super::shares::Shares;
use crate::decode::bnb::exact::instance::{Due, Instance, Kept, Owner};
use crate::graph::{ArcId, FactorId, TreeArcs, Word};

/// The multipliers of every factor, whole numbers of the fixed point.
#[derive(Clone, Debug, Default)]
pub struct Multipliers {
    /// u by arc.
    pub star: Vec<f64>,
    /// u or v by sibling part.
    pub chain: Vec<f64>,
    /// Of pairs on both sides of a head, with their sums.
    pub cross: Shares,
    /// By incidence: shares for s >= 0; v at the first place for s < 0.
    pub other: Vec<f64>,
    /// The shares that are above 0, or were.
    pub shares: ArcShares,
    /// The factors whose v is not 0.
    pub raised: Raised,
}

impl Multipliers {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { star, chain, cross, other, shares, raised } = self;
        let own: usize = [star, chain, other].into_iter().map(|of| size_of_val(&**of)).sum();
        own + cross.bytes() + shares.bytes() + raised.bytes()
    }

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
        multipliers.list(new);
    }

    /// Finds the shares that are above 0, and the factors whose v is not 0.
    pub fn list(&mut self, instance: &Instance) {
        self.shares.list(instance, &self.other);
        self.list_raised(instance);
    }

    /// Finds the factors whose v is not 0.
    fn list_raised(&mut self, instance: &Instance) {
        self.raised.list(instance, [&self.chain, &self.cross.multipliers, &self.other]);
    }

    fn restrict_cross(&self, old: &Instance, new: &Instance, kept: &[ArcId], to: &mut Vec<f64>) {
        for (i, Owner { above, left, right }) in new.owners().enumerate() {
            // Heads are the same in both.
            let (start, owner) = match above {
                None => (self.cross.start(i), Owner::head(&old.space, Word::new(i))),
                Some(a) => (self.cross.start(kept[a.ix()].ix()), Owner::arc(&old.space, kept[a.ix()])),
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

    /// That of a pair of siblings.
    #[inline(always)]
    pub fn at(&self, which: Multiplier) -> f64 {
        match which {
            Multiplier::Chain { part, .. } => self.chain[part as usize],
            Multiplier::Cross { place, .. } => self.cross.multipliers[place as usize],
            _ => 0.0,
        }
    }

    /// Moves a multiplier by a whole number of the fixed point, to tighten the bound at `tree`. `pays` says whether the tree
    /// pays the share of an arc beside which so much is due.
    pub fn shift(
        &mut self,
        instance: &Instance,
        tree: &TreeArcs,
        which: Multiplier,
        by: f64,
        pays: impl Fn(ArcId, Due) -> bool,
    ) {
        let above = match which {
            Multiplier::Cross { left, .. } if instance.by_arc => Some(tree.arcs()[instance.space.head(left).ix() - 1]),
            _ => None,
        };
        let before = match which {
            Multiplier::Star(b) => add(&mut self.star[b as usize], by),
            Multiplier::Chain { part, .. } => add(&mut self.chain[part as usize], by),
            Multiplier::Cross { place, left, right } => {
                self.cross.shift(instance, place as usize, [left, right], above, by)
            }
            Multiplier::Positive(c) => return self.shift_shares(instance, c, by, pays),
            Multiplier::Negative(c) => add(&mut self.other[instance.other.span(c).start], by),
        };
        if before == 0.0 && which.is_negative(instance) {
            self.raised.add(which, above);
        }
    }

    /// Takes `units` from the shares of a factor that the tree pays, in the order of the arcs, and gives them to those that it
    /// does not, in equal parts, what is left over to the first.
    fn shift_shares(&mut self, instance: &Instance, c: FactorId, units: f64, pays: impl Fn(ArcId, Due) -> bool) {
        let incidences = || instance.other.span(c).zip(instance.dues(c));
        let share = |place, due| Share { place: place as u32, factor: c, due };
        let (mut left, mut unpaid) = (units, 0.0);
        for (place, (a, due)) in incidences() {
            if pays(a, due) {
                let taken = self.other[place].min(left);
                self.add_to_share(a, share(place, due), -taken);
                left -= taken;
            } else {
                unpaid += 1.0;
            }
        }
        let each = (units / unpaid).floor();
        let mut extra = units - each * unpaid;
        for (place, (a, due)) in incidences() {
            if !pays(a, due) {
                self.add_to_share(a, share(place, due), each + extra);
                extra = 0.0;
            }
        }
    }

    fn add_to_share(&mut self, a: ArcId, share: Share, delta: f64) {
        let size = &mut self.other[share.place as usize];
        *size += delta;
        if *size > 0.0 {
            self.shares.add(a, share);
        }
    }

    fn clear(&mut self) {
        self.star.clear();
        self.chain.clear();
        self.cross.multipliers.clear();
        self.other.clear();
    }
}

/// Adds to a multiplier; with what it was before.
fn add(multiplier: &mut f64, delta: f64) -> f64 {
    let before = *multiplier;
    *multiplier += delta;
    before
}
