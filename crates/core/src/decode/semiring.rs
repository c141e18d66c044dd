//! What a dynamic program computes with (Goodman 1999): the same recurrence maximises or sums.
//!
//! A chart is sums (`plus`) of products (`times`). Over [values](super::value) `plus` takes the larger and `times` adds, and
//! the program finds the best tree. Over [`Weight`] both are what they say, and it sums over all trees: each tree has one
//! derivation. [`Weights`] are those of several models at once. [`LogWeight`](super::log_weight::LogWeight) sums too, where
//! weights leave the range of `f64`, and knows their entropy.

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
