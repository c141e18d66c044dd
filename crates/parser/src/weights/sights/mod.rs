//! Weights by sight: what a bundle of templates has learnt, once a sight instead of once a feature.
//!
//! A bundle's templates take words as written or in lower case, fine or coarse tags, with or without the distance
//! ([`crate::features::bundles`]). When a part is learnt from, the weights of all of its features move by the same step. So the
//! weight of a feature is the sum of the steps of the sights that show it, and the sum of a part's weights can be had from these
//! steps alone:
//!
//! ```text
//! score(bundle, p) = sum over templates of w(template(p)) = sum over templates, over sights u with template(u) = template(p), of step(u)
//!                  = sum over sights u with address(u) = address(p) of  step(u) * k(u, p)
//! k(u, p)          = number of the bundle's templates that do not tell u and p apart
//!                  = 2^(number of details in which u and p agree, of those that some templates see and some do not)
//! ```
//!
//! This is the perceptron's dual form (Aizerman et al. 1964; Collins & Duffy 2002), address by address. Nothing is
//! approximated: sums, averages and so scores are the same integers. Rare words, of which there are most, have one or two sights
//! an address, where their features would be eight or sixteen a sight; so a look-up reads one cache line for eight or sixteen
//! features, and memory falls likewise.

mod beside;
pub mod entries;
pub mod fixed;
pub mod guard;
mod items;
pub mod learner;
mod line;
mod query;
pub mod scorer;
pub mod scores;
mod sums;
pub mod table;
pub mod visit;

pub use entries::{Entry, at_address};
pub use items::Buffers;
pub use table::{Sight, Table};
