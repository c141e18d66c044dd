//! What the learner keeps beside the lines of one half of its table, by slot.

use super::entries::Entry;
use super::line::{Line, TWIN_BIT};
use super::table::{Lines, Sight};
use super::visit::Counted;
use crate::weights::learner::LearnError;
use crate::weights::mapped::prefetch;

/// Slots in use before the lines grow, in 1/16.
const FILL_OF_16: usize = 11;

/// By slot of all lines, one line after the other.
#[derive(Debug)]
pub(super) struct Beside {
    /// The high bits of the address, needed when the table grows.
    address: Vec<u32>,
    /// What averaging adds up.
    pub accumulator: Vec<i64>,
    /// Sights that are kept although they have no weight.
    kept: Vec<bool>,
    /// Slots in use.
    pub used: usize,
}

impl Beside {
    /// Beside empty lines.
    pub fn of<L: Line>(lines: &Lines<L>) -> Self {
        let slots = lines.all().len() * L::SLOTS;
        Self { address: vec![0; slots], accumulator: vec![0; slots], kept: vec![false; slots], used: 0 }
    }

    /// Asks for the memory that [`add`](Self::add) will look at.
    #[inline(always)]
    pub fn ask<L: Line>(&self, lines: &Lines<L>, sight: Sight) {
        let line = lines.home(sight.address);
        prefetch(&lines.all()[line]);
        prefetch(&self.address[line * L::SLOTS]);
        prefetch(&self.accumulator[line * L::SLOTS]);
    }

    /// Adds to the weight of a sight, `before` examples before this one.
    ///
    /// # Errors
    /// If the lines must grow and the system has no memory.
    #[inline(always)]
    pub fn add<L: Line>(
        &mut self,
        lines: &mut Lines<L>,
        &Counted { sight, guards, .. }: &Counted,
        delta: i32,
        before: i64,
    ) -> std::io::Result<()> {
        if (self.used + 1) * 16 > self.address.len() * FILL_OF_16 {
            self.grow(lines)?;
        }
        let (line, slot, new) = lines.insert(sight);
        let at = line * L::SLOTS + slot;
        if new {
            self.used += 1;
            self.address[at] = sight.address;
        }
        self.kept[at] |= guards;
        lines.all_mut()[line].weight_mut()[slot] += delta;
        self.accumulator[at] += i64::from(delta) * before;
        Ok(())
    }

    /// Moves to half as many lines again. What belongs to them is moved one array after the other, so that no more than one of
    /// them is there twice.
    fn grow<L: Line>(&mut self, lines: &mut Lines<L>) -> std::io::Result<()> {
        let mut larger = Lines::<L>::new(lines.all().len() * 3 / 2 + 1)?;
        let mut to = vec![u32::MAX; self.address.len()];
        for (old, line) in lines.all().iter().enumerate() {
            for slot in (0..L::SLOTS).filter(|&slot| line.first_of(slot) != 0) {
                let at = old * L::SLOTS + slot;
                let (place, of_place, _) = larger.insert(self.sight(line, at, slot));
                larger.all_mut()[place].weight_mut()[of_place] = line.weight()[slot];
                to[at] = (place * L::SLOTS + of_place) as u32;
            }
        }
        *lines = larger;
        let slots = lines.all().len() * L::SLOTS;
        fn moved<T: Copy + Default>(from: &[T], to: &[u32], slots: usize) -> Vec<T> {
            let mut all = vec![T::default(); slots];
            for (&value, &place) in from.iter().zip(to).filter(|&(_, &place)| place != u32::MAX) {
                all[place as usize] = value;
            }
            all
        }
        self.address = moved(&self.address, &to, slots);
        self.accumulator = moved(&self.accumulator, &to, slots);
        self.kept = moved(&self.kept, &to, slots);
        Ok(())
    }

    /// The sight in a slot of a line, which is number `at` of all.
    fn sight<L: Line>(&self, line: &L, at: usize, slot: usize) -> Sight {
        let [forms, tags] = line.details(slot);
        Sight { address: self.address[at], first: line.first_of(slot), forms, tags }
    }

    /// By slot, `of` the sum of its weights after each of so many examples.
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn sums<L: Line>(
        &self,
        lines: &Lines<L>,
        examples: u64,
        of: impl Fn(i64) -> i64,
    ) -> Result<Vec<i32>, LearnError> {
        let mut sums = Vec::with_capacity(self.accumulator.len());
        for (line, accumulators) in lines.all().iter().zip(self.accumulator.chunks_exact(L::SLOTS)) {
            for (&weight, &accumulator) in line.weight().iter().zip(accumulators) {
                let sum = of(examples as i64 * i64::from(weight) - accumulator);
                sums.push(i32::try_from(sum).map_err(|_| LearnError::Overflow { examples, sum })?);
            }
        }
        Ok(sums)
    }

    /// What no feature's weight exceeds, if sights have these weights: the sum over the sights of its address, to which those of
    /// a few other addresses may be added.
    pub fn largest<L: Line>(&self, lines: &Lines<L>, weights: &[i32]) -> u64 {
        const SUMS_LOG2: u32 = 20;
        let mut sums = vec![0u64; 1 << SUMS_LOG2];
        for (at, &weight) in weights.iter().enumerate() {
            let twin = lines.all()[at / L::SLOTS].first()[at % L::SLOTS] & TWIN_BIT;
            let place = (self.address[at] ^ twin).wrapping_mul(0x9e37_79b1) >> (u32::BITS - SUMS_LOG2);
            sums[place as usize] += u64::from(weight.unsigned_abs());
        }
        sums.into_iter().max().unwrap_or(0)
    }

    /// Adds the sights with a weight, of these by slot, and those that are kept.
    pub fn entries<L: Line>(&self, lines: &Lines<L>, weights: &[i32], entries: &mut Vec<Entry>) {
        for (l, line) in lines.all().iter().enumerate() {
            for slot in (0..L::SLOTS).filter(|&slot| line.first_of(slot) != 0) {
                let at = l * L::SLOTS + slot;
                if weights[at] != 0 || self.kept[at] {
                    entries.push(Entry { sight: self.sight(line, at, slot), weight: weights[at] });
                }
            }
        }
    }
}
