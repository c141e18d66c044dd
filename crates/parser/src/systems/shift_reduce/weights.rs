//! Weights of features: three a feature, one an action, behind its key.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use treebound_core::decode::shift_reduce::Actions;

use crate::bytes::{BytesReader, BytesWriter, Damaged};

/// The weights of a key. Half a cache line has two.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
struct Slot {
    /// The high half of the key with its lowest bit set; 0 in an empty slot.
    fingerprint: u32,
    weights: Actions<i32>,
}

/// A hash table with open addresses from keys to weights. Keys that are equal in their high and in the used low bits are one;
/// of some millions that is none, or one.
#[derive(Clone, Debug)]
pub struct WeightTable {
    /// A power of two, at most half of it used.
    slots: Vec<Slot>,
}

impl WeightTable {
    /// The table of some keys, each named once.
    pub fn new(keys: &[u64], weights: &[Actions<i32>]) -> Self {
        let mut table = Self { slots: vec![Slot::default(); (2 * keys.len().max(8)).next_power_of_two()] };
        for (&key, &weights) in keys.iter().zip(weights) {
            let mut at = table.home(key);
            while table.slots[at].fingerprint != 0 {
                at = (at + 1) & (table.slots.len() - 1);
            }
            table.slots[at] = Slot { fingerprint: fingerprint(key), weights };
        }
        table
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// Adds the weights of a key, if it has some.
    #[inline]
    pub fn add(&self, key: u64, sums: &mut Actions<i64>) {
        let (mut at, wanted) = (self.home(key), fingerprint(key));
        loop {
            let slot = &self.slots[at];
            if slot.fingerprint == wanted {
                sums.iter_mut().zip(slot.weights).for_each(|(sum, weight)| *sum += i64::from(weight));
                return;
            }
            if slot.fingerprint == 0 {
                return;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

#[inline]
fn fingerprint(key: u64) -> u32 {
    (key >> 32) as u32 | 1
}

/// Keys with their weights.
pub type Weights = (Vec<u64>, Vec<Actions<i32>>);

/// Writes keys with their weights.
pub fn encode(keys: &[u64], weights: &[Actions<i32>], to: &mut BytesWriter) {
    to.u64s(keys.iter().copied());
    to.u32s(weights.as_flattened().iter().map(|&weight| weight as u32));
}

/// Reads what [`encode`] wrote.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode(from: &mut BytesReader) -> Result<Weights, Damaged> {
    let keys: Vec<u64> = from.u64s()?.collect();
    let weights: Vec<i32> = from.u32s()?.map(|weight| weight as i32).collect();
    let weights = weights.as_chunks::<3>();
    if weights.0.len() != keys.len() || !weights.1.is_empty() {
        return Err(Damaged);
    }
    Ok((keys, weights.0.to_vec()))
}

/// A map from keys, which are hashes already. Its order is never looked at.
pub type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Takes a key for its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
