//! The phenomena that local factors cannot see.
//!
//! All are made alike. First the structure is drawn, at random among several that look the same to a factor of one arc,
//! of two adjacent modifiers, or of an arc and an outermost child; then the words are made to agree with it. No word or
//! tag shows its head by itself: what tells is a set of arcs, and each phenomenon is one shape of such sets.

mod brackets;
mod circumposition;
mod concord;
mod coordination;
mod ideophones;
mod parallel;
mod resumption;

use super::phenomenon::Phenomenon;
use super::phrases::Grower;

/// Adds the construction of a phenomenon to a sentence; false if there is no place for it.
pub(super) fn grow(phenomenon: Phenomenon, grower: &mut Grower) -> bool {
    match phenomenon {
        Phenomenon::Brackets => brackets::grow(grower),
        Phenomenon::Coordination => coordination::grow(grower),
        Phenomenon::Parallel => parallel::grow(grower),
        Phenomenon::Circumposition => circumposition::grow(grower),
        Phenomenon::Resumption => resumption::grow(grower),
        Phenomenon::Concord => concord::grow(grower),
        Phenomenon::Ideophones => ideophones::grow(grower),
    }
    .is_some()
}
