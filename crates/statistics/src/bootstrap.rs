//! Paired bootstrap: between which bounds does the difference lie, if the sentences were drawn anew?

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::{Draws, Paired};

/// A confidence interval of a difference of accuracies, in percentage points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low_points: f64,
    /// The upper bound.
    pub high_points: f64,
}

/// A difference over the scored words it comes from; both are whole numbers, so fractions compare exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    difference: i64,
    scored: u64,
}

impl Fraction {
    fn compare(&self, other: &Self) -> Ordering {
        let product = |difference: i64, scored: u64| i128::from(difference) * i128::from(scored);
        product(self.difference, other.scored).cmp(&product(other.difference, self.scored))
    }

    fn points(&self) -> f64 {
        100.0 * self.difference as f64 / self.scored as f64
    }
}

/// Numbers below `n`, without bias, two from each random word (Lemire's multiplication with rejection).
struct Indices<'a> {
    random: &'a mut ChaCha8Rng,
    spare: Option<u32>,
}

impl Indices<'_> {
    fn half(&mut self) -> u32 {
        if let Some(half) = self.spare.take() {
            return half;
        }
        let word = self.random.next_u64();
        self.spare = Some((word >> 32) as u32);
        word as u32
    }

    /// `n` must not be 0.
    fn below(&mut self, n: u32) -> usize {
        // The lowest products of each multiple are those that would make some numbers likelier.
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u64::from(self.half()) * u64::from(n);
            if product as u32 >= reject {
                return (product >> 32) as usize;
            }
        }
    }
}

/// The interval that holds the share `confidence` (0 to 1) of the differences of samples drawn with replacement; none if
/// nothing was scored or drawn.
///
/// The bounds are the values of the rounds that have a share of `(1 - confidence) / 2` beyond them (the percentile
/// method).
pub fn bootstrap(paired: &Paired, draws: Draws, confidence: f64) -> Option<Interval> {
    let sentences: Vec<(i64, u64)> = paired.difference.iter().copied().zip(paired.scored.iter().copied()).collect();
    let none = Fraction { difference: 0, scored: 0 };
    let mut fractions = samples(&sentences, draws, none, |sum, (difference, scored)| Fraction {
        difference: sum.difference.saturating_add(difference),
        scored: sum.scored.saturating_add(scored),
    });
    // A sample without a scored word says nothing.
    fractions.retain(|fraction| fraction.scored > 0);
    interval(&mut fractions, confidence)
}

/// As [`bootstrap`], of several pairs of rows. Those of as many sentences are sampled together: a round draws how often each
/// sentence comes, and what each pair has of such a sample is a sum of products.
pub fn bootstraps(all: &[&Paired], draws: Draws, confidence: f64) -> Vec<Option<Interval>> {
    let mut intervals = vec![None; all.len()];
    let mut groups: BTreeMap<usize, Vec<(usize, Small)>> = BTreeMap::new();
    for (at, paired) in all.iter().enumerate() {
        match Small::new(paired) {
            Some(small) => groups.entry(small.difference.len()).or_default().push((at, small)),
            None => intervals[at] = bootstrap(paired, draws, confidence),
        }
    }
    for (sentences, group) in groups {
        let mut rounds = sums_of_rounds(sentences, &group, draws);
        for (at, (place, _)) in group.iter().enumerate() {
            let mut fractions: Vec<Fraction> = rounds.iter_mut().map(|round| round[at]).collect();
            fractions.retain(|fraction| fraction.scored > 0);
            intervals[*place] = interval(&mut fractions, confidence);
        }
    }
    intervals
}

/// A pair of rows whose numbers, and sums of them over any sample, are small.
struct Small {
    difference: Vec<i16>,
    scored: Vec<i16>,
}

impl Small {
    fn new(paired: &Paired) -> Option<Self> {
        let sentences =
            i64::try_from(paired.difference.len()).ok().filter(|n| (1..=i64::from(i16::MAX)).contains(n))?;
        let difference: Vec<i16> = paired.difference.iter().map(|&d| i16::try_from(d).ok()).collect::<Option<_>>()?;
        let scored: Vec<i16> = paired.scored.iter().map(|&s| i16::try_from(s).ok()).collect::<Option<_>>()?;
        let largest = difference.iter().chain(&scored).map(|value| i64::from(value.unsigned_abs())).max()?;
        (largest * sentences <= i64::from(i32::MAX)).then_some(Self { difference, scored })
    }
}

