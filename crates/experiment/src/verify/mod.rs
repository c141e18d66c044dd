//! Verify of answers: cells held against the store ([`origins`]) and trees against the model ([`answers`]), without trust in what
//! made them.
//!
//! A tree is looked at from the definition of one ([`trees`]), its score as a plain sum of weights ([`weigh`]), and of a sample
//! also the proof, by another exact decoder ([`bench`]). Files of records are held against each other
//! ([`records`]). Nothing here trains, and nothing is written.

pub mod answers;
mod bench;
mod folder;
pub mod origins;
pub mod records;
mod trees;
mod weigh;

pub use folder::Verification;
