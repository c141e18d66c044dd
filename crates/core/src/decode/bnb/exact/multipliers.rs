//! The multipliers of the relaxation, and all that changes them.
//!
//! Where the multipliers start: the minimum of the relaxation's expected value under the prior.
//!
//! A pair s >= 0 is bounded by either of its arms, so its score goes to the less probable one; a pair s < 0 costs
//! `v * (1 - p - q)` in expectation, so v is all or nothing; a star's u is the point where the arcs a with
//! `s(a, b) > u` are together as probable as the child. Of a larger factor s >= 0 the least probable arc has the score; for
//! s < 0 v is all if the expected E ([`Link`]) is above 0.

use super::active::{ActiveMultipliers, ArcShares, Multiplier, Share, Shares};
use super::counted::CountMultipliers;
use super::crossings::Evidence;
use super::instance::{Due, Instance, Kept, Link, Owner, Side};
use crate::decode::backbone::Backbone;
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
    pub active: ActiveMultipliers,
    /// Of factors that count.
    pub counts: CountMultipliers,
    /// Of arcs that are or are not projective.
    pub evidence: Evidence,
}

impl Multipliers {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { star, chain, cross, other, shares, active, counts, evidence } = self;
        let own: usize = [star, chain, other].into_iter().map(|of| size_of_val(&**of)).sum();
        own + cross.bytes() + shares.bytes() + active.bytes() + counts.bytes() + evidence.bytes()
    }

    /// Fills `to` with the multipliers of the factors that are left in `new`, an the instance `old` restricted to the
    /// arcs `renumbered`.
    pub fn restrict(&self, old: &Instance, new: &Instance, renumbered: &Kept, to: &mut Self) {
        let kept = renumbered.old();
        let multipliers = to;
        multipliers.clear();
        let (from, to) = (&old.space, &new.space);
        multipliers.star.extend(kept.iter().map(|a| self.star[a.ix()]));
        let projective = if new.backbone.is_projective() { kept } else { &[] };
        for (i, &a) in projective.iter().enumerate() {
            multipliers.chain.push(0.0);
            for b in to.inner_siblings(ArcId::new(i)) {
                multipliers.chain.push(self.chain[from.sibling_part(a, kept[b])]);
            }
        }
        self.restrict_cross(old, new, kept, &mut multipliers.cross.multipliers);
        multipliers.cross.add_up(new);
        let mut arcs = Vec::new();
        for c in (0..old.other.len()).map(FactorId::new) {
            if old.left_of(renumbered, &new.space, c, &mut arcs).is_none_or(|_| arcs.len() < 2) {
                continue;
            }
            let of_old = &self.other[old.other.span(c)];
            let start = multipliers.other.len();
            if old.other.score(c) >= 0 {
                let mut of_certain = 0.0;
                for (&a, share) in old.other.arcs(c).iter().zip(of_old) {
                    match renumbered.new_of(a) {
                        Some(a) if !old.is_certain(&new.space, a) => multipliers.other.push(*share),
                        _ => of_certain += share,
                    }
                }
                // What stood for a literal that holds everywhere.
                multipliers.other[start] += of_certain;
            } else {
                multipliers.other.extend_from_slice(&of_old[..arcs.len()]);
            }
        }
        self.evidence.restrict(renumbered, &new.charges, &mut multipliers.evidence);
        self.counts.restrict(&old.counted, &new.counted, renumbered, &mut multipliers.counts);
        multipliers.list(new);
    }

    /// Finds the shares that are above 0, and the factors whose v is not 0.
    pub fn list(&mut self, instance: &Instance) {
        self.shares.list(instance, &self.other);
        self.list_active(instance);
    }

    /// Finds the factors whose v is not 0.
    fn list_active(&mut self, instance: &Instance) {
        self.active.list(instance, [&self.chain, &self.cross.multipliers, &self.other]);
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
        self.list_active(instance);
    }

    /// The multiplier of a pair of siblings.
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
            Multiplier::Charge(a) => return self.evidence.draw_on(&instance.charges, &instance.space, tree, a, by),
            Multiplier::Evidence(i) => return self.evidence.lower(&instance.charges, i, -by),
            Multiplier::Counted(c) => return self.counts.shift(&instance.counted, c, tree, by),
            Multiplier::Negative(c) => add(&mut self.other[instance.other.span(c).start], by),
        };
        if before == 0.0 && which.is_negative(instance) {
            self.active.add(which, above);
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

impl Multipliers {
    /// The start for `instance` under its prior.
    pub fn start(&mut self, instance: &Instance) {
        self.start_stars(instance);
        self.start_siblings(instance);
        self.start_other(instance);
        self.evidence.clear(if instance.charges.is_empty() { 0 } else { instance.space.arcs() });
        self.counts.start(&instance.counted, &instance.prior);
    }

    fn start_stars(&mut self, instance: &Instance) {
        let space = &instance.space;
        self.star.clear();
        self.star.resize(space.arcs(), 0.0);
        if instance.backbone != Backbone::Carreras {
            return;
        }
        let mut scores: Vec<(f64, f64)> = Vec::new();
        for b in (0..space.arcs()).map(ArcId::new) {
            scores.clear();
            for &a in space.arcs_into(space.head(b)) {
                if space.children(a).contains(&b.ix()) {
                    scores.push((instance.grand.any[space.grandchild_part(a, b)], instance.prior[a.ix()]));
                }
            }
            scores.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
            let mut above = 0.0;
            let mut u = 0.0;
            for &(score, p) in &scores {
                u = score;
                above += p;
                if above >= instance.prior[b.ix()] {
                    break;
                }
            }
            self.star[b.ix()] = u;
        }
    }

    fn start_siblings(&mut self, instance: &Instance) {
        let space = &instance.space;
        let pair = |score: f64, first: ArcId, second: ArcId| {
            let (p, q) = (instance.prior[first.ix()], instance.prior[second.ix()]);
            if score >= 0.0 {
                if p <= q { score } else { 0.0 }
            } else if p + q > 1.0 {
                -score
            } else {
                0.0
            }
        };
        self.chain.clear();
        self.chain.resize(instance.chain.len(), 0.0);
        let cross = &mut self.cross.multipliers;
        cross.clear();
        let heads = if instance.backbone.is_projective() { space.words() + 1 } else { 0 };
        for h in (0..heads).map(Word::new) {
            for side in [Side::left(space, h), Side::right(space, h)] {
                for outer in 1..side.len() {
                    for inner in 0..outer {
                        let part = side.part(space, inner, outer);
                        self.chain[part] = pair(instance.chain[part], side.arc(inner), side.arc(outer));
                    }
                }
            }
            for l in space.left_arcs_of(h) {
                for r in space.right_arcs_of(h) {
                    let score = instance.cross[cross.len()];
                    cross.push(pair(score, ArcId::new(l), ArcId::new(r)));
                }
            }
        }
        self.cross.add_up(instance);
    }

    fn start_other(&mut self, instance: &Instance) {
        self.other.clear();
        self.other.resize(instance.other.incidences(), 0.0);
        let p = |a: &ArcId| instance.prior[a.ix()];
        for (c, arcs, score) in instance.other.iter() {
            let places = &mut self.other[instance.other.span(c)];
            let present = instance.other.present(c).len();
            let holds = |i: usize| if i < present { p(&arcs[i]) } else { 1.0 - p(&arcs[i]) };
            if score >= 0 {
                let mut least = 0;
                for i in 1..arcs.len() {
                    if holds(i) < holds(least) {
                        least = i;
                    }
                }
                places[least] = score as f64;
            } else {
                // The expected E, were arcs independent and nothing between them.
                let expected = |(a, link): (ArcId, Link)| match link.up() {
                    Some(b) => p(&b) * (p(&a) - 1.0),
                    None if link == Link::Absent => -p(&a),
                    None => p(&a) - 1.0,
                };
                if 1.0 + instance.linked(c).map(expected).sum::<f64>() > 0.0 {
                    places[0] = -score as f64;
                }
            }
        }
        self.list(instance);
    }
}
