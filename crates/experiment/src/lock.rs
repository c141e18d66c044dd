//! One writer at a time in a folder of results.
//!
//! A verb that reads rows, works for hours and writes them back would lose what another wrote meanwhile. So it locks the
//! folder first: the system's own lock on the folder itself, which ends with the process however that ends, and needs no
//! file. Beside it stands a file that says who writes, for whoever finds the folder locked.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use treebound_files::{input, is_race, remove_unfinished};

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
        let mut tries = 0;
        loop {
            match Self::try_to_take(folder, command, &mut wait) {
                Ok(Some(lock)) => {
                    remove_unfinished(folder);
                    return Ok(lock);
                }
                Ok(None) => {}
                // Whoever held it removed it between two steps.
                Err(LockError::Unwritable { source, .. }) if tries < MOST_RACES && is_race(&source, folder) => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// As [`take`](Self::take); none if the folder was removed meanwhile.
    fn try_to_take(
        folder: &Path,
        command: &str,
        wait: &mut impl FnMut(&str) -> bool,
    ) -> Result<Option<Self>, LockError> {
        let unwritable = |source| LockError::Unwritable { folder: folder.to_owned(), source };
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
            return Ok(None);
        }
        let lock = Self { folder: folder.to_owned(), _handle: handle };
        lock.sign(command).map_err(unwritable)?;
        Ok(Some(lock))
    }

    /// Says who holds it. Whatever stands in the place of that file goes: written through a link it would be another's.
    fn sign(&self, command: &str) -> io::Result<()> {
        let path = self.folder.join(HOLDER);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        writeln!(File::create_new(path)?, "process {}: {command}", std::process::id())
    }
}

/// How often, a millisecond apart, a folder is made again that others remove.
const MOST_RACES: usize = 200;

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
    let text = input::read_settings(&folder.join(HOLDER)).unwrap_or_default();
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
    use treebound_files::UNFINISHED;
    use treebound_files::owner::tag;

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

    /// Whoever holds a folder removes it if it is empty: others meet it at every step.
    #[test]
    fn quick_writers_never_meet_half_a_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        // More by hand: TREEBOUND_CASES=10000.
        let starts = std::env::var("TREEBOUND_CASES").map_or(200, |cases| cases.parse().expect("a number of starts"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..starts {
                        drop(Lock::take(&dir.path().join("results/x"), "a test", |_| true).expect("waited for"));
                    }
                });
            }
        });
        assert!(!dir.path().join("results").exists(), "nothing was written");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_written_through() {
        let dir = tempfile::tempdir().expect("a folder");
        let (folder, other) = (dir.path().join("x"), dir.path().join("other"));
        fs::create_dir(&folder).expect("made");
        fs::write(&other, "precious").expect("written");
        fs::write(folder.join("scores.csv"), "rows").expect("written");
        std::os::unix::fs::symlink("../other", folder.join(HOLDER)).expect("linked");
        let lock = Lock::take(&folder, "a test", |_| false).expect("free");
        assert!(fs::read_to_string(folder.join(HOLDER)).expect("there").ends_with(": a test\n"));
        drop(lock);
        fs::hard_link(&other, folder.join(HOLDER)).expect("linked");
        drop(Lock::take(&folder, "a test", |_| false).expect("free"));
        assert_eq!(fs::read(&other).expect("there"), b"precious");
    }

    #[test]
    fn what_killed_writers_left_is_cleared_away() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("x");
        fs::create_dir(&folder).expect("made");
        let own = format!("{UNFINISHED}{}-b.tmp", tag());
        // No process has this number.
        let number = std::process::id().to_string();
        let left = own.replacen(&format!("-{number}-"), "-4194999-", 1);
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
