//! Lines of weights in memory of their own.
//!
//! Tables of hundreds of megabytes are looked up at random, so they are mapped with huge pages where the system has them. Those of
//! a model file can be mapped as they lie in it: who looks up a few lines reads a few pages of it.
//!
//! A mapped file is checked by the block. Each block has a checksum, which is computed when somebody first looks at a line of it;
//! a block that fails marks the table as damaged. So no answer rests on damaged lines unknown to whoever asks
//! [`is_damaged`](Mapped::is_damaged) in the end, and nobody waits for blocks that nobody needs.

use std::fs::File;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::Damaged;

/// Bytes that have one checksum.
const BLOCK: usize = 1 << 16;

/// Cache lines, all zero to begin with, spread evenly over addresses of 32 bits.
pub struct Mapped<L> {
    map: MmapMut,
    len: usize,
    line: PhantomData<L>,
    /// None if all lines are known to be sound.
    unchecked: Option<Box<Unchecked>>,
}

/// What is known of the blocks of a mapped file.
#[derive(Debug)]
struct Unchecked {
    /// By block: the checksum that it should have.
    sums: Vec<u64>,
    /// By block: whether it has it.
    is_sound: Box<[AtomicBool]>,
    is_damaged: AtomicBool,
}

impl<L> std::fmt::Debug for Mapped<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mapped").field("len", &self.len).finish()
    }
}

impl<L: Pod> Mapped<L> {
    /// So many lines, at least one.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn new(len: usize) -> std::io::Result<Self> {
        let len = len.clamp(1, u32::MAX as usize);
        let map = MmapMut::map_anon(len * size_of::<L>())?;
        // Advice only: where it is refused, small pages serve.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len, line: PhantomData, unchecked: None })
    }

    /// So many lines of a file, from an offset on that is a multiple of their alignment, with the checksums of their blocks.
    ///
    /// # Errors
    /// If the system cannot map them, or the checksums are not as many as the blocks.
    pub fn from_file(file: &File, offset: u64, len: usize, sums: Vec<u64>) -> std::io::Result<Self> {
        let bytes = len.checked_mul(size_of::<L>()).filter(|&bytes| len > 0 && sums.len() == bytes.div_ceil(BLOCK));
        let bytes = bytes.ok_or(std::io::ErrorKind::InvalidData)?;
        // SAFETY: the mapping is private to this process. Model files are written under another name and renamed, so what is
        // mapped is never written to or cut by this program; all bytes are lines, whatever they are.
        let map = unsafe { MmapOptions::new().offset(offset).len(bytes).map_copy(file)? };
        if bytemuck::try_cast_slice::<u8, L>(&map).is_err() {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let is_sound = sums.iter().map(|_| AtomicBool::new(false)).collect();
        let unchecked = Unchecked { sums, is_sound, is_damaged: AtomicBool::new(false) };
        Ok(Self { map, len, line: PhantomData, unchecked: Some(Box::new(unchecked)) })
    }

    /// Lines from bytes with the checksums of their blocks.
    ///
    /// # Errors
    /// If there is none, a checksum is another, or the system has no memory for them.
    pub fn from_bytes(bytes: &[u8], sums: &[u64]) -> Result<Self, Damaged> {
        let len = bytes.len() / size_of::<L>();
        if len == 0 || len * size_of::<L>() != bytes.len() || sums.len() != bytes.len().div_ceil(BLOCK) {
            return Err(Damaged);
        }
        let mut copy = Self::new(len).map_err(|_| Damaged)?;
        if copy.map.len() != bytes.len() {
            return Err(Damaged);
        }
        // The sum is that of what was copied: what lies in a file could change in between.
        let blocks = copy.map.par_chunks_mut(BLOCK).zip(bytes.par_chunks(BLOCK)).zip(sums);
        let is_sound = blocks.with_min_len(32).all(|((to, from), &sum)| {
            to.copy_from_slice(from);
            xxh3_64(to) == sum
        });
        if is_sound { Ok(copy) } else { Err(Damaged) }
    }

    /// These lines in memory of their own, all of them checked.
    ///
    /// # Errors
    /// If a block is damaged, or the system has no memory.
    pub fn into_memory(self) -> Result<Self, Damaged> {
        match &self.unchecked {
            Some(unchecked) => Self::from_bytes(&self.map, &unchecked.sums),
            None => Ok(self),
        }
    }

    /// The bytes of all lines.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The checksum of each block.
    pub fn sums(&self) -> Vec<u64> {
        self.map.par_chunks(BLOCK).with_min_len(32).map(xxh3_64).collect()
    }

    /// Whether lines have still to be checked before they are looked at.
    #[inline(always)]
    pub fn is_unchecked(&self) -> bool {
        self.unchecked.is_some()
    }

    /// Whether the block of a line is sound. Must be asked before the line is looked at.
    #[inline(always)]
    pub fn is_sound(&self, line: usize) -> bool {
        self.unchecked.as_ref().is_none_or(|unchecked| unchecked.is_sound(&self.map, line * size_of::<L>() / BLOCK))
    }

    /// Whether somebody has come upon a block that is not.
    pub fn is_damaged(&self) -> bool {
        self.unchecked.as_ref().is_some_and(|unchecked| unchecked.is_damaged.load(Relaxed))
    }

    /// Has the system lay out the memory now, on all threads: it clears each page when it is first written to, which is about
    /// half of the time that loading a model takes.
    pub fn touch(&mut self) {
        const HUGE_PAGE: usize = 1 << 21;
        const PAGE: usize = 1 << 12;
        self.map.par_chunks_mut(HUGE_PAGE).for_each(|huge| huge.iter_mut().step_by(PAGE).for_each(|byte| *byte = 0));
    }

    /// All of them.
    #[inline(always)]
    pub fn all(&self) -> &[L] {
        bytemuck::cast_slice(&self.map)
    }

    /// All of them.
    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [L] {
        bytemuck::cast_slice_mut(&mut self.map)
    }

    /// The line where what has an address begins.
    #[inline(always)]
    pub fn home(&self, address: u32) -> usize {
        home(address, self.len)
    }
}

impl Unchecked {
    #[cold]
    fn is_sound(&self, bytes: &[u8], block: usize) -> bool {
        if self.is_sound[block].load(Relaxed) {
            return true;
        }
        let from = block * BLOCK;
        let is_sound = xxh3_64(&bytes[from..bytes.len().min(from + BLOCK)]) == self.sums[block];
        // Two threads may both check a block, with one result.
        if is_sound {
            self.is_sound[block].store(true, Relaxed);
        } else {
            self.is_damaged.store(true, Relaxed);
        }
        is_sound
    }
}

/// Spreads addresses evenly over `lines`.
#[inline(always)]
pub fn home(address: u32, lines: usize) -> usize {
    ((u64::from(address) * lines as u64) >> 32) as usize
}

/// The line after `at`.
#[inline(always)]
pub fn next(at: usize, lines: usize) -> usize {
    if at + 1 == lines { 0 } else { at + 1 }
}

/// Asks for a cache line before it is needed. A hint without effect on any result.
#[inline(always)]
pub fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing the program can observe, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
