//! Which multiplier: their names, and the lists of those that are raised.
//!
//! Of all factors s < 0, only those whose v is not 0 are loose at trees that have not got them. Most v stay 0, and a tree
//! has few of all factors. So those that are raised are listed, in the order in which they were, and a visit to a tree
//! looks at those that came since the last one ([`Seen`](super::slack::Seen)), not at all negative
//! factors.
//!
//! The shares above 0 of positive factors, by arc.
//!
//! A factor's score begins as the share of one of its arcs, the least probable, so that a likely tree pays few of the
//! thousands of factors that it has a part of. What it pays is found from the shares of its arcs that are above 0, not from
//! its factors. That is done once a tree; a later visit looks at those alone that have come to be above 0 since
//! ([`Seen`](super::slack::Seen)), so a share that has come to be 0 again stays on the list.
//!
//! What pairs on both sides of a head add to scores of parts: sums over their multipliers, kept up to date.
//!
//! There are far more such pairs than parts, and a step moves few of their multipliers. So the sums are formed once, and
//! each move changes its own parts. All are whole numbers, so the order of additions does not matter.

use super::instance::{Due, Instance, Owner};
use crate::graph::{ArcId, CountId, FactorId};

/// The name of a multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplier {
    /// The u of an arc's star.
    Star(u32),
    /// The u or v of two modifiers on one side of a head.
    Chain { part: u32, inner: ArcId, outer: ArcId },
    /// The u or v of two modifiers on both sides of a head.
    Cross { place: u32, left: ArcId, right: ArcId },
    /// A positive factor of another shape: shares move from where the tree pays them to where it does not.
    Positive(FactorId),
    /// A negative factor of another shape: its v.
    Negative(FactorId),
    /// A factor that counts: u moves between arcs that the tree has and those that it has not.
    Counted(CountId),
    /// What trees are charged for an arc: evidence for it.
    Charge(ArcId),
    /// A piece of evidence that the tree has too little of.
    Evidence(u32),
}

impl Multiplier {
    /// Whether its factor has s < 0, so that the multiplier is a v.
    #[inline(always)]
    pub fn is_negative(self, instance: &Instance) -> bool {
        match self {
            Multiplier::Star(_) | Multiplier::Positive(_) => false,
            Multiplier::Counted(_) | Multiplier::Charge(_) | Multiplier::Evidence(_) => false,
            Multiplier::Chain { part, .. } => instance.chain[part as usize] < 0.0,
            Multiplier::Cross { left, right, .. } => instance.cross[instance.cross_place(left, right)] < 0.0,
            Multiplier::Negative(_) => true,
        }
    }
}

/// Factors whose v is not 0, or was not before; none is listed twice.
#[derive(Clone, Debug, Default)]
pub struct ActiveMultipliers {
    /// Pairs on one side of a head.
    pub chain: Listed<Multiplier>,
    /// Pairs on both sides of a head, with the arc above that they are bounded under.
    pub cross: Listed<(Multiplier, Option<ArcId>)>,
    /// Factors of other shapes.
    pub other: Listed<FactorId>,
}

impl ActiveMultipliers {
    /// How many bytes the lists hold.
    pub fn bytes(&self) -> usize {
        self.chain.bytes() + self.cross.bytes() + self.other.bytes()
    }
}

/// A list, and by number what is on it.
#[derive(Clone, Debug)]
pub struct Listed<T> {
    list: Vec<T>,
    is_listed: Vec<bool>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { list: Vec::new(), is_listed: Vec::new() }
    }
}

impl<T> Listed<T> {
    /// In the order in which they were listed.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        &self.list
    }

    /// How many bytes its arrays hold.
    fn bytes(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.is_listed)
    }

    /// An empty list for numbers below `numbers`.
    fn start(&mut self, numbers: usize) {
        self.list.clear();
        self.is_listed.clear();
        self.is_listed.resize(numbers, false);
    }

    fn add(&mut self, number: usize, new: T) {
        if !std::mem::replace(&mut self.is_listed[number], true) {
            self.list.push(new);
        }
    }
}

