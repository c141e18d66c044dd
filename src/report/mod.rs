//! Reports: everything that is derived from records. Nothing here parses a sentence.

pub mod aggregate;
pub mod columns;
pub mod csv;
pub mod error;
pub mod file;
pub mod frame;
pub mod grid;
pub mod number;
pub mod order;
pub mod record;
pub mod significance;
pub mod speed;
