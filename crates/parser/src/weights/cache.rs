//! Sums that come again: to templates that see nothing but the tags of a part's own words, parts of different sentences look
//! alike, so that what was summed for one of them serves all.
//!
//! The cache stands beside a table whose weights no longer change, and holds the sums of a layer for what it sees of a part.
//! A key has one cell, and the newest sums stay in it: the cache forgets, but is never wrong, and no score depends on what it
//! holds. All threads share it without a lock: a cell is the sums, and its key mixed with them by exclusive or (Hyatt's way for
//! the tables of chess programs), so that a cell of which two threads each wrote a half fits no key that anyone asks for.
//!
//! A key is the sum of 64-bit hashes, one for each word's views and one for layer and geometry; two parts are taken for each
//! other only if all 63 bits of it agree.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::mapped::prefetch;

/// Cells, as a power of two: 4 MiB of them.
const CELL_BITS: u32 = 18;

/// Sums by key, for all threads.
pub struct SumCache {
    cells: Box<[Cell]>,
    /// The high bits of a key choose the cell.
    shift: u32,
}

/// What is known of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The sums of its kind, and of its twin.
    pub sums: [i64; 2],
    /// Which guards found something: two bits.
    pub guards: u64,
}

#[derive(Debug, Default)]
#[repr(align(16))]
struct Cell {
    /// The key, exclusive or the sums. Both 0 while nothing stands here, and no key is 0.
    check: AtomicU64,
    /// Two sums of 31 bits, of the kind and of its twin, each with the bit of a guard below it.
    sums: AtomicU64,
}

impl std::fmt::Debug for SumCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SumCache").field("cells", &self.cells.len()).finish()
    }
}

impl Default for SumCache {
    fn default() -> Self {
        Self::new(CELL_BITS)
    }
}

impl SumCache {
    /// An empty cache of 2^`bits` cells; `bits` between 1 and 32.
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(1, 32);
        Self { cells: (0..1u64 << bits).map(|_| Cell::default()).collect(), shift: u64::BITS - bits }
    }

    #[inline(always)]
    fn cell(&self, key: u64) -> &Cell {
        &self.cells[(key >> self.shift) as usize]
    }

    #[inline(always)]
    pub(super) fn ask(&self, key: u64) {
        prefetch(self.cell(key));
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let cell = self.cell(key);
        let sums = cell.sums.load(Relaxed);
        let found = cell.check.load(Relaxed) ^ sums == key;
        // The low bits of each half are those of a guard.
        let of = |half: u64| i64::from(half as i32 >> 1);
        found.then_some(Known { sums: [of(sums >> 32), of(sums)], guards: sums >> 31 & 2 | sums & 1 })
    }

    /// Puts in sums that fit 31 bits; others are left out.
    pub(super) fn set(&self, key: u64, Known { sums: [own, twin], guards }: Known) {
        let fits = |sum: i64| i32::try_from(sum * 2).map(|sum| sum as u32).ok();
        let (Some(own), Some(twin)) = (fits(own), fits(twin)) else { return };
        let (own, twin) = (u64::from(own) | guards >> 1 & 1, u64::from(twin) | guards & 1);
        let sums = own << 32 | twin;
        let cell = self.cell(key);
        cell.sums.store(sums, Relaxed);
        cell.check.store(key ^ sums, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// It knows the newest sums of a key, or none.
        #[test]
        fn it_forgets_but_is_never_wrong(
            steps in prop::collection::vec((0u64..40, prop::array::uniform2(-2_000_000_000i64..2_000_000_000), 0u64..4), 1..200),
            bits in 1u32..6,
        ) {
            let (cache, mut newest) = (SumCache::new(bits), HashMap::new());
            for (number, sums, guards) in steps {
                let known = Known { sums, guards };
                let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                let found = cache.get(key);
                prop_assert!(found.is_none() || found == newest.get(&key).copied());
                cache.set(key, known);
                if sums.iter().all(|&sum| i32::try_from(2 * sum).is_ok()) {
                    newest.insert(key, known);
                    prop_assert_eq!(cache.get(key), Some(known));
                }
            }
        }
    }

    /// Threads that write into the same cells never read what belongs to another key.
    #[test]
    fn threads_share_it() {
        let cache = SumCache::new(2);
        let found: u64 = std::thread::scope(|scope| {
            let work = |thread: u64| {
                let cache = &cache;
                scope.spawn(move || {
                    let mut found = 0;
                    for i in 0..200_000u64 {
                        let key = (i % 64 + thread).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                        let sums = [key >> 40, key >> 38].map(|half| half as i32 as i64 >> 2);
                        let sums = Known { sums, guards: key >> 62 };
                        match cache.get(key) {
                            Some(known) => assert_eq!(known, sums),
                            None => cache.set(key, sums),
                        }
                        found += u64::from(cache.get(key).is_some());
                    }
                    found
                })
            };
            let threads: Vec<_> = (0..4).map(work).collect();
            threads.into_iter().map(|thread| thread.join().expect("no wrong sums")).sum()
        });
        assert!(found > 0, "what is put in can be found");
    }
}
