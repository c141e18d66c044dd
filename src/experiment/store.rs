//! The store of finished work: pieces that are expensive to make, each in a file of its own.
//!
//! A piece is named by a key over all that it depends on: the settings that decide it, the data's checksum and the
//! checksum of the sources. It is written under a temporary name and renamed, so a piece is either whole or absent; it
//! ends with a checksum, so a damaged one counts as absent.

use std::fs;
use std::io;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::whole_file::write_whole;

/// The checksum of the sources that decide results.
pub const SOURCES: &str = env!("TREEBOUND_SOURCES");

/// The name of a piece: what it is, and a checksum of what it depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    kind: &'static str,
    digest: String,
}

impl Key {
    /// The key of a piece of some kind that depends on these facts and on the program's sources.
    pub fn new(kind: &'static str, facts: &[(&str, &dyn std::fmt::Display)]) -> Self {
        let mut hash = Sha256::new();
        hash.update(format!("{kind}\nsources = {SOURCES}\n"));
        for (name, value) in facts {
            let value = value.to_string();
            hash.update(format!("{name}, {} bytes\n{value}\n", value.len()));
        }
        Self { kind, digest: hex(&hash.finalize()[..16]) }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.kind, self.digest)
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A folder of pieces.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

const CHECKSUM_BYTES: usize = 32;

impl Store {
    /// The store in `folder`, which is made when the first piece is written.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where a piece is or would be.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.to_string())
    }

    /// The bytes of a piece, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.path(key)).ok()?;
        let body = bytes.len().checked_sub(CHECKSUM_BYTES)?;
        let whole = Sha256::digest(&bytes[..body]).as_slice() == &bytes[body..];
        bytes.truncate(body);
        whole.then_some(bytes)
    }

    /// Whether a piece is there, not looking whether it is whole.
    pub fn has(&self, key: &Key) -> bool {
        self.path(key).is_file()
    }

    /// Keeps a piece.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        let checksum = Sha256::digest(bytes);
        write_whole(&self.path(key), |file| {
            file.write_all(bytes)?;
            file.write_all(&checksum)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_comes_back_whole_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path().join("cache"));
        let key = Key::new("piece", &[("a", &1), ("b", &"x")]);
        assert_eq!(store.get(&key), None);
        store.put(&key, b"content").expect("written");
        assert_eq!(store.get(&key).as_deref(), Some(&b"content"[..]));
        let bytes = fs::read(store.path(&key)).expect("bytes");
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], &[][..]] {
            fs::write(store.path(&key), damaged).expect("written");
            assert_eq!(store.get(&key), None);
        }
        assert_eq!(fs::read_dir(dir.path().join("cache")).expect("a folder").count(), 1, "no temporary files stay");
    }

    #[test]
    fn keys_depend_on_every_fact() {
        let key = |a: u32, b: &str| Key::new("piece", &[("a", &a), ("b", &b)]);
        assert_eq!(key(1, "x"), key(1, "x"));
        assert_ne!(key(1, "x"), key(2, "x"));
        assert_ne!(key(1, "x"), key(1, "y"));
        assert_ne!(key(1, "x"), Key::new("other", &[("a", &1), ("b", &"x")]));
    }
}
