//! A cache line of sights, and the sum over those that a query finds in it.

use bytemuck::{Pod, Zeroable};

/// Slots in a line.
pub const SLOTS: usize = 4;

/// Bits of the first word of a sight that are the bin of the distance.
pub const BIN_BITS: u32 = 0xf;

/// The bit of the first word of a sight that says that it is one of the kind's twin. Those above are the fingerprint of the
/// address.
pub const TWIN_BIT: u32 = 0x10;

/// The bits of the first word of a sight that are not the fingerprint of the address.
pub const LOW_BITS: u32 = BIN_BITS | TWIN_BIT;

/// One cache line of the table.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line {
    /// Fingerprint of the address, twin or not, and bin of the distance. 0 marks an empty slot; slots fill from the front.
    pub first: [u32; SLOTS],
    /// The detail of forms, 0 if the bundle does not fold them.
    pub forms: [u32; SLOTS],
    /// The detail of tags, 0 if the bundle does not fold them.
    pub tags: [u32; SLOTS],
    /// The weight of each slot.
    pub weight: [i32; SLOTS],
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
    /// As [`Line::first`]; both lanes agree with it.
    pub first: u32,
    /// As [`Line::forms`].
    pub forms: u32,
    /// As [`Line::tags`].
    pub tags: u32,
}

/// Sums of both lanes: of the kind, and of its twin.
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
            let first = line.first[slot] ^ query.first;
            if first & !LOW_BITS == 0 {
                let agree = [first & BIN_BITS == 0, line.forms[slot] == query.forms, line.tags[slot] == query.tags];
                let agree = agree.iter().filter(|&&agree| agree).count();
                self.0[usize::from(line.first[slot] & TWIN_BIT != 0)] += i64::from(line.weight[slot]) << agree;
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

    use super::{BIN_BITS, LOW_BITS, Line, Query, SLOTS, Sum, TWIN_BIT};

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
                let stored: __m128i = bytemuck::cast(line.first);
                let first = _mm_xor_si128(stored, _mm_set1_epi32(query.first as i32));
                let forms = _mm_cmpeq_epi32(bytemuck::cast(line.forms), _mm_set1_epi32(query.forms as i32));
                let tags = _mm_cmpeq_epi32(bytemuck::cast(line.tags), _mm_set1_epi32(query.tags as i32));
                let same = _mm_cmpeq_epi32(_mm_andnot_si128(_mm_set1_epi32(LOW_BITS as i32), first), zero);
                let distance = _mm_cmpeq_epi32(_mm_and_si128(first, _mm_set1_epi32(BIN_BITS as i32)), zero);
                let is_own = _mm_cmpeq_epi32(_mm_and_si128(stored, _mm_set1_epi32(TWIN_BIT as i32)), zero);
                let mut sum = _mm_and_si128(bytemuck::cast(line.weight), same);
                sum = _mm_add_epi32(sum, _mm_and_si128(sum, distance));
                sum = _mm_add_epi32(sum, _mm_and_si128(sum, forms));
                sum = _mm_add_epi32(sum, _mm_and_si128(sum, tags));
                self.0[0] = _mm_add_epi32(self.0[0], _mm_and_si128(is_own, sum));
                self.0[1] = _mm_add_epi32(self.0[1], _mm_andnot_si128(is_own, sum));
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
                prop::array::uniform4((1u32..3, 0u32..2, 0u32..3, 0u32..3, 0u32..3, -1000i32..1000)), 1..9),
            (address, bin, forms, tags) in (1u32..3, 0u32..3, 0u32..3, 0u32..3),
        ) {
            let query = Query { first: address << 5 | bin, forms, tags };
            let (mut narrow, mut wide, mut expected, mut known) = (Narrow::default(), Wide::default(), [0i64; 2], false);
            for slots in lines {
                let line = Line {
                    first: slots.map(|s| s.0 << 5 | s.1 << 4 | s.2),
                    forms: slots.map(|s| s.3),
                    tags: slots.map(|s| s.4),
                    weight: slots.map(|s| s.5),
                };
                let found = narrow.add_line(&line, query);
                prop_assert_eq!(found, wide.add_line(&line, query));
                known |= found;
                for s in slots.iter().filter(|s| s.0 == address) {
                    let times = [s.2 == bin, s.3 == forms, s.4 == tags].iter().fold(1, |t, &agree| t << u8::from(agree));
                    expected[s.1 as usize] += i64::from(s.5) * times;
                }
            }
            prop_assert_eq!((narrow.totals(), wide.totals()), (expected, expected));
            prop_assert!(known || expected == [0, 0]);
        }
    }

    /// What does not fit 32 bits is summed in 64.
    #[test]
    fn wide_sums_do_not_overflow() {
        let line = Line { first: [32, 48, 32, 48], forms: [0; SLOTS], tags: [0; SLOTS], weight: [i32::MAX; SLOTS] };
        let mut wide = Wide::default();
        wide.add_line(&line, Query { first: 32, forms: 0, tags: 0 });
        assert_eq!(wide.totals(), [2 * 8 * i64::from(i32::MAX); 2]);
    }
}
