//! Random choices, all by integers, so that they are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use treebound_parser::random::{below, shuffle};

/// A source of choices: one of the 2^64 streams of a seed.
#[derive(Clone, Debug)]
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    /// Stream `stream` of `seed`; different streams are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// A number below `n`; 0 for `n = 0`.
    pub fn below(&mut self, n: usize) -> usize {
        self.below_u64(n as u64) as usize
    }

    /// As [`below`](Self::below), for numbers that need 64 bits wherever this runs.
    pub fn below_u64(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { below(&mut self.0, n) }
    }

    /// True this many times in 1,000.
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille as usize
    }

    /// One of `items`; none of none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// The index of one of `weights`, as often as its weight says; their sum must not be 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut at = self.below(weights.iter().sum::<u32>() as usize) as u32;
        for (i, &w) in weights.iter().enumerate() {
            if at < w {
                return i;
            }
            at -= w;
        }
        weights.len().saturating_sub(1)
    }

    /// A random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, &mut self.0);
    }
}

/// Weights are integers: `UNIT / (rank + shift)`.
const UNIT: u64 = 1 << 32;
/// Flattens the head of the distribution a little (Mandelbrot's correction).
const SHIFT: u64 = 3;

/// Zipfian choice: a sampler of ranks, of which rank r (from 0) has a weight proportional to 1 / (r + shift).
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    /// Sums of the weights of ranks `0..=r`.
    sums: Vec<u64>,
}

impl Zipf {
    /// A sampler of ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        let mut sum = 0;
        let sums = (0..ranks as u64).map(|r| {
            sum += UNIT / (r + SHIFT);
            sum
        });
        Self { sums: sums.collect() }
    }

    /// A rank; 0 if there are none.
    pub fn rank(&self, draw: &mut Draw) -> usize {
        let at = draw.below_u64(self.sums.last().copied().unwrap_or(0));
        self.sums.partition_point(|&s| s <= at)
    }
}
