//! Holm's correction: p-values of several tests that are to be wrong together no more often than one.

/// The p-values of a family of tests after the step-down correction of Holm (1979), in the order given. Those that are at most a
/// level are rejected, and the chance that any of them is rejected wrongly is at most that level, whatever the tests have to
/// do with each other.
///
/// Of K tests the smallest p counts K times, the next K - 1 times, and so on; none is less than one before it, or more than 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max((p_values.len() - rank) as f64 * p_values[at]).min(1.0);
        corrected[at] = least;
    }
    corrected
}

/// As [`holm`], of a family some of whose members were not tested: those count for nothing.
pub fn holm_of_some(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let tested: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut corrected = holm(&tested).into_iter();
    p_values.iter().map(|p| p.and_then(|_| corrected.next())).collect()
}

/// As [`holm_of_some`], of a family of which several members may ask one question: it counts once, by the first of them that was
/// tested, and each of the others is corrected in the place of the first.
pub fn holm_by_question<Q: PartialEq>(questions: &[Q], p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let first = |at: usize| (0..at).find(|&before| questions[before] == questions[at] && p_values[before].is_some());
    let firsts: Vec<Option<f64>> = (0..p_values.len()).map(|at| p_values[at].filter(|_| first(at).is_none())).collect();
    let corrected = |at: usize| {
        let place = first(at).unwrap_or(at);
        let mut together = firsts.clone();
        together[place] = p_values[at];
        holm_of_some(&together)[place]
    };
    (0..p_values.len()).map(corrected).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_a_textbook() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(holm(&[0.02]), [0.02]);
        assert!(holm(&[]).is_empty());
        assert_eq!(holm_of_some(&[None, Some(0.02), None, Some(0.01)]), [None, Some(0.02), None, Some(0.02)]);
    }

    #[test]
    fn a_question_counts_once() {
        // Of the question `a` the second was tested first; the third takes its place and is then the smaller of two.
        let p_values = [None, Some(0.03), Some(0.001), Some(0.02)];
        assert_eq!(holm_by_question(&["a", "a", "a", "b"], &p_values), [None, Some(0.04), Some(0.002), Some(0.04)]);
        assert_eq!(holm_by_question(&["a", "b", "c", "d"], &p_values), holm_of_some(&p_values));
    }

    /// Holm's procedure as he states it: from the smallest on, reject while p is at most level / (number left).
    fn rejected(p_values: &[f64], level: f64) -> Vec<bool> {
        let mut order: Vec<usize> = (0..p_values.len()).collect();
        order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
        let mut rejected = vec![false; p_values.len()];
        for (rank, &at) in order.iter().enumerate() {
            if (p_values.len() - rank) as f64 * p_values[at] > level {
                break;
            }
            rejected[at] = true;
        }
        rejected
    }

    proptest! {
        #[test]
        fn as_the_procedure(p_values in prop::collection::vec(0.0_f64..0.2, 0..12), level in 0.001_f64..0.3) {
            let by_value: Vec<bool> = holm(&p_values).iter().map(|&p| p <= level).collect();
            prop_assert_eq!(by_value, rejected(&p_values, level));
        }

        /// No weaker than Bonferroni's, and never below the raw value.
        #[test]
        fn between_none_and_bonferroni(p_values in prop::collection::vec(0.0_f64..1.0, 1..12)) {
            for (raw, corrected) in p_values.iter().zip(holm(&p_values)) {
                prop_assert!(*raw <= corrected && corrected <= (raw * p_values.len() as f64).min(1.0));
            }
        }
    }
}
