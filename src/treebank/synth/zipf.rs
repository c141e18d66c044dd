//! Zipfian choice: the word of rank r (from 0) has a weight proportional to 1 / (r + shift).

use super::draw::Draw;

/// Weights are integers: `UNIT / (rank + shift)`.
const UNIT: u64 = 1 << 32;
/// Flattens the head of the distribution a little (Mandelbrot's correction).
const SHIFT: u64 = 3;

/// A sampler of ranks.
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
