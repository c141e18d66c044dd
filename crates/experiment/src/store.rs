//! The store of finished work: artifacts that are expensive to make, each in a file of its own.
//!
//! An artifact is named by a key over all that it depends on: the settings that decide it, the data's checksum and the
//! [version](super::versions) of the code that makes its kind. It is written under a temporary name and renamed, so an artifact
//! is either whole or absent; it ends with a checksum over its key and its content, so one that is damaged, or bears the name of
//! another, counts as absent.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

use sha2::{Digest, Sha256};

use treebound_files::input;
use treebound_files::{remove_unfinished, replace_whole};
use treebound_parser::bytes::hex;
use treebound_records::RowKey;

/// What an artifact depends on: the version of the code that makes its kind, and named values in a fixed order, a line each.
#[derive(Clone, Debug)]
pub struct Facts {
    kind: &'static str,
    text: String,
}

impl Facts {
    /// Those of an artifact of some kind, so far its version alone.
    pub fn new(kind: &'static str, version: u32) -> Self {
        Self { kind, text: format!("{kind} {version}\n") }
    }

    /// With another one; its name has no `=`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        let value = value.to_string().replace('\\', "\\\\").replace('\n', "\\n");
        self.text.push_str(&format!("{name} = {value}\n"));
        self
    }

    /// What is hashed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The key that they make.
    pub fn key(&self) -> Key {
        Key { kind: self.kind, digest: Sha256::digest(&self.text).into() }
    }
}

/// The name of an artifact: what it is, and a checksum of what it depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    kind: &'static str,
    digest: [u8; 32],
}

impl Key {
    /// As rows show it.
    pub fn of_row(&self) -> RowKey {
        RowKey::of_digest(self.digest)
    }
}

/// As a file is named.
impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.kind, hex(&self.digest[..16]))
    }
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A folder of artifacts.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Why an artifact could not be kept: the first time that it happened.
    failure: OnceLock<String>,
    /// Who is told so at once.
    tell: Option<fn(&str)>,
    told: Once,
}

const CHECKSUM_BYTES: usize = 32;

/// What an artifact ends with.
fn checksum(key: &Key, content: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut hash = Sha256::new();
    hash.update(format!("{key}\n"));
    hash.update(content);
    hash.finalize().into()
}

impl Store {
    /// The store in `folder`, which is made when the first artifact is written.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, failure: OnceLock::new(), tell: None, told: Once::new() }
    }

    /// The store in `folder`. If that cannot be written, or an artifact cannot be kept later, `tell` hears of it at once, the
    /// first time; only the latter is a [failure](Self::failure). What writers that were killed have left there is cleared away.
    pub fn telling(folder: PathBuf, tell: fn(&str)) -> Self {
        let store = Self { tell: Some(tell), ..Self::new(folder) };
        let was_there = store.folder.is_dir();
        let probe = fs::create_dir_all(&store.folder).and_then(|()| tempfile::tempfile_in(&store.folder).map(drop));
        if let Err(e) = probe {
            store.tell_once(&format!("cannot write below {}: {e}", store.folder.display()));
        }
        remove_unfinished(&store.folder);
        // Nothing may be made in the end; only an empty folder goes.
        if !was_there {
            let _ = fs::remove_dir(&store.folder);
        }
        store
    }

    fn tell_once(&self, why: &str) {
        self.told.call_once(|| {
            if let Some(tell) = self.tell {
                tell(why);
            }
        });
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where an artifact is or would be.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.to_string())
    }

    /// The bytes of an artifact, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = input::read_most(&self.path(key), input::MOST_MODEL).ok()?;
        let body = bytes.len().checked_sub(CHECKSUM_BYTES)?;
        let whole = checksum(key, &bytes[..body])[..] == bytes[body..];
        bytes.truncate(body);
        whole.then_some(bytes)
    }

    /// Whether an artifact is there, not looking whether it is whole.
    pub fn has(&self, key: &Key) -> bool {
        self.path(key).is_file()
    }

    /// The same of an artifact that another host may have made just now: what is known of the folder is looked up anew, since
    /// network file systems remember for a while that there was no such file.
    pub fn has_now(&self, key: &Key) -> bool {
        self.has(key) || (fs::read_dir(&self.folder).is_ok() && self.has(key))
    }

    /// Removes an artifact. Returns whether it was there.
    pub fn remove(&self, key: &Key) -> bool {
        fs::remove_file(self.path(key)).is_ok()
    }

    /// Keeps an artifact. One that cannot be kept is no worse for that: whoever made it goes on with it, and
    /// [`failure`](Self::failure) tells in the end.
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        let checksum = checksum(key, bytes);
        let path = self.path(key);
        let written = replace_whole(&path, |file| {
            file.write_all(bytes)?;
            file.write_all(&checksum)
        });
        if let Err(e) = written {
            let why = self.failure.get_or_init(|| format!("cannot write {}: {e}", path.display()));
            self.tell_once(why);
        }
    }

    /// Why artifacts could not be kept, if so: they will have to be made again.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(a: u32, b: &str) -> Key {
        Facts::new("artifact", 1).with("a", a).with("b", b).key()
    }

    #[test]
    fn a_artifact_comes_back_whole_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::new(dir.path().join("cache"));
        let key = artifact(1, "x");
        assert_eq!(store.get(&key), None);
        store.put(&key, b"content");
        assert_eq!(store.failure(), None);
        assert_eq!(store.get(&key).as_deref(), Some(&b"content"[..]));
        let bytes = fs::read(store.path(&key)).expect("bytes");
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], &[][..]] {
            fs::write(store.path(&key), damaged).expect("written");
            assert_eq!(store.get(&key), None);
        }
        assert_eq!(fs::read_dir(dir.path().join("cache")).expect("a folder").count(), 1, "no temporary files stay");
        // A whole artifact under the name of another.
        let other = artifact(1, "y");
        fs::write(store.path(&other), &bytes).expect("written");
        assert_eq!(store.get(&other), None);
    }

    #[test]
    fn a_artifact_that_cannot_be_kept_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("cache"), "in the way").expect("a file");
        let store = Store::new(dir.path().join("cache"));
        store.put(&Facts::new("artifact", 1).key(), b"content");
        assert!(store.failure().expect("a file is no folder").starts_with("cannot write "));
        // Who wants to know it knows it before anything is made; if nothing is, nothing fails.
        static TOLD: OnceLock<String> = OnceLock::new();
        let store = Store::telling(dir.path().join("cache"), |why| TOLD.set(why.to_owned()).expect("told once"));
        assert!(TOLD.get().expect("a file is no folder").starts_with("cannot write below "));
        assert_eq!(store.failure(), None);
        store.put(&Facts::new("artifact", 1).key(), b"content");
        assert!(store.failure().expect("a file is no folder").starts_with("cannot write "));
    }

    #[test]
    fn keys_depend_on_every_fact() {
        assert_eq!(artifact(1, "x"), artifact(1, "x"));
        assert_ne!(artifact(1, "x"), artifact(2, "x"));
        assert_ne!(artifact(1, "x"), artifact(1, "y"));
        assert_ne!(artifact(1, "x"), Facts::new("artifact", 2).with("a", 1).with("b", "x").key());
        assert_ne!(artifact(1, "x"), Facts::new("other", 1).with("a", 1).with("b", "x").key());
        let [one, two] =
            [Facts::new("artifact", 1).with("a", "x\nb = y"), Facts::new("artifact", 1).with("a", "x").with("b", "y")];
        assert_eq!(one.text(), "artifact 1\na = x\\nb = y\n");
        assert_ne!(one.key(), two.key());
    }
}
