//! Decoders: from a factor graph to its best tree, with a certificate.
//!
//! [`Decoder`] has them by name: branch and bound ([`bnb`]), the dynamic program alone ([`Backbone`] says which one: [`carreras`]
//! or [`grand_sibling`]; of non-projective trees [`arborescence`]), and [`brute`] force, which is the specification of the others.
//! DP calls are what [`Chart`] counts. [`Chart::each_tree`] has the trees in order, best first. [`partition`] sums over trees, and
//! by [part](parts) over those that have it, by the same programs, whose recurrences are written over a [`semiring`]. So are those
//! over all arcs, without a graph: [`first_order`], for training, pruning and scores in arrays, with [sums](arc_sums), and
//! [`siblings`].
//!
//! All decoders break ties deterministically; where the best tree is unique they return the same tree, and they always
//! return the same score.

pub mod arborescence;
pub mod arc_changes;
pub mod arc_sums;
mod backbone;
pub mod bnb;
pub mod brute;
pub mod carreras;
mod decoder;
mod derivations;
pub mod first_order;
pub mod grand_sibling;
pub mod log_scores;
pub mod mbr;
mod outcome;
pub mod partition;
pub mod query;
pub mod semiring;
pub mod shift_reduce;
pub mod siblings;

pub use backbone::{Backbone, Chart};
pub use decoder::{Decoder, Scratch};
pub use outcome::{Decoded, DpError, Status};
