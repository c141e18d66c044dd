//! A tree that was best under some multipliers, with what is loose there whatever the multipliers are.
//!
//! Steps come back to a tree many times. Which factors can be loose at it, and which way their multipliers must move,
//! depends on the tree alone: it is found once, and then each visit looks at these factors only.

use super::active::{ActiveMultipliers, ArcShares, Multiplier, Share};
use super::instance::{ByHead, Counts, Due, Instance, Kept};
use super::multipliers::Multipliers;
use super::slack::LoosePairs;
use crate::graph::{ArcId, FactorId, TreeArcs};

/// A tree and what can be loose there.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub tree: TreeArcs,
    pub score: f64,
    /// Whether what follows was found; it holds for one instance.
    looked: bool,
    /// Pairs of siblings s > 0 that are loose by their multipliers.
    pub lowered: Vec<Multiplier>,
    /// Pairs of siblings that are loose by the size of their score, which stands beside them, less their multipliers.
    pub raised: Vec<(Multiplier, f64)>,
    /// The factors s < 0 of other shapes that the tree has.
    pub charged: Vec<FactorId>,
    /// Of the active factors that were looked at, those that are loose by their multipliers: pairs by one unit a unit.
    pub lifted_pairs: Vec<Multiplier>,
    /// Others by as many as stands beside them; with the place of v.
    pub lifted: Vec<(FactorId, u32, f64)>,
    /// The factors s >= 0 of which the tree pays shares that are above 0, or were, though it has not all of their arcs; each
    /// with the end of its run in `paid`.
    pub shared: Vec<(FactorId, u32)>,
    /// The places of the shares that the tree pays of these.
    pub paid: Vec<u32>,
    /// The arcs that the tree is charged for.
    pub due: Vec<ArcId>,
    /// How many of each kind of active factors were looked at.
    known: [usize; 3],
    /// How many of the shares that were listed one by one were looked at.
    known_shares: usize,
    /// Memory: how loose what it is charged is, by arc.
    pub sums: Vec<(ArcId, f64)>,
    /// Where the arcs of the tree are.
    counts: Counts,
    by_head: ByHead,
}

impl Seen {
    /// The tree alone, for an instance whose factors are others, or are linked in another way.
    pub fn forget(&mut self) {
        self.looked = false;
    }

    /// The tree in an instance that has fewer arcs; false if it has some that are dropped.
    pub fn restrict(&mut self, kept: &Kept) -> bool {
        self.forget();
        self.tree.renumber(kept.old().len(), |a| kept.new_of(a))
    }

    /// How many bytes its arrays hold. Lists that wait to be made anew do not count: what they have is of another tree.
    pub fn bytes(&self) -> usize {
        let Self { tree, looked, lowered, raised, charged, lifted_pairs, lifted, shared, paid, due, .. } = self;
        if !looked {
            return tree.bytes();
        }
        tree.bytes()
            + size_of_val(&**lowered)
            + size_of_val(&**raised)
            + size_of_val(&**charged)
            + size_of_val(&**lifted_pairs)
            + size_of_val(&**lifted)
            + size_of_val(&**shared)
            + size_of_val(&**paid)
            + size_of_val(&**due)
    }

    /// Frees all memory but that of the tree.
    pub fn release(&mut self) {
        *self = Self { tree: std::mem::take(&mut self.tree), score: self.score, ..Self::default() };
    }

    /// Finds what can be loose under the multipliers, as far as that is not known yet.
    pub fn look(&mut self, instance: &Instance, multipliers: &Multipliers) {
        if !self.looked {
            self.look_at_all(instance, multipliers);
            self.looked = true;
        }
        self.look_at_active(instance, &multipliers.active);
        self.look_at_shares(instance, &multipliers.shares);
    }

