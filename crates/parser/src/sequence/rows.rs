//! Rows of the weight table: the weights of one key for all labels.
//!
//! A feature is a key with a label, as the constant of the fingerprint ([`crate::weights::table`]); so the whole row of a
//! key lies in one run of lines, and is found by one walk over it whatever the number of labels.

use multiversion::multiversion;

use crate::weights::mapped::next;
use crate::weights::table::{FeatureKey, Line, home};

/// Makes a hash a key: its low half is kept below 2^31, so that no label makes the fingerprint wrap.
#[inline(always)]
pub fn key(hash: u64) -> u64 {
    hash & !(1 << 31)
}

/// The feature of `key` with `label`.
#[inline(always)]
pub fn feature(key: u64, label: u32) -> FeatureKey {
    FeatureKey::new(key, label + 1)
}

/// Adds the weights of `keys` with the labels 0, 1, ... to `scores`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub fn add_rows(lines: &[Line], keys: &[u64], scores: &mut [i64]) {
    for &key in keys {
        add_row(lines, key, scores);
    }
}

#[inline(always)]
fn add_row(lines: &[Line], key: u64, scores: &mut [i64]) {
    let first = key as u32 + 1;
    let mut at = home(key, lines.len());
    loop {
        let line = &lines[at];
        // Fingerprints outside the row wrap around or lie beyond it: large either way. An empty slot is one of them.
        let labels = line.fingerprint.map(|f| f.wrapping_sub(first));
        let mut matches = 0u32;
        for (slot, &label) in labels.iter().enumerate() {
            matches |= u32::from(label < scores.len() as u32) << slot;
        }
        while matches != 0 {
            let slot = matches.trailing_zeros() as usize;
            scores[labels[slot] as usize] += i64::from(line.weight[slot]);
            matches &= matches - 1;
        }
        if !line.is_full() {
            break;
        }
        at = next(at, lines.len());
    }
}
