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

use crate::phrases::Grower;

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

treebound_parser::named! {
    /// A phenomenon, and the family of factors that can see it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Phenomenon {
        /// Matched brackets around a head: two siblings, one on each side.
        Brackets = "brackets",
        /// Lists of many conjuncts that agree with each other and not with their head: distant siblings.
        Coordination = "coordination",
        /// An adposition that is taken up again, as in `on ... rather than on`: an inner grandchild of the same word.
        Parallel = "parallel",
        /// An adposition in two halves whose head agrees with the object between them: an inner grandchild.
        Circumposition = "circumposition",
        /// A pronoun in a relative clause that agrees with the clause's noun: a chain of three arcs.
        Resumption = "resumption",
        /// Three particles of a verb, of which any two tell nothing: triples of siblings.
        Concord = "concord",
        /// Runs of particles whose pattern tells their head: combs.
        Ideophones = "ideophones",
    }
}
