//! What a dynamic program computes with (Goodman 1999): the same recurrence maximises or sums.
//!
//! A chart is sums (`plus`) of products (`times`). Over [values](crate::decode::semiring) `plus` takes the larger and `times` adds, and
//! the program finds the best tree. Over [`Weight`] both are what they say, and it sums over all trees: each tree has one
//! derivation. [`Weights`] are those of several models at once. [`LogWeight`](crate::decode::log_scores::LogWeight) sums too, where
//! weights leave the range of `f64`, and knows their entropy.
//!
//! The numbers that dynamic programs add and compare, and the best of several choices.
//!
//! Scores are integers. `f64` adds and compares integers exactly up to 2^53 and has a true minus infinity, and the
//! machine does several at once; [`exact_in_f64`] says when a graph fits. Larger scores go through [`Wide`], slowly and
//! just as exactly.

use std::ops::Add;

use super::arborescence::Whole;

/// Numbers with a sum and a product that distributes over it.
pub trait Semiring: Copy + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// What multiplies as nothing.
    const ONE: Self;
    /// What adds as nothing, and absorbs what it is multiplied with.
    const NONE: Self;

    /// The sum: of several ways.
    fn plus(self, other: Self) -> Self;

    /// The product: of what stands together.
    fn times(self, other: Self) -> Self;
}

/// A plain number that is not negative: the exponential of a score, or a sum of such.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Weight(pub f64);

impl Semiring for Weight {
    const ONE: Self = Weight(1.0);
    const NONE: Self = Weight(0.0);

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Weight(self.0 + other.0)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Weight(self.0 * other.0)
    }
}

/// [`Weight`]s of several models side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Weights<const L: usize>(pub [f64; L]);

impl<const L: usize> Default for Weights<L> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const L: usize> Semiring for Weights<L> {
    const ONE: Self = Weights([1.0; L]);
    const NONE: Self = Weights([0.0; L]);

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Weights(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Weights(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }
}

/// A totally ordered number with a minus infinity that absorbs what is added to it.
///
/// As a [`Semiring`] it maximises: the best of several, the sum of all that stands together.
pub trait Value: Semiring + PartialOrd + Add<Output = Self> {
    /// The score of nothing.
    const ZERO: Self = Self::ONE;
    /// Below every score, whatever is added to it.
    const NEG_INF: Self = Self::NONE;

    /// From an integer score; exact for `f64` under [`exact_in_f64`].
    fn from_score(score: i64) -> Self;

    /// Back to an integer; none for minus infinity.
    fn to_score(self) -> Option<i128>;

    /// Integers of the same range.
    type Whole: Whole;

    /// As such an integer; it must not be minus infinity.
    fn to_whole(self) -> Self::Whole;

    /// From such an integer.
    fn of_whole(whole: Self::Whole) -> Self;
}

impl Semiring for f64 {
    const ONE: Self = 0.0;
    const NONE: Self = f64::NEG_INFINITY;

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self + other
    }
}

impl Value for f64 {
    #[inline(always)]
    fn from_score(score: i64) -> Self {
        score as f64
    }

    #[inline(always)]
    fn to_score(self) -> Option<i128> {
        (self > f64::NEG_INFINITY).then_some(self as i128)
    }

    type Whole = i64;

    #[inline(always)]
    fn to_whole(self) -> i64 {
        self as i64
    }

    #[inline(always)]
    fn of_whole(whole: i64) -> Self {
        whole as f64
    }
}

/// Whether every sum of scores whose absolute values add up to `total` is exact in `f64`.
pub fn exact_in_f64(total: u128) -> bool {
    total < 1 << 53
}

/// An `i128` with a minus infinity.
///
/// A graph has fewer than 2^34 scores of at most 2^63 each and a decoder scales them by at most 2^20, so sums stay
/// within 2^117.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide(i128);

impl Add for Wide {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if self == Self::NEG_INF || other == Self::NEG_INF { Self::NEG_INF } else { Self(self.0 + other.0) }
    }
}

impl Semiring for Wide {
    const ONE: Self = Wide(0);
    const NONE: Self = Wide(i128::MIN);

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self + other
    }
}

impl Value for Wide {
    fn from_score(score: i64) -> Self {
        Self(score.into())
    }

    fn to_score(self) -> Option<i128> {
        (self != Self::NEG_INF).then_some(self.0)
    }

    type Whole = i128;

    fn to_whole(self) -> i128 {
        self.0
    }

    fn of_whole(whole: i128) -> Self {
        Self(whole)
    }
}

/// The choice with the largest value so far, of equal ones the first; none while all are minus infinity.
pub(super) struct Best<V, T> {
    value: V,
    choice: Option<T>,
}

impl<V: Value, T> Best<V, T> {
    /// No choice yet.
    pub fn none() -> Self {
        Self { value: V::NEG_INF, choice: None }
    }

    /// Takes `choice` if it is better than those before.
    pub fn offer(&mut self, value: V, choice: T) {
        if value > self.value {
            *self = Self { value, choice: Some(choice) };
        }
    }

    /// The best choice.
    pub fn take(self) -> Option<T> {
        self.choice
    }
}
