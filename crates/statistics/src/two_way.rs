//! Would the difference hold on other sentences *and* with other training seeds? Both as random effects.
//!
//! The table of sentences by seeds is crossed: every model parses every sentence. A difference of sentence i with seed k is
//! taken as m + a_i + b_k + e_ik, with a part of the sentence, one of the seed, and a rest. The variance of the mean is that of
//! all three. The test is the quasi-F of Clark (1973, "The language-as-fixed-effect fallacy") with one degree above the line:
//! with the mean squares A between sentences, B between seeds and E of the rest,
//!
//! ```text
//! t^2 = sentences * seeds * mean^2 / (A + B - E)
//! ```
//!
//! with Satterthwaite's degrees of freedom. A part whose variance is estimated to be negative is 0. As an accuracy is a ratio,
//! squares are of residuals d_ik - R s_i (see `power`); they are sums of whole numbers.
//!
//! With few seeds the degrees are few, and p-values large: that is what few seeds say. The test still rejects too often where
//! seeds differ about as much as the rest: with two of them in about 10 of 100 cases at 5 %, with three in up to 7.6. What rests
//! on so few seeds is therefore tested at [`LEVEL_OF_FEW`].
//! Nothing is drawn, so there is no random seed.

use crate::Paired;
use crate::power::{residual, square};
use crate::student::{beyond, two_sided};

/// So many seeds and fewer are few.
const FEW_SEEDS: u64 = 3;

/// The largest level at which few seeds decide anything.
pub const LEVEL_OF_FEW: f64 = 0.03;

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoWay {
    /// The difference over its standard error.
    pub t: f64,
    /// Satterthwaite's degrees of freedom.
    pub degrees: f64,
    /// The difference, in percentage points.
    pub difference_points: f64,
    /// Its standard error over sentences and seeds.
    pub standard_error_points: f64,
    /// What of that comes of seeds alone, and stays however many sentences there are.
    pub seeds_error_points: f64,
    /// The sentences of each seed.
    pub sentences: u64,
    /// The seeds.
    pub seeds: u64,
}

impl TwoWay {
    /// The p-value, two-sided.
    pub fn p_value(&self) -> f64 {
        two_sided(self.t, self.degrees)
    }

    /// At which level the test decides where one is asked for: of few seeds not above [`LEVEL_OF_FEW`].
    pub fn level(&self, asked: f64) -> f64 {
        if self.seeds <= FEW_SEEDS { asked.min(LEVEL_OF_FEW) } else { asked }
    }

    /// The ends of an interval of the difference, in percentage points.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let half = self.far(beyond(1.0 - confidence, self.degrees));
        (self.difference_points - half, self.difference_points + half)
    }

    /// The smallest true difference, in percentage points, that the test at 5 % finds in about 80 of 100 such samples.
    pub fn detectable_points(&self) -> f64 {
        self.far(self.errors_found())
    }

    /// How many such sentences, with as many seeds, would find a difference of so many points in about 80 of 100 samples; none
    /// if seeds alone leave too much open. The degrees are taken as they are.
    pub fn sentences_for(&self, points: f64) -> Option<u64> {
        let square = |value: f64| value * value;
        let [all, of_seeds] = [self.standard_error_points, self.seeds_error_points].map(square);
        let left = square(points / self.errors_found()) - of_seeds;
        let needed = (self.sentences as f64 * (all - of_seeds).max(0.0) / left).ceil().max(2.0);
        (left > 0.0 && needed < u64::MAX as f64).then_some(needed as u64)
    }

    /// Standard errors that a difference must have to be found: those beyond which the test at 5 % rejects, and those that leave
    /// 80 % of samples beyond them.
    fn errors_found(&self) -> f64 {
        beyond(0.05, self.degrees) + beyond(0.4, self.degrees)
    }

    /// So many standard errors, of which none are none however many.
    fn far(&self, errors: f64) -> f64 {
        if self.standard_error_points > 0.0 { errors * self.standard_error_points } else { 0.0 }
    }
}

