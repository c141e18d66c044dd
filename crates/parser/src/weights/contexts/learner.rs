//! Weights of contexts while they are learnt, with their average.
//!
//! Weights are integers. After example i (1, 2, ...) the weights are w_i; the model is made from their sum over all N*T
//! examples (of which the first may be left out), which is the average times N*T. It is kept without a sweep a step: an update
//! `d` at example i is in all of w_i .. w_NT, so `sum = NT * w - acc` where `acc` adds up `d * (i - 1)`.

use crate::features::groups::Fold;
use crate::weights::contexts::Counted;
use crate::weights::contexts::entries::{Entry, largest_weight};
use crate::weights::contexts::line::{Line, TWIN_BIT};
use crate::weights::contexts::table::{Context, Lines, Table};
use crate::weights::learner::LearnError;
use crate::weights::mapped::prefetch;

/// Contexts between the request for their memory and their update.
const AHEAD: usize = 16;

/// A growing table of contexts with the accumulators of averaging.
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
    /// Contexts updated since it was last found out how far they have moved indeed.
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
    /// An empty learner of parts that fire at most so many features, with room for about `contexts` contexts before it grows.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(contexts: usize, features: usize) -> std::io::Result<Self> {
        let (short, long) = (Lines::new(1 + contexts / 16)?, Lines::new(1 + contexts / 8)?);
        let narrow = (1 << 31) / features.max(1) as u64;
        Ok(Self::with_table(Table::new(short, long), narrow))
    }

    /// With an empty table.
    fn with_table(table: Table, narrow: u64) -> Self {
        let (short, long) = (Beside::new(&table.short), Beside::new(&table.long));
        Self { table, short, long, examples: 0, moved: 0, narrow, updated: 0 }
    }

    /// The current weights.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Contexts with a slot.
    pub fn contexts(&self) -> usize {
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

    /// Whether a context has a slot.
    pub fn has(&self, context: Context) -> bool {
        self.table.weight(context).is_some()
    }

    /// Begins anew with the weights of sorted contexts, all of which are kept.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn start_from(&mut self, entries: &[Entry]) -> std::io::Result<()> {
        *self = Self::with_table(Table::with_room_for(entries)?, self.narrow);
        for &Entry { context, weight } in entries {
            self.add(&Counted { context, fold: Fold::default(), guards: true, count: 1 }, weight)?;
        }
        self.moved = largest_weight(entries);
        self.table.set_largest(self.moved);
        self.restart_average();
        Ok(())
    }

    /// Adds `step` times the count of each context to its weight; the contexts are [summed](crate::weights::contexts::sum_by_context). A context of
    /// a guard stays in the model even if its weights come to 0: its presence says something.
    ///
    /// # Errors
    /// If the table must grow and the system has no memory.
    pub fn update(&mut self, contexts: &[Counted], step: i32) -> std::io::Result<()> {
        for (i, counted) in contexts.iter().enumerate() {
            if let Some(next) = contexts.get(i + AHEAD) {
                self.ask(next.context);
            }
            self.add(counted, counted.count * step)?;
        }
        // A feature's weight has moved by no more than the counts of the contexts of one address.
        let run = |run: &[Counted]| run.iter().map(|c| u64::from(c.count.unsigned_abs())).sum::<u64>();
        let furthest = contexts.chunk_by(Counted::has_address_of).map(run).max().unwrap_or(0);
        self.moved += furthest * u64::from(step.unsigned_abs());
        self.updated += contexts.len();
        // Steps to and fro: the weights themselves say how far they can have come. The look through all of them is paid for by
        // as many updates.
        if self.moved >= self.narrow && self.updated >= self.contexts() {
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
    fn ask(&self, context: Context) {
        if context.is_long() {
            self.long.ask(&self.table.long, context);
        } else {
            self.short.ask(&self.table.short, context);
        }
    }

    #[inline(always)]
    fn add(&mut self, counted: &Counted, delta: i32) -> std::io::Result<()> {
        let before = self.examples as i64 - 1;
        if counted.context.is_long() {
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

    /// The contexts whose average is not zero and those to be kept, in any order. The average must be the newest.
    pub fn entries(&self, averaged: &Averaged) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.contexts());
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

/// Slots in use before the lines grow, in 1/16.
const FILL_OF_16: usize = 11;

/// By slot of all lines, one line after the other.
#[derive(Debug)]
pub(super) struct Beside {
    /// The high bits of the address, needed when the table grows.
    address: Vec<u32>,
    /// What averaging adds up.
    pub accumulator: Vec<i64>,
    /// Contexts that are kept although they have no weight.
    kept: Vec<bool>,
    /// Slots in use.
    pub used: usize,
}

impl Beside {
    /// Beside empty lines.
    pub fn new<L: Line>(lines: &Lines<L>) -> Self {
        let slots = lines.all().len() * L::SLOTS;
        Self { address: vec![0; slots], accumulator: vec![0; slots], kept: vec![false; slots], used: 0 }
    }

    /// Asks for the memory that [`add`](Self::add) will look at.
    #[inline(always)]
    pub fn ask<L: Line>(&self, lines: &Lines<L>, context: Context) {
        let line = lines.home(context.address);
        prefetch(&lines.all()[line]);
        prefetch(&self.address[line * L::SLOTS]);
        prefetch(&self.accumulator[line * L::SLOTS]);
    }

    /// Adds to the weight of a context, `before` examples before this one.
    ///
    /// # Errors
    /// If the lines must grow and the system has no memory.
    #[inline(always)]
    pub fn add<L: Line>(
        &mut self,
        lines: &mut Lines<L>,
        &Counted { context, guards, .. }: &Counted,
        delta: i32,
        before: i64,
    ) -> std::io::Result<()> {
        if (self.used + 1) * 16 > self.address.len() * FILL_OF_16 {
            self.grow(lines)?;
        }
        let (line, slot, new) = lines.insert(context);
        let at = line * L::SLOTS + slot;
        if new {
            self.used += 1;
            self.address[at] = context.address;
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
                let (place, of_place, _) = larger.insert(self.context(line, at, slot));
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

    /// The context in a slot of a line, which is number `at` of all.
    fn context<L: Line>(&self, line: &L, at: usize, slot: usize) -> Context {
        let [forms, tags] = line.details(slot);
        Context { address: self.address[at], first: line.first_of(slot), forms, tags }
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

    /// What no feature's weight exceeds, if contexts have these weights: the sum over the contexts of its address, to which those of
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

    /// Adds the contexts with a weight, of these by slot, and those that are kept.
    pub fn entries<L: Line>(&self, lines: &Lines<L>, weights: &[i32], entries: &mut Vec<Entry>) {
        for (l, line) in lines.all().iter().enumerate() {
            for slot in (0..L::SLOTS).filter(|&slot| line.first_of(slot) != 0) {
                let at = l * L::SLOTS + slot;
                if weights[at] != 0 || self.kept[at] {
                    entries.push(Entry { context: self.context(line, at, slot), weight: weights[at] });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::below;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

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
                        Counted { context: context(at), fold: Fold::default(), guards, count }
                    })
                    .collect();
                learner.update(&counted, step).expect("there is memory");
                sums.iter_mut().zip(&weights).for_each(|(sum, w)| *sum += w);
            }
            let summed = learner.summed().expect("sums are small");
            let mut summed = learner.entries(&summed);
            summed.sort_unstable();
            let wanted = (0..SIGHTS).filter(|&at| sums[at] != 0 || kept[at]);
            let wanted = wanted.map(|at| Entry { context: context(at), weight: sums[at] as i32 });
            assert_eq!(summed, wanted.collect::<Vec<_>>(), "seed {seed}");
        }
    }

    /// Addresses are well mixed, but four contexts each have the same, two a lane; they ascend.
    fn context(at: usize) -> Context {
        Context::new((at as u64 / 4 + 1) * 0x0065_4321_9abc_def1, at / 2 % 2, 1, [0, at as u32 % 2])
    }
}
