//! Euclidean projection onto the probability simplex (Duchi et al., 2008).

/// Replaces `q` by the nearest point of the simplex: non-negative, summing to 1.
///
/// Sorted descending, the projection is `max(q_i - theta, 0)` where theta makes the largest possible number of leading
/// entries positive.
pub fn project(q: &mut [f64], sorted: &mut Vec<f64>) {
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
