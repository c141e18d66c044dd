//! How long artifacts took: what [`plan`](super::plan) tells from.
//!
//! A line an artifact made stands in `times.csv` beside the artifacts in the cache. It says what kind of artifact it was, of how many
//! words, and the artifact's share of the wall clock: while several artifacts were made at once, each second was shared among
//! them. So the shares of a run add up to the time that it took, with as many threads. Nothing here enters a key or a
//! result, and a file that is gone, or cannot be written, costs no more than the estimates. A cache is not committed: what
//! kinds of artifacts took on another machine stands in [`KEPT`](known::KEPT), for who has no cache yet.

pub mod known;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::growth::memory::peak_kib;
use treebound_files::lease::Lease;

/// The file, in the cache.
pub const FILE: &str = "times.csv";

/// The columns of the file, in order. Words are those of the sentences, as often as they are passed over. Memory is the most that a
/// process had which made this artifact alone; it is empty where a process made several, and files of earlier versions have no such
/// column.
const HEADER: &str = "profile,threads,seconds,mib,words,artifact\n";

/// Who writes there, for other processes of this and other hosts.
const WRITER: &str = ".times";

/// How long others are waited for. A time that cannot be kept is no loss to the artifact.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// What an artifact is, from what says most of its time to what says least.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The words, none of which has a comma or a slash.
    path: Vec<String>,
    /// How many of them must be the same, so that the time of one says anything of the time of another.
    least: usize,
    /// How many must be the same, so that they are alike.
    alike: usize,
}

impl Kind {
    /// A kind named by some words; those that must be the same come first, then those that are the same if artifacts are
    /// alike, then the others.
    pub fn new(least: &[&str], alike: &[&str], others: &[&str]) -> Self {
        let word = |word: &&str| word.replace([',', '/', '\n'], "-");
        let path = least.iter().chain(alike).chain(others).map(word).collect();
        Self { path, least: least.len(), alike: least.len() + alike.len() }
    }

    /// Its words, set apart by slashes.
    pub fn name(&self) -> String {
        self.path.join("/")
    }

    /// How many words it has in common with the kind of that name.
    fn shared(&self, name: &str) -> usize {
        self.path.iter().zip(name.split('/')).take_while(|(a, b)| a == b).count()
    }
}

/// Seconds of the wall clock, each shared among the artifacts that are being made.
#[derive(Debug)]
struct Shared {
    /// Artifacts that are being made.
    making: usize,
    /// When their number last changed.
    changed: Instant,
    /// What an artifact would have been given that was made all the time.
    given: f64,
}

impl Shared {
    /// Lets the time pass until now; then so many more artifacts are being made. What each was given up to now.
    fn pass(&mut self, now: Instant, more: isize) -> f64 {
        let passed = now.saturating_duration_since(self.changed).as_secs_f64();
        self.given += passed / self.making.max(1) as f64;
        self.changed = now;
        self.making = self.making.saturating_add_signed(more);
        self.given
    }
}

/// Tells the time of artifacts while they are made.
#[derive(Debug)]
pub struct Times {
    cache: PathBuf,
    shared: Mutex<Shared>,
    /// Whether this process makes one artifact, and its memory is that of the artifact.
    has_one: bool,
}

/// An artifact that is being made.
#[derive(Debug)]
pub struct Making<'t> {
    times: &'t Times,
    before: f64,
    done: bool,
}

impl Times {
    /// Of the artifacts in a cache.
    pub fn new(cache: &Path) -> Self {
        let shared = Shared { making: 0, changed: Instant::now(), given: 0.0 };
        Self { cache: cache.to_owned(), shared: Mutex::new(shared), has_one: false }
    }

    /// Of one artifact: its memory is told, too.
    pub fn of_one(&mut self) {
        self.has_one = true;
    }