    /// Finds what does not depend on multipliers, and the shares that are listed.
    fn look_at_all(&mut self, instance: &Instance, multipliers: &Multipliers) {
        let Self { tree, lowered, raised, by_head, .. } = self;
        lowered.clear();
        raised.clear();
        if instance.backbone.is_projective() {
            let mut pairs = LoosePairs { instance, tree, lowered, raised };
            for head_arcs in by_head.heads(&instance.space, tree) {
                pairs.add(head_arcs, &multipliers.cross);
            }
        }
        self.lifted_pairs.clear();
        self.lifted.clear();
        self.due.clear();
        instance.charges.each_due(&instance.space, &self.tree, |a| self.due.push(a));
        self.counts.fill(&instance.space, &self.tree);
        self.other(instance);
        self.shared.clear();
        self.paid.clear();
        let shares = &multipliers.shares;
        for i in 0..self.tree.arcs().len() {
            for share in shares.at(self.tree.arcs()[i]) {
                self.add_share(instance, shares, share);
            }
        }
        for (a, share) in shares.of_absence() {
            if !self.tree.has(*a) {
                self.add_share(instance, shares, share);
            }
        }
        self.known = [0; 3];
        self.known_shares = shares.later().len();
    }

    /// Looks at the shares that were listed since this was done last.
    fn look_at_shares(&mut self, instance: &Instance, shares: &ArcShares) {
        for (a, share) in &shares.later()[self.known_shares..] {
            if self.tree.has(*a) != share.due.is_absence() {
                self.add_share(instance, shares, share);
            }
        }
        self.known_shares = shares.later().len();
    }

    /// Lists the factor of a share, whose literal holds, if the tree pays it and has not all of the factor's arcs. Of
    /// several shares that it pays, the one listed first stands for all.
    #[inline(always)]
    fn add_share(&mut self, instance: &Instance, shares: &ArcShares, share: &Share) {
        let Self { tree, counts, shared, paid, .. } = self;
        if !share.due.is_absence() && !counts.has(share.due) {
            return;
        }
        let (c, start) = (share.factor, paid.len());
        let (mut has_all, mut is_first) = (true, true);
        for (place, (a, due)) in instance.other.span(c).zip(instance.dues(c)) {
            if pays(tree, counts, a, due) {
                is_first &= shares.order(place) >= shares.order(share.place as usize);
                paid.push(place as u32);
            } else {
                has_all = false;
            }
        }
        // It has all arcs if it pays all that can be due.
        if has_all || !is_first {
            paid.truncate(start);
        } else {
            shared.push((c, paid.len() as u32));
        }
    }

    /// Looks at the factors that became active since this was done last.
    ///
    /// Negative pairs are loose if the tree has neither arc: on both sides of a head always, on one side if the tree has a
    /// modifier between them. Others are where E < 0.
    fn look_at_active(&mut self, instance: &Instance, active: &ActiveMultipliers) {
        let Self { tree, counts, lifted_pairs, lifted, known, .. } = self;
        let (chain, cross, other) = (active.chain.as_slice(), active.cross.as_slice(), active.other.as_slice());
        for &place in &chain[known[0]..] {
            let Multiplier::Chain { inner, outer, .. } = place else { continue };
            // Rarely so, and so the first to be asked.
            if counts.any_between(inner, outer) && !tree.has(inner) && !tree.has(outer) {
                lifted_pairs.push(place);
            }
        }
        for &(place, above) in &cross[known[1]..] {
            let Multiplier::Cross { left, right, .. } = place else { continue };
            if above.is_none_or(|a| tree.has(a)) && !tree.has(left) && !tree.has(right) {
                lifted_pairs.push(place);
            }
        }
        for &c in other[known[2]..].iter().filter(|c| counts.any_of(instance.links.scope(**c))) {
            let excess = counts.excess(tree, instance.linked(c));
            if excess < 0 {
                lifted.push((c, instance.other.span(c).start as u32, f64::from(-excess)));
            }
        }
        *known = [chain.len(), cross.len(), other.len()];
    }

    fn other(&mut self, instance: &Instance) {
        let Self { tree, charged, .. } = self;
        charged.clear();
        let patterns = &instance.other;
        instance.index.for_each_begun(tree, |c| {
            if patterns.score(c) < 0 && patterns.holds(c, tree) {
                charged.push(c);
            }
        });
    }

    /// Whether the tree has what the share of `a`, an arc of a factor, is paid for.
    #[inline(always)]
    pub fn pays(&self, a: ArcId, due: Due) -> bool {
        pays(&self.tree, &self.counts, a, due)
    }
}

#[inline(always)]
fn pays(tree: &TreeArcs, counts: &Counts, a: ArcId, due: Due) -> bool {
    if due.is_absence() { !tree.has(a) } else { tree.has(a) && counts.has(due) }
}
