//! The table of sights: one cache line a look-up, mostly.
//!
//! A line holds four sights ([`Line`]). The high half of an address chooses the line where its sights begin, 27 bits of the low
//! half are their fingerprint. A full line sends a look-up on to the lines 1, 3, 6, 10 ... after it, so that addresses with many
//! sights do not fill the neighbourhood of others. Two addresses are confused only if they meet in a line and agree in 27 bits:
//! about once in 10^8 look-ups of absent ones. Two sights of one address that differ in forms or in tags are taken for alike in
//! them once in 10^7 times. It is always the same ones, since the table of a model is built from its sights alone.
//!
//! Tables of hundreds of megabytes are looked up at random, so they are mapped with huge pages where the system has them.

use memmap2::MmapMut;
use rayon::prelude::*;

use super::line::{BIN_BITS, LOW_BITS, Line, SLOTS, TWIN_BIT};
use crate::features::geometry::BINS;

/// What a bundle sees of a part, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sight {
    /// The high bits of the address.
    pub address: u32,
    /// Its fingerprint, and the bin of the distance; never 0.
    pub first: u32,
    /// The detail of forms.
    pub forms: u32,
    /// The detail of tags.
    pub tags: u32,
}

impl Sight {
    /// Of an address and details, in a lane: 1 for sights of a twin.
    #[inline(always)]
    pub fn new(address: u64, lane: usize, bin: u32, [forms, tags]: [u32; 2]) -> Self {
        let twin = if lane == 0 { 0 } else { TWIN_BIT };
        Self { address: high(address), first: fingerprint(address) | twin | bin, forms, tags }
    }

    /// Address and first word as one number, in the order of sights.
    pub(super) fn written(self) -> u64 {
        u64::from(self.address >> SPARE_BITS) << 32 | u64::from(self.first)
    }

    /// Of what [`written`](Self::written) said and the details, if that can be.
    pub(super) fn read(written: u64, forms: u32, tags: u32) -> Option<Self> {
        let address = u32::try_from(written >> 32).ok().filter(|address| address.leading_zeros() >= SPARE_BITS)?;
        let first = written as u32;
        let is_sound = first & !LOW_BITS != 0 && first & BIN_BITS <= BINS as u32;
        is_sound.then_some(Self { address: address << SPARE_BITS, first, forms, tags })
    }

    /// Whether a slot of a line holds it.
    #[inline(always)]
    fn is_in(self, line: &Line, slot: usize) -> bool {
        (line.first[slot], line.forms[slot], line.tags[slot]) == (self.first, self.forms, self.tags)
    }

    /// What all sights of the address in one lane have in common.
    #[inline(always)]
    pub fn whole_address(self) -> u64 {
        u64::from(self.address) << 32 | u64::from(self.first & !BIN_BITS)
    }
}

/// Bits of the high half of an address that are not used.
const SPARE_BITS: u32 = 4;

/// The high bits of an address, as many as tell all lines apart: fewer are shorter to write.
#[inline(always)]
pub fn high(address: u64) -> u32 {
    (address >> 32) as u32 >> SPARE_BITS << SPARE_BITS
}

/// The fingerprint of an address; never 0, which marks an empty slot.
#[inline(always)]
pub fn fingerprint(address: u64) -> u32 {
    (address as u32 & !LOW_BITS).max(LOW_BITS + 1)
}

/// Lines of sights.
pub struct Table {
    map: MmapMut,
    lines: usize,
    /// No feature's weight exceeds this.
    largest: u64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("lines", &self.lines).finish()
    }
}

