//! Weights: integers by feature; how they are looked up, learnt and summed.

pub mod cache;
pub mod fixed;
mod known;
pub mod learner;
pub mod lookup;
pub mod mapped;
pub mod scorer;
mod sharing;
pub mod sights;
mod slots;
pub mod table;
mod walk;

pub use walk::KeyBuffers;
