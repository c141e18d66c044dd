//! A tree that was best under some multipliers, with what is loose there whatever the multipliers are.
//!
//! Steps come back to a tree many times. Which factors can be loose at it, and which way their multipliers must move,
//! depends on the tree alone: it is found once, and then each visit looks at these factors only.

use super::families::{Families, Family};
use super::instance::Instance;
use super::kept::Kept;
use super::links::Counts;
use super::loose::Place;
use super::owners::Owner;
use super::shares::Shares;
use super::sides::Side;
use crate::graph::{ArcId, FactorId, TreeArcs};

/// A tree and what can be loose there.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub tree: TreeArcs,
    pub score: f64,
    /// Whether what follows was found; it holds for one instance.
    looked: bool,
    /// Pairs of siblings s > 0 that are loose by their multipliers.
    pub lowered: Vec<Place>,
    /// Pairs of siblings that are loose by the size of their score, which stands beside them, less their multipliers.
    pub raised: Vec<(Place, f64)>,
    /// The factors s >= 0 of other shapes that the tree has not, but pays some share of, with where the list of those
    /// shares ends, which begins where that of the factor before ends.
    partly_paid: Vec<(FactorId, u32)>,
    /// Those shares, by incidence, ascending for each factor.
    paid: Vec<u32>,
    /// The factors s < 0 of other shapes that the tree has.
    pub charged: Vec<FactorId>,
    /// Where the arcs of the tree are.
    counts: Counts,
    families: Families,
    ranks: Vec<usize>,
}

/// Memory of trees that are no longer needed.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Seen>);

impl Spare {
    /// A tree of which nothing is known but its score.
    pub fn seen(&mut self, tree: &TreeArcs, score: f64) -> Seen {
        let mut seen = self.0.pop().unwrap_or_default();
        seen.forget();
        seen.tree.clone_from(tree);
        seen.score = score;
        seen
    }

    /// Takes the memory of a tree.
    pub fn put_one(&mut self, tree: Seen) {
        self.0.push(tree);
    }

    /// Takes the memory of trees.
    pub fn put(&mut self, trees: &mut Vec<Seen>) {
        self.0.append(trees);
    }

    /// Leaves in `trees` those that have only arcs that are kept.
    pub fn restrict(&mut self, trees: &mut Vec<Seen>, kept: &Kept) {
        self.0.extend(trees.extract_if(.., |seen| !seen.restrict(kept)));
    }

    /// Those of `trees` that have only arcs that are kept.
    pub fn restricted(&mut self, trees: &[Seen], kept: &Kept) -> Vec<Seen> {
        let mut restricted = trees.iter().map(|seen| self.seen(&seen.tree, seen.score)).collect();
        self.restrict(&mut restricted, kept);
        restricted
    }

    /// Frees what is more than the memory of `trees` trees.
    pub fn truncate(&mut self, trees: usize) {
        self.0.truncate(trees);
    }
}

impl Seen {
    /// The tree alone, for an instance whose factors are others, or are linked in another way.
    pub fn forget(&mut self) {
        self.looked = false;
    }

    /// The tree in an instance that has fewer arcs; false if it has some that are dropped.
    fn restrict(&mut self, kept: &Kept) -> bool {
        self.forget();
        self.tree.renumber(kept.old().len(), |a| kept.new_of(a))
    }

    /// Frees all memory but that of the tree.
    pub fn release(&mut self) {
        *self = Self { tree: std::mem::take(&mut self.tree), score: self.score, ..Self::default() };
    }

    /// Finds what is loose, if that is not known yet. `cross` has the places of pairs on both sides of a head.
    pub fn look(&mut self, instance: &Instance, cross: &Shares) {
        if self.looked {
            return;
        }
        let Self { tree, lowered, raised, families, ranks, .. } = self;
        lowered.clear();
        raised.clear();
        let mut loose = LoosePairs { instance, lowered, raised };
        for Family { head, above, left, right } in families.of(&instance.space, tree) {
            let sides = [Side::left(&instance.space, head), Side::right(&instance.space, head)];
            for (side, arcs) in sides.into_iter().zip([left, right]) {
                ranks.clear();
                ranks.extend(arcs.iter().map(|&a| side.rank(a)));
                ranks.sort_unstable();
                loose.chain(side, ranks);
            }
            let owner = instance.owner(head, above);
            if let Some((number, owner)) = owner.filter(|(_, owner)| owner.pairs() > 0) {
                loose.cross(&owner, cross.start(number), [left, right]);
            }
        }
        self.counts.fill(&instance.space, &self.tree);
        self.other(instance);
        self.looked = true;
    }