impl ActiveMultipliers {
    /// Lists those of `multipliers`: of sibling parts, of pairs on both sides by owner, and of other factors by incidence.
    pub fn list(&mut self, instance: &Instance, [chain, cross, other]: [&[f64]; 3]) {
        self.list_chain(instance, chain);
        self.list_cross(instance, cross);
        let factors = &instance.other;
        self.other.start(factors.len());
        for c in (0..factors.len()).map(FactorId::new) {
            if factors.score(c) < 0 && other[factors.span(c).start] > 0.0 {
                self.other.add(c.ix(), c);
            }
        }
    }

    fn list_chain(&mut self, instance: &Instance, multipliers: &[f64]) {
        let space = &instance.space;
        self.chain.start(multipliers.len());
        if multipliers.is_empty() {
            return;
        }
        for outer in (0..space.arcs()).map(ArcId::new) {
            for (part, inner) in space.sibling_parts_of(outer).zip(space.inner_siblings(outer)) {
                if multipliers[part] > 0.0 && instance.chain[part] < 0.0 {
                    self.chain.add(part, Multiplier::Chain { part: part as u32, inner: ArcId::new(inner), outer });
                }
            }
        }
    }

    fn list_cross(&mut self, instance: &Instance, multipliers: &[f64]) {
        self.cross.start(multipliers.len());
        let mut start = 0;
        for owner in instance.owners().filter(|owner| owner.pairs() > 0) {
            for left in owner.left.clone().map(ArcId::new) {
                let row = instance.cross_place(left, ArcId::new(owner.right.start));
                for (i, right) in owner.right.clone().map(ArcId::new).enumerate() {
                    if multipliers[start + i] > 0.0 && instance.cross[row + i] < 0.0 {
                        let which = Multiplier::Cross { place: (start + i) as u32, left, right };
                        self.cross.add(start + i, (which, owner.above));
                    }
                }
                start += owner.right.len();
            }
        }
    }

    /// Adds a factor whose v was 0; `above` is the arc above that a pair on both sides is bounded under.
    pub fn add(&mut self, which: Multiplier, above: Option<ArcId>) {
        match which {
            Multiplier::Chain { part, .. } => self.chain.add(part as usize, which),
            Multiplier::Cross { place, .. } => self.cross.add(place as usize, (which, above)),
            Multiplier::Negative(c) => self.other.add(c.ix(), c),
            Multiplier::Star(_) | Multiplier::Positive(_) => {}
            Multiplier::Counted(_) | Multiplier::Charge(_) | Multiplier::Evidence(_) => {}
        }
    }
}

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
    /// Those that are paid where the tree has not the arc.
    of_absence: Vec<(ArcId, Share)>,
    /// Shares that were listed one by one, in that order.
    later: Vec<(ArcId, Share)>,
    /// By incidence: 0 if it was listed with all others, or how many were listed one by one with it; [`UNLISTED`].
    rank: Vec<u32>,
}

const UNLISTED: u32 = u32::MAX;

impl ArcShares {
    /// Lists those above 0 of all `shares`, by incidence.
    pub fn list(&mut self, instance: &Instance, shares: &[f64]) {
        let Self { of_arc, of_absence, later, rank } = self;
        let (arcs, factors) = (instance.space.arcs(), &instance.other);
        of_arc.iter_mut().for_each(Vec::clear);
        of_absence.clear();
        of_arc.resize_with(arcs.max(of_arc.len()), Vec::new);
        later.clear();
        rank.clear();
        rank.resize(factors.incidences(), UNLISTED);
        for (c, ..) in factors.iter().filter(|(_, _, score)| *score >= 0) {
            for (place, (a, due)) in factors.span(c).zip(instance.dues(c)) {
                if shares[place] > 0.0 {
                    rank[place] = 0;
                    let share = Share { place: place as u32, factor: c, due };
                    if due.is_absence() {
                        of_absence.push((a, share));
                    } else {
                        of_arc[a.ix()].push(share);
                    }
                }
            }
        }
    }

    /// The shares of an arc.
    #[inline(always)]
    pub fn at(&self, a: ArcId) -> &[Share] {
        &self.of_arc[a.ix()]
    }

    /// The shares that are paid where a tree has not their arc.
    #[inline(always)]
    pub fn of_absence(&self) -> &[(ArcId, Share)] {
        &self.of_absence
    }

