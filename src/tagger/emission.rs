//! Emission rows.
use crate::weights::table::{FeatureKey, Line, SLOTS, home, next};

/// The feature of `key` for output `label`.
#[inline(always)]
pub fn feature(key: u64, label: u32) -> FeatureKey {
    FeatureKey::new(key, label + 1)
}

/// Makes a hash a key: its low half is kept below 2^31, so that no label makes it wrap.
#[inline(always)]
pub fn key(hash: u64) -> u64 {
    hash & !(1 << 31)
}

/// Adds the row
#[inline(always)]
pub fn add_row(lines: &[Line], key: u64, scores: &mut [i64]) {
    let first = key as u32 + 1;
    let mut at = home(key, lines.len());
    loop {
        let line = &lines[at];
        let offset = line.fingerprint.map(|f| f.wrapping_sub(first));
        let mut matches = 0u32;
        for slot in 0..SLOTS {
            matches |= u32::from(offset[slot] < scores.len() as u32) << slot;
        }
        while matches != 0 {
            let slot = matches.trailing_zeros() as usize;
            scores[offset[slot] as usize] += i64::from(line.weight[slot]);
            matches &= matches - 1;
        }
        if line.fingerprint[SLOTS - 1] == 0 {
            break;
        }
        at = next(at, lines.len());
    }
}