    /// An artifact begins to be made.
    pub fn begin(&self) -> Making<'_> {
        Making { times: self, before: self.pass(1), done: false }
    }

    fn pass(&self, more: isize) -> f64 {
        let mut shared = self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shared.pass(Instant::now(), more)
    }

    fn write(&self, line: &str) -> io::Result<()> {
        // Threads and other processes write as well: who finds the file empty writes its header before another looks.
        let writer = Lease::take_within(&self.cache.join(WRITER), "the time of an artifact", LONGEST_WAIT)?;
        let _writer = writer.ok_or(io::ErrorKind::TimedOut)?;
        let path = self.cache.join(FILE);
        // A pipe of that name would be waited for, and the end of a link is another file.
        if fs::symlink_metadata(&path).is_ok_and(|there| !is_own_file(&there)) {
            fs::remove_file(&path)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        let is_new = file.metadata()?.len() == 0;
        file.write_all(if is_new { format!("{HEADER}{line}") } else { line.to_owned() }.as_bytes())
    }
}

/// Whether this is a file, and has one name.
fn is_own_file(there: &fs::Metadata) -> bool {
    #[cfg(unix)]
    let has_one_name = std::os::unix::fs::MetadataExt::nlink(there) <= 1;
    #[cfg(not(unix))]
    let has_one_name = true;
    there.is_file() && has_one_name
}

impl Making<'_> {
    /// The artifact was made, and is kept.
    pub fn end(mut self, kind: &Kind, words: u64) {
        self.done = true;
        let seconds = self.times.pass(-1) - self.before;
        let (profile, threads) = (env!("TREEBOUND_PROFILE"), rayon::current_num_threads());
        let mib =
            peak_kib().filter(|_| self.times.has_one).map_or_else(String::new, |kib| kib.div_ceil(1024).to_string());
        let line = format!("{profile},{threads},{seconds:.3},{mib},{words},{}\n", kind.name());
        // A time that cannot be kept is no loss to the artifact.
        let _ = self.times.write(&line);
    }
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.times.pass(-1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn seconds_are_shared_and_none_is_lost() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut shared = Shared { making: 0, changed: start, given: 0.0 };
        // A from 10 to 20, B from 14 to 24, nothing before and after.
        let a = shared.pass(at(10), 1);
        let b = shared.pass(at(14), 1);
        let (a, b) = (shared.pass(at(20), -1) - a, shared.pass(at(24), -1) - b);
        assert_eq!((a, b), (7.0, 7.0));
        let c = shared.pass(at(40), 1);
        assert_eq!(shared.pass(at(41), -1) - c, 1.0);
    }

    fn kind(set: &str, corpus: &str) -> Kind {
        Kind::new(&["model", "graph"], &[set], &[corpus])
    }

    #[test]
    fn a_artifact_that_was_made_leaves_a_line_and_one_that_failed_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let times = Times::new(folder.path());
        drop(times.begin());
        assert!(!folder.path().join(FILE).exists());
        for _ in 0..2 {
            times.begin().end(&kind("a/b,c", "ewt"), 7);
        }
        let text = fs::read_to_string(folder.path().join(FILE)).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), format!("{}\n", lines[0]).as_str()), (3, HEADER));
        assert!(lines[1..].iter().all(|line| line.ends_with(",7,model/graph/a-b-c/ewt")), "{text}");
        assert_eq!(known::KnownTimes::read(folder.path(), &[]).lines.len(), 2);
        // Many at once: one header.
        let many = tempfile::tempdir().expect("a folder");
        let times = Times::new(many.path());
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| times.begin().end(&kind("a", "ewt"), 7));
            }
        });
        let text = fs::read_to_string(many.path().join(FILE)).expect("a file");
        assert_eq!((text.lines().count(), text.matches(HEADER).count()), (17, 1), "{text}");
        // A folder that is not there is no reason to complain.
        Times::new(&folder.path().join("gone")).begin().end(&kind("a", "b"), 7);
    }
}
