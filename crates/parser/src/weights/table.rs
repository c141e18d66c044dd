//! The weight table: from feature keys to integer weights, one cache line a look-up.
//!
//! A line holds eight slots: eight 32-bit fingerprints, then eight weights. A feature's address (high half of its key)
//! chooses the line and its fingerprint the slot; slots fill from the front, and a full line continues in the next one.
//! All variants of a template share an address and so, mostly, one line. Two features are confused only if they fall on
//! the same line and agree in all 32 bits of fingerprint: about once in 10^9 look-ups of absent features, and always in
//! the same places, since the table of a model is built from its features alone.

use bytemuck::{Pod, Zeroable};

use super::mapped::{self, Mapped, next, prefetch};
use crate::bytes::{BytesReader, BytesWriter, Damaged};

/// Slots in a line.
pub const SLOTS: usize = 8;

/// One cache line of the table.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line {
    /// 0 marks an empty slot.
    pub fingerprint: [u32; SLOTS],
    /// The weight of each slot.
    pub weight: [i32; SLOTS],
}

impl Line {
    /// Whether a look-up that begins here may have to go on to the next line.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.fingerprint[SLOTS - 1] != 0
    }
}

/// A feature's identity: its address in the high half, its fingerprint in the low half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureKey(pub u64);

impl FeatureKey {
    /// The feature of a template's key with the constant of its variant.
    #[inline(always)]
    pub fn new(key: u64, constant: u32) -> Self {
        Self((key & 0xffff_ffff_0000_0000) | u64::from(fingerprint(key, constant)))
    }
}

/// The fingerprint of a feature; never 0, which marks an empty slot.
#[inline(always)]
pub fn fingerprint(key: u64, constant: u32) -> u32 {
    (key as u32).wrapping_add(constant).max(1)
}

/// Lines of weights.
#[derive(Debug)]
pub struct Table {
    lines: Mapped<Line>,
    /// The largest absolute value that any weight has had.
    largest: u32,
}

impl Table {
    /// An empty table of `lines` lines, at least 1.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(lines: usize) -> std::io::Result<Self> {
        Ok(Self { lines: Mapped::new(lines)?, largest: 0 })
    }

    /// A table of distinct features with the given weights, two a line: a full line sends a look-up on to the
    /// next one, which costs more than the memory that a fuller table would save.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn build(features: &[(FeatureKey, i32)]) -> std::io::Result<Self> {
        let mut table = Self::new(features.len().div_ceil(2))?;
        table.lines.touch();
        for &(key, weight) in features {
            let (line, slot, _) = table.insert(key);
            table.set(line, slot, weight);
        }
        Ok(table)
    }

    /// Of lines of a file, all of them checked, of which no weight exceeds `largest`.
    pub(crate) fn from_lines(lines: Mapped<Line>, largest: u32) -> Self {
        Self { lines, largest }
    }

    /// The lines as they lie in memory.
    pub(crate) fn mapped(&self) -> &Mapped<Line> {
        &self.lines
    }

    /// All lines.
    #[inline(always)]
    pub fn lines(&self) -> &[Line] {
        self.lines.all()
    }

    /// The largest absolute value that any weight has had: sums of `n` weights stay within `n` times it.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// Sets the weight of a slot.
    #[inline(always)]
    pub fn set(&mut self, line: usize, slot: usize, weight: i32) {
        self.largest = self.largest.max(weight.unsigned_abs());
        self.lines.all_mut()[line].weight[slot] = weight;
    }

    /// The line where the features of `key` begin.
    #[inline(always)]
    pub fn home(&self, key: u64) -> usize {
        home(key, self.lines.all().len())
    }

    /// The weight of a feature, 0 if it has none.
    pub fn weight(&self, feature: FeatureKey) -> i32 {
        self.find(feature).map_or(0, |(line, slot)| self.lines()[line].weight[slot])
    }

    /// Asks for the line at which [`find`](Self::find) looks first.
    #[inline(always)]
    pub fn ask(&self, feature: FeatureKey) {
        prefetch(&self.lines()[self.home(feature.0)]);
    }

    /// Where a feature stands.
    pub fn find(&self, feature: FeatureKey) -> Option<(usize, usize)> {
        let lines = self.lines();
        let mut at = self.home(feature.0);
        loop {
            let line = &lines[at];
            if let Some(slot) = line.fingerprint.iter().position(|&f| f == feature.0 as u32) {
                return Some((at, slot));
            }
            if !line.is_full() {
                return None;
            }
            at = next(at, lines.len());
        }
    }

    /// Finds a feature or gives it an empty slot with weight 0; true if it is new. The table must have an empty slot.
    pub fn insert(&mut self, feature: FeatureKey) -> (usize, usize, bool) {
        let mut at = self.home(feature.0);
        let lines = self.lines.all_mut();
        loop {
            let line = &mut lines[at];
            for slot in 0..SLOTS {
                let found = line.fingerprint[slot];
                if found == feature.0 as u32 {
                    return (at, slot, false);
                }
                if found == 0 {
                    line.fingerprint[slot] = feature.0 as u32;
                    return (at, slot, true);
                }
            }
            at = next(at, lines.len());
        }
    }
}

/// Spreads the address of `key` evenly over `lines`.
#[inline(always)]
pub fn home(key: u64, lines: usize) -> usize {
    mapped::home((key >> 32) as u32, lines)
}

/// Writes features and weights.
pub fn encode_features(features: &[(FeatureKey, i32)], out: &mut BytesWriter) {
    out.u64s(features.iter().map(|f| f.0.0)).u32s(features.iter().map(|f| f.1 as u32));
}

/// Reads what [`encode_features`] wrote.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode_features(from: &mut BytesReader) -> Result<Vec<(FeatureKey, i32)>, Damaged> {
    let keys = from.u64s()?;
    let weights = from.u32s()?;
    if keys.len() != weights.len() {
        return Err(Damaged);
    }
    Ok(keys.map(FeatureKey).zip(weights.map(|w| w as i32)).collect())
}
