//! Data that may be at hand: real treebanks, which are never part of the project.
//!
//! Where they are not, tests that need them are passed over, and say so past the test runner, which keeps what passing tests
//! print to itself. With `TREEBOUND_DATA=required` those that look for one treebank or table
//! fail instead.

#![allow(dead_code, reason = "not every test crate needs every tool")]

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of a treebank: what `make data` has fetched, or a copy beside the project.
pub fn treebank(name: &str) -> Option<PathBuf> {
    find(name, &[&format!("data/{name}"), &format!("../shared/treebanks/{name}")])
}

/// The first of some paths, from the project's folder, that is there.
pub fn find(name: &str, paths: &[&str]) -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = paths.iter().map(|path| project.join(path)).find(|path| path.exists());
    if found.is_none() {
        absent(name);
        assert!(std::env::var("TREEBOUND_DATA").as_deref() != Ok("required"), "{name} is required");
    }
    found
}

/// Says that something is passed over for want of data.
pub fn absent(name: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {name} is not at hand, so what needs it was not tested");
}
