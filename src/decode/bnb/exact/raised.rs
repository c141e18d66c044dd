//! The factors s < 0 whose v is not 0: of all negative ones, only these are loose at trees that have not got them.
//!
//! Most v stay 0, and a tree has few of all pairs. So those that are raised are listed, and a visit to a tree looks at
//! them, and at what touches its arcs, but not at every pair.

use super::instance::Instance;
use super::loose::Place;
use crate::graph::{ArcId, FactorId};

/// Factors whose v is not 0, or was not before; ascending, so that none is listed twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Raised {
    /// Pairs on one side of a head.
    pub chain: Vec<Place>,
    /// Pairs on both sides of a head, with the arc above that they are bounded under.
    pub cross: Vec<(Place, Option<ArcId>)>,
    /// Factors of other shapes.
    pub other: Vec<FactorId>,
}

impl Raised {
    /// Lists those of `multipliers`: of sibling parts, of pairs on both sides by owner, and of other factors by incidence.
    pub fn list(&mut self, instance: &Instance, [chain, cross, other]: [&[f64]; 3]) {
        self.list_chain(instance, chain);
        self.list_cross(instance, cross);
        let factors = &instance.other;
        let negative = (0..factors.len()).map(FactorId::new).filter(|&c| factors.score(c) < 0);
        self.other.clear();
        self.other.extend(negative.filter(|&c| other[factors.span(c).start] > 0.0));
    }

    fn list_chain(&mut self, instance: &Instance, multipliers: &[f64]) {
        let space = &instance.space;
        self.chain.clear();
        for outer in (0..space.arcs()).map(ArcId::new) {
            for (part, inner) in space.sibling_parts_of(outer).zip(space.inner_siblings(outer)) {
                if multipliers[part] > 0.0 && instance.chain[part] < 0.0 {
                    self.chain.push(Place::Chain { part: part as u32, inner: ArcId::new(inner), outer });
                }
            }
        }
    }

    fn list_cross(&mut self, instance: &Instance, multipliers: &[f64]) {
        self.cross.clear();
        let mut start = 0;
        for owner in instance.owners().filter(|owner| owner.pairs() > 0) {
            for left in owner.left.clone().map(ArcId::new) {
                let row = instance.cross_place(left, ArcId::new(owner.right.start));
                for (i, right) in owner.right.clone().map(ArcId::new).enumerate() {
                    if multipliers[start + i] > 0.0 && instance.cross[row + i] < 0.0 {
                        let place = Place::Cross { place: (start + i) as u32, left, right };
                        self.cross.push((place, owner.above));
                    }
                }
                start += owner.right.len();
            }
        }
    }

    /// Adds a factor whose v was 0; `above` is the arc above that a pair on both sides is bounded under.
    pub fn add(&mut self, place: Place, above: Option<ArcId>) {
        match place {
            Place::Chain { .. } => add(&mut self.chain, place, Place::number),
            Place::Cross { .. } => add(&mut self.cross, (place, above), |(place, _)| place.number()),
            Place::Negative(c) => add(&mut self.other, c, |c| c.0),
            Place::Star(_) | Place::Positive { .. } => {}
        }
    }
}

fn add<T>(list: &mut Vec<T>, new: T, number: impl Fn(&T) -> u32) {
    if let Err(place) = list.binary_search_by_key(&number(&new), &number) {
        list.insert(place, new);
    }
}