/// Tests the difference over sentences and seeds; none of fewer than two of either, where not every seed has every sentence, and
/// where no word is scored.
pub fn two_way(paired: &Paired) -> Option<TwoWay> {
    let (sentences, seeds) = (paired.difference.len(), paired.by_seed.len());
    let all @ (difference, scored) = paired.totals();
    if sentences < 2 || seeds < 2 || scored == 0 {
        return None;
    }
    // Residuals times the scored words of all, and times the number of seeds, since scored words are summed over them.
    let (mut cells, mut rows, mut columns) = (0_i128, vec![0_i128; sentences], Vec::new());
    for seed in &paired.by_seed {
        let mut column = 0_i128;
        for ((row, &difference), &scored) in rows.iter_mut().zip(seed).zip(&paired.scored) {
            let value = residual((difference.checked_mul(seeds as i64)?, scored), all)?;
            cells = cells.checked_add(square(value)?)?;
            *row = row.checked_add(value)?;
            column = column.checked_add(value)?;
        }
        columns.push(column);
    }
    let squares = |sums: &[i128]| sums.iter().try_fold(0_i128, |sum, &one| sum.checked_add(square(one)?));
    // Sums of squares times sentences times seeds are whole; residuals sum to 0, so there is no mean to take off.
    let (n, m) = (sentences as i128, seeds as i128);
    let between_sentences = squares(&rows)?.checked_mul(n)?;
    let between_seeds = squares(&columns)?.checked_mul(m)?;
    let rest = cells.checked_mul(n)?.checked_mul(m)?.checked_sub(between_sentences)?.checked_sub(between_seeds)?;
    let degrees = [(n - 1) as f64, (m - 1) as f64, ((n - 1) * (m - 1)) as f64];
    let [a, b, e] = [between_sentences, between_seeds, rest];
    let mean_squares = [a as f64 / degrees[0], b as f64 / degrees[1], e as f64 / degrees[2]];
    let (variance, freedom) = combine(mean_squares, degrees);
    // Residuals are `scored * seeds` times those of the differences. The factor `n * m` of the squares stays: it makes a
    // variance of a mean one of the sum.
    let of_mean = |variance: f64| variance.sqrt() / (scored as f64 * m as f64) / scored as f64;
    let standard_error = of_mean(variance);
    let share = difference as f64 / scored as f64;
    let t = if difference == 0 { 0.0 } else { share / standard_error };
    let [_, between_seeds, rest] = mean_squares;
    Some(TwoWay {
        t,
        degrees: freedom,
        difference_points: 100.0 * share,
        standard_error_points: 100.0 * standard_error,
        seeds_error_points: 100.0 * of_mean((between_seeds - rest).max(0.0)),
        sentences: sentences as u64,
        seeds: seeds as u64,
    })
}

