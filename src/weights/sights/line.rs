//! A cache line of sights, and the sum over those that a query finds in it.

use bytemuck::{Pod, Zeroable};

/// Slots in a line.
pub const SLOTS: usize = 4;

/// Bits of the first word of a sight that are the bin of the distance; those above are the fingerprint of the address.
pub const BIN_BITS: u32 = 0xf;

/// One cache line of the table.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line {
    /// Fingerprint of the address, and bin of the distance. 0 marks an empty slot; slots fill from the front.
    pub first: [u32; SLOTS],
    /// Detail: forms in the high half, tags in the low half.
    pub detail: [u32; SLOTS],
    /// The weight of each slot, by lane: of the kind, and of its twin.
    pub weight: [[i32; SLOTS]; 2],
}

impl Line {
    /// Whether a look-up that begins here may have to go on.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.first[SLOTS - 1] != 0
    }
}

/// What is looked for: as a sight, but in details that a bundle does not see no slot agrees with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// As [`Line::first`].
    pub first: u32,
    /// As [`Line::detail`].
    pub detail: u32,
}

/// Sums of both lanes, one a slot.
pub trait Sum: Copy + Default {
    /// Adds what `query` finds in `line`; true if it finds its address.
    fn add_line(&mut self, line: &Line, query: Query) -> bool;

    /// Adds other sums.
    fn add(&mut self, other: &Self);

    /// Adds sums by lane.
    fn add_totals(&mut self, totals: [i64; 2]);

    /// The sums of all slots, by lane.
    fn totals(&self) -> [i64; 2];
}

/// In 64 bits, for weights of which some might together exceed 32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide([i64; 2]);

impl Sum for Wide {
    #[inline(always)]
    fn add_line(&mut self, line: &Line, query: Query) -> bool {
        let mut found = false;
        for slot in 0..SLOTS {
            let (first, detail) = (line.first[slot] ^ query.first, line.detail[slot] ^ query.detail);
            if first & !BIN_BITS == 0 {
                let agree = [first & BIN_BITS, detail >> 16, detail & 0xffff].iter().filter(|&&x| x == 0).count();
                for lane in 0..2 {
                    self.0[lane] += i64::from(line.weight[lane][slot]) << agree;
                }
                found = true;
            }
        }
        found
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.add_totals(other.0);
    }

    #[inline(always)]
    fn add_totals(&mut self, totals: [i64; 2]) {
        self.0 = [self.0[0] + totals[0], self.0[1] + totals[1]];
    }

    #[inline(always)]
    fn totals(&self) -> [i64; 2] {
        self.0
    }
}

/// In 32 bits, wrapping around: right if the totals fit.
#[cfg(target_arch = "x86_64")]
pub use narrow::Narrow;
#[cfg(not(target_arch = "x86_64"))]
pub type Narrow = Wide;

/// All slots of a line side by side.
#[cfg(target_arch = "x86_64")]
mod narrow {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_set1_epi32,
        _mm_setzero_si128, _mm_xor_si128,
    };

    use super::{BIN_BITS, Line, Query, SLOTS, Sum};

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
        fn add_line(&mut self, line: &Line, query: Query) -> bool {
            // SAFETY: every x86-64 has these instructions.
            unsafe {
                let zero = _mm_setzero_si128();
                let first: __m128i = bytemuck::cast(line.first);
                let detail: __m128i = bytemuck::cast(line.detail);
                let first = _mm_xor_si128(first, _mm_set1_epi32(query.first as i32));
                let detail = _mm_xor_si128(detail, _mm_set1_epi32(query.detail as i32));
                let bin = _mm_set1_epi32(BIN_BITS as i32);
                let low = _mm_set1_epi32(0xffff);
                let same = _mm_cmpeq_epi32(_mm_andnot_si128(bin, first), zero);
                let distance = _mm_cmpeq_epi32(_mm_and_si128(first, bin), zero);
                let forms = _mm_cmpeq_epi32(_mm_andnot_si128(low, detail), zero);
                let tags = _mm_cmpeq_epi32(_mm_and_si128(detail, low), zero);
                for lane in 0..2 {
                    let weight: __m128i = bytemuck::cast(line.weight[lane]);
                    let mut sum = _mm_and_si128(weight, same);
                    sum = _mm_add_epi32(sum, _mm_and_si128(sum, distance));
                    sum = _mm_add_epi32(sum, _mm_and_si128(sum, forms));
                    sum = _mm_add_epi32(sum, _mm_and_si128(sum, tags));
                    self.0[lane] = _mm_add_epi32(self.0[lane], sum);
                }
                _mm_movemask_epi8(same) != 0
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
                let [a, b, c, d] = bytemuck::cast::<_, [i32; SLOTS]>(lanes);
                i64::from(a.wrapping_add(c).wrapping_add(b.wrapping_add(d)))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both sums are those of the slots whose address agrees, doubled for each detail that agrees.
        #[test]
        fn sums_are_those_of_agreeing_slots(
            lines in prop::collection::vec(
                prop::array::uniform4((1u32..3, 0u32..3, 0u32..3, 0u32..3, -1000i32..1000, -1000i32..1000)), 1..9),
            (address, bin, forms, tags) in (1u32..3, 0u32..3, 0u32..3, 0u32..3),
        ) {
            let query = Query { first: address << 4 | bin, detail: forms << 16 | tags };
            let (mut narrow, mut wide, mut expected, mut known) = (Narrow::default(), Wide::default(), [0i64; 2], false);
            for slots in lines {
                let line = Line {
                    first: slots.map(|s| s.0 << 4 | s.1),
                    detail: slots.map(|s| s.2 << 16 | s.3),
                    weight: [slots.map(|s| s.4), slots.map(|s| s.5)],
                };
                let found = narrow.add_line(&line, query);
                prop_assert_eq!(found, wide.add_line(&line, query));
                known |= found;
                for s in slots.iter().filter(|s| s.0 == address) {
                    let times = [s.1 == bin, s.2 == forms, s.3 == tags].iter().fold(1, |t, &agree| t << u8::from(agree));
                    expected = [expected[0] + i64::from(s.4) * times, expected[1] + i64::from(s.5) * times];
                }
            }
            prop_assert_eq!((narrow.totals(), wide.totals()), (expected, expected));
            prop_assert!(known || expected == [0, 0]);
        }
    }

    /// What does not fit 32 bits is summed in 64.
    #[test]
    fn wide_sums_do_not_overflow() {
        let line = Line { first: [16; SLOTS], detail: [0; SLOTS], weight: [[i32::MAX; SLOTS]; 2] };
        let mut wide = Wide::default();
        wide.add_line(&line, Query { first: 16, detail: 0 });
        assert_eq!(wide.totals(), [4 * 8 * i64::from(i32::MAX); 2]);
    }
}
