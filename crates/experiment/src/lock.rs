//! One writer at a time in a folder of results.
//!
//! A verb that reads rows, works for hours and writes them back would lose what another wrote meanwhile, on this host or on
//! another that shares the folder. So it takes a [lease](treebound_files::lease) on the folder first: a file that says who
//! writes, for whoever finds the folder locked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use treebound_files::lease::{Lease, Patience, Taken};
use treebound_files::{is_race, remove_unfinished};

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
    /// None once it is given back.
    lease: Option<Lease>,
}

impl Lock {
    /// Makes and locks a folder for `command`, and clears away what writers that were killed have left there. If another
    /// process holds it, `wait` is told who, and says whether to wait for it.
    ///
    /// # Errors
    /// If somebody else writes there and `wait` says no, or the folder cannot be written.
    pub fn take(folder: &Path, command: &str, mut wait: impl FnMut(&str) -> bool) -> Result<Self, LockError> {
        let (mut races, mut is_waiting, mut patience) = (0, false, Patience::default());
        loop {
            let tried = fs::create_dir_all(folder).and_then(|()| Lease::try_take(&folder.join(HOLDER), command));
            match tried {
                Ok(Taken::Lease(lease)) => {
                    remove_unfinished(folder);
                    return Ok(Self { folder: folder.to_owned(), lease: Some(lease) });
                }
                Ok(Taken::By(holder)) => {
                    let holder = holder.to_string();
                    if !is_waiting && !wait(&holder) {
                        return Err(LockError::Held { folder: folder.to_owned(), holder });
                    }
                    is_waiting = true;
                    patience.sleep();
                }
                // Whoever held it removed it between two steps.
                Err(source) if races < MOST_RACES && is_race(&source, folder) => {
                    races += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(source) => return Err(LockError::Unwritable { folder: folder.to_owned(), source }),
            }
        }
    }

    /// That it is still this process's: a machine that slept for longer than a lease lasts may have lost it.
    ///
    /// # Errors
    /// If another has written there since, or may have.
    pub fn check(&self) -> io::Result<()> {
        if self.lease.as_ref().is_some_and(Lease::is_held) {
            return Ok(());
        }
        let why = "this process stood still for so long that another may have written there; what is finished is kept: run it again";
        Err(io::Error::other(why))
    }
}

/// How often, a millisecond apart, a folder is made again that others remove.
const MOST_RACES: usize = 200;

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.lease.take());
        // Only an empty folder goes: nothing was written.
        let _ = fs::remove_dir(&self.folder);
        if let Some(above) = self.folder.parent().filter(|above| !above.as_os_str().is_empty()) {
            let _ = fs::remove_dir(above);
        }
    }
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
        assert!(fs::read_to_string(folder.join(HOLDER)).expect("there").ends_with("\nwhat a test\n"));
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
