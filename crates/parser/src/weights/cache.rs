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
//!
//! Looking a sentence's parts up in a [`SumCache`]: which sums are known, and which are to be formed.
//!
//! Sharing: parts of a sentence that look alike to a layer are scored once.
//!
//! To a template that sees only a sibling and a modifier, all heads are alike; to one that sees only tags, all words of a
//! tag are. Rows of one print share a class, and two parts with the same class in every role and the same geometry have
//! the same features. They are found without hashing, in a dense table over classes.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::features::template::MAX_ROLES;
use crate::features::{Codes, PartList};
use crate::weights::mapped::prefetch;

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
pub struct KnownSums {
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
    pub(super) fn get(&self, key: u64) -> Option<KnownSums> {
        let cell = self.cell(key);
        let sums = cell.sums.load(Relaxed);
        let found = cell.check.load(Relaxed) ^ sums == key;
        // The low bits of each half are those of a guard.
        let of = |half: u64| i64::from(half as i32 >> 1);
        found.then_some(KnownSums { sums: [of(sums >> 32), of(sums)], guards: sums >> 31 & 2 | sums & 1 })
    }

    /// Puts in sums that fit 31 bits; others are left out.
    pub(super) fn set(&self, key: u64, KnownSums { sums: [own, twin], guards }: KnownSums) {
        let fits = |sum: i64| i32::try_from(sum * 2).map(|sum| sum as u32).ok();
        let (Some(own), Some(twin)) = (fits(own), fits(twin)) else { return };
        let (own, twin) = (u64::from(own) | guards >> 1 & 1, u64::from(twin) | guards & 1);
        let sums = own << 32 | twin;
        let cell = self.cell(key);
        cell.sums.store(sums, Relaxed);
        cell.check.store(key ^ sums, Relaxed);
    }
}

/// Weights to score with.
#[derive(Debug)]
pub struct Weights<'a, Table> {
    /// The weights.
    pub table: &'a Table,
    /// Sums of these very weights; none if they still change.
    pub cache: Option<&'a SumCache>,
}

impl<Table> Clone for Weights<'_, Table> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Table> Copy for Weights<'_, Table> {}

impl<'a, Table> Weights<'a, Table> {
    /// Weights that are still learnt.
    pub fn changing(table: &'a Table) -> Self {
        Self { table, cache: None }
    }
}

/// Weights that change no more, with the sums that were made of them.
#[derive(Debug)]
pub struct FixedWeights<Table> {
    table: Table,
    cache: SumCache,
}

impl<Table> FixedWeights<Table> {
    /// The weights of a table.
    pub fn new(table: Table) -> Self {
        Self { table, cache: SumCache::default() }
    }

    /// The table.
    pub fn into_table(self) -> Table {
        self.table
    }

    /// To score with.
    #[inline(always)]
    pub fn get(&self) -> Weights<'_, Table> {
        Weights { table: &self.table, cache: Some(&self.cache) }
    }
}

/// The parts of one layer, and memory for their keys and for those that are not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// By part.
    pub keys: Vec<u64>,
    /// The parts that the cache does not know; targets are their numbers.
    pub missing: PartList,
    /// By missing part: which part it is.
    pub part_of: Vec<u32>,
    /// By part: what is known, or nothing.
    pub sums: Vec<KnownSums>,
}

impl Known {
    /// Fills in the sums of each part that the cache knows, and lists the others, given the layer's prints by role and row.
    pub fn look_up(&mut self, cache: &SumCache, codes: &Codes, prints: &[Vec<u64>], parts: &PartList) {
        let Self { keys, missing, part_of, sums } = self;
        missing.clear();
        part_of.clear();
        sums.clear();
        keys.clear();
        keys.extend(parts.geometry.iter().map(|geometry| codes.print[geometry.code()]));
        for (role, prints) in prints.iter().enumerate() {
            let each = keys.iter_mut().zip(&parts.rows);
            each.for_each(|(key, rows)| *key = key.wrapping_add(prints[rows[role] as usize]));
        }
        // All cells are asked for before the first is looked at.
        for key in keys.iter_mut() {
            // No key is 0.
            *key |= 1;
            cache.ask(*key);
        }
        for (i, &key) in keys.iter().enumerate() {
            let known = cache.get(key);
            if known.is_none() {
                missing.push(parts.get(i), part_of.len());
                part_of.push(i as u32);
            }
            sums.push(known.unwrap_or_default());
        }
    }
}

