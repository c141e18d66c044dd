//! Lines of weights in memory of their own.
//!
//! Tables of hundreds of megabytes are looked up at random, so they are mapped with huge pages where the system has them.

use std::marker::PhantomData;

use bytemuck::Pod;
use memmap2::MmapMut;
use rayon::prelude::*;

/// Cache lines, all zero to begin with, spread evenly over addresses of 32 bits.
pub struct Mapped<L> {
    map: MmapMut,
    len: usize,
    line: PhantomData<L>,
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
        Ok(Self { map, len, line: PhantomData })
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
