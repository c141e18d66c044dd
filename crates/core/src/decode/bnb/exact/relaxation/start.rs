//! Where the multipliers start: the minimum of the relaxation's expected value under the prior.
//!
//! A pair s >= 0 is bounded by either of its arms, so its score goes to the less probable one; a pair s < 0 costs
//! `v * (1 - p - q)` in expectation, so v is all or nothing; a star's u is the point where the arcs a with
//! `s(a, b) > u` are together as probable as the child. Of a larger factor s >= 0 the least probable arc has the score; for
//! s < 0 v is all if the expected E ([`Link`]) is above 0.

use super::multipliers::Multipliers;
use crate::decode::backbone::Backbone;
use crate::decode::bnb::exact::instance::{Instance, Link, Side};
use crate::graph::{ArcId, Word};

impl Multipliers {
    /// The start for `instance` under its prior.
    pub fn start(&mut self, instance: &Instance) {
        self.start_stars(instance);
        self.start_siblings(instance);
        self.start_other(instance);
    }

    fn start_stars(&mut self, instance: &Instance) {
        let space = &instance.space;
        self.star.clear();
        self.star.resize(space.arcs(), 0.0);
        if instance.backbone == Backbone::GrandSibling {
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
        for h in (0..=space.words()).map(Word::new) {
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
            if score >= 0 {
                let mut least = 0;
                for i in 1..arcs.len() {
                    if p(&arcs[i]) < p(&arcs[least]) {
                        least = i;
                    }
                }
                places[least] = score as f64;
            } else {
                // The expected E, were arcs independent and nothing between them.
                let expected = |(a, link): (ArcId, Link)| match link.up() {
                    Some(b) => p(&b) * (p(&a) - 1.0),
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
