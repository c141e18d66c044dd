//! Factor graphs as integer linear programs, by Martins, Smith & Xing (2009), "Concise Integer Linear Programming
//! Formulations for Dependency Parsing", sections 3.1 to 3.6.
//!
//! ```text
//! Program       variables, rows and coefficients, all of them whole numbers; knows of no solver
//! Formulation   which of the paper's ways a graph is written in: Program::new(graph, formulation)
//! Program::at   the point of a tree: where each variable lies by its meaning, whatever the rows say
//! Fractions     the other way round: what a point has of the graph's arcs, factors and counts
//! Solver        the solver, where the crate was built with the feature `solver`: best trees, relaxations
//! ```
//!
//! Programs and branch and bound know nothing of each other, so each is held against the other.

mod decoder;
mod formulation;
mod fractions;
mod point;
mod program;
#[cfg(feature = "solver")]
mod solver;

pub use decoder::{Answer, Goal, IlpError, IlpStatus, Settings, decode, is_built};
pub use formulation::{Form, Formulation, Rows};
pub use fractions::Fractions;
pub use program::{Column, ColumnId, Order, Program, Row, RowId, Rule, Side};
