//! Reports: every writer against the exact text that it should write, every table against numbers worked out by hand.

#[path = "results/budget.rs"]
mod budget;
#[path = "results/claims.rs"]
mod claims;
#[path = "results/diffs.rs"]
mod diffs;
#[path = "results/figures.rs"]
mod figures;
#[path = "results/fixture.rs"]
mod fixture;
#[path = "results/growth.rs"]
mod growth;
#[path = "results/looks.rs"]
mod looks;
#[path = "results/pages.rs"]
mod pages;
#[path = "results/records.rs"]
mod records;
#[path = "results/svg.rs"]
mod svg;
#[path = "results/tables.rs"]
mod tables;
#[path = "results/template_counts.rs"]
mod template_counts;
#[path = "results/verbs.rs"]
mod verbs;
