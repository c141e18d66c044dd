//! The factors s < 0 whose v is not 0: of all negative ones, only these are loose at trees that have not got them.
//!
//! Most v stay 0, and a tree has few of all factors. So those that are raised are listed, in the order in which they were,
//! and a visit to a tree looks at those that came since the last one ([`seen`](super::seen)), not at all negative factors.

use super::instance::Instance;
use super::loose::Place;
use crate::graph::{ArcId, FactorId};

/// Factors whose v is not 0, or was not before; none is listed twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Raised {
    /// Pairs on one side of a head.
    pub chain: Listed<Place>,
    /// Pairs on both sides of a head, with the arc above that they are bounded under.
    pub cross: Listed<(Place, Option<ArcId>)>,
    /// Factors of other shapes.
    pub other: Listed<FactorId>,
}

/// A list, and by number what is on it.
#[derive(Clone, Debug)]
pub(super) struct Listed<T> {
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
                    self.chain.add(part, Place::Chain { part: part as u32, inner: ArcId::new(inner), outer });
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
                        let place = Place::Cross { place: (start + i) as u32, left, right };
                        self.cross.add(start + i, (place, owner.above));
                    }
                }
                start += owner.right.len();
            }
        }
    }

    /// Adds a factor whose v was 0; `above` is the arc above that a pair on both sides is bounded under.
    pub fn add(&mut self, place: Place, above: Option<ArcId>) {
        match place {
            Place::Chain { part, .. } => self.chain.add(part as usize, place),
            Place::Cross { place: number, .. } => self.cross.add(number as usize, (place, above)),
            Place::Negative(c) => self.other.add(c.ix(), c),
            Place::Star(_) | Place::Positive { .. } => {}
        }
    }
}
