//! The bound functions g and h (paper, section 3.2): each factor's score bounded by scores on its arcs and a constant.
//!
//! ```text
//! score >= 0:  g(p, z) = sum over arcs e of  score * p[e] * z[e]                     p on the simplex over arcs
//! score <  0:  h(p, z) = p1 * score * (sum over arcs of z[e] - (r - 1)) + p2 * 0      p1 + p2 = 1
//! ```
//!
//! In fixed point the share `score * p[e]` is rounded down and what is left over goes to the first arc, so the shares of a
//! factor still add up to its score and the bound stays a bound; `p1 * score` may be rounded as it likes, since every
//! `p1` in [0, 1] gives a bound.
//!
//! The initial lower bound (paper, section 3.4): alternating maximisation of pi(p, z).
//!
//! ```text
//! score >= 0:  h(p, z) = p1 * score * (sum of z[e] - (r - 1))     best p for a tree: 1 if it has all arcs, else 0
//! score <  0:  g(p, z) = sum over arcs of score * p[e] * z[e]     best p for a tree: all on an arc that it lacks
//! ```
//!
//! For fixed p, pi is a sum over arcs that the dynamic program maximises; for a fixed tree the best p makes pi its score.
//! So the score rises from tree to tree until it stays.

use crate::decode::bnb::Problem;
use crate::decode::semiring::Value;
use crate::graph::{ArcId, TreeArcs};

/// The weights p of every factor: for a non-negative score one an arc; for a negative one p1 stands at the factor's first
/// arc and its other places are unused.
pub type Weights = Vec<f64>;

/// The weights of the root node (paper, section 4.4): uniform for non-negative scores, p1 = 0 for negative ones.
pub fn initial_weights<V: Value>(problem: &Problem<V>) -> Weights {
    let mut weights = vec![0.0; problem.factors.incidences()];
    for (c, arcs, score) in problem.factors.iter() {
        if score >= 0 {
            weights[problem.factors.span(c)].fill(1.0 / arcs.len() as f64);
        }
    }
    weights
}

/// The scores that a bound puts on arcs, and its constant.
#[derive(Debug, Default)]
pub struct Bound<V> {
    /// By arc: the local score and the shares of all factors on it.
    pub arc: Vec<V>,
    /// Added once.
    pub constant: i128,
}

/// The integer share of each arc of a factor with score >= 0: floor(score * p), the remainder on the first arc.
fn share(score: i64, p: f64) -> i64 {
    // A product of 53-bit numbers may round up past the score itself, never past it by more than rounding.
    ((score as f64 * p) as i64).clamp(0, score)
}

/// The absolute value of a negative score; one less for the smallest that there is, which is as good a bound.
fn size(score: i64) -> i64 {
    score.saturating_neg()
}

impl<V: Value> Bound<V> {
    /// The bound at `weights`, arcs not in `allowed` left out (minus infinity).
    pub fn fill(&mut self, problem: &Problem<V>, weights: &Weights, allowed: &[bool]) {
        self.arc.clear();
        self.arc
            .extend(problem.local.arc.iter().zip(allowed).map(|(&s, &allowed)| if allowed { s } else { V::NEG_INF }));
        self.constant = problem.constant;
        let mut put = |a: ArcId, share: i64| {
            let arc = &mut self.arc[a.ix()];
            *arc = *arc + V::from_score(share);
        };
        for (c, arcs, score) in problem.factors.iter() {
            let p = &weights[problem.factors.span(c)];
            if score >= 0 {
                let mut left = score;
                for (&a, &p) in arcs.iter().zip(p).skip(1) {
                    let share = share(score, p).min(left);
                    left -= share;
                    put(a, share);
                }
                put(arcs[0], left);
            } else {
                let slope = -share(size(score), p[0]);
                arcs.iter().for_each(|&a| put(a, slope));
                self.constant -= i128::from(slope) * (arcs.len() as i128 - 1);
            }
        }
    }
}

/// The gap of each factor at a tree: its bound minus its score there (paper, section 3.3), scaled.
pub fn for_each_gap<V: Value>(
    problem: &Problem<V>,
    weights: &Weights,
    tree: &TreeArcs,
    mut visit: impl FnMut(&[ArcId], i64),
) {
    for (c, arcs, score) in problem.factors.iter() {
        let p = &weights[problem.factors.span(c)];
        let selected = arcs.iter().filter(|&&a| tree.has(a)).count();
        let gap = if score >= 0 {
            if selected == 0 || selected == arcs.len() {
                0
            } else {
                // Each share may have been rounded up, so a sum of them may be more than 64 bits hold.
                let shares = arcs.iter().zip(p).filter(|&(&a, _)| tree.has(a)).map(|(_, &p)| share(score, p));
                shares.fold(0i64, i64::saturating_add).min(score)
            }
        } else {
            let slope = share(size(score), p[0]);
            if selected == arcs.len() {
                size(score) - slope
            } else {
                // h = -slope * (selected - (r - 1)), which is never negative here.
                slope.saturating_mul((arcs.len() - 1 - selected) as i64)
            }
        };
        if gap > 0 {
            visit(arcs, gap);
        }
    }
}

