//! Seeded randomness: one generator, named and portable, for everything that is drawn.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A number below `n`, without bias; `n` must not be 0.
pub fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    // Rejecting the incomplete last run of multiples keeps every remainder equally likely.
    let limit = u64::MAX - u64::MAX % n;
    loop {
        let draw = random.next_u64();
        if draw < limit {
            return draw % n;
        }
    }
}

/// A random permutation (Fisher and Yates).
pub fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(random, i as u64 + 1) as usize);
    }
}
