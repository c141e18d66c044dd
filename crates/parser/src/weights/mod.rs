//! Weights: integers by feature; how they are looked up, learnt and summed.

pub mod cache;
pub mod contexts;
pub mod learner;
pub mod mapped;
pub mod scorer;
pub mod table;
pub mod walk;

pub use walk::KeyBuffers;
