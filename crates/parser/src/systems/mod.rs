//! Systems: every parser behind one interface.
//!
//! An experiment sees nothing of a parser but this. A [`System`] is a parser with its settings: it says what its models
//! depend on ([`Facts`]) and what it wants prepared ([`Needs`]), and learns. A [`Trained`] one can be kept as bytes and
//! opens a [`Session`], which parses batches of sentences and answers with tree, proof, effort and phases
//! ([`Answer`]). Sentences come as words with tags, so gold trees cannot reach a session.
//!
//! Below the seam everything is as its system wants it: the [`graph`] system has static dispatch and closed enums from
//! features to search.
//!
//! A new system is a file with a [`Kind`], and its line in [`BUILT_IN`]. Parsers that run by command line need neither:
//! a config describes them ([`external`]).

mod built_in;
mod chain_after;
mod chain_before;
mod error;
pub mod external;
pub mod facts;
pub mod graph;
mod system;
mod task;
mod unlearnt;

pub use built_in::{BUILT_IN, built_in, is_external, place};
pub use error::SystemError;
pub use facts::Facts;
pub use system::{Axes, Choice, Descent, How, Kind, Needs, PassRecord, Session, System, Trained, Versions};
pub use task::{Learnt, LearntFrom, Nonprojective, Pruned, Task, TrainingPart};
