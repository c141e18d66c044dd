//! Cache lines of contexts.
//!
//! Template groups that fold neither words nor tags have contexts without details, which need half the room. So there are two sorts of
//! lines: [`Short`] of eight contexts, [`Long`] of four. Both are read by the [`Quad`].
//!
//! The first word of a context, from its low bits on: three bits of the bin, one that belongs to the line, one that says that
//! it is a context of the kind's twin, and the fingerprint of the address. A line's own bits say which look-ups have to go on to
//! another line: of the addresses that found no room, each sets the bit that its fingerprint chooses. A line that is just
//! full, or whose overflow is that of others, thus ends most look-ups.

use bytemuck::{Pod, Zeroable};

#[cfg(target_arch = "x86_64")]
pub use narrow::Narrow;

/// Bits of the first word that are the bin of the distance.
pub const BIN_BITS: u32 = 0x7;

/// The bit of the first word of a slot that says that some address went on from the line.
const OVERFLOW_BIT: u32 = 0x8;

/// The bit of the first word of a context that says that it is one of the kind's twin.
pub const TWIN_BIT: u32 = 0x10;

/// The bits of the first word of a context that are not the fingerprint of the address.
pub const LOW_BITS: u32 = BIN_BITS | OVERFLOW_BIT | TWIN_BIT;

/// The number of [`LOW_BITS`].
const LOW_BITS_LEN: u32 = LOW_BITS.count_ones();

/// Slots in a quad.
pub const QUAD: usize = 4;

/// Four contexts, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Quad {
    /// First words; 0 marks an empty slot.
    pub first: [u32; QUAD],
    /// Details of forms, 0 if the template group does not fold them.
    pub forms: [u32; QUAD],
    /// Details of tags, 0 if the template group does not fold them.
    pub tags: [u32; QUAD],
    /// Weights.
    pub weight: [i32; QUAD],
}

/// One cache line of the table. Slots fill from the front.
pub trait Line: Pod + Sync + Send {
    /// Whether its contexts have details of forms and tags.
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

    /// The first word of a slot as that of a context; 0 if it is empty.
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

/// A line of contexts without details.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Short {
    first: [u32; 2 * QUAD],
    weight: [i32; 2 * QUAD],
}

/// A line of contexts with details.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Long {
    first: [u32; QUAD],
    forms: [u32; QUAD],
    tags: [u32; QUAD],
    weight: [i32; QUAD],
}

/// First words and weights of a line's slots.
macro_rules! slots {
    () => {
        #[inline(always)]
        fn first(&self) -> &[u32] {
            &self.first
        }

        #[inline(always)]
        fn first_mut(&mut self) -> &mut [u32] {
            &mut self.first
        }

        #[inline(always)]
        fn weight(&self) -> &[i32] {
            &self.weight
        }

        #[inline(always)]
        fn weight_mut(&mut self) -> &mut [i32] {
            &mut self.weight
        }
    };
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

    slots!();

    #[inline(always)]
    fn details(&self, _: usize) -> [u32; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn set_details(&mut self, _: usize, _: [u32; 2]) {}
}

impl Line for Long {
    const HAS_DETAILS: bool = true;
    const QUADS: usize = 1;

    #[inline(always)]
    fn quad(&self, _: usize) -> Quad {
        let Self { first, forms, tags, weight } = *self;
        Quad { first, forms, tags, weight }
    }

    slots!();

    #[inline(always)]
    fn details(&self, slot: usize) -> [u32; 2] {
        [self.forms[slot], self.tags[slot]]
    }

    #[inline(always)]
    fn set_details(&mut self, slot: usize, [forms, tags]: [u32; 2]) {
        self.forms[slot] = forms;
        self.tags[slot] = tags;
    }
}

/// What is looked for: as a context, but in details that a template group does not see no slot agrees with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// As [`Quad::first`]; both lanes agree with it.
    pub first: u32,
    /// As [`Quad::forms`].
    pub forms: u32,
    /// As [`Quad::tags`].
    pub tags: u32,
}

/// Sums of both lanes: of the kind, and of its twin.
pub trait Sum: Copy + Default {
    /// Adds what `query` finds in `line`; true if it finds its address.
    fn add_line<L: Line>(&mut self, line: &L, query: Query) -> bool;

    /// Adds other sums.
    fn add(&mut self, other: &Self);

