//! Build script: a checksum of the sources that decide results, and what compiled them.
//!
//! Finished pieces of an experiment are kept and reused; a piece made by other code must not be. So its key holds this
//! checksum: of the rooms between treebank and decoder, and of the versions of all dependencies.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const DECISIVE: [&str; 10] = [
    "src/treebank",
    "src/tagger",
    "src/features",
    "src/weights",
    "src/pruning",
    "src/parser",
    "src/graph",
    "src/decode",
    "src/random.rs",
    "Cargo.lock",
];

fn main() {
    let mut files = Vec::new();
    for path in DECISIVE {
        println!("cargo::rerun-if-changed={path}");
        collect(Path::new(path), &mut files);
    }
    files.sort();
    let mut hash = Fnv::new();
    for file in &files {
        hash.add(file.to_string_lossy().as_bytes());
        hash.add(&fs::read(file).unwrap_or_default());
    }
    println!("cargo::rustc-env=TREEBOUND_SOURCES={:016x}", hash.0);
    println!("cargo::rustc-env=TREEBOUND_TOOLCHAIN={}", toolchain());
    for (name, source) in [("TREEBOUND_TARGET", "TARGET"), ("TREEBOUND_PROFILE", "PROFILE")] {
        println!("cargo::rustc-env={name}={}", env::var(source).unwrap_or_else(|_| UNKNOWN.to_owned()));
    }
}

const UNKNOWN: &str = "unknown";

/// The compiler's own line on its version.
fn toolchain() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| UNKNOWN.to_owned(), |text| text.trim().to_owned())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
