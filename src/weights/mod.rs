//! Weights: integers by feature; how they are looked up, learnt and summed.

pub mod cache;
pub mod fixed;
pub mod guard;
mod known;
pub mod learner;
pub mod lookup;
mod part_sums;
pub mod scorer;
mod sharing;
mod slots;
pub mod table;
mod walk;

pub use walk::KeyBuffers;
