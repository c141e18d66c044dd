//! The step of MIRA, the margin infused relaxed algorithm (Crammer & Singer, 2003; Crammer et al., 2006: PA-I), with one
//! constraint a sentence (McDonald et al., 2005) on the tree that is best when wrong heads are charged for.
//!
//! With s the score, H the number of wrong heads, f the features of a tree:
//!
//! ```text
//! y     = the tree with the best s(y) + H(y)                      found exactly, the charge being part of the arcs' scores
//! tau   = min(C, (s(y) + H(y) - s(gold)) / |f(gold) - f(y)|^2)
//! w    += tau * (f(gold) - f(y))
//! ```
//!
//! Weights stay integers: they count a [`UNIT`]-th of 1, and tau is rounded to that.

/// A weight of 1 while learning; also the charge for a wrong head.
pub const UNIT: i64 = 1 << 14;

/// A weight of 1 in the average, which is finer: it is over many examples.
pub const AVERAGE_UNIT: i64 = 1 << 20;

/// The length of a step along a difference of features of that squared length when the gold tree is `behind` by so many units, charge included.
pub fn step(behind: i128, square: i128, aggressiveness: f64) -> i32 {
    if square == 0 || behind <= 0 {
        return 0;
    }
    let longest = (aggressiveness * UNIT as f64).round() as i32;
    let rounded = (2 * behind + square) / (2 * square);
    i32::try_from(rounded).unwrap_or(longest).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After an uncapped step the gold tree is ahead by just the charge, but for rounding.
    #[test]
    fn a_step_closes_the_gap() {
        const SQUARE: i128 = 9 + 1 + 4;
        let behind = 5 * UNIT as i128 + 77;
        let step = i128::from(step(behind, SQUARE, 1e3));
        let gained = step * SQUARE;
        assert!((gained - behind).abs() <= 7, "{gained} {behind}");
        assert_eq!(super::step(behind, SQUARE, 0.25), 1 << 12, "the step is capped");
        assert_eq!(super::step(0, SQUARE, 1.0), 0);
        assert_eq!(super::step(behind, 0, 1.0), 0);
    }
}
