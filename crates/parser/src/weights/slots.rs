//! The weights of a line's slots, summed side by side: one look-up compares all fingerprints of a line at once, and adds the
//! weight of the slot that matches, without a branch.

use std::ops::Add;

use super::table::{Line, SLOTS};

/// One sum a slot.
pub trait Sums: Copy {
    /// All 0.
    fn zero() -> Self;

    /// Adds the weight of the slot of `line` that holds `wanted`, if one does.
    fn plus_matching(self, line: &Line, wanted: u32) -> Self;

    /// The sum of all.
    fn total(self) -> i64;
}

/// Sums of type `T`, one a slot.
#[derive(Clone, Copy)]
pub struct Lanes<T>([T; SLOTS]);

impl<T: Copy + Default + From<i32> + Into<i64> + Add<Output = T>> Sums for Lanes<T> {
    #[inline(always)]
    fn zero() -> Self {
        Self([T::default(); SLOTS])
    }

    #[inline(always)]
    fn plus_matching(self, line: &Line, wanted: u32) -> Self {
        let matches = line.fingerprint.map(|f| -i32::from(f == wanted));
        Self(std::array::from_fn(|slot| self.0[slot] + T::from(line.weight[slot] & matches[slot])))
    }

    #[inline(always)]
    fn total(self) -> i64 {
        self.0.into_iter().map(Into::into).sum()
    }
}

/// In 64 bits, for weights of which some might together exceed 32.
pub type Sums64 = Lanes<i64>;

/// In 32 bits.
#[cfg(not(target_arch = "x86_64"))]
pub type Sums32 = Lanes<i32>;
#[cfg(target_arch = "x86_64")]
pub use narrow::Sums32;

/// Left to itself the compiler compares each slot with all wanted fingerprints, instead of each of these with all slots.
#[cfg(target_arch = "x86_64")]
mod narrow {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi32, _mm_set1_epi32, _mm_setzero_si128,
    };

    use super::{Line, SLOTS, Sums};

    /// In 32 bits.
    #[derive(Clone, Copy)]
    pub struct Sums32([__m128i; 2]);

    impl Sums for Sums32 {
        #[inline(always)]
        fn zero() -> Self {
            Self([zero(); 2])
        }

        #[inline(always)]
        fn plus_matching(self, line: &Line, wanted: u32) -> Self {
            let fingerprints: [__m128i; 2] = bytemuck::cast(line.fingerprint);
            let weights: [__m128i; 2] = bytemuck::cast(line.weight);
            Self(std::array::from_fn(|half| plus_matching(self.0[half], fingerprints[half], weights[half], wanted)))
        }

        #[inline(always)]
        fn total(self) -> i64 {
            let [a, b, c, d, e, f, g, h] = bytemuck::cast::<_, [i32; SLOTS]>(self.0);
            (((a + e) + (c + g)) + ((b + f) + (d + h))).into()
        }
    }

    #[inline(always)]
    fn zero() -> __m128i {
        // SAFETY: every x86-64 has these instructions.
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    fn plus_matching(sum: __m128i, fingerprints: __m128i, weights: __m128i, wanted: u32) -> __m128i {
        // SAFETY: every x86-64 has these instructions.
        unsafe {
            let matches = _mm_cmpeq_epi32(fingerprints, _mm_set1_epi32(wanted as i32));
            _mm_add_epi32(sum, _mm_and_si128(matches, weights))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// All sums are those of the slots that hold what is wanted, several of one line or none.
        #[test]
        fn sums_are_those_of_matching_slots(
            lines in prop::collection::vec(prop::array::uniform8((0u32..12, -1000i32..1000)), 1..9),
            wanted in 1u32..12,
        ) {
            let (mut narrow, mut lanes, mut wide, mut expected) =
                (Sums32::zero(), Lanes::<i32>::zero(), Sums64::zero(), 0);
            for slots in lines {
                let line = Line { fingerprint: slots.map(|s| s.0), weight: slots.map(|s| s.1) };
                narrow = narrow.plus_matching(&line, wanted);
                lanes = lanes.plus_matching(&line, wanted);
                wide = wide.plus_matching(&line, wanted);
                expected += slots.iter().filter(|s| s.0 == wanted).map(|s| i64::from(s.1)).sum::<i64>();
            }
            prop_assert_eq!((narrow.total(), lanes.total(), wide.total()), (expected, expected, expected));
        }
    }

    /// What does not fit 32 bits is summed in 64.
    #[test]
    fn wide_sums_do_not_overflow() {
        let line = Line { fingerprint: [7; SLOTS], weight: [i32::MAX; SLOTS] };
        let sums = Sums64::zero().plus_matching(&line, 7).plus_matching(&line, 7);
        assert_eq!(sums.total(), 16 * i64::from(i32::MAX));
    }
}
