//! The initial lower bound (paper, section 3.4): alternating maximisation of pi(p, z).
//!
//! ```text
//! score >= 0:  h(p, z) = p1 * score * (sum of z[e] - (r - 1))     best p for a tree: 1 if it has all arcs, else 0
//! score <  0:  g(p, z) = sum over arcs of score * p[e] * z[e]     best p for a tree: all on an arc that it lacks
//! ```
//!
//! For fixed p, pi is a sum over arcs that the dynamic program maximises; for a fixed tree the best p makes pi its score.
//! So the score rises from tree to tree until it stays.

use super::bound::Bound;
use crate::decode::bnb::problem::Problem;
use crate::decode::value::Value;
use crate::graph::TreeArcs;

/// Fills `bound` with pi at the best p for `tree`. Without a tree, p is 0 for non-negative scores and uniform for negative
/// ones.
pub fn fill<V: Value>(problem: &Problem<V>, tree: Option<&TreeArcs>, bound: &mut Bound<V>) {
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
