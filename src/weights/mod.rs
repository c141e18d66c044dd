//! Weights: integers by feature; how they are looked up, learnt and summed.

pub mod guard;
pub mod learner;
pub mod lookup;
pub mod scorer;
mod sharing;
mod slots;
pub mod table;
mod walk;

pub use walk::KeyBuffers;
