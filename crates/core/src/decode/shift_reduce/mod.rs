//! Shift-reduce parsing and its searches, from greedy to exact (Zhao, Cross & Huang 2013).
//!
//! The transition system is arc-standard: a stack of trees, the top one s0, below it s1 and s2, and words that wait.
//!
//! ```text
//! shift          S, w w' ...       ->  S w, w' ...
//! left-reduce    S s1 s0, ...      ->  S (s1 <- s0), ...       s1 becomes a child of s0
//! right-reduce   S s1 s0, ...      ->  S (s1 -> s0), ...       s0 becomes a child of s1
//! ```
//!
//! A derivation of n words has n shifts and n - 1 reductions, and ends with one tree, whose head is the one word on the root.
//!
//! What actions cost is a [`Costs`]: it sees the three trees on top and the words that wait, and of trees only what its classes
//! tell apart (the *kernel features* of the paper). States with the same classes are one state for the dynamic programs.
//! [`Search`] has the searches by name, [`exhaustive`] is their specification. Nothing here knows of features or treebanks.
//!
//! Costs are whole numbers, so equal costs are ties and the optimum is exact. Ties are broken by order, the same on every
//! machine.

mod arc_costs;
mod back;
mod beam;
mod best_first;
mod dp_beam;
mod dp_best_first;
pub mod exhaustive;
mod memory;
mod nodes;
mod queue;
mod search;
#[cfg(test)]
mod tests;
mod transition;

pub use arc_costs::ArcCosts;
pub use dp_beam::Step;
pub use memory::Memory;
pub use search::{End, Found, Limits, Order, Search, Work};
pub use transition::{Action, Actions, Costs, Partial, Stack, State, gold_actions, heads};
