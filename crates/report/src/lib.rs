//! What is made of records: statistics, tables, figures, claims, and the diff of two results folders.

#![deny(missing_docs)]

pub mod bins;
pub mod claims;
pub mod comparison;
pub mod curves;
pub mod diff;
pub mod evaluation;
pub mod figures;
pub mod frame;
pub mod made;
pub mod measures;
pub mod page;
pub mod results;
pub mod sentences;
pub mod speed;
pub mod tables;
pub mod verify;
