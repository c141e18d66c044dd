//! The filter: which addresses have features at all, one bit each.
//!
//! Most look-ups are of features that no weight was learnt for, and a look-up that misses costs as much memory traffic as
//! one that hits. The filter answers for most of them, from memory small enough to stay in a core's own cache.

/// Most bits: 2 MiB of them.
const MOST_BITS_LOG2: u32 = 24;

/// A set of addresses (high halves of keys), exact about absence.
#[derive(Clone, Debug)]
pub struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// An empty filter for a table of `lines` lines.
    pub fn new(lines: usize) -> Self {
        let bits_log2 = (lines.max(1) * 16).next_power_of_two().ilog2().clamp(6, MOST_BITS_LOG2);
        Self { words: vec![0; 1 << (bits_log2 - 6)], shift: 64 - bits_log2 }
    }

    /// Adds the address of `key`.
    #[inline(always)]
    pub fn insert(&mut self, key: u64) {
        let bit = (key >> self.shift) as usize;
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// False if no feature of `key`'s address is in the table; 1 or 0.
    #[inline(always)]
    pub fn may_have(&self, key: u64) -> usize {
        let bit = (key >> self.shift) as usize;
        (self.words[bit / 64] >> (bit % 64) & 1) as usize
    }
}
