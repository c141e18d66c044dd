//! Programs against the meaning of graphs, and the solver against enumeration.

mod counts;
mod graphs;
mod points;
#[cfg(feature = "solver")]
mod solver;
