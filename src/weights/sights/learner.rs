//! Weights of sights while they are learnt, with their average.
//!
//! Weights are integers. After example i (1, 2, ...) the weights are w_i; the model is made from their sum over all N*T
//! examples (of which the first may be left out), which is the average times N*T. It is kept without a sweep a step: an update
//! `d` at example i is in all of w_i .. w_NT, so `sum = NT * w - acc` where `acc` adds up `d * (i - 1)`.

use super::entries::{Entry, largest_weight};
use super::line::{Line, SLOTS};
use super::table::{Sight, Slot, Table};
use super::visit::Counted;
use crate::features::bundles::Fold;
use crate::weights::learner::LearnError;
use crate::weights::table::prefetch;

/// Slots in use before the table grows, in 1/16.
const FILL_OF_16: usize = 10;

/// Sights between the request for their memory and their update.
const AHEAD: usize = 16;

/// A growing table of sights with the accumulators of averaging.
#[derive(Debug)]
pub struct Learner {
    table: Table,
    /// By line and slot: the address, needed when the table grows.
    address: Vec<[u32; SLOTS]>,
    /// By line and slot.
    accumulator: Vec<[i64; SLOTS]>,
    /// By line, a bit a slot: sights that are kept although they have no weight.
    kept: Vec<u8>,
    used: usize,
    examples: u64,
    /// How far any feature's weight may have moved.
    moved: u64,
}