impl Table {
    /// An empty table of `lines` lines, at least 1.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn new(lines: usize) -> std::io::Result<Self> {
        let lines = lines.clamp(1, u32::MAX as usize);
        let map = MmapMut::map_anon(lines * size_of::<Line>())?;
        // Advice only: where it is refused, small pages serve.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, lines, largest: 0 })
    }

    /// Has the system lay out the memory of an empty table now, on all threads: it clears each page when it is first written
    /// to, which is about half of the time that loading a model takes.
    pub(super) fn touch(&mut self) {
        const HUGE_PAGE: usize = 1 << 21;
        const PAGE: usize = 1 << 12;
        self.map.par_chunks_mut(HUGE_PAGE).for_each(|huge| huge.iter_mut().step_by(PAGE).for_each(|byte| *byte = 0));
    }

    /// All lines.
    #[inline(always)]
    pub fn lines(&self) -> &[Line] {
        bytemuck::cast_slice(&self.map)
    }

    #[inline(always)]
    pub(super) fn lines_mut(&mut self) -> &mut [Line] {
        bytemuck::cast_slice_mut(&mut self.map)
    }

    /// What no feature's weight exceeds in absolute value: a part's sum stays within so many times its features.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// Says what no feature's weight exceeds.
    pub(super) fn set_largest(&mut self, largest: u64) {
        self.largest = largest;
    }

    /// Sets the weight of a slot.
    #[inline(always)]
    pub(super) fn set(&mut self, Slot { line, slot }: Slot, weight: i32) {
        self.lines_mut()[line].weight[slot] = weight;
    }

    /// The weight of a slot.
    #[inline(always)]
    pub fn weight(&self, Slot { line, slot }: Slot) -> i32 {
        self.lines()[line].weight[slot]
    }

    /// The line where the sights of an address begin.
    #[inline(always)]
    pub fn home(&self, address: u32) -> usize {
        home(address, self.lines)
    }

    /// Whether there is any sight of an address.
    pub fn has(&self, address: u64) -> bool {
        let wanted = fingerprint(address);
        let mut probe = Probe::new(self.home(high(address)));
        loop {
            let line = &self.lines()[probe.line()];
            if line.first.iter().any(|first| first & !LOW_BITS == wanted) {
                return true;
            }
            if !line.is_full() {
                return false;
            }
            probe.go_on(self.lines);
        }
    }

    /// Where a sight stands.
    pub fn find(&self, sight: Sight) -> Option<Slot> {
        let mut probe = Probe::new(self.home(sight.address));
        loop {
            let line = &self.lines()[probe.line()];
            if let Some(slot) = (0..SLOTS).find(|&slot| sight.is_in(line, slot)) {
                return Some(Slot { line: probe.line(), slot });
            }
            if !line.is_full() {
                return None;
            }
            probe.go_on(self.lines);
        }
    }

    /// Finds a sight or gives it an empty slot with weights 0; true if it is new. The table must have an empty slot.
    pub fn insert(&mut self, sight: Sight) -> (Slot, bool) {
        let count = self.lines;
        let mut probe = Probe::new(self.home(sight.address));
        let lines = self.lines_mut();
        loop {
            let line = &mut lines[probe.line()];
            for slot in 0..SLOTS {
                let place = Slot { line: probe.line(), slot };
                if sight.is_in(line, slot) {
                    return (place, false);
                }
                if line.first[slot] == 0 {
                    line.first[slot] = sight.first;
                    line.forms[slot] = sight.forms;
                    line.tags[slot] = sight.tags;
                    return (place, true);
                }
            }
            probe.go_on(count);
        }
    }
}

/// Where a sight stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The line.
    pub line: usize,
    /// The slot in it.
    pub slot: usize,
}

/// The lines that a look-up visits, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    line: u32,
    step: u32,
}

impl Probe {
    /// Begins at a line.
    #[inline(always)]
    pub fn new(line: usize) -> Self {
        Self { line: line as u32, step: 0 }
    }

    /// The line at hand.
    #[inline(always)]
    pub fn line(self) -> usize {
        self.line as usize
    }

    /// To the next line, out of so many. After many lines it goes on one by one, so that all are visited.
    #[inline(always)]
    pub fn go_on(&mut self, lines: usize) {
        const GROWING: u32 = 64;
        self.step += 1;
        let line = u64::from(self.line) + if self.step <= GROWING { u64::from(self.step) } else { 1 };
        self.line = (if line >= lines as u64 { line % lines as u64 } else { line }) as u32;
    }
}

/// Spreads addresses evenly over `lines`.
#[inline(always)]
pub fn home(address: u32, lines: usize) -> usize {
    ((u64::from(address) * lines as u64) >> 32) as usize
}
