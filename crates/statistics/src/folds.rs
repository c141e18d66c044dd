//! Would the difference hold if the treebank had been cut elsewhere? The folds of a cross-validation as the sample.
//!
//! The sentences of a fold are parsed by one model, which shares nothing with its neighbour but what both learnt from. What models
//! differ by is a difference of folds, and sentences alone do not show it. A fold is one unit, with the difference d and the scored
//! words s of all its sentences and seeds; the standard error is that of a ratio over folds (see `power`), and
//!
//! ```text
//! t = R / standard error,   R = sum d / sum s,   folds - 1 degrees of freedom
//! ```
//!
//! Folds share most of what they learn from, so that true p-values are larger still (Bengio and Grandvalet 2004).

use crate::student::{beyond, two_sided};
use crate::{Paired, power};

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverFolds {
    /// The difference, in percentage points.
    pub difference_points: f64,
    /// Its standard error over folds.
    pub standard_error_points: f64,
    /// The folds.
    pub folds: u64,
    /// The sentences of all of them.
    pub sentences: u64,
}

impl OverFolds {
    fn degrees(&self) -> f64 {
        self.folds as f64 - 1.0
    }

    /// The p-value, two-sided.
    pub fn p_value(&self) -> f64 {
        let t = self.difference_points / self.standard_error_points;
        if self.difference_points == 0.0 { 1.0 } else { two_sided(t, self.degrees()) }
    }

    /// The ends of an interval of the difference, in percentage points.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let half = beyond(1.0 - confidence, self.degrees()) * self.standard_error_points;
        (self.difference_points - half, self.difference_points + half)
    }

    /// The smallest true difference, in percentage points, that the test at 5 % finds in about 80 of 100 such samples.
    pub fn detectable_points(&self) -> f64 {
        (beyond(0.05, self.degrees()) + beyond(0.4, self.degrees())) * self.standard_error_points
    }

    /// How many such sentences, in as many folds, would find a difference of so many points in about 80 of 100 samples; none if no
    /// number would.
    pub fn sentences_for(&self, points: f64) -> Option<u64> {
        let ratio = self.detectable_points() / points.abs();
        let needed = (self.sentences as f64 * ratio * ratio).ceil().max(self.folds as f64);
        (needed.is_finite() && needed < u64::MAX as f64).then_some(needed as u64)
    }
}

/// Tests the difference over the folds of a cross-validation: so many runs of neighbouring sentences, of which no two differ by more
/// than one sentence in size. None of fewer than two folds or as many sentences, and where nothing differs.
pub fn over_folds(paired: &Paired, folds: usize) -> Option<OverFolds> {
    let sentences = paired.difference.len();
    if folds < 2 || sentences < folds {
        return None;
    }
    let start = |fold: usize| fold * sentences / folds;
    let of_fold = |fold: usize| start(fold)..start(fold + 1);
    let difference = (0..folds).map(|fold| paired.difference[of_fold(fold)].iter().sum()).collect();
    let scored = (0..folds).map(|fold| paired.scored[of_fold(fold)].iter().sum()).collect();
    let error = power(&Paired { difference, scored, ..Paired::default() })?.standard_error_points;
    Some(OverFolds {
        difference_points: paired.difference_points()?,
        standard_error_points: error,
        folds: folds as u64,
        sentences: sentences as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draws, randomisation};

    /// Folds of as many sentences of ten words, each with one difference.
    fn folds(differences: &[i64], sentences: usize) -> Paired {
        let difference: Vec<i64> = differences.iter().flat_map(|&d| vec![d; sentences]).collect();
        Paired { scored: vec![100; difference.len()], difference, ..Paired::default() }
    }

    /// The gains in points of ten folds: a mean of 0.138 and a standard deviation of 0.3007, so that t is 1.451 with nine degrees.
    #[test]
    fn folds_that_disagree_leave_more_than_their_sentences() {
        let paired = folds(&[9, 21, -29, 57, 3, 68, -11, -7, 25, 2], 30);
        let test = over_folds(&paired, 10).expect("a test");
        assert!((test.difference_points - 13.8).abs() < 1e-9, "{test:?}");
        assert!((test.standard_error_points - 30.07 / 10_f64.sqrt()).abs() < 0.01, "{test:?}");
        assert!((0.17..0.19).contains(&test.p_value()), "{}", test.p_value());
        assert!(randomisation(&paired, Draws::default()).p_value() < 0.001);
        let (low, high) = test.interval(0.95);
        assert!(low < 0.0 && high > 0.0);
        let (low, _) = test.interval(1.0 - test.p_value());
        assert!(low.abs() < 1e-6, "{low}");
    }

    #[test]
    fn a_fold_is_a_run_of_neighbours() {
        // Of 7 sentences in 3 folds the first has 2, the second 2, the third 3.
        let paired = Paired { difference: vec![1, 1, 2, 2, 3, 3, 3], scored: vec![10; 7], ..Paired::default() };
        let by_hand = Paired { difference: vec![2, 4, 9], scored: vec![20, 20, 30], ..Paired::default() };
        let expected = power(&by_hand).expect("power").standard_error_points;
        assert_eq!(over_folds(&paired, 3).map(|test| test.standard_error_points), Some(expected));
        assert_eq!(over_folds(&paired, 8), None);
        assert_eq!(over_folds(&folds(&[0, 0, 0], 4), 3), None);
    }
}
