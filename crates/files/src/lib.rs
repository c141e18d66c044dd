//! Files: inputs of a bounded size, and outputs that are either whole or absent.

pub mod input;
pub mod lease;
pub mod owner;
mod whole;

pub use whole::{UNFINISHED, is_race, remove_left_behind, remove_unfinished, replace_whole, try_to_write, write_whole};