    fn other(&mut self, instance: &Instance) {
        let Self { tree, partly_paid, paid, charged, counts, .. } = self;
        partly_paid.clear();
        paid.clear();
        charged.clear();
        if instance.other.is_empty() {
            return;
        }
        let factors = &instance.other;
        for &a in tree.arcs() {
            for &c in instance.incidence.of(a) {
                let arcs = factors.arcs(c);
                if factors.score(c) < 0 {
                    if arcs[0] == a && tree.has_all(arcs) {
                        charged.push(c);
                    }
                    continue;
                }
                // A factor is met at each of its arcs that the tree has.
                if arcs.iter().find(|b| tree.has(**b)) != Some(&a) || tree.has_all(arcs) {
                    continue;
                }
                let before = paid.len();
                let pays = |&(_, (a, link)): &(usize, _)| counts.pays(a, link);
                let places = factors.span(c).zip(instance.linked(c)).filter(pays);
                paid.extend(places.map(|(place, _)| place as u32));
                if paid.len() > before {
                    partly_paid.push((c, paid.len() as u32));
                }
            }
        }
    }

    /// E of a factor s < 0 of another shape.
    #[inline(always)]
    pub fn excess(&self, instance: &Instance, c: FactorId) -> i32 {
        self.counts.excess(instance.linked(c))
    }

    /// Whether the tree has a modifier between two of one side.
    #[inline(always)]
    pub fn has_between(&self, inner: ArcId, outer: ArcId) -> bool {
        let (first, last) = if inner < outer { (inner, outer) } else { (outer, inner) };
        self.counts.any(first.ix() + 1, last.ix())
    }

    /// How many lists of shares there are.
    pub fn partly_paid(&self) -> usize {
        self.partly_paid.len()
    }

    /// A list: the factor and the shares of it that the tree pays.
    #[inline(always)]
    pub fn paid(&self, list: usize) -> (FactorId, &[u32]) {
        let (c, end) = self.partly_paid[list];
        let start = if list == 0 { 0 } else { self.partly_paid[list - 1].1 };
        (c, &self.paid[start as usize..end as usize])
    }
}

/// The lists of pairs of siblings, being filled.
struct LoosePairs<'a> {
    instance: &'a Instance,
    lowered: &'a mut Vec<Place>,
    raised: &'a mut Vec<(Place, f64)>,
}

impl LoosePairs<'_> {
    /// The pairs on one side of a head that have an arc of the tree, whose arcs there have these ranks.
    ///
    /// With a modifier of the tree between them, s > 0 is loose if the tree has one arc of the pair, s < 0 if it has both.
    fn chain(&mut self, side: Side, ranks: &[usize]) {
        for (i, &here) in ranks.iter().enumerate() {
            // Inside `here`, and not beside it in the tree.
            let inward = if i == 0 { 0 } else { ranks[i - 1] };
            let mut inside = ranks[..i.saturating_sub(1)].iter().peekable();
            for inner in 0..inward {
                let (place, score) = self.pair(side, inner, here);
                let inner_in = inside.next_if_eq(&&inner).is_some();
                if if inner_in { score < 0.0 } else { score > 0.0 } {
                    self.raised.push((place, score.abs()));
                }
            }
            // Outside `here`, and not beside it.
            let Some(&next) = ranks.get(i + 1) else { continue };
            let mut outside = ranks[i + 2..].iter().peekable();
            for outer in next + 1..side.len() {
                if outside.next_if_eq(&&outer).is_some() {
                    continue;
                }
                let (place, score) = self.pair(side, here, outer);
                if score > 0.0 {
                    self.lowered.push(place);
                }
            }
        }
    }

    fn pair(&self, side: Side, inner: usize, outer: usize) -> (Place, f64) {
        let part = side.part(&self.instance.space, inner, outer);
        let place = Place::Chain { part: part as u32, inner: side.arc(inner), outer: side.arc(outer) };
        (place, self.instance.chain[part])
    }

    /// The pairs of an owner that have an arc of the tree, whose left and right arcs there are `arcs`. Their multipliers
    /// begin at `start`.
    fn cross(&mut self, owner: &Owner, start: usize, [left, right]: [&[ArcId]; 2]) {
        for &l in left {
            let mut selected = right.iter().peekable();
            for r in owner.right.clone().map(ArcId::new) {
                let (place, score) = self.cross_pair(owner, start, l, r);
                if selected.next_if_eq(&&r).is_some() {
                    if score < 0.0 {
                        self.raised.push((place, -score));
                    }
                } else if score > 0.0 {
                    self.lowered.push(place);
                }
            }
        }
        let mut selected = left.iter().peekable();
        for l in owner.left.clone().map(ArcId::new) {
            if selected.next_if_eq(&&l).is_some() {
                continue;
            }
            for &r in right {
                let (place, score) = self.cross_pair(owner, start, l, r);
                if score > 0.0 {
                    self.raised.push((place, score));
                }
            }
        }
    }

    fn cross_pair(&self, owner: &Owner, start: usize, l: ArcId, r: ArcId) -> (Place, f64) {
        let place = Place::Cross { place: (start + owner.pair(l, r)) as u32, left: l, right: r };
        (place, self.instance.cross[self.instance.cross_place(l, r)])
    }
}
