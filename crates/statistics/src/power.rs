//! Power: how small a difference could these sentences have shown, and how many would show a given one?
//!
//! The difference of two accuracies is a ratio: right heads more, over scored words. Its standard error over sentences is
//! that of a ratio estimator (Cochran 1977, chapter 6): of n sentences with differences d and scored words s, and R the
//! difference of all, it is the root of n / (n - 1) * sum (d - R s)^2, over the sum of s. A true difference of
//! (1.96 + 0.84) standard errors is found by a two-sided test at 5 % in 80 of 100 samples (Cohen 1988; for paired
//! comparisons of systems Card et al. 2020). The standard error falls with the root of the number of sentences.

use crate::{CONFIDENT_ERRORS, Paired};

/// Standard errors that a difference must have: those beyond which a two-sided test at 5 % rejects, and those that leave 80 %
/// of samples beyond them.
pub const STANDARD_ERRORS: f64 = CONFIDENT_ERRORS + 0.841_621_233_572_914_3;

/// What paired sentences can show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Standard error of the difference of the accuracies over sentences, in percentage points.
    pub standard_error_points: f64,
    /// The sentences that it comes from.
    pub sentences: u64,
}

impl Power {
    /// The smallest true difference, in percentage points, that a test at 5 % finds in 80 of 100 such samples.
    pub fn detectable_points(&self) -> f64 {
        STANDARD_ERRORS * self.standard_error_points
    }

    /// How many such sentences would find a difference of so many points in 80 of 100 samples; none if no number would.
    pub fn sentences_for(&self, points: f64) -> Option<u64> {
        let ratio = self.detectable_points() / points.abs();
        // At least two, or there is no standard error.
        let needed = (self.sentences as f64 * ratio * ratio).ceil().max(2.0);
        (needed.is_finite() && needed < u64::MAX as f64).then_some(needed as u64)
    }
}

/// What the sentences can show; none of fewer than two sentences, of no scored word, of sentences none of which differs, and of
/// counts beyond 128 bits.
pub fn power(paired: &Paired) -> Option<Power> {
    let sentences = paired.difference.len() as u64;
    let (difference, scored) = paired.totals();
    if sentences < 2 || scored == 0 || paired.difference.iter().all(|&difference| difference == 0) {
        return None;
    }
    let residuals = paired.difference.iter().zip(&paired.scored);
    // Residuals times the scored words are whole, so that equal sentences leave exactly none.
    let squares = residuals.map(|(&d, &s)| square(residual((d, s), (difference, scored))?));
    let squares = squares.reduce(|sum, square| sum?.checked_add(square?))??;
    let variance = sentences as f64 / (sentences - 1) as f64 * squares as f64;
    Some(Power { standard_error_points: 100.0 * variance.sqrt() / (scored as f64 * scored as f64), sentences })
}

/// What a sentence's difference is more than that of all by its scored words, times the scored words of all.
pub(super) fn residual(one: (i64, u64), all: (i128, i128)) -> Option<i128> {
    let [own, expected] = [i128::from(one.0).checked_mul(all.1), all.0.checked_mul(i128::from(one.1))];
    own?.checked_sub(expected?)
}