/// What each pair of a group has of each round's sample.
fn sums_of_rounds(sentences: usize, group: &[(usize, Small)], draws: Draws) -> Vec<Vec<Fraction>> {
    let chunks: Vec<_> = draws.chunks().collect();
    let rounds = chunks.into_par_iter().flat_map_iter(|(mut random, rounds)| {
        let mut indices = Indices { random: &mut random, spare: None };
        let mut times = vec![0_i16; sentences];
        let mut round = || {
            times.fill(0);
            for _ in 0..sentences {
                times[indices.below(sentences as u32)] += 1;
            }
            let mut fractions: Vec<Fraction> = Vec::with_capacity(group.len());
            for (at, (_, pair)) in group.iter().enumerate() {
                // Rows of one treebank have the same words.
                let scored = match at.checked_sub(1).map(|before| (&group[before].1, fractions[before].scored)) {
                    Some((before, scored)) if before.scored == pair.scored => scored,
                    _ => product(&times, &pair.scored) as u64,
                };
                fractions.push(Fraction { difference: i64::from(product(&times, &pair.difference)), scored });
            }
            fractions
        };
        (0..rounds).map(|_| round()).collect::<Vec<_>>()
    });
    rounds.collect()
}

/// The sum of products, none of whose partial sums is large.
fn product(times: &[i16], values: &[i16]) -> i32 {
    times.iter().zip(values).map(|(times, value)| i32::from(*times) * i32::from(*value)).sum()
}

/// The interval that leaves out as many fractions at each end.
fn interval(fractions: &mut [Fraction], confidence: f64) -> Option<Interval> {
    let beyond = beyond(fractions.len(), confidence);
    let high = fractions.len().checked_sub(beyond + 1)?;
    let mut at = |place: usize| {
        fractions.get(place).is_some().then(|| *fractions.select_nth_unstable_by(place, Fraction::compare).1)
    };
    let (low, high) = (at(beyond)?, at(high)?);
    Some(Interval { low_points: low.points(), high_points: high.points() })
}

/// As [`bootstrap`], of a ratio of two sums of real numbers, each pair of which is drawn as one; what is below the line is not
/// negative. None where nothing is.
pub fn ratio_interval(pairs: &[(f64, f64)], draws: Draws, confidence: f64) -> Option<(f64, f64)> {
    let sums = samples(pairs, draws, (0.0, 0.0), |sum: (f64, f64), one| (sum.0 + one.0, sum.1 + one.1));
    let mut ratios: Vec<f64> = sums.iter().filter(|sum| sum.1 > 0.0).map(|sum| sum.0 / sum.1).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let (low, high) = ends(&ratios, confidence)?;
    Some((*low, *high))
}

/// The sums of each round's sample, as large as there are items, drawn with replacement.
fn samples<T: Copy + Sync, S: Copy + Send + Sync>(
    items: &[T],
    draws: Draws,
    zero: S,
    add: impl Fn(S, T) -> S + Sync,
) -> Vec<S> {
    let Some(count) = u32::try_from(items.len()).ok().filter(|&n| n > 0) else { return Vec::new() };
    let chunks: Vec<_> = draws.chunks().collect();
    let rounds = chunks.into_par_iter().flat_map_iter(|(mut random, rounds)| {
        let mut indices = Indices { random: &mut random, spare: None };
        let mut round = || (0..count).fold(zero, |sum, _| add(sum, items[indices.below(count)]));
        (0..rounds).map(|_| round()).collect::<Vec<_>>()
    });
    rounds.collect()
}

/// The values that have a share of `(1 - confidence) / 2` of all beyond them, of values in order.
fn ends<T>(sorted: &[T], confidence: f64) -> Option<(&T, &T)> {
    let beyond = beyond(sorted.len(), confidence);
    Some((sorted.get(beyond)?, sorted.get(sorted.len().checked_sub(beyond + 1)?)?))
}

