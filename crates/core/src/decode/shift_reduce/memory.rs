//! What searches keep from sentence to sentence.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::dp_beam::Step;
use super::nodes::Nodes;
use super::queue::Queue;
use super::transition::{Action, Stack};
use super::{beam, dp_beam, dp_best_first};

/// A search's working memory, and the actions of its answer.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The derivation that was found.
    pub actions: Vec<Action>,
    pub(super) stack: Stack,
    pub(super) queue: Queue,
    pub(super) beam: beam::Beam,
    pub(super) best_first: Nodes,
    pub(super) dp_beam: dp_beam::Steps,
    pub(super) chart: dp_best_first::Chart,
}

impl Memory {
    /// The steps of the last beam search with merging.
    pub fn steps(&self) -> &[Step] {
        &self.dp_beam.trace
    }

    /// Writes the actions of the cheapest derivation after a step of that search, from 0.
    pub fn write_step_actions(&mut self, step: usize) {
        let node = self.dp_beam.trace[step].node;
        self.dp_beam.actions(node, &mut self.actions);
    }
}

/// A map from numbers. Its order is never looked at.
pub(super) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Hashes numbers of 32 and 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let wide = u128::from(self.0 ^ number ^ 0x9e37_79b9_7f4a_7c15) * 0xda94_2042_e4dd_58b5;
        self.0 = (wide as u64) ^ ((wide >> 64) as u64).rotate_left(23);
    }
}
