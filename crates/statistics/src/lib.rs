//! Is one cell really better than another? Paired tests over sentences, with several training seeds.
//!
//! Both cells parse the same sentences with the same seeds. The unit is the sentence with all its seeds together: its
//! difference is the number of scored words with the right head, summed over the seeds, in one cell less that in the
//! other; by another accuracy, the number of seeds in which the sentence is right. What is
//! assumed:
//!
//! * Sentences are independent of each other, or at least exchangeable. Neighbours in a document are not quite, so true
//!   p-values are a little larger.
//! * The seeds at hand are taken as they are, but by [`two_way`]. The other tests say whether the difference would hold on
//!   other sentences, with these trained models; that one says it of other sentences and other training runs, and
//!   [`over_folds`] of other folds of a cross-validation.
//! * [`randomisation`]: under the null hypothesis it does not matter which cell a sentence's trees came from, so the
//!   sign of each sentence's difference is a fair coin. The test is two-sided.
//! * [`bootstrap`]: the sentences at hand stand for their population, and sampling them with replacement imitates
//!   sampling that.
//! * [`power`] says how small a difference such sentences could have shown, and how many it would take to show a given one.
//! * Nothing is corrected for making many comparisons, but by [`holm`], whose values stand beside the others. With 16 of
//!   them at a level of 0.05, one is expected to pass by chance about every other time.
//!
//! Statistics are sums of whole numbers. Random numbers are drawn per chunk of rounds, each with a stream of its own, so the
//! result does not depend on the number of threads.

#![deny(missing_docs)]

mod bootstrap;
mod folds;
mod growth;
mod holm;
mod pair;
mod power;
mod randomisation;
pub mod smooth;
mod student;
mod two_way;
mod wilson;

pub use bootstrap::{Interval, bootstrap, bootstraps, ratio_interval};
pub use folds::{OverFolds, over_folds};
pub use growth::{Growth, growth};
pub use holm::{holm, holm_by_question, holm_of_some};
pub use pair::{PairFault, Paired, Sample, pair};
pub use power::{Power, power};
pub use randomisation::{Randomisation, randomisation};
pub use two_way::{LEVEL_OF_FEW, TwoWay, two_way};
pub use wilson::{wilson, wilson_needs};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The share of samples that an interval holds where nothing else is asked for.
pub const CONFIDENCE: f64 = 0.95;

/// Standard errors from the middle of such an interval to an end, of what is normally distributed.
pub const CONFIDENT_ERRORS: f64 = 1.959_963_984_540_054;

/// How much is drawn, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// Random rounds of each test; ten times as many of a randomisation whose p-value is small.
    pub rounds: u32,
    /// Seed of the tests; nothing to do with training.
    pub seed: u64,
}

impl Default for Draws {
    /// 10,000 rounds; where p-values are [small](randomisation) 100,000, so that those at 0.05 are within about 0.0014.
    fn default() -> Self {
        Self { rounds: 10_000, seed: 1 }
    }
}

/// Rounds that share a stream of random numbers; the unit of parallel work.
const CHUNK: u32 = 500;

impl Draws {
    /// The chunks of rounds: the generator of each and how many rounds it makes.
    pub(crate) fn chunks(self) -> impl Iterator<Item = (ChaCha8Rng, u32)> {
        (0..self.rounds.div_ceil(CHUNK)).map(move |chunk| {
            let mut random = ChaCha8Rng::seed_from_u64(self.seed);
            random.set_stream(u64::from(chunk));
            (random, CHUNK.min(self.rounds - chunk * CHUNK))
        })
    }
}

/// A number below `n`, without bias.
#[cfg(test)]
pub(crate) fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    use rand_chacha::rand_core::Rng;

    // Rejecting the incomplete last run of multiples keeps every remainder equally likely.
    let limit = u64::MAX - u64::MAX % n;
    loop {
        let draw = random.next_u64();
        if draw < limit {
            return draw % n;
        }
    }
}
