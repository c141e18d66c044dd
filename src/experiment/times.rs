//! How long pieces took here: what [`plan`](super::plan) tells from.
//!
//! A line a piece made stands in `times.csv` beside the pieces in the cache. It says what kind of piece it was, of how many
//! words, and the piece's share of the wall clock: while several pieces were made at once, each second was shared among
//! them. So the shares of a run add up to the time that it took, with as many threads. Nothing here enters a key or a
//! result, and a file that is gone, or cannot be written, costs no more than the estimates.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// The file, in the cache.
pub const FILE: &str = "times.csv";

/// The columns of the file, in order. Words are those of the sentences, as often as they are passed over.
const HEADER: &str = "profile,threads,seconds,words,piece\n";

/// Some thirty years: a longer time of one piece is a damaged line.
const MOST_SECONDS: f64 = 1e9;

/// Latest times of like pieces that an estimate is made from.
const LATEST: usize = 20;

/// What a piece is, from what says most of its time to what says least.
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
    /// A kind named by some words; those that must be the same come first, then those that are the same if pieces are
    /// alike, then the others.
    pub fn new(least: &[&str], alike: &[&str], others: &[&str]) -> Self {
        let word = |word: &&str| word.replace([',', '/', '\n'], "-");
        let path = least.iter().chain(alike).chain(others).map(word).collect();
        Self { path, least: least.len(), alike: least.len() + alike.len() }
    }

    fn shared(&self, other: &[&str]) -> usize {
        self.path.iter().zip(other).take_while(|(a, b)| a == *b).count()
    }
}

/// Seconds of the wall clock, each shared among the pieces that are being made.
#[derive(Debug)]
struct Shared {
    /// Pieces that are being made.
    making: usize,
    /// When their number last changed.
    changed: Instant,
    /// What a piece would have been given that was made all the time.
    given: f64,
}

impl Shared {
    /// Lets the time pass until now; then so many more pieces are being made. What each was given up to now.
    fn pass(&mut self, now: Instant, more: isize) -> f64 {
        let passed = now.saturating_duration_since(self.changed).as_secs_f64();
        self.given += passed / self.making.max(1) as f64;
        self.changed = now;
        self.making = self.making.saturating_add_signed(more);
        self.given
    }
}

/// Tells the time of pieces while they are made.
#[derive(Debug)]
pub struct Times {
    file: PathBuf,
    shared: Mutex<Shared>,
}

/// A piece that is being made.
#[derive(Debug)]
pub struct Making<'t> {
    times: &'t Times,
    before: f64,
    done: bool,
}

impl Times {
    /// Of the pieces in a cache.
    pub fn new(cache: &Path) -> Self {
        let shared = Shared { making: 0, changed: Instant::now(), given: 0.0 };
        Self { file: cache.join(FILE), shared: Mutex::new(shared) }
    }

    /// A piece begins to be made.
    pub fn begin(&self) -> Making<'_> {
        Making { times: self, before: self.pass(1), done: false }
    }

    fn pass(&self, more: isize) -> f64 {
        let mut shared = self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shared.pass(Instant::now(), more)
    }

    fn write(&self, line: &str) -> std::io::Result<()> {
        // A pipe of that name would be waited for.
        if fs::metadata(&self.file).is_ok_and(|there| !there.is_file()) {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        // Threads and other processes write as well: who finds the file empty writes its header before another looks.
        file.lock()?;
        let is_new = file.metadata()?.len() == 0;
        file.write_all(if is_new { format!("{HEADER}{line}") } else { line.to_owned() }.as_bytes())
    }
}

impl Making<'_> {
    /// The piece was made, and is kept.
    pub fn end(mut self, kind: &Kind, words: u64) {
        self.done = true;
        let seconds = self.times.pass(-1) - self.before;
        let (profile, threads) = (env!("TREEBOUND_PROFILE"), rayon::current_num_threads());
        let line = format!("{profile},{threads},{seconds:.3},{words},{}\n", kind.path.join("/"));
        // A time that cannot be kept is no loss to the piece.
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

/// How long a piece will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Its share of the wall clock, with as many threads as then.
    pub seconds: f64,
    /// Whether it comes from pieces that are not alike: another set of features, another schedule.
    pub is_rough: bool,
}

