//! Results held against what they are made of, without trust in what made them.
//!
//! A check goes through some rows and says of how many it holds, which are wrong, and which it could not look at. Files
//! are held against each other ([`files`], [`tables`]), cells against their provenance and the store ([`origins`]), and
//! trees against the model ([`answers`]): each from the definition of a tree ([`trees`]), its score as a plain sum of
//! weights ([`weigh`]), and of a sample also the proof, by another exact decoder ([`bench`]). Nothing here trains, and
//! nothing is written.

pub mod answers;
mod bench;
mod check;
mod differences;
pub mod files;
mod folder;
pub mod origins;
pub mod tables;
mod trees;
mod weigh;
pub mod words;

pub use check::Check;
pub use folder::{Verification, VerifyError};