/// Cells of the table beyond which looking for equal parts would cost more than it saves.
const MOST_CELLS: usize = 1 << 17;

/// The distinct parts among others, and memory to find them.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// One part of each sort; targets are their places in the sums.
    pub distinct: PartList,
    /// By part: its place in `distinct`.
    pub of_part: Vec<u32>,
    /// By role and row: the class, of which equal rows share one; then what it adds to the number of a cell.
    offsets: [Vec<u32>; MAX_ROLES],
    /// By classes and geometry: the place in `distinct`, plus 1; 0 if there is none yet. All are 0 between uses.
    cells: Vec<u32>,
    /// The cells that are not 0.
    used: Vec<u32>,
}

impl Sharing {
    /// Finds the distinct parts of a layer, given its prints by role and row; false if that is not worth while.
    pub fn find(&mut self, codes: &Codes, prints: &[Vec<u64>], parts: &PartList) -> bool {
        let mut stride = [0; MAX_ROLES];
        let mut size = codes.classes;
        for (role, offsets) in self.offsets.iter_mut().enumerate() {
            offsets.clear();
            stride[role] = size;
            match prints.get(role) {
                Some(prints) => size = size.saturating_mul(classes(prints, offsets)),
                // Roles that the kind has not are in row 0 of all parts.
                None => offsets.push(0),
            }
        }
        if size > MOST_CELLS {
            return false;
        }
        if self.cells.len() < size {
            self.cells.resize(size, 0);
        }
        self.distinct.clear();
        self.used.clear();
        self.of_part.clear();
        for (offsets, stride) in self.offsets.iter_mut().zip(stride) {
            offsets.iter_mut().for_each(|class| *class *= stride as u32);
        }
        let [a, b, c, d] = self.offsets.each_ref().map(Vec::as_slice);
        for (i, (rows, geometry)) in parts.rows.iter().zip(&parts.geometry).enumerate() {
            let rows = rows.map(|row| row as usize);
            let cell = codes.class[geometry.code()] + a[rows[0]] + b[rows[1]] + c[rows[2]] + d[rows[3]];
            let cell = cell as usize;
            let mut place = self.cells[cell];
            if place == 0 {
                self.distinct.push(parts.get(i), self.distinct.len());
                place = self.distinct.len() as u32;
                self.cells[cell] = place;
                self.used.push(cell as u32);
            }
            self.of_part.push(place - 1);
        }
        // A sentence uses few of its cells, and emptying all would drive other memory out of the caches.
        self.used.iter().for_each(|&cell| self.cells[cell as usize] = 0);
        true
    }
}

/// Numbers the distinct prints in the order in which they come; the number of them.
fn classes(prints: &[u64], class: &mut Vec<u32>) -> usize {
    let mut distinct = 0;
    for (i, print) in prints.iter().enumerate() {
        let same = prints[..i].iter().position(|other| other == print).map(|j| class[j]);
        class.push(same.unwrap_or_else(|| {
            distinct += 1;
            distinct - 1
        }));
    }
    distinct as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// It knows the newest sums of a key, or none.
        #[test]
        fn it_forgets_but_is_never_wrong(
            steps in prop::collection::vec((0u64..40, prop::array::uniform2(-2_000_000_000i64..2_000_000_000), 0u64..4), 1..200),
            bits in 1u32..6,
        ) {
            let (cache, mut newest) = (SumCache::new(bits), HashMap::new());
            for (number, sums, guards) in steps {
                let known = KnownSums { sums, guards };
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
                        let sums = KnownSums { sums, guards: key >> 62 };
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
