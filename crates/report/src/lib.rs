//! What is made of records: statistics, tables, figures, claims, and the diff of two results folders.

#![deny(missing_docs)]

pub mod claims;
pub mod diff;
pub mod error_analysis;
pub mod evaluation;
pub mod figures;
pub mod page;
pub mod statistics;
pub mod tables;