/// How many of so many values are to lie beyond an end.
fn beyond(values: usize, confidence: f64) -> usize {
    // A share that is meant to be a whole number of values may come out a rounding below it.
    ((1.0 - confidence.clamp(0.0, 1.0)) / 2.0 * values as f64 + 1e-6) as usize
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn paired(difference: &[i64]) -> Paired {
        Paired { difference: difference.to_vec(), scored: vec![10; difference.len()], ..Paired::default() }
    }

    #[test]
    fn as_many_values_lie_beyond_as_were_meant() {
        let values: Vec<usize> = (0..10_000).collect();
        for (level, beyond) in [(0.025, 250), (0.05, 500), (0.1, 1000), (0.5, 5000)] {
            assert_eq!(ends(&values, 1.0 - 2.0 * level), Some((&beyond, &(9_999 - beyond))));
        }
    }

    /// Together they are as each is alone: also one whose numbers are large, one of other sentences, and one without any.
    #[test]
    fn pairs_that_are_sampled_together_are_as_each_alone() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut drawn = |n: usize, size: u64| -> Vec<i64> {
            (0..n).map(|_| crate::below(&mut random, 2 * size + 1) as i64 - size as i64).collect()
        };
        let mut all: Vec<Paired> =
            [(50, 4), (50, 9), (80, 3), (50, 1 << 40), (0, 1)].map(|(n, size)| paired(&drawn(n, size))).into();
        all[1].scored = (0..50).map(|i| i % 7).collect();
        let draws = Draws { rounds: 1_200, seed: 9 };
        let alone: Vec<Option<Interval>> = all.iter().map(|paired| bootstrap(paired, draws, 0.9)).collect();
        assert_eq!(bootstraps(&all.iter().collect::<Vec<_>>(), draws, 0.9), alone);
        assert!(alone[..4].iter().all(Option::is_some));
    }

    #[test]
    fn equal_sentences_leave_no_doubt() {
        let interval = bootstrap(&paired(&[1; 30]), Draws::default(), 0.95);
        assert_eq!(interval, Some(Interval { low_points: 10.0, high_points: 10.0 }));
        assert_eq!(bootstrap(&paired(&[]), Draws::default(), 0.95), None);
        assert_eq!(bootstrap(&paired(&[1]), Draws { rounds: 0, seed: 1 }, 0.95), None);
    }

    #[test]
    fn near_the_full_enumeration() {
        // All 4^4 samples of four sentences, sorted; the values with a share of 0.1 beyond them.
        let difference = [6, -2, 1, 1];
        let mut all: Vec<i64> =
            (0..256).map(|code| (0..4).map(|place| difference[code >> (2 * place) & 3]).sum()).collect();
        all.sort_unstable();
        let interval = bootstrap(&paired(&difference), Draws { rounds: 20_000, seed: 2 }, 0.8).expect("an interval");
        assert_eq!(interval.low_points, 100.0 * all[25] as f64 / 40.0);
        assert_eq!(interval.high_points, 100.0 * all[230] as f64 / 40.0);
    }

    #[test]
    fn ratios_of_real_numbers_as_those_of_whole_ones() {
        let difference = [6, -2, 1, 1, 9, -4, 0];
        let draws = Draws { rounds: 900, seed: 6 };
        let whole = bootstrap(&paired(&difference), draws, 0.9).expect("an interval");
        let pairs: Vec<(f64, f64)> = difference.iter().map(|&d| (100.0 * d as f64, 10.0)).collect();
        let (low, high) = ratio_interval(&pairs, draws, 0.9).expect("an interval");
        assert!((low - whole.low_points).abs() < 1e-9 && (high - whole.high_points).abs() < 1e-9);
        assert_eq!(ratio_interval(&[(1.0, 0.0)], draws, 0.9), None);
        assert_eq!(ratio_interval(&[], draws, 0.9), None);
    }

    #[test]
    fn indices_are_even() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut indices = Indices { random: &mut random, spare: None };
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[indices.below(7)] += 1;
        }
        // 10,000 are expected, with a standard deviation of 93.
        assert!(counts.iter().all(|n| (9_600..=10_400).contains(n)), "{counts:?}");
    }

    #[test]
    fn threads_make_no_difference() {
        let difference: Vec<i64> = (0..500).map(|i| i * 37 % 11 - 4).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| bootstrap(&paired(&difference), Draws { rounds: 2_345, seed: 5 }, 0.95))
        };
        assert_eq!(run(1), run(4));
    }
}
