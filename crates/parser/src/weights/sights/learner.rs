//! Weights of sights while they are learnt, with their average.
//!
//! Weights are integers. After example i (1, 2, ...) the weights are w_i; the model is made from their sum over all N*T
//! examples (of which the first may be left out), which is the average times N*T. It is kept without a sweep a step: an update
//! `d` at example i is in all of w_i .. w_NT, so `sum = NT * w - acc` where `acc` adds up `d * (i - 1)`.

use super::beside::Beside;
use super::entries::{Entry, largest_weight};
use super::line::Line;
use super::table::{Lines, Sight, Table};
use super::visit::Counted;
use crate::features::bundles::Fold;
use crate::weights::learner::LearnError;

/// Sights between the request for their memory and their update.
const AHEAD: usize = 16;

/// A growing table of sights with the accumulators of averaging.
#[derive(Debug)]
pub struct Learner {
    table: Table,
    short: Beside,
    long: Beside,
    examples: u64,
    /// How far any feature's weight may have moved.
    moved: u64,
    /// No feature's weight may exceed this if the sums of parts are to fit 32 bits.
    narrow: u64,
    /// Sights updated since it was last found out how far they have moved indeed.
    updated: usize,
}

/// The average of weights, by slot of the learner's table as it is.
#[derive(Debug)]
pub struct Averaged {
    short: Vec<i32>,
    long: Vec<i32>,
    largest: u64,
}