    /// Adds sums by lane.
    fn add_totals(&mut self, totals: [i64; 2]);

    /// The sums of all slots, by lane.
    fn totals(&self) -> [i64; 2];
}

/// In 64 bits, for weights of which some might together exceed 32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide([[i64; QUAD]; 2]);

impl Sum for Wide {
    // Without a branch, so that the compiler can take the slots of a quad side by side.
    #[inline(always)]
    fn add_line<L: Line>(&mut self, line: &L, query: Query) -> bool {
        let mut found = 0;
        for quad in (0..L::QUADS).map(|quad| line.quad(quad)) {
            for slot in 0..QUAD {
                let first = quad.first[slot] ^ query.first;
                let same = mask(first & !LOW_BITS == 0);
                let is_twin = mask(quad.first[slot] & TWIN_BIT != 0);
                let mut sum = i64::from(quad.weight[slot]) & same;
                sum += sum & mask(first & BIN_BITS == 0);
                if L::HAS_DETAILS {
                    sum += sum & mask(quad.forms[slot] == query.forms);
                    sum += sum & mask(quad.tags[slot] == query.tags);
                }
                self.0[0][slot] += sum & !is_twin;
                self.0[1][slot] += sum & is_twin;
                found |= same;
            }
        }
        found != 0
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sums, others) in self.0.iter_mut().zip(&other.0) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
    }

    #[inline(always)]
    fn add_totals(&mut self, totals: [i64; 2]) {
        self.0.iter_mut().zip(totals).for_each(|(sums, total)| sums[0] += total);
    }

    #[inline(always)]
    fn totals(&self) -> [i64; 2] {
        self.0.map(|sums| sums.iter().sum())
    }
}

/// All bits, or none.
#[inline(always)]
fn mask(all: bool) -> i64 {
    -i64::from(all)
}

/// In 32 bits, wrapping around: right if the totals fit.
#[cfg(not(target_arch = "x86_64"))]
pub type Narrow = Wide;

