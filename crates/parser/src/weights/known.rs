//! Looking a sentence's parts up in a [`SumCache`]: which sums are known, and which are to be formed.

use super::cache::{Known as KnownSums, SumCache};
use crate::features::{Codes, PartList};

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
