//! Template sets and feature families.

mod common;
mod properties;

#[path = "features/described.rs"]
mod described;
#[path = "features/families.rs"]
mod families;
#[path = "features/guards.rs"]
mod guards;
#[path = "features/hand.rs"]
mod hand;
#[path = "features/made.rs"]
mod made;
#[path = "features/scoring.rs"]
mod scoring;
#[path = "features/sets.rs"]
mod sets;
#[path = "features/sights.rs"]
mod sights;
#[path = "features/trees.rs"]
mod trees;
