//! Provenance: where results come from. It stands apart from them (`provenance.toml`), so that a diff of the rest shows
//! only science.
//!
//! The file has a table a verb and grid (`[run.main]`, `[time.main]`), because scores and speeds may come from different
//! machines, and grids of one experiment from different days; verbs that know no grid have one table (`[errors]`). It has no
//! date: the same work done again on the same machine leaves it as it was.

mod earlier;
pub mod git;
mod machine;
mod made;
mod repository;
mod tables;

pub use earlier::{Earlier, MadeOf, Origin, OriginLine};
pub use machine::Machine;
pub use made::{Data, Program, Provenance, command_line};
pub use repository::Repository;
