//! Approximate randomisation: how often does tossing a coin for every sentence make a difference as large?

use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::{Draws, Paired};

/// Sentences whose signs are one random word.
const BLOCK: usize = 64;

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Randomisation {
    /// The observed difference: right heads of scored words, first cell less second, over all sentences and seeds.
    pub difference: i128,
    /// Rounds whose difference was at least as large, in either direction.
    pub hits: u32,
    /// Rounds drawn.
    pub rounds: u32,
}

impl Randomisation {
    /// The p-value, two-sided: the observed signs count as one of the rounds.
    pub fn p_value(&self) -> f64 {
        (f64::from(self.hits) + 1.0) / (f64::from(self.rounds) + 1.0)
    }
}

/// The sizes of 64 sentences' differences as bit planes: plane `b` has the bits of the sentences whose size has bit `b`.
/// The sum over any subset of them is then a few population counts.
struct Block {
    planes: Vec<u64>,
}

impl Block {
    fn new(sizes: &[u64]) -> Self {
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let bits = u64::BITS - largest.leading_zeros();
        let plane = |bit: u32| sizes.iter().enumerate().fold(0, |plane, (i, size)| plane | ((size >> bit & 1) << i));
        Self { planes: (0..bits).map(plane).collect() }
    }

    /// The sum of the sizes of the chosen sentences.
    fn sum(&self, chosen: u64) -> u128 {
        // 64 sizes of so many bits fit into a word.
        if self.planes.len() <= 57 {
            let sum = |(bit, plane): (usize, &u64)| u64::from((chosen & plane).count_ones()) << bit;
            return u128::from(self.planes.iter().enumerate().map(sum).sum::<u64>());
        }
        let sum = |(bit, plane): (usize, &u64)| u128::from((chosen & plane).count_ones()) << bit;
        self.planes.iter().enumerate().map(sum).sum()
    }
}

/// P-values below this are drawn with [`MORE`] times as many rounds: 10,000 leave 0.004 to chance at 0.05, 100,000 leave 0.0014.
const SMALL: f64 = 0.2;
const MORE: u32 = 10;

/// Draws the signs of all sentences' differences again and again, and ten times as often where the p-value is below 0.2.
pub fn randomisation(paired: &Paired, draws: Draws) -> Randomisation {
    let test = rounds(paired, draws);
    let more = Draws { rounds: draws.rounds.saturating_mul(MORE), ..draws };
    if test.p_value() < SMALL { rounds(paired, more) } else { test }
}

