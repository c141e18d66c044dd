//! The numbers that dynamic programs add and compare, and the best of several choices.
//!
//! Scores are integers. `f64` adds and compares integers exactly up to 2^53 and has a true minus infinity, and the
//! machine does several at once; [`exact_in_f64`] says when a graph fits. Larger scores go through [`Wide`], slowly and
//! just as exactly.

use std::ops::Add;

/// A totally ordered number with a minus infinity that absorbs what is added to it.
pub trait Value: Copy + Default + PartialOrd + Add<Output = Self> + Send + Sync + 'static {
    /// The score of nothing.
    const ZERO: Self;
    /// Below every score, whatever is added to it.
    const NEG_INF: Self;

    /// From an integer score; exact for `f64` under [`exact_in_f64`].
    fn from_score(score: i64) -> Self;

    /// Back to an integer; none for minus infinity.
    fn to_score(self) -> Option<i128>;

    /// The larger of two.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Value for f64 {
    const ZERO: Self = 0.0;
    const NEG_INF: Self = f64::NEG_INFINITY;

    #[inline(always)]
    fn from_score(score: i64) -> Self {
        score as f64
    }

    #[inline(always)]
    fn to_score(self) -> Option<i128> {
        (self > f64::NEG_INFINITY).then_some(self as i128)
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

impl Value for Wide {
    const ZERO: Self = Wide(0);
    const NEG_INF: Self = Wide(i128::MIN);

    fn from_score(score: i64) -> Self {
        Self(score.into())
    }

    fn to_score(self) -> Option<i128> {
        (self != Self::NEG_INF).then_some(self.0)
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