/// A piece made earlier: its kind, and its seconds a word.
#[derive(Clone, Debug)]
struct Line {
    piece: String,
    rate: f64,
}

/// The times of earlier pieces, of this build's profile.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    lines: Vec<Line>,
}

impl Earlier {
    /// Those in a cache; none if there is no file. Lines that cannot be read are passed over.
    pub fn read(cache: &Path) -> Self {
        let path = cache.join(FILE);
        // A pipe in its place would be waited for.
        let text = path.is_file().then(|| fs::read_to_string(&path).ok()).flatten();
        Self::parse(&text.unwrap_or_default())
    }

    /// Those of the lines of a file.
    pub fn parse(text: &str) -> Self {
        let line = |line: &str| {
            let fields: Vec<&str> = line.splitn(5, ',').collect();
            let [profile, _, seconds, words, piece] = fields[..] else { return None };
            let (seconds, words): (f64, u64) = (seconds.parse().ok()?, words.parse().ok()?);
            let is_like = profile == env!("TREEBOUND_PROFILE") && (0.0..MOST_SECONDS).contains(&seconds) && words > 0;
            is_like.then(|| Line { piece: piece.to_owned(), rate: seconds / words as f64 })
        };
        Self { lines: text.lines().filter_map(line).collect() }
    }

    /// How long a piece of that kind will take, from the latest pieces of those that have most in common with it.
    pub fn estimate(&self, kind: &Kind, words: u64) -> Option<Estimate> {
        let shared = |line: &Line| kind.shared(&line.piece.split('/').collect::<Vec<_>>());
        let found: Vec<(usize, f64)> = self.lines.iter().map(|line| (shared(line), line.rate)).collect();
        let most = found.iter().map(|(shared, _)| *shared).max().filter(|&most| most >= kind.least)?;
        let alike = found.iter().rev().filter(|(shared, _)| *shared == most).take(LATEST);
        let mut rates: Vec<f64> = alike.map(|(_, rate)| *rate).collect();
        rates.sort_by(f64::total_cmp);
        let middle = (rates[(rates.len() - 1) / 2] + rates[rates.len() / 2]) / 2.0;
        Some(Estimate { seconds: middle * words as f64, is_rough: most < kind.alike })
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
    fn estimates_are_made_from_what_has_most_in_common() {
        let profile = env!("TREEBOUND_PROFILE");
        let line = |seconds: f64, words: u64, piece: &str| format!("{profile},2,{seconds},{words},{piece}\n");
        let text = [
            HEADER.to_owned(),
            line(10.0, 100, "model/graph/sibling/ewt"),
            line(30.0, 100, "model/graph/sibling/ewt"),
            line(1.0, 100, "model/graph/baseline/gsd"),
            line(5.0, 0, "model/graph/comb/ewt"),
            // Times that no piece takes.
            line(-9.0, 1, "model/graph/sibling/ewt"),
            line(1e300, 1, "model/graph/sibling/ewt"),
            line(f64::NAN, 1, "model/graph/sibling/ewt"),
            format!("other{}", line(9.0, 1, "model/graph/sibling/gsd")),
            "a line that was cut o".to_owned(),
        ];
        let earlier = Earlier::parse(&text.concat());
        let of = |set, corpus| earlier.estimate(&kind(set, corpus), 1000).expect("like pieces");
        assert_eq!(of("sibling", "ewt"), Estimate { seconds: 200.0, is_rough: false });
        assert_eq!(of("sibling", "gsd"), Estimate { seconds: 200.0, is_rough: false });
        assert_eq!(of("comb", "gsd"), Estimate { seconds: 100.0, is_rough: true }, "the middle of all");
        assert_eq!(earlier.estimate(&Kind::new(&["model", "outside"], &[], &[]), 1000), None);
        assert_eq!(Earlier::default().estimate(&kind("sibling", "ewt"), 1), None);
    }

    #[test]
    fn a_piece_that_was_made_leaves_a_line_and_one_that_failed_none() {
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
        assert_eq!(Earlier::read(folder.path()).lines.len(), 2);
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
