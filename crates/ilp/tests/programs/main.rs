//! Programs against the meaning of graphs, and the solver against enumeration.

mod counts;
mod fractions;
mod graphs;
mod points;
mod shapes;
#[cfg(feature = "solver")]
mod solver;