impl Learner {
    /// An empty learner with room for about `sights` sights before it grows.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(sights: usize) -> std::io::Result<Self> {
        let lines = (sights * 16 / FILL_OF_16 / SLOTS).max(64);
        Ok(Self {
            table: Table::new(lines)?,
            address: vec![[0; SLOTS]; lines],
            accumulator: vec![[0; SLOTS]; lines],
            kept: vec![0; lines],
            used: 0,
            examples: 0,
            moved: 0,
        })
    }

    /// The current weights.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Sights with a slot.
    pub fn sights(&self) -> usize {
        self.used
    }

    /// Counts one more example; updates after this call belong to it.
    pub fn next_example(&mut self) {
        self.examples += 1;
    }

    /// Leaves the examples so far out of the average, but not what was learnt from them: of the weights w before example 1
    /// of the new count, `sum = N * w - acc` with an empty `acc` says that they are in all N.
    pub fn restart_average(&mut self) {
        self.examples = 0;
        self.accumulator.fill([0; SLOTS]);
    }

    /// Whether a sight has a slot.
    pub fn has(&self, sight: Sight) -> bool {
        self.table.find(sight).is_some()
    }

    /// Takes over the weights of sorted sights, all of which are kept; the average begins anew.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn start_from(&mut self, entries: &[Entry]) -> std::io::Result<()> {
        for &Entry { sight, weight } in entries {
            self.add(&Counted { sight, fold: Fold::default(), guards: true, count: 1 }, weight)?;
        }
        self.moved += largest_weight(entries);
        self.table.set_largest(self.moved);
        self.restart_average();
        Ok(())
    }

    /// Adds `step` times the count of each sight to its weight; the sights are [summed](super::visit::sum_by_sight). A sight of a guard stays
    /// in the model even if its weights come to 0: its presence says something.
    ///
    /// # Errors
    /// If the table must grow and the system has no memory.
    pub fn update(&mut self, sights: &[Counted], step: i32) -> std::io::Result<()> {
        for (i, counted) in sights.iter().enumerate() {
            if let Some(next) = sights.get(i + AHEAD) {
                self.ask(next.sight);
            }
            self.add(counted, counted.count * step)?;
        }
        // A feature's weight has moved by no more than the counts of the sights of one address.
        let run = |run: &[Counted]| run.iter().map(|c| u64::from(c.count.unsigned_abs())).sum::<u64>();
        let furthest = sights.chunk_by(Counted::has_address_of).map(run).max().unwrap_or(0);
        self.moved += furthest * u64::from(step.unsigned_abs());
        self.table.set_largest(self.moved);
        Ok(())
    }

    /// Asks for the memory that [`add`](Self::add) will look at.
    #[inline(always)]
    fn ask(&self, sight: Sight) {
        let line = self.table.home(sight.address);
        prefetch(&self.table.lines()[line]);
        prefetch(&self.address[line]);
        prefetch(&self.accumulator[line]);
    }

    fn add(&mut self, &Counted { sight, guards, .. }: &Counted, delta: i32) -> std::io::Result<()> {
        if (self.used + 1) * 16 > self.address.len() * SLOTS * FILL_OF_16 {
            self.grow()?;
        }
        let (place, new) = self.table.insert(sight);
        let Slot { line, slot } = place;
        if new {
            self.used += 1;
            self.address[line][slot] = sight.address;
        }
        self.kept[line] |= u8::from(guards) << slot;
        self.table.set(place, self.table.weight(place) + delta);
        self.accumulator[line][slot] += i64::from(delta) * (self.examples as i64 - 1);
        Ok(())
    }

    /// Moves to a table of half as many lines again. What belongs to the lines is moved one array after the other, so that no
    /// more than one of them is there twice.
    fn grow(&mut self) -> std::io::Result<()> {
        let lines = self.address.len() * 3 / 2;
        let mut table = Table::new(lines)?;
        let mut to = vec![[u32::MAX; SLOTS]; self.address.len()];
        for (old, (line, to)) in self.table.lines().iter().zip(&mut to).enumerate() {
            for (slot, to) in to.iter_mut().enumerate().filter(|&(slot, _)| line.first[slot] != 0) {
                let (place, _) = table.insert(self.sight(old, slot));
                table.set(place, line.weight[slot]);
                *to = (place.line * SLOTS + place.slot) as u32;
            }
        }
        table.set_largest(self.moved);
        self.table = table;
        fn moved<T: Copy + Default>(from: &[[T; SLOTS]], to: &[[u32; SLOTS]], lines: usize) -> Vec<[T; SLOTS]> {
            let mut all = vec![[T::default(); SLOTS]; lines];
            for (from, to) in from.iter().zip(to) {
                for (&value, &place) in from.iter().zip(to) {
                    if place != u32::MAX {
                        all.as_flattened_mut()[place as usize] = value;
                    }
                }
            }
            all
        }
        self.address = moved(&self.address, &to, lines);
        self.accumulator = moved(&self.accumulator, &to, lines);
        let mut kept = vec![0; lines];
        for (&bits, to) in self.kept.iter().zip(&to) {
            for (slot, &place) in to.iter().enumerate().filter(|&(_, &place)| place != u32::MAX) {
                kept[place as usize / SLOTS] |= (bits >> slot & 1) << (place as usize % SLOTS);
            }
        }
        self.kept = kept;
        Ok(())
    }

    fn sight(&self, line: usize, slot: usize) -> Sight {
        let Line { first, forms, tags, .. } = &self.table.lines()[line];
        Sight { address: self.address[line][slot], first: first[slot], forms: forms[slot], tags: tags[slot] }
    }

    /// The sights whose summed weights are not zero and those to be kept, sorted: the averaged model times the number of
    /// examples.
    ///
    /// # Errors
    /// If a sum does not fit 32 bits.
    pub fn summed(&self) -> Result<Vec<Entry>, LearnError> {
        self.sums(|sum| sum)
    }

    /// As [`summed`](Self::summed), but `times` the average, rounded.
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn average(&self, times: i64) -> Result<Vec<Entry>, LearnError> {
        let examples = self.examples.max(1) as i64;
        // Beyond 64 bits, no average fits 32.
        let twice = |sum: i64| sum.checked_mul(2 * times)?.checked_add(examples);
        self.sums(|sum| twice(sum).map_or(i64::MAX, |twice| twice.div_euclid(2 * examples)))
    }

    fn sums(&self, of_sum: impl Fn(i64) -> i64) -> Result<Vec<Entry>, LearnError> {
        let mut all = Vec::with_capacity(self.used);
        for (l, line) in self.table.lines().iter().enumerate() {
            for slot in (0..SLOTS).filter(|&slot| line.first[slot] != 0) {
                let sum = self.examples as i64 * i64::from(line.weight[slot]) - self.accumulator[l][slot];
                let sum = of_sum(sum);
                let weight = i32::try_from(sum).map_err(|_| LearnError::Overflow { examples: self.examples, sum })?;
                if weight != 0 || self.kept[l] >> slot & 1 == 1 {
                    all.push(Entry { sight: self.sight(l, slot), weight });
                }
            }
        }
        all.sort_unstable();
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::random::below;

    /// Against weights that are added up after each example, from the last restart on.
    #[test]
    fn sums_are_those_of_the_weights_after_each_example() {
        const SIGHTS: usize = 300;
        for seed in 0..20 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut learner = Learner::new(1).expect("there is memory");
            let (mut weights, mut sums, mut kept) = ([0_i64; SIGHTS], [0_i64; SIGHTS], [false; SIGHTS]);
            for _ in 0..1 + below(&mut random, 100) {
                if below(&mut random, 30) == 0 {
                    learner.restart_average();
                    sums = [0; SIGHTS];
                }
                learner.next_example();
                let step = below(&mut random, 5) as i32;
                let counted: Vec<Counted> = (0..below(&mut random, 8))
                    .map(|_| {
                        let at = below(&mut random, SIGHTS as u64) as usize;
                        let (guards, count) = (at.is_multiple_of(10), below(&mut random, 7) as i32 - 3);
                        kept[at] |= guards;
                        weights[at] += i64::from(count * step);
                        Counted { sight: sight(at), fold: Fold::default(), guards, count }
                    })
                    .collect();
                learner.update(&counted, step).expect("there is memory");
                sums.iter_mut().zip(&weights).for_each(|(sum, w)| *sum += w);
            }
            let summed = learner.summed().expect("sums are small");
            let wanted = (0..SIGHTS).filter(|&at| sums[at] != 0 || kept[at]);
            let wanted = wanted.map(|at| Entry { sight: sight(at), weight: sums[at] as i32 });
            assert_eq!(summed, wanted.collect::<Vec<_>>(), "seed {seed}");
        }
    }

    /// Addresses are well mixed, but four sights each have the same, two a lane; they ascend.
    fn sight(at: usize) -> Sight {
        Sight::new((at as u64 / 4 + 1) * 0x0065_4321_9abc_def1, at / 2 % 2, 1, [0, at as u32 % 2])
    }
}
