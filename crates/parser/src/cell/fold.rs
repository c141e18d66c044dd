//! One fold of a cross-validation.

use std::fmt::{self, Display};

/// A fold, spelt `3/10`. Cells of the split `cv` have no fold: their rows are those of all folds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fold {
    /// Of how many.
    of: usize,
    /// Which, from 0.
    index: usize,
}

impl Fold {
    /// Fewest folds: one is parsed, one chooses between epochs, and something must be left to learn from.
    pub const FEWEST: usize = 3;

    /// How the column of a results file is described.
    pub const EXPECTED: &'static str = "a fold, such as `3/10`, or nothing";

    /// All folds of so many, in order.
    pub fn all(of: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..of).map(move |index| Self { of, index })
    }

    /// Which fold it is, from 0.
    pub fn index(self) -> usize {
        self.index
    }

    /// How many folds there are.
    pub fn count(self) -> usize {
        self.of
    }

    /// The fold after it; the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        Self { index: (self.index + 1) % self.of.max(1), ..self }
    }

    /// Whether no fold comes after it.
    pub fn is_last(self) -> bool {
        self.index + 1 == self.of
    }

    /// Reads what is [displayed](Display).
    pub fn parse(text: &str) -> Option<Self> {
        let (number, of) = text.split_once('/')?;
        let (number, of): (usize, usize) = (number.parse().ok()?, of.parse().ok()?);
        let fold = Self { of, index: number.checked_sub(1)? };
        (number <= of && fold.to_string() == text).then_some(fold)
    }
}

impl Display for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_has_one_spelling() {
        let spelt: Vec<String> = Fold::all(3).map(|fold| fold.to_string()).collect();
        assert_eq!(spelt, ["1/3", "2/3", "3/3"]);
        assert!(Fold::all(3).all(|fold| Fold::parse(&fold.to_string()) == Some(fold)));
        for text in ["", "3", "0/3", "4/3", "+1/3", "01/3", "1/", "/3", "1/3/3"] {
            assert_eq!(Fold::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_fold_comes_after_the_last() {
        let next: Vec<usize> = Fold::all(3).map(|fold| fold.next().index()).collect();
        assert_eq!(next, [1, 2, 0]);
        assert_eq!(Fold::all(3).filter(|fold| fold.is_last()).count(), 1);
    }
}