    /// Shares that were listed one by one, in that order.
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
            if share.due.is_absence() {
                self.of_absence.push((a, share));
            } else {
                self.of_arc[a.ix()].push(share);
            }
            self.later.push((a, share));
            *rank = self.later.len() as u32;
        }
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { of_arc, of_absence, later, rank } = self;
        of_arc.iter().map(|list| size_of_val(&**list)).sum::<usize>()
            + size_of_val(&**of_absence)
            + size_of_val(&**later)
            + size_of_val(&**rank)
    }
}

/// Multipliers of the pairs, and their sums.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// The left arc's share, or v, by [`Owner`], then left arc, then right arc.
    pub multipliers: Vec<f64>,
    /// What falls to the modifiers: by grandchild part if pairs have multipliers by arc, else by arc.
    pub modifiers: Vec<f64>,
    /// By arc: what falls to the arc above, if pairs have multipliers by arc.
    pub above: Vec<f64>,
    /// What falls to no arc.
    pub constant: f64,
    /// By [`Owner`]: where its multipliers begin; and where the last one's end.
    starts: Vec<u32>,
}

impl Shares {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { multipliers, modifiers, above, starts, .. } = self;
        [multipliers, modifiers, above].into_iter().map(|sums| size_of_val(&**sums)).sum::<usize>()
            + size_of_val(&**starts)
    }

    /// Forms all sums.
    pub fn add_up(&mut self, instance: &Instance) {
        let space = &instance.space;
        let (modifiers, above) =
            if instance.by_arc { (space.grandchild_parts(), space.arcs()) } else { (space.arcs(), 0) };
        for (sums, len) in [(&mut self.modifiers, modifiers), (&mut self.above, above)] {
            sums.clear();
            sums.resize(len, 0.0);
        }
        self.constant = 0.0;
        self.starts.clear();
        let mut start = 0;
        for owner in instance.owners() {
            self.starts.push(start as u32);
            let pairs = owner.pairs();
            if pairs > 0 {
                self.add_up_owner(instance, start, &owner);
                start += pairs;
            }
        }
        self.starts.push(start as u32);
    }

    /// Where the multipliers of the owner of this number begin.
    #[inline(always)]
    pub fn start(&self, owner: usize) -> usize {
        self.starts[owner] as usize
    }

    fn add_up_owner(&mut self, instance: &Instance, start: usize, owner: &Owner) {
        let Owner { above, left, right } = owner;
        let multipliers = &self.multipliers[start..start + owner.pairs()];
        let mut of_all = 0.0;
        for (l, multipliers) in left.clone().map(ArcId::new).zip(multipliers.chunks_exact(right.len())) {
            let row = instance.cross_place(l, ArcId::new(right.start));
            let scores = &instance.cross[row..row + right.len()];
            let first = owner.modifier(&instance.space, ArcId::new(right.start));
            let mut of_left = 0.0;
            for ((of_right, &score), &multiplier) in self.modifiers[first..].iter_mut().zip(scores).zip(multipliers) {
                let (u, v) = if score >= 0.0 { (multiplier, 0.0) } else { (-multiplier, multiplier) };
                of_left += u;
                *of_right += score.max(0.0) - multiplier;
                of_all += v;
            }
            self.modifiers[owner.modifier(&instance.space, l)] += of_left;
        }
        *self.constant_mut(*above) += of_all;
    }

    fn constant_mut(&mut self, above: Option<ArcId>) -> &mut f64 {
        match above {
            Some(a) => &mut self.above[a.ix()],
            None => &mut self.constant,
        }
    }

    /// Moves the multiplier at `place`, that of the pair of `left` and `right` under `above`, the arc into their head, if
    /// pairs have multipliers by arc. Returns what it was before.
    pub fn shift(
        &mut self,
        instance: &Instance,
        place: usize,
        [left, right]: [ArcId; 2],
        above: Option<ArcId>,
        by: f64,
    ) -> f64 {
        let before = self.multipliers[place];
        self.multipliers[place] += by;
        let shared = instance.cross[instance.cross_place(left, right)] >= 0.0;
        let [of_left, of_right, of_all] = if shared { [by, -by, 0.0] } else { [-by, -by, by] };
        let modifier = |b: ArcId| above.map_or(b.ix(), |a| instance.space.grandchild_part(a, b));
        self.modifiers[modifier(left)] += of_left;
        self.modifiers[modifier(right)] += of_right;
        *self.constant_mut(above) += of_all;
        before
    }
}
