//! One writer at a time in a folder of results.
//!
//! A verb that reads rows, works for hours and writes them back would lose what another wrote meanwhile. So it locks the
//! folder first: the system's own lock on the folder itself, which ends with the process however that ends, and needs no
//! file. Beside it stands a file that says who writes, for whoever finds the folder locked.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use treebound_parser::whole_file::remove_unfinished;

/// Who writes, beside the results while somebody does.
const HOLDER: &str = ".running";

/// A folder that cannot be written by this process now.
#[derive(Debug, Error)]
pub enum LockError {
    /// Somebody else writes there.
    #[error(
        "{}: {holder} is writing there; wait for it to end with --wait, or put what is made elsewhere with --out DIR",
        folder.display()
    )]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Who.
        holder: String,
    },
    /// It cannot be made, locked or written.
    #[error("{}: cannot write results there: {source}", folder.display())]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A locked folder, until this is dropped.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    /// The lock is on this handle.
    _handle: File,
}

impl Lock {
    /// Makes and locks a folder for `command`, and clears away what writers that were killed have left there. If another
    /// process holds it, `wait` is told who, and says whether to wait for it.
    ///
    /// # Errors
    /// If somebody else writes there and `wait` says no, or the folder cannot be written.
    pub fn take(folder: &Path, command: &str, mut wait: impl FnMut(&str) -> bool) -> Result<Self, LockError> {
        let unwritable = |source| LockError::Unwritable { folder: folder.to_owned(), source };
        loop {
            fs::create_dir_all(folder).map_err(unwritable)?;
            let handle = File::open(folder).map_err(unwritable)?;
            match patiently(&handle) {
                Ok(()) => {}
                Err(TryLockError::Error(source)) => return Err(unwritable(source)),
                Err(TryLockError::WouldBlock) => {
                    let holder = holder(folder);
                    if !wait(&holder) {
                        return Err(LockError::Held { folder: folder.to_owned(), holder });
                    }
                    handle.lock().map_err(unwritable)?;
                }
            }
            // Whoever held it may have removed the folder, since it was empty: then this lock is on nothing.
            if !is_still(&handle, folder) {
                continue;
            }
            let lock = Self { folder: folder.to_owned(), _handle: handle };
            let text = format!("process {}: {command}\n", std::process::id());
            fs::write(folder.join(HOLDER), text).map_err(unwritable)?;
            remove_unfinished(folder);
            return Ok(lock);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nothing can be done about what fails here, and nothing rests on it.
        let _ = fs::remove_file(self.folder.join(HOLDER));
        // Only an empty folder goes: nothing was written.
        let _ = fs::remove_dir(&self.folder);
        if let Some(above) = self.folder.parent().filter(|above| !above.as_os_str().is_empty()) {
            let _ = fs::remove_dir(above);
        }
    }
}

/// Tries to lock, for a moment. A process that was killed while it started another one leaves the lock to that one until it
/// has begun, which takes some milliseconds.
fn patiently(handle: &File) -> Result<(), TryLockError> {
    for _ in 0..TRIES {
        match handle.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
            done => return done,
        }
    }
    handle.try_lock()
}

/// How often, and how far apart, before a folder counts as held.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Who holds a folder, for people.
fn holder(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join(HOLDER)).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() { "another process".to_owned() } else { line.to_owned() }
}

#[cfg(unix)]
fn is_still(handle: &File, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (handle.metadata(), fs::metadata(folder)) {
        (Ok(held), Ok(there)) => identity(held) == identity(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still(_: &File, folder: &Path) -> bool {
    folder.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_parser::whole_file::UNFINISHED;

    #[test]
    fn a_folder_has_one_writer_and_says_who() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("results/x");
        let first = Lock::take(&folder, "treebound run x.toml", |_| false).expect("free");
        let fault = Lock::take(&folder, "treebound measure time x.toml", |_| false).expect_err("held").to_string();
        let who = format!("process {}: treebound run x.toml is writing there", std::process::id());
        assert!(fault.contains(&who) && fault.contains("--wait"), "{fault}");
        drop(first);
        assert!(!dir.path().join("results").exists(), "nothing was written");
        let second = Lock::take(&folder, "treebound run x.toml", |_| false).expect("free again");
        fs::write(folder.join("scores.csv"), "rows").expect("written");
        drop(second);
        let names: Vec<_> =
            fs::read_dir(&folder).expect("kept").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names, ["scores.csv"]);
    }

    #[test]
    fn who_waits_gets_it_next() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("results/x");
        let count = folder.join("count");
        let number = |path: &Path| fs::read_to_string(path).ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let _lock = Lock::take(&folder, "a test", |_| true).expect("waited for");
                        let next = number(&count) + 1;
                        fs::write(&count, next.to_string()).expect("written");
                    }
                });
            }
        });
        assert_eq!(number(&count), 100);
    }

    #[test]
    fn what_killed_writers_left_is_cleared_away() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("x");
        fs::create_dir(&folder).expect("made");
        // No process has this number; this process has its own.
        let (left, own) = (format!("{UNFINISHED}4194999-a.tmp"), format!("{UNFINISHED}{}-b.tmp", std::process::id()));
        for name in [&left, &own, &"other.tmp".to_owned()] {
            fs::write(folder.join(name), "x").expect("written");
        }
        drop(Lock::take(&folder, "a test", |_| false).expect("free"));
        assert!(!folder.join(&left).exists() && folder.join(&own).exists() && folder.join("other.tmp").exists());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_told_at_once() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("results"), "in the way").expect("written");
        let fault = Lock::take(&dir.path().join("results/x"), "a test", |_| true).expect_err("a file").to_string();
        assert!(fault.contains("results/x: cannot write results there: "), "{fault}");
    }
}
