//! Reports: every writer against the exact text that it should write, every table against numbers worked out by hand.

#[path = "report/budget.rs"]
mod budget;
#[path = "report/claims.rs"]
mod claims;
#[path = "report/diffs.rs"]
mod diffs;
#[path = "report/figures.rs"]
mod figures;
#[path = "report/fixture.rs"]
mod fixture;
#[path = "report/growth.rs"]
mod growth;
#[path = "report/records.rs"]
mod records;
#[path = "report/svg.rs"]
mod svg;
#[path = "report/tables.rs"]
mod tables;
#[path = "report/verbs.rs"]
mod verbs;
