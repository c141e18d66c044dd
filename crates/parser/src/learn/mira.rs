//! The step of MIRA, the margin infused relaxed algorithm (Crammer & Singer, 2003; Crammer et al., 2006: PA-I), with one
//! constraint a sentence (McDonald et al., 2005) on the tree that is best when wrong heads are charged for.
//!
//! With s the score, H the number of wrong heads, f the features of a tree:
//!
//! ```text
//! y     = the tree with the best s(y) + H(y)                      found exactly, the charge being part of the arcs' scores
//! tau   = min(C, (s(y) + H(y) - s(gold)) / |f(gold) - f(y)|^2)
//! w    += tau * (f(gold) - f(y))
//! ```
//!
//! Weights stay integers: they count a [`UNIT`]-th of 1, and tau is rounded to that.

/// A weight of 1 while learning; also the charge for a wrong head.
pub const UNIT: i64 = 1 << 14;

/// A weight of 1 in the average, which is finer: it is over many examples.
pub const AVERAGE_UNIT: i64 = 1 << 20;

/// The length of a step along a difference of features of that squared length when the gold tree is `behind` by so many units, charge included.
pub fn step(behind: i128, square: i128, aggressiveness: f64) -> i32 {
    if square == 0 || behind <= 0 {
        return 0;
    }
    let longest = (aggressiveness * UNIT as f64).round() as i32;
    let rounded = (2 * behind + square) / (2 * square);
    i32::try_from(rounded).unwrap_or(longest).min(longest)
}

/// Sweeps over all constraints that [`steps`] makes at most.
const MOST_SWEEPS: usize = 1000;

/// The lengths of the steps along several differences of features at once (McDonald et al. 2005: k-best MIRA), as whole
/// numbers of a [`UNIT`]-th: the smallest change by which the gold tree wins over each of the trees by its charge.
///
/// `behind[i]` is by how many units the gold tree is behind tree i, charge included; `products` has the inner product of
/// each two differences, row by row. The dual is climbed one coordinate at a time (Hildreth 1957), none going beyond the
/// longest step:
///
/// ```text
/// tau_i = min(C, max(0, tau_i + (behind_i - sum over j of tau_j products_ij) / products_ii))
/// ```
pub fn steps(behind: &[i128], products: &[i128], aggressiveness: f64) -> Vec<i32> {
    let longest = (aggressiveness * UNIT as f64).round();
    let many = behind.len();
    let mut steps = vec![0.0f64; many];
    // By tree: what is left of what the gold tree is behind.
    let mut left: Vec<f64> = behind.iter().map(|&behind| behind as f64).collect();
    for _ in 0..MOST_SWEEPS {
        let mut furthest = 0.0f64;
        for i in 0..many {
            let row = &products[i * many..][..many];
            if row[i] == 0 {
                continue;
            }
            let step = (steps[i] + left[i] / row[i] as f64).clamp(0.0, longest);
            let change = step - steps[i];
            steps[i] = step;
            left.iter_mut().zip(row).for_each(|(left, &product)| *left -= change * product as f64);
            furthest = furthest.max(change.abs());
        }
        // They are rounded to whole numbers.
        if furthest < 0.01 {
            break;
        }
    }
    steps.into_iter().map(|step| step.round() as i32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After an uncapped step the gold tree is ahead by just the charge, but for rounding.
    #[test]
    fn a_step_closes_the_gap() {
        const SQUARE: i128 = 9 + 1 + 4;
        let behind = 5 * UNIT as i128 + 77;
        let step = i128::from(step(behind, SQUARE, 1e3));
        let gained = step * SQUARE;
        assert!((gained - behind).abs() <= 7, "{gained} {behind}");
        assert_eq!(super::step(behind, SQUARE, 0.25), 1 << 12, "the step is capped");
        assert_eq!(super::step(0, SQUARE, 1.0), 0);
        assert_eq!(super::step(behind, 0, 1.0), 0);
    }

    /// One tree: the step of one constraint.
    #[test]
    fn one_tree_is_one_constraint() {
        for (behind, square, c) in [(5 * UNIT, 14, 1.0), (-3, 5, 1.0), (UNIT, 3, 0.01), (0, 4, 1.0), (77, 0, 1.0)] {
            let one = step(behind.into(), square, c);
            assert_eq!(steps(&[behind.into()], &[square], c), [one], "{behind} {square} {c}");
        }
    }

    /// Against the best of all whole numbers of an eighth of the longest step, and the conditions of an optimum.
    #[test]
    fn several_trees_are_a_small_program() {
        use proptest::prelude::*;
        proptest!(|(vectors in prop::collection::vec([-3i128..4, -3..4, -3..4], 1..4), behind in [-40i128..200, -40..200, -40..200])| {
            let many = vectors.len();
            let dot = |a: &[i128; 3], b: &[i128; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i128>();
            let products: Vec<i128> = vectors.iter().flat_map(|a| vectors.iter().map(move |b| dot(a, b))).collect();
            let behind: Vec<i128> = behind[..many].iter().map(|b| b * UNIT as i128 / 16).collect();
            let found = steps(&behind, &products, 1.0);
            let dual = |steps: &[f64]| {
                // Along no difference a step of any length changes nothing.
                let counts = |i: &usize| products[i * many + i] > 0;
                let gained: f64 = (0..many).filter(counts).map(|i| steps[i] * behind[i] as f64).sum();
                let pairs = (0..many).flat_map(|i| (0..many).map(move |j| (i, j)));
                gained - 0.5 * pairs.map(|(i, j)| steps[i] * steps[j] * products[i * many + j] as f64).sum::<f64>()
            };
            let of_found = dual(&found.iter().map(|&s| f64::from(s)).collect::<Vec<_>>());
            const GRID: usize = 9;
            for place in 0..GRID.pow(many as u32) {
                let steps: Vec<f64> = (0..many)
                    .map(|i| (place / GRID.pow(i as u32) % GRID) as f64 / (GRID - 1) as f64 * UNIT as f64)
                    .collect();
                // Rounding moves each step by up to a half, along a slope of up to what is left.
                let slack = 1e-4 * of_found.abs().max(UNIT as f64);
                prop_assert!(dual(&steps) <= of_found + slack, "{:?} {:?}: {} {}", found, steps, dual(&steps), of_found);
            }
        });
    }
}
