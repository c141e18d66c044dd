//! The pairs of siblings with an arc of a tree that are loose there.
//!
//! On one side of a head a pair is loose only if the tree has a modifier between its two: then s > 0 is if the tree has one
//! arc of the pair, s < 0 if it has both. On both sides of a head that holds of all pairs. Negative pairs of which the tree
//! has neither arc can be loose too; they are found among the raised ones ([`Raised`](crate::decode::bnb::exact::relaxation::Raised)).

use crate::decode::bnb::exact::instance::{HeadArcs, Instance, Owner};
use crate::decode::bnb::exact::relaxation::{Multiplier, Shares};
use crate::graph::{ArcId, TreeArcs};

/// The lists of pairs, being filled.
pub struct LoosePairs<'a> {
    pub instance: &'a Instance,
    pub tree: &'a TreeArcs,
    /// Pairs s > 0 that are loose by their multipliers.
    pub lowered: &'a mut Vec<Multiplier>,
    /// Pairs that are loose by the size of their score, which stands beside them, less their multipliers.
    pub raised: &'a mut Vec<(Multiplier, f64)>,
}

impl LoosePairs<'_> {
    /// Adds the pairs of a head; `cross` has the places of those on both sides.
    pub fn add(&mut self, head_arcs: HeadArcs, cross: &Shares) {
        let HeadArcs { head, above, left, right } = head_arcs;
        self.chain(left, |i| left.len().checked_sub(i + 1));
        self.chain(right, |i| (i < right.len()).then_some(i));
        let owner = self.instance.owner(head, above);
        if let Some((number, owner)) = owner.filter(|(_, owner)| owner.pairs() > 0) {
            self.cross(&owner, cross.start(number), [left, right]);
        }
    }

    /// The pairs on one side of a head that have an arc of the tree; it has `arcs` there, and `outward` gives their order.
    fn chain(&mut self, arcs: &[ArcId], outward: impl Fn(usize) -> Option<usize>) {
        let at = |i: usize| outward(i).map(|place| arcs[place]);
        for i in 0..arcs.len() {
            let (Some(here), next) = (at(i), at(i + 1)) else { continue };
            if let Some(previous) = i.checked_sub(1).and_then(at) {
                self.inside(here, previous);
                for inner in (0..i - 1).filter_map(at) {
                    let (place, score) = self.pair(inner, here);
                    if score < 0.0 {
                        self.raised.push((place, -score));
                    }
                }
            }
            if let Some(next) = next {
                self.beyond(here, next);
            }
        }
    }

    /// Pairs of `outer` with arcs that the tree has not, nearer to the head than `previous`.
    fn inside(&mut self, outer: ArcId, previous: ArcId) {
        let space = &self.instance.space;
        let parts = space.sibling_parts_of(outer).start;
        let first = space.inner_siblings(outer).start;
        let inner = space.inner_siblings(previous);
        let parts = parts + (inner.start - first)..parts + (inner.end - first);
        for ((inner, part), &score) in inner.map(ArcId::new).zip(parts.clone()).zip(&self.instance.chain[parts]) {
            if score > 0.0 && !self.tree.has(inner) {
                self.raised.push((Multiplier::Chain { part: part as u32, inner, outer }, score));
            }
        }
    }

    /// Pairs of `inner` with arcs that the tree has not, farther from the head than `next`.
    fn beyond(&mut self, inner: ArcId, next: ArcId) {
        let space = &self.instance.space;
        let h = space.head(inner);
        let beyond = if inner < next {
            next.ix() + 1..space.right_arcs_of(h).end
        } else {
            space.left_arcs_of(h).start..next.ix()
        };
        for outer in beyond.map(ArcId::new) {
            let (place, score) = self.pair(inner, outer);
            if score > 0.0 && !self.tree.has(outer) {
                self.lowered.push(place);
            }
        }
    }

    fn pair(&self, inner: ArcId, outer: ArcId) -> (Multiplier, f64) {
        let part = self.instance.space.sibling_part(outer, inner);
        (Multiplier::Chain { part: part as u32, inner, outer }, self.instance.chain[part])
    }

    /// The pairs of an owner that have an arc of the tree, whose left and right arcs there are `arcs`. Their multipliers
    /// begin at `start`.
    fn cross(&mut self, owner: &Owner, start: usize, [left, right]: [&[ArcId]; 2]) {
        let Instance { cross, .. } = self.instance;
        for &l in left {
            let first = ArcId::new(owner.right.start);
            let (place, row) = (start + owner.pair(l, first), self.instance.cross_place(l, first));
            for (i, r) in owner.right.clone().map(ArcId::new).enumerate() {
                let score = cross[row + i];
                if score > 0.0 && !self.tree.has(r) {
                    self.lowered.push(Multiplier::Cross { place: (place + i) as u32, left: l, right: r });
                }
            }
            for &r in right {
                let i = r.ix() - first.ix();
                if cross[row + i] < 0.0 {
                    let place = Multiplier::Cross { place: (place + i) as u32, left: l, right: r };
                    self.raised.push((place, -cross[row + i]));
                }
            }
        }
        for &r in right {
            for l in owner.left.clone().map(ArcId::new).filter(|&l| !self.tree.has(l)) {
                let score = cross[self.instance.cross_place(l, r)];
                if score > 0.0 {
                    let place = Multiplier::Cross { place: (start + owner.pair(l, r)) as u32, left: l, right: r };
                    self.raised.push((place, score));
                }
            }
        }
    }
}
