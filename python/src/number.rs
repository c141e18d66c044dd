//! Scores as arrays hold them, and the grid on which they become whole numbers.
//!
//! Decoders add and compare whole numbers, so that a proof needs no tolerance. Floating-point scores are rounded to multiples of
//! a power of two, the step; how much that can change the score of a tree is told with the answer. Scores that are such
//! multiples, as small whole numbers and their halves are, lose nothing.

use std::fmt::Display;

/// A score in an array.
pub trait Number: numpy::Element + Copy + Default + Display + Send + Sync {
    /// Whether all values are whole numbers.
    const IS_WHOLE: bool;

    /// Whether it is minus infinity.
    fn is_missing(self) -> bool;

    /// The nearest `f64`; exact for whole numbers below 2^53.
    fn near(self) -> f64;

    /// The largest absolute value, minus infinities left out; infinity if one is plus infinity or no number at all.
    fn largest(row: &[Self]) -> f64;

    /// As a whole number of steps.
    fn whole(self, grid: Grid) -> i64;
}

/// Numbers of IEEE 754, whose bits without the sign are ordered as the numbers are, and infinity and NaN above all others: so a
/// maximum of whole numbers, which compilers make a loop of vectors of, finds both.
macro_rules! floating {
    ($float:ty, $bits:ty) => {
        impl Number for $float {
            const IS_WHOLE: bool = false;

            #[inline(always)]
            fn is_missing(self) -> bool {
                self == <$float>::NEG_INFINITY
            }

            #[inline(always)]
            fn near(self) -> f64 {
                self.into()
            }

            #[inline]
            fn largest(row: &[Self]) -> f64 {
                let missing = <$float>::NEG_INFINITY.to_bits();
                let magnitude = |x: &$float| if x.to_bits() == missing { 0 } else { x.to_bits() & (<$bits>::MAX >> 1) };
                let largest = row.iter().map(magnitude).fold(0, <$bits>::max);
                <$float>::from_bits(largest.min(<$float>::INFINITY.to_bits())).into()
            }

            #[inline(always)]
            fn whole(self, grid: Grid) -> i64 {
                grid.round(self.into()) as i64
            }
        }
    };
}

floating!(f32, u32);
floating!(f64, u64);

impl Number for i64 {
    const IS_WHOLE: bool = true;

    #[inline(always)]
    fn is_missing(self) -> bool {
        false
    }

    #[inline(always)]
    fn near(self) -> f64 {
        self as f64
    }

    #[inline]
    fn largest(row: &[Self]) -> f64 {
        row.iter().map(|x| x.unsigned_abs()).fold(0, u64::max) as f64
    }

    #[inline(always)]
    fn whole(self, _: Grid) -> i64 {
        self
    }
}

/// Sums up to 2 to this power are exact, with a bit for what [`Grid::round`] adds.
pub const BITS_OF_SUMS: i32 = 51;

/// As [`BITS_OF_SUMS`], for a search, which divides a step further. The first with which it has room is taken.
pub const BITS_OF_SEARCH: [i32; 3] = [44, 36, 28];

/// The exponents that a step may have, so that neither it nor its inverse leaves the range of `f64`.
const EXPONENTS: std::ops::RangeInclusive<i32> = -1000..=1000;

/// Whole multiples of a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Its step.
    pub step: f64,
    inverse: f64,
}

impl Grid {
    /// That of whole numbers.
    pub const WHOLE: Self = Self { step: 1.0, inverse: 1.0 };

    fn new(exponent: i32) -> Self {
        let exponent = exponent.clamp(*EXPONENTS.start(), *EXPONENTS.end());
        // Powers of two, exactly.
        let power = |e: i32| f64::from_bits(((1023 + e) as u64) << 52);
        Self { step: power(exponent), inverse: power(-exponent) }
    }

    /// The finest on which numbers that add up to `total` stay within so many bits.
    pub fn finest(total: f64, bits: i32) -> Self {
        if total > 0.0 { Self::new(exponent(total) + 1 - bits) } else { Self::WHOLE }
    }

    /// The coarsest whose step is at most `step`, a positive number.
    pub fn at_most(step: f64) -> Self {
        Self::new(exponent(step))
    }

    /// The number of steps that is nearest, of at most [`BITS_OF_SUMS`] bits; minus infinity stays.
    #[inline(always)]
    pub fn round(self, x: f64) -> f64 {
        // At this size the numbers are whole, so the sum is rounded to one: a rounding without a function call.
        const LARGE: f64 = (3u64 << 51) as f64;
        (x * self.inverse + LARGE) - LARGE
    }

    /// How far the nearest multiples are from numbers at most, exactly; minus infinities left out. Four maxima at once, since
    /// compilers do not take one of floats apart.
    #[inline(always)]
    pub fn largest_error<T: Number>(self, numbers: &[T]) -> f64 {
        let mut largest = [0.0; 4];
        let apart = |x: T| {
            let steps = x.near() * self.inverse;
            let apart = (steps - self.round(x.near())).abs();
            // Infinities are infinitely many steps, and no number apart.
            if apart <= 0.5 { apart } else { 0.0 }
        };
        let larger = |a: f64, b: f64| if b > a { b } else { a };
        let (fours, rest) = numbers.as_chunks::<4>();
        for four in fours {
            largest = std::array::from_fn(|i| larger(largest[i], apart(four[i])));
        }
        rest.iter().for_each(|&x| largest[0] = larger(largest[0], apart(x)));
        largest.into_iter().fold(0.0, larger) * self.step
    }
}

/// The exponent of the largest power of two that is no larger than a positive number.
fn exponent(x: f64) -> i32 {
    // Below the normal numbers any exponent is too small for a grid.
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}