pub(super) fn square(value: i128) -> Option<i128> {
    value.checked_mul(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::below;
    use crate::{Draws, bootstrap, randomisation};

    fn paired(difference: &[i64], scored: &[u64]) -> Paired {
        Paired { difference: difference.to_vec(), scored: scored.to_vec(), ..Paired::default() }
    }

    #[test]
    fn of_equal_lengths_it_is_the_standard_error_of_a_mean() {
        // Mean 1; squares of 2, 1, 0, 1, 2 over 4 give 2.5; of five sentences of ten words.
        let power = power(&paired(&[-1, 0, 1, 2, 3], &[10; 5])).expect("power");
        let expected = 100.0 * (2.5_f64 / 5.0).sqrt() / 10.0;
        assert!((power.standard_error_points - expected).abs() < 1e-12, "{power:?}");
        assert!((power.detectable_points() - 2.801_585_218_112_968 * expected).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_known_of_less_than_two_and_nothing_is_open_of_equals() {
        assert_eq!(power(&paired(&[1], &[10])), None);
        assert_eq!(power(&paired(&[0, 0], &[0, 0])), None);
        assert_eq!(power(&paired(&[0; 30], &[10; 30])), None);
        let sure = power(&paired(&[1; 30], &[10; 30])).expect("power");
        assert_eq!((sure.standard_error_points, sure.sentences_for(0.1)), (0.0, Some(2)));
        // Nobody can show that there is no difference.
        let open = power(&paired(&[1, -1], &[10, 10])).expect("power");
        assert_eq!(open.sentences_for(0.0), None);
        assert_eq!(power(&paired(&[i64::MAX, 0], &[u64::MAX, u64::MAX])), None);
    }

    #[test]
    fn four_times_the_sentences_show_half_the_difference() {
        let power = power(&paired(&[3, -1, 2, 0, 1, 5], &[12, 9, 20, 4, 8, 11])).expect("power");
        let half = power.sentences_for(power.detectable_points() / 2.0).expect("a number");
        assert_eq!((power.sentences_for(power.detectable_points()), half), (Some(6), 24));
    }

    #[test]
    fn the_detectable_difference_is_found_in_four_of_five_samples() {
        // Sentences of ten words that differ by a shift and a coin's worth of noise: the variance is known.
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let (sentences, experiments) = (200, 400);
        let mut found = 0;
        for seed in 0..experiments {
            // -4 to 4, variance 60 / 9; one in so many sentences gains a word: 100 * mean / 10 is the difference.
            let noise = 100.0 * (60.0_f64 / 9.0 / sentences as f64).sqrt() / 10.0;
            let gain = (1000.0 * STANDARD_ERRORS * noise / 10.0).round() as u64;
            let draw = |random: &mut ChaCha8Rng| {
                let shift = i64::from(below(random, 1000) < gain);
                below(random, 9) as i64 - 4 + shift
            };
            let difference: Vec<i64> = (0..sentences).map(|_| draw(&mut random)).collect();
            let test = randomisation(&paired(&difference, &vec![10; sentences]), Draws { rounds: 500, seed });
            found += u32::from(test.p_value() < 0.05);
        }
        // 320 are expected but for the shift's own variance, with a standard deviation of 8.
        assert!((288..=346).contains(&found), "{found} of {experiments}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// The interval of the bootstrap is as wide as the standard error says.
        #[test]
        fn as_wide_as_the_bootstrap(sentences in prop::collection::vec((-4_i64..=5, 5_u64..40), 60..200), seed in 0_u64..1000) {
            let (difference, scored): (Vec<i64>, Vec<u64>) = sentences.into_iter().unzip();
            let paired = paired(&difference, &scored);
            let standard_error = power(&paired).expect("power").standard_error_points;
            let interval = bootstrap(&paired, Draws { rounds: 4000, seed }, 0.95).expect("an interval");
            let width = (interval.high_points - interval.low_points) / (2.0 * 1.96);
            prop_assert!((width / standard_error - 1.0).abs() < 0.12, "{width} against {standard_error}");
        }

        /// As the sum of floating-point residuals has it.
        #[test]
        fn as_in_real_numbers(sentences in prop::collection::vec((-9_i64..=9, 1_u64..60), 2..50)) {
            let (difference, scored): (Vec<i64>, Vec<u64>) = sentences.into_iter().unzip();
            let ratio = difference.iter().sum::<i64>() as f64 / scored.iter().sum::<u64>() as f64;
            let squares: f64 = difference.iter().zip(&scored).map(|(&d, &s)| (d as f64 - ratio * s as f64).powi(2)).sum();
            let n = difference.len() as f64;
            let expected = 100.0 * (n / (n - 1.0) * squares).sqrt() / scored.iter().sum::<u64>() as f64;
            let found = power(&paired(&difference, &scored)).expect("power").standard_error_points;
            prop_assert!((found - expected).abs() < 1e-9, "{found} against {expected}");
        }
    }
}
