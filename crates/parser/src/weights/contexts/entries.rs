//! The contexts of a model: sorted, written and read.

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::groups::DETAIL_BITS;
use crate::weights::contexts::line::BIN_BITS;
use crate::weights::contexts::table::{Context, Lines, Table};

/// A context with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Entry {
    /// The context.
    pub context: Context,
    /// The weight.
    pub weight: i32,
}

/// The entries whose contexts have the address of one: those that templates may confuse with it. `entries` are sorted.
pub fn at_address(entries: &[Entry], context: Context) -> impl Iterator<Item = &Entry> {
    let address = context.whole_address();
    let from = entries.partition_point(|entry| entry.context.whole_address() < address);
    entries[from..].iter().take_while(move |entry| entry.context.whole_address() == address)
}

/// Slots in use of the short half of a model's table, in 1/16: few enough that most look-ups end in their first line.
const SHORT_FILL_OF_16: usize = 7;

/// Slots in use of the long half of a model's table, in 1/16. A line has half as many slots, so more are kept free.
const LONG_FILL_OF_16: usize = 6;

impl Table {
    /// A table of distinct contexts, sorted.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn build(entries: &[Entry]) -> std::io::Result<Self> {
        let mut table = Self::with_room_for(entries)?;
        table.short.touch();
        table.long.touch();
        table.set_largest(largest_weight(entries));
        for &Entry { context, weight } in entries {
            if context.is_long() {
                table.long.insert_with(context, weight);
            } else {
                table.short.insert_with(context, weight);
            }
        }
        Ok(table)
    }

    /// An empty table with room for so many contexts as these. Sorted contexts begin in ascending lines: in a table that grew with
    /// them, each would find all lines full up to where the last one stands.
    pub(super) fn with_room_for(entries: &[Entry]) -> std::io::Result<Self> {
        let long = entries.iter().filter(|entry| entry.context.is_long()).count();
        Ok(Self::new(
            Lines::for_contexts(entries.len() - long, SHORT_FILL_OF_16)?,
            Lines::for_contexts(long, LONG_FILL_OF_16)?,
        ))
    }
}

/// The largest absolute weight of any feature: the sums of the weights of contexts that agree in all that a template sees.
pub(super) fn largest_weight(entries: &[Entry]) -> u64 {
    let runs = entries.chunk_by(|a, b| a.context.whole_address() == b.context.whole_address());
    let mut largest = 0;
    let mut contexts: Vec<(Context, i64)> = Vec::new();
    for run in runs {
        // By what templates may see of the bin, the forms and the tags.
        for masks in (0..8).filter(|&masks| run.len() > 1 || masks == 0) {
            let mask = |bit: u32| if masks >> bit & 1 == 1 { u32::MAX } else { 0 };
            contexts.clear();
            contexts.extend(run.iter().map(|&Entry { context, weight }| {
                let first = context.first & (!BIN_BITS | mask(0));
                let seen = Context { first, forms: context.forms & mask(1), tags: context.tags & mask(2), ..context };
                (seen, weight.into())
            }));
            contexts.sort_unstable_by_key(|s| s.0);
            for alike in contexts.chunk_by(|a, b| a.0 == b.0) {
                largest = largest.max(alike.iter().map(|s| s.1).sum::<i64>().unsigned_abs());
            }
        }
    }
    largest
}

/// Bytes of a detail.
const DETAIL_BYTES: usize = DETAIL_BITS as usize / 8;

/// Writes sorted entries: addresses by their differences, small numbers in few bytes, and details that are not 0.
pub fn encode_entries(entries: &[Entry], out: &mut BytesWriter) {
    let mut bytes = Vec::with_capacity(entries.len() * 12);
    let mut before = 0;
    for &Entry { context, weight } in entries {
        let whole = context.written();
        put(&mut bytes, whole.wrapping_sub(before));
        let details = [context.forms, context.tags];
        let there = u64::from(context.forms != 0) << 1 | u64::from(context.tags != 0);
        put(&mut bytes, zigzag(weight) << 2 | there);
        for detail in details.into_iter().filter(|&detail| detail != 0) {
            bytes.extend_from_slice(&detail.to_le_bytes()[..DETAIL_BYTES]);
        }
        before = whole;
    }
    out.u64(entries.len() as u64).bytes(&bytes);
}

/// Reads what [`encode_entries`] wrote.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode_entries(from: &mut BytesReader) -> Result<Vec<Entry>, Damaged> {
    let len = usize::try_from(from.u64()?).map_err(|_| Damaged)?;
    let mut bytes = from.bytes()?;
    // An entry has two bytes at least.
    if len > bytes.len() / 2 {
        return Err(Damaged);
    }
    let mut entries = Vec::with_capacity(len);
    let mut whole = 0u64;
    for _ in 0..len {
        whole = whole.wrapping_add(take(&mut bytes)?);
        let weight = take(&mut bytes)?;
        let mut detail = |there: bool| {
            if !there {
                return Ok(0);
            }
            let (read, rest) = bytes.split_at_checked(DETAIL_BYTES).ok_or(Damaged)?;
            bytes = rest;
            Ok(read.iter().rev().fold(0, |detail, &byte| detail << 8 | u32::from(byte)))
        };
        let (forms, tags) = (detail(weight & 2 != 0)?, detail(weight & 1 != 0)?);
        let weight = unzigzag(u32::try_from(weight >> 2).map_err(|_| Damaged)?);
        let context = Context::read(whole, forms, tags).ok_or(Damaged)?;
        entries.push(Entry { context, weight });
    }
    if bytes.is_empty() { Ok(entries) } else { Err(Damaged) }
}

/// Numbers of small absolute value become small.
fn zigzag(value: i32) -> u64 {
    u64::from((value << 1 ^ value >> 31) as u32)
}

fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// Seven bits a byte, the low ones first; the last byte has its high bit clear (LEB128).
fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Damaged)?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            entries in prop::collection::vec((any::<u64>(), 0usize..2, 0u32..8, any::<[u32; 2]>(), any::<i32>()), 0..40),
        ) {
            let mut entries: Vec<Entry> = entries
                .into_iter()
                .map(|(address, lane, bin, details, weight)| {
                    let details = details.map(|detail| if detail % 3 == 0 { 0 } else { detail >> (32 - DETAIL_BITS) });
                    Entry { context: Context::new(address, lane, bin, details), weight }
                })
                .collect();
            entries.sort_unstable();
            let mut out = BytesWriter::default();
            encode_entries(&entries, &mut out);
            let bytes = out.into_bytes();
            prop_assert_eq!(decode_entries(&mut BytesReader::new(&bytes)), Ok(entries));
            for end in 0..bytes.len() {
                prop_assert_eq!(decode_entries(&mut BytesReader::new(&bytes[..end])), Err(Damaged));
            }
        }
    }
}
