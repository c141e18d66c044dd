//! The default search: exact, in a handful of calls to the dynamic program.
//!
//! A node is a set of candidate arcs; its trees are those over them. It is bounded by a relaxation that the dynamic
//! program solves ([`relaxation`]): every factor is replaced by scores on parts that the program handles anyway, never
//! less than the factor, and moved about by multipliers. Bounding a node ([`bounding`]) repeats
//!
//! 1. one call: the best tree under the multipliers, whose value is a bound for all trees of the node;
//! 2. the tree's true score, and that of the tree that it can be improved to by moving words ([`climb`]), as incumbents;
//! 3. now and then an outside pass: arcs in no tree above the incumbent are dropped, and all arrays shrink with them; of
//!    the others the best trees that have them are gathered ([`gather`]);
//! 4. the factors that are loose at the tree ([`loose`]), and a step that would close the gap if the bound were linear
//!    ([`step`]), for this tree and for the ones before it ([`memory`]),
//!
//! until the bound, rounded down to a whole score, is no more than the incumbent's, or it no longer comes nearer to it and
//! the node is branched ([`branching`]) on the arc whose factors were loose most. Multipliers begin where the expected
//! bound under a prior is least ([`start`]). What the first call does not settle goes on over the third-order program, to
//! which all grandchildren are local, and which tells what a pair is worth under each arc above it ([`owners`]). Larger
//! factors are bounded through pairs of their arcs ([`links`]).
//!
//! All sums are whole numbers of a fixed point, exact in `f64` ([`scale`]).

mod bounding;
mod branching;
mod climb;
mod families;
mod gather;
mod incidence;
mod instance;
mod kept;
mod links;
mod loose;
mod loose_pairs;
mod memory;
mod multipliers;
mod options;
mod owners;
mod raised;
mod relaxation;
mod scale;
mod score;
mod search;
mod seen;
mod shares;
mod sides;
mod spare;
mod start;
mod step;

pub use options::Options;
pub use search::Exact;
