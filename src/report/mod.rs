//! Reports: everything that is derived from records. Nothing here parses a sentence.

pub mod aggregate;
pub mod average;
pub mod claims;
pub mod columns;
pub mod csv;
pub mod diff;
pub mod error;
pub mod figure;
pub mod file;
pub mod frame;
pub mod git;
pub mod grid;
pub mod note;
pub mod number;
pub mod options;
pub mod order;
pub mod provenance;
pub mod published;
pub mod record;
pub mod significance;
pub mod speed;
pub mod table1;
pub mod table2;
pub mod table3;
pub mod tagging;
pub mod training;
