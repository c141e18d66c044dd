//! The checksum of the sources. The build script takes it, and provenance takes it again to see whether the sources still are
//! what the program was built from. No artifact is keyed by it.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources, and the versions of all dependencies.
pub const DECISIVE: [&str; 3] = ["crates", "src", "Cargo.lock"];

/// The checksum of the sources in a folder.
pub fn checksum(folder: &Path) -> String {
    let mut files = Vec::new();
    for path in DECISIVE {
        collect(&folder.join(path), &mut files);
    }
    files.sort();
    let mut hash = Fnv::new();
    for file in &files {
        // The name within the folder, wherever that stands.
        hash.add(file.strip_prefix(folder).unwrap_or(file).to_string_lossy().as_bytes());
        hash.add(&fs::read(file).unwrap_or_default());
    }
    format!("{:016x}", hash.0)
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
