//! Template sets and feature families.

mod contexts;
mod described;
mod families;
mod guards;
mod hand;
mod made;
mod scoring;
mod sets;
mod trees;
