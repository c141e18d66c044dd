//! Decoders: from a factor graph to its best projective tree, with a certificate.
//!
//! All decoders break ties deterministically; where the best tree is unique they return the same tree, and they always
//! return the same score.

mod backbone;
mod best;
pub mod bnb;
pub mod brute;
pub mod carreras;
mod decoder;
pub mod eisner;
pub mod grand_sibling;
pub mod marginals;
mod outcome;
pub mod value;

pub use backbone::{Backbone, Chart};
pub use decoder::{Decoder, DpError, Scratch};
pub use outcome::{Decoded, Status};