impl Learner {
    /// An empty learner of parts that fire at most so many features, with room for about `sights` sights before it grows.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(sights: usize, features: usize) -> std::io::Result<Self> {
        let (short, long) = (Lines::new(1 + sights / 16)?, Lines::new(1 + sights / 8)?);
        let narrow = (1 << 31) / features.max(1) as u64;
        Ok(Self::of(Table::new(short, long), narrow))
    }

    /// With an empty table.
    fn of(table: Table, narrow: u64) -> Self {
        let (short, long) = (Beside::of(&table.short), Beside::of(&table.long));
        Self { table, short, long, examples: 0, moved: 0, narrow, updated: 0 }
    }

    /// The current weights.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Sights with a slot.
    pub fn sights(&self) -> usize {
        self.short.used + self.long.used
    }

    /// Counts one more example; updates after this call belong to it.
    pub fn next_example(&mut self) {
        self.examples += 1;
    }

    /// Leaves the examples so far out of the average, but not what was learnt from them: of the weights w before example 1
    /// of the new count, `sum = N * w - acc` with an empty `acc` says that they are in all N.
    pub fn restart_average(&mut self) {
        self.examples = 0;
        self.short.accumulator.fill(0);
        self.long.accumulator.fill(0);
    }

    /// Whether a sight has a slot.
    pub fn has(&self, sight: Sight) -> bool {
        self.table.weight(sight).is_some()
    }

    /// Begins anew with the weights of sorted sights, all of which are kept.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn start_from(&mut self, entries: &[Entry]) -> std::io::Result<()> {
        *self = Self::of(Table::with_room_for(entries)?, self.narrow);
        for &Entry { sight, weight } in entries {
            self.add(&Counted { sight, fold: Fold::default(), guards: true, count: 1 }, weight)?;
        }
        self.moved = largest_weight(entries);
        self.table.set_largest(self.moved);
        self.restart_average();
        Ok(())
    }

    /// Adds `step` times the count of each sight to its weight; the sights are [summed](super::visit::sum_by_sight). A sight of
    /// a guard stays in the model even if its weights come to 0: its presence says something.
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
        self.updated += sights.len();
        // Steps to and fro: the weights themselves say how far they can have come. The look through all of them is paid for by
        // as many updates.
        if self.moved >= self.narrow && self.updated >= self.sights() {
            let (short, long) = (weights(&self.table.short), weights(&self.table.long));
            self.moved = self.moved.min(self.largest(&short, &long));
            self.updated = 0;
        }
        self.table.set_largest(self.moved);
        Ok(())
    }

    /// What no feature's weight exceeds, of weights by slot.
    fn largest(&self, short: &[i32], long: &[i32]) -> u64 {
        self.short.largest(&self.table.short, short).max(self.long.largest(&self.table.long, long))
    }

    /// Asks for the memory that [`add`](Self::add) will look at.
    #[inline(always)]
    fn ask(&self, sight: Sight) {
        if sight.is_long() {
            self.long.ask(&self.table.long, sight);
        } else {
            self.short.ask(&self.table.short, sight);
        }
    }

    #[inline(always)]
    fn add(&mut self, counted: &Counted, delta: i32) -> std::io::Result<()> {
        let before = self.examples as i64 - 1;
        if counted.sight.is_long() {
            self.long.add(&mut self.table.long, counted, delta, before)
        } else {
            self.short.add(&mut self.table.short, counted, delta, before)
        }
    }

    /// The sums of the weights after each example: the average times the number of examples.
    ///
    /// # Errors
    /// If a sum does not fit 32 bits.
    pub fn summed(&self) -> Result<Averaged, LearnError> {
        self.sums(|sum| sum)
    }

    /// As [`summed`](Self::summed), but `times` the average, rounded.
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn average(&self, times: i64) -> Result<Averaged, LearnError> {
        let examples = self.examples.max(1) as i64;
        // Beyond 64 bits, no average fits 32.
        let twice = |sum: i64| sum.checked_mul(2 * times)?.checked_add(examples);
        self.sums(|sum| twice(sum).map_or(i64::MAX, |twice| twice.div_euclid(2 * examples)))
    }

    fn sums(&self, of_sum: impl Fn(i64) -> i64) -> Result<Averaged, LearnError> {
        let short = self.short.sums(&self.table.short, self.examples, &of_sum)?;
        let long = self.long.sums(&self.table.long, self.examples, &of_sum)?;
        let largest = self.largest(&short, &long);
        Ok(Averaged { short, long, largest })
    }

    /// Has `look` look at the table with averaged weights in the place of the current ones. The average must be the newest, and
    /// `look` gives the table back.
    pub fn with<R>(&mut self, averaged: &mut Averaged, look: impl FnOnce(Table) -> (Table, R)) -> std::io::Result<R> {
        let swap = |table: &mut Table, averaged: &mut Averaged| {
            swap_weights(&mut table.short, &mut averaged.short);
            swap_weights(&mut table.long, &mut averaged.long);
        };
        let none = Table::new(Lines::new(1)?, Lines::new(1)?);
        let mut table = std::mem::replace(&mut self.table, none);
        swap(&mut table, averaged);
        table.set_largest(averaged.largest);
        let (mut table, result) = look(table);
        swap(&mut table, averaged);
        table.set_largest(self.moved);
        self.table = table;
        Ok(result)
    }

    /// The sights whose average is not zero and those to be kept, in any order. The average must be the newest.
    pub fn entries(&self, averaged: &Averaged) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.sights());
        self.short.entries(&self.table.short, &averaged.short, &mut entries);
        self.long.entries(&self.table.long, &averaged.long, &mut entries);
        entries
    }
}

/// The weights by slot.
fn weights<L: Line>(lines: &Lines<L>) -> Vec<i32> {
    lines.all().iter().flat_map(|line| line.weight().iter().copied()).collect()
}

fn swap_weights<L: Line>(lines: &mut Lines<L>, weights: &mut [i32]) {
    for (line, weights) in lines.all_mut().iter_mut().zip(weights.chunks_exact_mut(L::SLOTS)) {
        line.weight_mut().swap_with_slice(weights);
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
            let mut learner = Learner::new(1, 1 << 24).expect("there is memory");
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
            let mut summed = learner.entries(&summed);
            summed.sort_unstable();
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
