//! Data that may be there: real treebanks, which are never part of the project.
//!
//! Where they are not, tests that need them are skipped. `make test` says in its last line how many were, and for
//! want of what: each adds a line to the file that `TREEBOUND_SKIPPED` names. Without that file each says so
//! itself, past the test runner, which keeps what passing tests print. With `TREEBOUND_DATA=required` those that look
//! for one treebank or table fail instead; continuous integration asks for that where there are treebanks beside the
//! checkout.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// The folder of a treebank: what `make data` has fetched, or a copy beside the project.
#[track_caller]
pub fn treebank(name: &str) -> Option<PathBuf> {
    find(name, &[&format!("data/{name}"), &format!("../shared/treebanks/{name}")])
}

/// The first of some paths, from the project's folder, that is there.
#[track_caller]
pub fn find(name: &str, paths: &[&str]) -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = paths.iter().map(|path| project.join(path)).find(|path| path.exists());
    if found.is_none() {
        absent(name);
        assert!(std::env::var("TREEBOUND_DATA").as_deref() != Ok("required"), "{name} is required");
    }
    found
}

/// The first of some programs that is installed. None is ever required.
#[track_caller]
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let found =
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file());
    if found.is_none() {
        absent(names.first().unwrap_or(&"a program"));
    }
    found
}

/// Says that the test which calls this is skipped, in all or in part, for want of `name`.
#[track_caller]
pub fn absent(name: &str) {
    match std::env::var_os("TREEBOUND_SKIPPED") {
        Some(path) => {
            let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file for what is skipped");
            // In one artifact: tests run beside each other. A test is told from others by its place.
            file.write_all(format!("{}\t{name}\n", Location::caller()).as_bytes()).expect("written");
        }
        None => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {name} is not there, so what needs it was not tested");
        }
    }
}
