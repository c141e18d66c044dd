//! Cache lines of sights.
//!
//! Bundles that fold neither words nor tags have sights without details, which need half the room. So there are two sorts of
//! lines: [`Short`] of eight sights, [`Long`] of four. Both are read by the [`Quad`].
//!
//! The first word of a sight, from its low bits on: three bits of the bin, one that belongs to the line, one that says that
//! it is a sight of the kind's twin, and the fingerprint of the address. A line's own bits say which look-ups have to go on to
//! another line: of the addresses that found no room, each sets the bit that its fingerprint chooses. A line that is just
//! full, or whose overflow is that of others, thus ends most look-ups.

use bytemuck::{Pod, Zeroable};

/// Bits of the first word that are the bin of the distance.
pub const BIN_BITS: u32 = 0x7;

/// The bit of the first word of a slot that says that some address went on from the line.
const OVERFLOW_BIT: u32 = 0x8;

/// The bit of the first word of a sight that says that it is one of the kind's twin.
pub const TWIN_BIT: u32 = 0x10;

/// The bits of the first word of a sight that are not the fingerprint of the address.
pub const LOW_BITS: u32 = BIN_BITS | OVERFLOW_BIT | TWIN_BIT;

/// The number of [`LOW_BITS`].
const LOW_BITS_LEN: u32 = LOW_BITS.count_ones();

/// Slots in a quad.
pub const QUAD: usize = 4;

/// Four sights, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Quad {
    /// First words; 0 marks an empty slot.
    pub first: [u32; QUAD],
    /// Details of forms, 0 if the bundle does not fold them.
    pub forms: [u32; QUAD],
    /// Details of tags, 0 if the bundle does not fold them.
    pub tags: [u32; QUAD],
    /// Weights.
    pub weight: [i32; QUAD],
}

/// One cache line of the table. Slots fill from the front.
pub trait Line: Pod + Sync + Send {
    /// Whether its sights have details of forms and tags.
    const HAS_DETAILS: bool;
    /// Quads in a line.
    const QUADS: usize;
    /// Slots in a line, a power of two.
    const SLOTS: usize = Self::QUADS * QUAD;

    /// One of the quads.
    fn quad(&self, quad: usize) -> Quad;
    /// The first words of all slots.
    fn first(&self) -> &[u32];
    /// The first words of all slots.
    fn first_mut(&mut self) -> &mut [u32];
    /// The details of a slot: of forms and of tags.
    fn details(&self, slot: usize) -> [u32; 2];
    /// Sets the details of a slot.
    fn set_details(&mut self, slot: usize, details: [u32; 2]);
    /// The weights of all slots.
    fn weight(&self) -> &[i32];
    /// The weights of all slots.
    fn weight_mut(&mut self) -> &mut [i32];

    /// Whether a look-up of an address with this first word has to go on to another line.
    #[inline(always)]
    fn goes_on(&self, first: u32) -> bool {
        self.first()[chosen::<Self>(first)] & OVERFLOW_BIT != 0
    }

    /// Says that an address with this first word goes on to another line.
    #[inline(always)]
    fn send_on(&mut self, first: u32) {
        self.first_mut()[chosen::<Self>(first)] |= OVERFLOW_BIT;
    }

    /// The first word of a slot as that of a sight; 0 if it is empty.
    #[inline(always)]
    fn first_of(&self, slot: usize) -> u32 {
        self.first()[slot] & !OVERFLOW_BIT
    }
}

/// The slot whose bit says that an address with this first word went on.
#[inline(always)]
fn chosen<L: Line>(first: u32) -> usize {
    (first >> LOW_BITS_LEN) as usize % L::SLOTS
}

/// A line of sights without details.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Short {
    first: [u32; 2 * QUAD],
    weight: [i32; 2 * QUAD],
}

/// A line of sights with details.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Long {
    first: [u32; QUAD],
    forms: [u32; QUAD],
    tags: [u32; QUAD],
    weight: [i32; QUAD],
}

impl Line for Short {
    const HAS_DETAILS: bool = false;
    const QUADS: usize = 2;

    #[inline(always)]
    fn quad(&self, quad: usize) -> Quad {
        let Self { first: [a, b, c, d, e, f, g, h], weight: [i, j, k, l, m, n, o, p] } = *self;
        let (first, weight) = if quad == 0 { ([a, b, c, d], [i, j, k, l]) } else { ([e, f, g, h], [m, n, o, p]) };
        Quad { first, forms: [0; QUAD], tags: [0; QUAD], weight }
    }

    #[inline(always)]
    fn first(&self) -> &[u32] {
        &self.first
    }

    #[inline(always)]
    fn first_mut(&mut self) -> &mut [u32] {
        &mut self.first
    }

    #[inline(always)]
    fn details(&self, _: usize) -> [u32; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn set_details(&mut self, _: usize, _: [u32; 2]) {}

    #[inline(always)]
    fn weight(&self) -> &[i32] {
        &self.weight
    }

    #[inline(always)]
    fn weight_mut(&mut self) -> &mut [i32] {
        &mut self.weight
    }
}

impl Line for Long {
    const HAS_DETAILS: bool = true;
    const QUADS: usize = 1;

    #[inline(always)]
    fn quad(&self, _: usize) -> Quad {
        let Self { first, forms, tags, weight } = *self;
        Quad { first, forms, tags, weight }
    }

    #[inline(always)]
    fn first(&self) -> &[u32] {
        &self.first
    }

    #[inline(always)]
    fn first_mut(&mut self) -> &mut [u32] {
        &mut self.first
    }

    #[inline(always)]
    fn details(&self, slot: usize) -> [u32; 2] {
        [self.forms[slot], self.tags[slot]]
    }

    #[inline(always)]
    fn set_details(&mut self, slot: usize, [forms, tags]: [u32; 2]) {
        self.forms[slot] = forms;
        self.tags[slot] = tags;
    }

    #[inline(always)]
    fn weight(&self) -> &[i32] {
        &self.weight
    }

    #[inline(always)]
    fn weight_mut(&mut self) -> &mut [i32] {
        &mut self.weight
    }
}
