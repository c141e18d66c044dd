//! Which multiplier: their names, and the lists of those that are raised.
//!
//! Of all factors s < 0, only those whose v is not 0 are loose at trees that have not got them. Most v stay 0, and a tree
//! has few of all factors. So those that are raised are listed, in the order in which they were, and a visit to a tree
//! looks at those that came since the last one ([`Seen`](crate::decode::bnb::exact::looseness::Seen)), not at all negative
//! factors.

use crate::decode::bnb::exact::instance::Instance;
use crate::graph::{ArcId, FactorId};

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
}

impl Multiplier {
    /// Whether its factor has s < 0, so that the multiplier is a v.
    #[inline(always)]
    pub fn is_negative(self, instance: &Instance) -> bool {
        match self {
            Multiplier::Star(_) | Multiplier::Positive(_) => false,
            Multiplier::Chain { part, .. } => instance.chain[part as usize] < 0.0,
            Multiplier::Cross { left, right, .. } => instance.cross[instance.cross_place(left, right)] < 0.0,
            Multiplier::Negative(_) => true,
        }
    }
}

/// Factors whose v is not 0, or was not before; none is listed twice.
#[derive(Clone, Debug, Default)]
pub struct Raised {
    /// Pairs on one side of a head.
    pub chain: Listed<Multiplier>,
    /// Pairs on both sides of a head, with the arc above that they are bounded under.
    pub cross: Listed<(Multiplier, Option<ArcId>)>,
    /// Factors of other shapes.
    pub other: Listed<FactorId>,
}

impl Raised {
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

impl Raised {
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
        }
    }
}