/// One projected subgradient step: `p = P(p - step * d psi / d p)` at the tree that maximises psi (paper, section 3.2, with
/// the sign of a minimisation).
pub fn step<V: Value>(problem: &Problem<V>, weights: &mut Weights, tree: &TreeArcs, step: f64, scratch: &mut Vec<f64>) {
    for (c, arcs, score) in problem.factors.iter() {
        let p = &mut weights[problem.factors.span(c)];
        let selected = arcs.iter().filter(|&&a| tree.has(a)).count();
        if score >= 0 {
            // All arcs or none: the gradient is constant on the simplex, and the projection undoes it.
            if selected == 0 || selected == arcs.len() {
                continue;
            }
            for (p, &a) in p.iter_mut().zip(arcs) {
                if tree.has(a) {
                    *p -= step * score as f64;
                }
            }
            project(p, scratch);
        } else {
            // On p1 + p2 = 1 the projection of (p1 - step * sigma, p2) moves p1 by half of that.
            let sigma = score as f64 * (selected as f64 - (arcs.len() as f64 - 1.0));
            p[0] = (p[0] - step * sigma / 2.0).clamp(0.0, 1.0);
        }
    }
}

/// The square of the subgradient at a tree, along the simplices: what a short [`step`] moves. Weights that stand at an end
/// and are pushed beyond it do not move.
pub fn square<V: Value>(problem: &Problem<V>, weights: &Weights, tree: &TreeArcs) -> f64 {
    let mut sum = 0.0;
    for (c, arcs, score) in problem.factors.iter() {
        let (size, p) = (score as f64, &weights[problem.factors.span(c)]);
        let selected = arcs.iter().filter(|&&a| tree.has(a)).count();
        if score >= 0 {
            let falls = arcs.iter().zip(p).filter(|&(&a, &p)| tree.has(a) && p > 0.0).count() as f64;
            let rises = (arcs.len() - selected) as f64;
            if rises > 0.0 {
                sum += size * size * falls * rises / (falls + rises);
            }
        } else {
            let sigma = size * (selected as f64 - (arcs.len() as f64 - 1.0));
            let stands = (sigma > 0.0 && p[0] <= 0.0) || (sigma < 0.0 && p[0] >= 1.0);
            sum += if stands { 0.0 } else { sigma * sigma / 2.0 };
        }
    }
    sum
}

/// Replaces `q` by the nearest point of the simplex, non-negative and summing to 1: a Euclidean projection (Duchi et al.,
/// 2008).
///
/// Sorted descending, the projection is `max(q_i - theta, 0)` where theta makes the largest possible number of leading
/// entries positive.
fn project(q: &mut [f64], sorted: &mut Vec<f64>) {
    sorted.clear();
    sorted.extend_from_slice(q);
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut theta = 0.0;
    for (i, &value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (i + 1) as f64;
        if value > candidate {
            theta = candidate;
        }
    }
    for value in q {
        *value = (*value - theta).max(0.0);
    }
}

/// Fills `bound` with pi at the best p for `tree`. Without a tree, p is 0 for non-negative scores and uniform for negative
/// ones.
pub fn fill_lower<V: Value>(problem: &Problem<V>, tree: Option<&TreeArcs>, bound: &mut Bound<V>) {
    bound.arc.clear();
    bound.arc.extend_from_slice(&problem.local.arc);
    bound.constant = problem.constant;
    for (_, arcs, score) in problem.factors.iter() {
        let mut put = |i: usize, share: i64| {
            let arc = &mut bound.arc[arcs[i].ix()];
            *arc = *arc + V::from_score(share);
        };
        if score >= 0 {
            if tree.is_some_and(|t| t.has_all(arcs)) {
                (0..arcs.len()).for_each(|i| put(i, score));
                bound.constant -= i128::from(score) * (arcs.len() as i128 - 1);
            }
        } else {
            match tree {
                Some(tree) => put(arcs.iter().position(|&a| !tree.has(a)).unwrap_or(0), score),
                None => {
                    let share = score / arcs.len() as i64;
                    (1..arcs.len()).for_each(|i| put(i, share));
                    put(0, score - share * (arcs.len() as i64 - 1));
                }
            }
        }
    }
}

/// Fills `bound` with the local scores alone.
pub fn fill_local<V: Value>(problem: &Problem<V>, bound: &mut Bound<V>) {
    bound.arc.clear();
    bound.arc.extend_from_slice(&problem.local.arc);
    bound.constant = problem.constant;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distance(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    proptest! {
        /// On the simplex, and no nearer to q than any convex step towards another point of it.
        #[test]
        fn the_projection_is_the_nearest_point(
            q in prop::collection::vec(-3.0f64..3.0, 1..6),
            weights in prop::collection::vec(0.01f64..1.0, 6),
        ) {
            let mut p = q.clone();
            project(&mut p, &mut Vec::new());
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(p.iter().all(|&x| x >= 0.0));
            let total: f64 = weights[..q.len()].iter().sum();
            let other: Vec<f64> = weights[..q.len()].iter().map(|w| w / total).collect();
            prop_assert!(distance(&p, &q) <= distance(&other, &q) + 1e-9);
        }
    }
}