fn rounds(paired: &Paired, draws: Draws) -> Randomisation {
    // A sentence without a difference adds nothing, whatever its sign.
    let sizes: Vec<u64> = paired.difference.iter().map(|d| d.unsigned_abs()).filter(|&size| size > 0).collect();
    let blocks: Vec<Block> = sizes.chunks(BLOCK).map(Block::new).collect();
    let difference: i128 = paired.difference.iter().map(|&d| i128::from(d)).sum();
    let total: i128 = sizes.iter().map(|&size| i128::from(size)).sum();
    let observed = difference.unsigned_abs();
    let chunks: Vec<_> = draws.chunks().collect();
    let hits = chunks
        .into_par_iter()
        .map(|(mut random, rounds)| {
            let mut round = || {
                let minus: u128 = blocks.iter().map(|block| block.sum(random.next_u64())).sum();
                // Twice the negative part off the sum of all sizes: no sum of sizes comes near the limits of an i128.
                (total - 2 * minus as i128).unsigned_abs() >= observed
            };
            (0..rounds).filter(|_| round()).count() as u32
        })
        .sum();
    Randomisation { difference, hits, rounds: draws.rounds }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::below;

    fn paired(difference: &[i64]) -> Paired {
        Paired { difference: difference.to_vec(), scored: vec![10; difference.len()], ..Paired::default() }
    }

    /// The exact p-value: all signs of all differences.
    fn exact(difference: &[i64]) -> f64 {
        let observed = difference.iter().sum::<i64>().abs();
        let signs = 1u32 << difference.len();
        let sum =
            |s: u32| difference.iter().enumerate().map(|(i, d)| if s >> i & 1 == 1 { -d } else { *d }).sum::<i64>();
        let hits = (0..signs).filter(|&s| sum(s).abs() >= observed).count();
        hits as f64 / f64::from(signs)
    }

    #[test]
    fn near_the_full_enumeration() {
        for difference in [vec![3, -1, 2, 2, -5, 1, 1, 0, 4], vec![1, 1, 1, 1, 1, 1], vec![7, -7], vec![2, 3, -1, 40]] {
            let test = randomisation(&paired(&difference), Draws { rounds: 20_000, seed: 3 });
            assert_eq!(test.difference, i128::from(difference.iter().sum::<i64>()));
            // Four standard errors of a share of 20,000 rounds are at most 0.0142.
            let (p, truth) = (test.p_value(), exact(&difference));
            assert!((p - truth).abs() < 0.0142, "{difference:?}: {p} against {truth}");
        }
    }

    #[test]
    fn no_difference_is_no_evidence() {
        for difference in [&[][..], &[0, 0, 0], &[5, -5]] {
            assert_eq!(randomisation(&paired(difference), Draws::default()).p_value(), 1.0);
        }
    }

    #[test]
    fn a_clear_difference_has_the_smallest_p_value() {
        let test = randomisation(&paired(&[1; 100]), Draws::default());
        assert_eq!((test.hits, test.rounds, test.p_value()), (0, 100_000, 1.0 / 100_001.0));
    }

    /// A p-value near 0.05 is within three standard deviations of 100,000 rounds, whatever the seed.
    #[test]
    fn small_p_values_take_more_rounds() {
        let difference = [7, 3, -1, 2, 2, -2, 1, 1, 2, 4, -3, 1, 5, 4];
        let truth = exact(&difference);
        assert!((0.02..0.1).contains(&truth), "{truth}");
        for seed in 0..5 {
            let test = randomisation(&paired(&difference), Draws { rounds: 10_000, seed });
            assert!((test.p_value() - truth).abs() < 0.0025, "{} against {truth}", test.p_value());
        }
        assert_eq!(randomisation(&paired(&[5, -5, 1]), Draws::default()).rounds, 10_000);
    }

    #[test]
    fn planes_sum_subsets() {
        let sizes: Vec<u64> = (0..64).map(|i| i * i * 1_000_003 % 977).collect();
        let block = Block::new(&sizes);
        for chosen in [0, u64::MAX, 0xdead_beef_0123_4567] {
            let expected: u64 = (0..64).filter(|i| chosen >> i & 1 == 1).map(|i| sizes[i as usize]).sum();
            assert_eq!(block.sum(chosen), u128::from(expected));
        }
        assert_eq!(Block::new(&[1 << 53, 1 << 53]).sum(3), 1 << 54);
    }

    #[test]
    fn p_values_are_even_under_the_null() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let experiments = 400;
        let mut tenths = [0; 10];
        for seed in 0..experiments {
            let difference: Vec<i64> = (0..150).map(|_| below(&mut random, 9) as i64 - 4).collect();
            let p = randomisation(&paired(&difference), Draws { rounds: 500, seed }).p_value();
            tenths[((p * 10.0) as usize).min(9)] += 1;
        }
        // 40 a tenth are expected, with a standard deviation of 6.
        assert!(tenths.iter().all(|&n| (16..=64).contains(&n)), "{tenths:?}");
        assert_eq!(tenths.iter().sum::<u64>(), experiments);
    }

    #[test]
    fn threads_make_no_difference() {
        let difference: Vec<i64> = (0..500).map(|i| i * 37 % 11 - 5).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| randomisation(&paired(&difference), Draws { rounds: 3_210, seed: 5 }))
        };
        assert_eq!(run(1), run(4));
    }
}
