//! Weights while they are learnt, with their average.
//!
//! Weights are integers. After example i (1, 2, ...) the weights are w_i; the model is made from their sum over all N*T
//! examples, which is the average times N*T. It is kept without a sweep a step: an update `d` at example i is in all of
//! w_i .. w_NT, so `sum = NT * w - acc` where `acc` adds up `d * (i - 1)`.

use thiserror::Error;

use super::table::{FeatureKey, SLOTS, Table};

/// Slots in use before the table is doubled, in 1/16: few, for the reason given at [`Table::build`].
const FILL_OF_16: usize = 6;

/// Why weights could not be learnt.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The system has no memory.
    #[error("no memory for the weights: {0}")]
    Memory(#[from] std::io::Error),
    /// The weights of a model are stored in 32 bits.
    #[error(
        "a weight averaged over {examples} training examples comes to {sum}, which does not fit 32 bits; train for fewer epochs"
    )]
    Overflow {
        /// Training examples seen.
        examples: u64,
        /// The weight.
        sum: i64,
    },
}

/// A growing weight table with the accumulators of averaging.
#[derive(Debug)]
pub struct Learner {
    table: Table,
    /// By slot: the address half of the key, and the accumulator.
    address: Vec<[u32; SLOTS]>,
    accumulator: Vec<[i64; SLOTS]>,
    used: usize,
    examples: u64,
}

impl Learner {
    /// An empty learner with room for about `features` features before it grows.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(features: usize) -> std::io::Result<Self> {
        let lines = (features * 16 / FILL_OF_16 / SLOTS).max(64);
        Ok(Self {
            table: Table::new(lines)?,
            address: vec![[0; SLOTS]; lines],
            accumulator: vec![[0; SLOTS]; lines],
            used: 0,
            examples: 0,
        })
    }

    /// The current weights.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Counts one more example; updates after this call belong to it.
    pub fn next_example(&mut self) {
        self.examples += 1;
    }

    /// Adds `delta` to the weight of a feature.
    ///
    /// # Errors
    /// If the table must grow and the system has no memory.
    pub fn update(&mut self, feature: FeatureKey, delta: i32) -> std::io::Result<()> {
        if (self.used + 1) * 16 > self.address.len() * SLOTS * FILL_OF_16 {
            self.grow()?;
        }
        let (line, slot, new) = self.table.insert(feature);
        if new {
            self.used += 1;
            self.address[line][slot] = (feature.0 >> 32) as u32;
        }
        self.table.set(line, slot, self.table.lines()[line].weight[slot] + delta);
        self.accumulator[line][slot] += i64::from(delta) * (self.examples as i64 - 1);
        Ok(())
    }

    fn grow(&mut self) -> std::io::Result<()> {
        let lines = self.address.len() * 2;
        let mut table = Table::new(lines)?;
        let mut address = vec![[0; SLOTS]; lines];
        let mut accumulator = vec![[0; SLOTS]; lines];
        for (old, line) in self.table.lines().iter().enumerate() {
            for slot in 0..SLOTS {
                if line.fingerprint[slot] != 0 {
                    let from = self.address[old][slot];
                    let key = FeatureKey(u64::from(from) << 32 | u64::from(line.fingerprint[slot]));
                    let (at, place, _) = table.insert(key);
                    table.set(at, place, line.weight[slot]);
                    address[at][place] = from;
                    accumulator[at][place] = self.accumulator[old][slot];
                }
            }
        }
        (self.table, self.address, self.accumulator) = (table, address, accumulator);
        Ok(())
    }

    /// Leaves the examples so far out of the average, but not what was learnt from them: of the weights w before example 1 of the new
    /// count, `sum = N * w - acc` with an empty `acc` says that they are in all N.
    pub fn restart_average(&mut self) {
        self.examples = 0;
        self.accumulator.iter_mut().for_each(|slots| slots.fill(0));
    }

    /// The features whose average, in so many times the unit of weights and rounded, is not zero, sorted by key.
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn averaged(&self, finer: i64) -> Result<Vec<(FeatureKey, i32)>, LearnError> {
        let examples = i128::from(self.examples.max(1));
        self.sums(|sum| {
            let average = (2 * sum * i128::from(finer) + examples).div_euclid(2 * examples);
            i32::try_from(average).map_err(|_| LearnError::Overflow { examples: self.examples, sum: average as i64 })
        })
    }

    /// The features whose summed weight is not zero, sorted by key: the averaged model times the number of examples.
    ///
    /// # Errors
    /// If a sum does not fit 32 bits.
    pub fn summed(&self) -> Result<Vec<(FeatureKey, i32)>, LearnError> {
        self.sums(|sum| {
            i32::try_from(sum).map_err(|_| LearnError::Overflow { examples: self.examples, sum: sum as i64 })
        })
    }

    /// What `of` makes of the sum of each weight, where that is not zero, sorted by key.
    fn sums(&self, of: impl Fn(i128) -> Result<i32, LearnError>) -> Result<Vec<(FeatureKey, i32)>, LearnError> {
        let mut all = Vec::with_capacity(self.used);
        for (l, line) in self.table.lines().iter().enumerate() {
            for slot in 0..SLOTS {
                let sum =
                    i128::from(self.examples) * i128::from(line.weight[slot]) - i128::from(self.accumulator[l][slot]);
                if line.fingerprint[slot] == 0 {
                    continue;
                }
                let weight = of(sum)?;
                if weight != 0 {
                    let key = u64::from(self.address[l][slot]) << 32 | u64::from(line.fingerprint[slot]);
                    all.push((FeatureKey(key), weight));
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

    /// Against weights that are added up after each example.
    #[test]
    fn sums_are_those_of_the_weights_after_each_example() {
        const FEATURES: usize = 30;
        for seed in 0..50 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut learner = Learner::new(1).expect("there is memory");
            let (mut weights, mut sums) = ([0_i64; FEATURES], [0_i64; FEATURES]);
            for _ in 0..1 + below(&mut random, 40) {
                learner.next_example();
                for _ in 0..below(&mut random, 8) {
                    let feature = below(&mut random, FEATURES as u64) as usize;
                    let delta = below(&mut random, 7) as i32 - 3;
                    learner.update(key(feature), delta).expect("there is memory");
                    weights[feature] += i64::from(delta);
                }
                sums.iter_mut().zip(&weights).for_each(|(sum, w)| *sum += w);
            }
            let summed = learner.summed().expect("sums are small");
            let wanted = (0..FEATURES).filter(|&f| sums[f] != 0).map(|f| (key(f), sums[f] as i32));
            assert_eq!(summed, wanted.collect::<Vec<_>>(), "seed {seed}");
        }
    }

    /// Keys of the table are well mixed; these are, and ascend.
    fn key(feature: usize) -> FeatureKey {
        FeatureKey((feature as u64 + 1) * 0x0765_4321_9abc_def1)
    }
}
