//! What is known of tasks whose artifacts are not there: who is at them, and why those failed that were tried.
//!
//! Beside the artifacts in the cache stands a folder `tasks`. A task that is worked at has a [lease](treebound_files::lease)
//! there, so that two workers do not make the same. One that failed has a file with the reason, until it is tried again. A lease that
//! nobody renews any more is of a worker that was killed.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::store::{Key, Store};
use treebound_files::lease::{Lease, Taken};
use treebound_files::{input, replace_whole};

/// The folder, in the cache.
const FOLDER: &str = "tasks";

/// What is known of the tasks of a store.
#[derive(Debug)]
pub struct Attempts {
    folder: PathBuf,
}

impl Attempts {
    /// Of the tasks whose artifacts a store keeps.
    pub fn new(store: &Store) -> Self {
        Self { folder: store.folder().join(FOLDER) }
    }

    fn lease(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key}.lease"))
    }

    fn failure(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key}.failed"))
    }

    /// Tries to take a task; `name` and `log` are for who asks what became of it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn take(&self, key: &Key, name: &str, log: Option<&str>) -> io::Result<Taken> {
        fs::create_dir_all(&self.folder)?;
        Lease::try_take(&self.lease(key), &format!("{name}{}", in_log(log)))
    }

    /// The artifact of a task is there: nothing is to be known of it any more.
    pub fn made(&self, key: &Key) {
        // There need not be anything.
        let _ = fs::remove_file(self.failure(key));
    }

    /// The same of one that others made. A worker that was killed when it had made it has left its lease.
    pub fn found(&self, key: &Key) {
        self.made(key);
        if Lease::holder(&self.lease(key)).is_some() {
            // A lease that is taken and given back is gone; one that its holder renews stays.
            let _ = Lease::try_take(&self.lease(key), "a look");
        }
    }

    /// A task has failed, or was stopped. A reason that cannot be kept is said by who hears of it now, and by nobody later.
    pub fn failed(&self, key: &Key, error: &str, log: Option<&str>) {
        let _ = replace_whole(&self.failure(key), |out| write!(out, "{error}{}", in_log(log)));
    }

    /// Why the artifact of a task is not there, as far as that is known.
    pub fn why(&self, key: &Key) -> Option<String> {
        if let Ok(error) = input::read_settings(&self.failure(key)) {
            return Some(error);
        }
        let holder = Lease::holder(&self.lease(key))?;
        Some(format!(
            "it was begun, and has not ended unless it was killed, or had too little time or memory: {holder}"
        ))
    }
}

fn in_log(log: Option<&str>) -> String {
    log.map_or_else(String::new, |log| format!(" (log: {log})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Facts;

    #[test]
    fn what_became_of_a_task_is_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let attempts = Attempts::new(&Store::new(folder.path().to_owned()));
        let key = Facts::new("model", 1).key();
        assert_eq!(attempts.why(&key), None);
        let lease = attempts.take(&key, "a model", Some("a.log")).expect("taken");
        let why = attempts.why(&key).expect("it is worked at");
        assert!(why.ends_with(": a model (log: a.log)"), "{why}");
        attempts.failed(&key, "no memory", Some("a.log"));
        drop(lease);
        assert_eq!(attempts.why(&key).as_deref(), Some("no memory (log: a.log)"));
        attempts.made(&key);
        assert_eq!(attempts.why(&key), None);
        // A process of that number was killed.
        let dead = treebound_files::owner::tag().replacen(&format!("-{}-", std::process::id()), "-4194999-", 1);
        fs::write(attempts.lease(&key), format!("owner {dead}-0\nprocess 4194999\n")).expect("written");
        assert!(attempts.why(&key).is_some());
        attempts.found(&key);
        assert_eq!(attempts.why(&key), None);
    }
}
