//! Template sets and feature families.

mod described;
mod families;
mod guards;
mod hand;
mod made;
mod scoring;
mod sets;
mod sights;
mod trees;
