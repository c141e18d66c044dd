//! Provenance: a log of the runs that made results (`provenance.toml`), apart from them, so that a diff of the rest shows only
//! science.
//!
//! It has a `[[run]]` for each time that a verb changed a file, and is only added to. Which run made a row does not matter: its key
//! says what made it. It has no date.

pub mod git;
mod log;
mod machine;
mod repository;

pub use log::{Data, Entry, FILE, Log, LogWriter, Program, REMOVED, own_command_line, shell_word};
pub use machine::Machine;
pub use repository::{Repository, are_uncommitted_beside};