/// All slots of a quad side by side.
#[cfg(target_arch = "x86_64")]
mod narrow {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi32, _mm_setzero_si128, _mm_xor_si128,
    };

    use super::{Query, Sum};
    use crate::weights::contexts::line::{BIN_BITS, LOW_BITS, Line, QUAD, TWIN_BIT};

    /// In 32 bits, wrapping around: right if the totals fit.
    #[derive(Clone, Copy, Debug)]
    pub struct Narrow([__m128i; 2]);

    impl Default for Narrow {
        #[inline(always)]
        fn default() -> Self {
            // SAFETY: every x86-64 has these instructions.
            Self(unsafe { [_mm_setzero_si128(); 2] })
        }
    }

    impl Sum for Narrow {
        #[inline(always)]
        fn add_line<L: Line>(&mut self, line: &L, query: Query) -> bool {
            // SAFETY: every x86-64 has these instructions.
            unsafe {
                let zero = _mm_setzero_si128();
                let [low_bits, bin_bits, twin_bit] =
                    [LOW_BITS, BIN_BITS, TWIN_BIT].map(|bits| _mm_set1_epi32(bits as i32));
                let wanted = _mm_set1_epi32(query.first as i32);
                let mut found = zero;
                for quad in (0..L::QUADS).map(|quad| line.quad(quad)) {
                    let stored: __m128i = bytemuck::cast(quad.first);
                    let first = _mm_xor_si128(stored, wanted);
                    let same = _mm_cmpeq_epi32(_mm_andnot_si128(low_bits, first), zero);
                    let distance = _mm_cmpeq_epi32(_mm_and_si128(first, bin_bits), zero);
                    let is_own = _mm_cmpeq_epi32(_mm_and_si128(stored, twin_bit), zero);
                    let mut sum = _mm_and_si128(bytemuck::cast(quad.weight), same);
                    sum = _mm_add_epi32(sum, _mm_and_si128(sum, distance));
                    if L::HAS_DETAILS {
                        let forms = _mm_cmpeq_epi32(bytemuck::cast(quad.forms), _mm_set1_epi32(query.forms as i32));
                        let tags = _mm_cmpeq_epi32(bytemuck::cast(quad.tags), _mm_set1_epi32(query.tags as i32));
                        sum = _mm_add_epi32(sum, _mm_and_si128(sum, forms));
                        sum = _mm_add_epi32(sum, _mm_and_si128(sum, tags));
                    }
                    self.0[0] = _mm_add_epi32(self.0[0], _mm_and_si128(is_own, sum));
                    self.0[1] = _mm_add_epi32(self.0[1], _mm_andnot_si128(is_own, sum));
                    found = _mm_or_si128(found, same);
                }
                _mm_movemask_epi8(found) != 0
            }
        }

        #[inline(always)]
        fn add(&mut self, other: &Self) {
            // SAFETY: every x86-64 has these instructions.
            unsafe {
                self.0 = [_mm_add_epi32(self.0[0], other.0[0]), _mm_add_epi32(self.0[1], other.0[1])];
            }
        }

        #[inline(always)]
        fn add_totals(&mut self, totals: [i64; 2]) {
            self.add(&Self(totals.map(|total| bytemuck::cast([total as i32, 0, 0, 0]))));
        }

        #[inline(always)]
        fn totals(&self) -> [i64; 2] {
            self.0.map(|lanes| {
                let [a, b, c, d] = bytemuck::cast::<_, [i32; QUAD]>(lanes);
                i64::from(a.wrapping_add(c).wrapping_add(b.wrapping_add(d)))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{Long, Short};
    use super::*;
    use proptest::prelude::*;

    /// Address, twin, bin, forms, tags, weight.
    type Stored = (u32, u32, u32, u32, u32, i32);

    fn line<L: Line>(slots: &[Stored; 8]) -> L {
        let mut line = L::zeroed();
        for (slot, &(address, twin, bin, forms, tags, weight)) in slots[..L::SLOTS].iter().enumerate() {
            line.first_mut()[slot] = address << 5 | twin << 4 | bin;
            line.set_details(slot, [forms, tags]);
            line.weight_mut()[slot] = weight;
        }
        line
    }

    /// Both sums are those of the slots whose address agrees, doubled for each detail that agrees.
    fn check<L: Line>(lines: &[[Stored; 8]], sent_on: u32, query: Query) -> Result<(), TestCaseError> {
        let (mut narrow, mut wide, mut expected, mut known) = (Narrow::default(), Wide::default(), [0i64; 2], false);
        for slots in lines {
            let mut line: L = line(slots);
            line.send_on(sent_on << 5);
            prop_assert!(line.goes_on(sent_on << 5 | 0x1f));
            prop_assert!(!line.goes_on((sent_on + 1) << 5));
            let found = narrow.add_line(&line, query);
            prop_assert_eq!(found, wide.add_line(&line, query));
            known |= found;
            for s in slots[..L::SLOTS].iter().filter(|s| s.0 == query.first >> 5) {
                let mut times = if s.2 == query.first & BIN_BITS { 2 } else { 1 };
                if L::HAS_DETAILS {
                    times *= [s.3 == query.forms, s.4 == query.tags].iter().fold(1, |t, &agree| t << u8::from(agree));
                }
                expected[s.1 as usize] += i64::from(s.5) * times;
            }
        }
        prop_assert_eq!((narrow.totals(), wide.totals()), (expected, expected));
        prop_assert!(known || expected == [0, 0]);
        Ok(())
    }

    proptest! {
        #[test]
        fn sums_are_those_of_agreeing_slots(
            lines in prop::collection::vec(
                prop::array::uniform8((1u32..3, 0u32..2, 0u32..3, 0u32..3, 0u32..3, -1000i32..1000)), 1..9),
            sent_on in 0u32..9,
            (address, bin, forms, tags) in (1u32..3, 0u32..3, 0u32..3, 0u32..3),
        ) {
            let query = Query { first: address << 5 | bin, forms, tags };
            check::<Short>(&lines, sent_on, query)?;
            check::<Long>(&lines, sent_on, query)?;
        }
    }

    /// What does not fit 32 bits is summed in 64.
    #[test]
    fn wide_sums_do_not_overflow() {
        let weight = i32::MAX;
        let line: Long = line(&std::array::from_fn(|slot| (1, slot as u32 % 2, 0, 0, 0, weight)));
        let mut wide = Wide::default();
        wide.add_line(&line, Query { first: 32, forms: 0, tags: 0 });
        assert_eq!(wide.totals(), [2 * 8 * i64::from(weight); 2]);
    }
}
