//! Reports: every writer against the exact text that it should write, every table against numbers worked out by hand.

mod budget;
mod claims;
mod diffs;
mod figures;
mod fixture;
mod growth;
mod looks;
mod records;
mod svg;
mod tables;
mod template_counts;
mod verbs;