/// The variance of a mean, times the cells, and its degrees of freedom, from the mean squares between sentences, between
/// seeds and of the rest, with their degrees.
fn combine([a, b, e]: [f64; 3], degrees: [f64; 3]) -> (f64, f64) {
    let signs = match (a > e, b > e) {
        (true, true) => [1.0, 1.0, -1.0],
        (true, false) => [1.0, 0.0, 0.0],
        (false, true) => [0.0, 1.0, 0.0],
        (false, false) => [0.0, 0.0, 1.0],
    };
    let parts = [signs[0] * a, signs[1] * b, signs[2] * e];
    let variance = parts[0] + parts[1] + parts[2];
    let spread: f64 = (0..3).map(|i| parts[i] * parts[i] / degrees[i]).sum();
    let freedom = if spread > 0.0 { variance * variance / spread } else { degrees[1] };
    (variance, freedom)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::below;
    use crate::{Draws, power, randomisation};

    /// Sentences of ten words in each seed.
    fn paired(by_seed: Vec<Vec<i64>>) -> Paired {
        let sentences = by_seed.first().map_or(0, Vec::len);
        let difference = (0..sentences).map(|i| by_seed.iter().map(|seed| seed[i]).sum()).collect();
        Paired { difference, scored: vec![10 * by_seed.len() as u64; sentences], by_seed }
    }

    /// The mean squares of a crossed table, as textbooks have them.
    fn mean_squares(table: &[Vec<i64>]) -> [f64; 3] {
        let (m, n) = (table.len() as f64, table[0].len() as f64);
        let mean = table.iter().flatten().sum::<i64>() as f64 / (n * m);
        let row = |i: usize| table.iter().map(|seed| seed[i]).sum::<i64>() as f64 / m;
        let column = |k: usize| table[k].iter().sum::<i64>() as f64 / n;
        let rows: f64 = (0..table[0].len()).map(|i| m * (row(i) - mean).powi(2)).sum();
        let columns: f64 = (0..table.len()).map(|k| n * (column(k) - mean).powi(2)).sum();
        let mut rest = 0.0;
        for (k, seed) in table.iter().enumerate() {
            rest += seed.iter().enumerate().map(|(i, &d)| (d as f64 - row(i) - column(k) + mean).powi(2)).sum::<f64>();
        }
        [rows / (n - 1.0), columns / (m - 1.0), rest / ((n - 1.0) * (m - 1.0))]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn as_the_analysis_of_variance_has_it(table in (2_usize..5, 2_usize..12).prop_flat_map(|(seeds, sentences)| {
            prop::collection::vec(prop::collection::vec(-6_i64..=7, sentences), seeds)
        })) {
            let (m, n) = (table.len() as f64, table[0].len() as f64);
            let mean = table.iter().flatten().sum::<i64>() as f64 / (n * m);
            let degrees = [n - 1.0, m - 1.0, (n - 1.0) * (m - 1.0)];
            // What sentences and seeds bring beyond the rest adds to it, and is never below 0.
            let [a, b, e] = mean_squares(&table);
            let variance = e + (a - e).max(0.0) + (b - e).max(0.0);
            let of_rest = 1.0 - f64::from(u8::from(a > e)) - f64::from(u8::from(b > e));
            let weights = [f64::from(u8::from(a > e)), f64::from(u8::from(b > e)), of_rest];
            let spread: f64 = [a, b, e].iter().zip(weights).zip(degrees).map(|((s, w), d)| (w * s).powi(2) / d).sum();
            let freedom = variance.powi(2) / spread;
            let test = two_way(&paired(table)).expect("a test");
            let expected = (variance / (n * m)).sqrt();
            prop_assert!((test.standard_error_points - 10.0 * expected).abs() < 1e-9 * (1.0 + expected));
            if expected > 1e-9 {
                prop_assert!((test.t - mean / expected).abs() < 1e-6, "{test:?}");
                // Where two mean squares are equal, rounding decides which of them count.
                let are_near = [a, b].iter().any(|s| (s - e).abs() < 1e-9 * (s + e));
                prop_assert!(are_near || (test.degrees / freedom - 1.0).abs() < 1e-6, "{test:?}, {freedom}");
            }
        }
    }

    #[test]
    fn seeds_that_agree_leave_the_doubt_over_sentences() {
        let seed = vec![3, -1, 2, 0, 4, 1, 1, -2];
        let paired = paired(vec![seed.clone(), seed.clone(), seed]);
        let test = two_way(&paired).expect("a test");
        let over_sentences = power(&paired).expect("power").standard_error_points;
        assert!((test.standard_error_points - over_sentences).abs() < 1e-12, "{test:?}");
        assert_eq!(test.degrees, 7.0);
    }

    #[test]
    fn seeds_that_disagree_leave_more() {
        // Sentence by sentence the same, but one seed gains and another loses.
        let table = [3, 1, -1].map(|shift| [0, 1, 0, 1, 0, 1, 0, 1].map(|d| d + shift).to_vec()).to_vec();
        let paired = paired(table);
        let test = two_way(&paired).expect("a test");
        // Mean 1.5; seeds are at 3.5, 1.5 and -0.5: variance 4 over three of them, and sentences 2 / 7 over eight.
        let expected = 10.0 * (4.0_f64 / 3.0 + 2.0 / 7.0 / 8.0).sqrt();
        assert!((test.standard_error_points - expected).abs() < 1e-9, "{test:?}");
        assert!(randomisation(&paired, Draws::default()).p_value() < 0.05 && test.p_value() > 0.2, "{test:?}");
    }

    /// The interval has the values that the test at the same level does not reject.
    #[test]
    fn the_interval_ends_where_the_test_begins_to_reject() {
        let table = [[3, 1, -1, 2, 0, 2], [1, 2, -2, 1, 1, 0], [2, 2, 0, -1, 3, 1]].map(|seed| seed.to_vec()).to_vec();
        let test = two_way(&paired(table)).expect("a test");
        let (low, high) = test.interval(1.0 - test.p_value());
        assert!(low.abs() < 1e-6 && (high - 2.0 * test.difference_points).abs() < 1e-6, "{low} to {high}");
        let (low, high) = test.interval(0.95);
        let half = beyond(0.05, test.degrees) * test.standard_error_points;
        assert!((high - low - 2.0 * half).abs() < 1e-9 && test.degrees < 11.0);
    }

    #[test]
    fn few_seeds_decide_at_a_lower_level() {
        let seed = vec![3, -1, 2, 0, 4, 1, 1, -2];
        let level = |seeds: usize, asked| two_way(&paired(vec![seed.clone(); seeds])).expect("a test").level(asked);
        assert_eq!([level(2, 0.05), level(3, 0.05), level(4, 0.05), level(3, 0.01)], [0.03, 0.03, 0.05, 0.01]);
    }

    #[test]
    fn more_sentences_do_not_help_against_seeds() {
        // As in `seeds_that_disagree_leave_more`: of 4 / 3 and 2 / 7 / 8 the first is of seeds.
        let table = [3, 1, -1].map(|shift| [0, 1, 0, 1, 0, 1, 0, 1].map(|d| d + shift).to_vec()).to_vec();
        let test = two_way(&paired(table)).expect("a test");
        assert!((test.seeds_error_points - 10.0 * (4.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{test:?}");
        let errors = beyond(0.05, test.degrees) + beyond(0.4, test.degrees);
        assert!((test.detectable_points() - errors * test.standard_error_points).abs() < 1e-9);
        assert_eq!(test.sentences_for(errors * test.seeds_error_points), None);
        assert_eq!(test.sentences_for(0.0), None);
        // What there is shows what it shows; half as much doubt over sentences takes twice as many.
        assert!(test.sentences_for(test.detectable_points() + 1e-9).is_some_and(|needed| needed <= 8));
        let half = (4.0_f64 / 3.0 + 1.0 / 7.0 / 8.0).sqrt() * 10.0 * errors;
        assert!(test.sentences_for(half).is_some_and(|needed| (16..=17).contains(&needed)));
        // Seeds that agree leave what sentences do.
        let seed = vec![3, -1, 2, 0, 4, 1, 1, -2];
        let test = two_way(&paired(vec![seed.clone(), seed])).expect("a test");
        assert_eq!((test.seeds_error_points, test.seeds, test.sentences), (0.0, 2, 8));
        assert_eq!(test.sentences_for(test.detectable_points() / 2.0), Some(32));
        let sure = two_way(&paired(vec![vec![1, 1, 1], vec![1, 1, 1]])).expect("a test");
        assert_eq!(
            (sure.interval(0.95), sure.detectable_points(), sure.sentences_for(1.0)),
            ((10.0, 10.0), 0.0, Some(2))
        );
    }

    #[test]
    fn what_it_cannot_say() {
        assert_eq!(two_way(&paired(vec![vec![1, 2, 3]])), None);
        assert_eq!(two_way(&paired(vec![vec![1], vec![2]])), None);
        assert_eq!(two_way(&Paired { by_seed: Vec::new(), ..paired(vec![vec![1, 2], vec![0, 1]]) }), None);
        let sure = two_way(&paired(vec![vec![1, 1, 1], vec![1, 1, 1]])).expect("a test");
        assert_eq!((sure.standard_error_points, sure.p_value()), (0.0, 0.0));
        assert_eq!(two_way(&paired(vec![vec![0, 0], vec![0, 0]])).expect("a test").p_value(), 1.0);
    }

    /// How often the test rejects at 5 % where there is no difference, and how often the one over sentences alone does, of 600
    /// samples with `seeds` seeds. Parts are even on -size to size.
    fn rejections(seeds: usize, [sentence, seed, rest]: [u64; 3]) -> (u32, u32) {
        let mut random = ChaCha8Rng::seed_from_u64(23);
        let mut part = |size: u64| (0..4).map(|_| below(&mut random, 2 * size + 1) as i64 - size as i64).sum::<i64>();
        let (mut both, mut alone) = (0, 0);
        for draw in 0..600 {
            let sentences: Vec<i64> = (0..80).map(|_| part(sentence)).collect();
            let one = |shift: i64, part: &mut dyn FnMut(u64) -> i64| -> Vec<i64> {
                sentences.iter().map(|own| own + shift + part(rest)).collect()
            };
            let table: Vec<Vec<i64>> = (0..seeds)
                .map(|_| {
                    let shift = part(seed);
                    one(shift, &mut part)
                })
                .collect();
            let paired = paired(table);
            both += u32::from(two_way(&paired).expect("a test").p_value() < 0.05);
            alone += u32::from(randomisation(&paired, Draws { rounds: 300, seed: draw }).p_value() < 0.05);
        }
        (both, alone)
    }

    #[test]
    fn it_keeps_its_level_where_seeds_differ() {
        // 30 of 600 are 5 %, with a standard deviation of 5.
        for (seeds, parts) in [(3, [40, 0, 60]), (3, [40, 15, 60]), (5, [40, 15, 60])] {
            let (both, alone) = rejections(seeds, parts);
            assert!(both <= 45, "{seeds} {parts:?}: {both} of 600");
            assert!(parts[1] == 0 || alone > 90, "{seeds} {parts:?}: over sentences alone {alone} of 600");
        }
    }
}
