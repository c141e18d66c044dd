//! Results held against what they are made of, without trust in what made them.
//!
//! A check goes through some rows and says of how many it holds, which are wrong, and which it could not look at. Files
//! are held against each other ([`files`], [`tables`]), cells against their provenance and the store ([`origins`]), and a
//! sample of sentences against the model ([`searches`]): its tree from the definitions of a tree ([`trees`]), its score as
//! a plain sum of weights ([`weigh`]), and its proof by another exact decoder. Nothing here trains, and nothing is written.

mod check;
mod differences;
pub mod files;
pub mod origins;
pub mod searches;
pub mod tables;
mod trees;
mod weigh;

pub use check::Check;
