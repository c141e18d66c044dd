//! Progress: one calm screen on a terminal, a line now and then elsewhere. Always on standard error.
//!
//! The screen has a bar for all of the work and a line for each training run that is at it. The time to go comes from the
//! times of earlier artifacts until a twentieth of the work is done, and from the work itself then. Artifacts that were finished
//! before are passed over in no time, so they do not count as work.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressStyle};

use treebound_records::number::{counted, grouped};

/// How often a line is printed at most where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// And never more lines than this share of the time that has passed would allow: hours need no thousand lines.
const LINE_SHARE: f64 = 0.05;
/// The share of the work that must be done before it foretells the rest.
const ENOUGH_DONE: f64 = 0.05;

/// The progress of a run, shared by its threads.
#[derive(Debug)]
pub struct Progress {
    screen: Option<Screen>,
    counts: Counts,
    started: Instant,
    last_line: Mutex<Duration>,
    quiet: bool,
}

/// What is drawn on a terminal.
#[derive(Debug)]
struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
}

/// What is known of the work.
#[derive(Debug)]
struct Counts {
    /// Steps of the whole run.
    total: usize,
    /// Those that were worked at.
    done: AtomicUsize,
    /// Those that were finished before.
    passed_over: AtomicUsize,
    /// Training runs that are at work.
    running: AtomicUsize,
    /// Sentences that were learnt from or parsed, as often as they were.
    sentences: AtomicUsize,
    /// How long what is missing takes, by the times of earlier artifacts; none if nothing is known of some.
    expected: Option<Duration>,
}

impl Progress {
    /// Of `total` steps, which will take about as long as `expected`, if that is known.
    pub fn new(total: usize, expected: Option<Duration>, quiet: bool) -> Self {
        let screen = (!quiet && std::io::stderr().is_terminal()).then(|| Screen::new(total));
        let zero = || AtomicUsize::new(0);
        let counts = Counts { total, done: zero(), passed_over: zero(), running: zero(), sentences: zero(), expected };
        Self { screen, counts, started: Instant::now(), last_line: Mutex::new(Duration::ZERO), quiet }
    }

    /// `steps` more are done, in which so many sentences were learnt from or parsed; `what` says what the last one was.
    pub fn step(&self, steps: usize, sentences: usize, what: &str) {
        self.counts.done.fetch_add(steps, Ordering::Relaxed);
        self.counts.sentences.fetch_add(sentences, Ordering::Relaxed);
        self.tell(what);
    }

    /// `steps` more were finished before.
    pub fn pass_over(&self, steps: usize, what: &str) {
        self.counts.passed_over.fetch_add(steps, Ordering::Relaxed);
        self.tell(what);
    }

    /// Something that goes on for a while; it has a line of its own until it is dropped.
    pub fn begin(&self, name: &str) -> Running<'_> {
        self.counts.running.fetch_add(1, Ordering::Relaxed);
        let line = self.screen.as_ref().map(|screen| screen.line(name));
        Running { progress: self, line, name: name.to_owned() }
    }

    /// Removes the screen.
    pub fn finish(&self) {
        if let Some(screen) = &self.screen {
            // A terminal that cannot be cleared is no reason to stop.
            let _ = screen.all.clear();
            screen.bar.finish_and_clear();
        }
    }

    fn tell(&self, what: &str) {
        let elapsed = self.started.elapsed();
        if let Some(screen) = &self.screen {
            screen.bar.set_position(self.counts.position() as u64);
            screen.bar.set_message(self.counts.words(elapsed));
            return;
        }
        let Ok(mut last) = self.last_line.lock() else { return };
        let is_end = self.counts.position() == self.counts.total;
        let apart = elapsed.saturating_sub(*last);
        if !self.quiet && (is_end || apart >= LINE_EVERY && apart >= elapsed.mul_f64(LINE_SHARE)) {
            *last = elapsed;
            let (seconds, total) = (elapsed.as_secs(), self.counts.total);
            let (position, words) = (self.counts.position(), self.counts.words(elapsed));
            // A lost reader is no reason to stop.
            let _ = writeln!(std::io::stderr(), "[{seconds:>4} s] {position}/{total} {what}; {words}");
        }
    }
}

impl Screen {
    fn new(total: usize) -> Self {
        let all = MultiProgress::new();
        let bar = all.add(ProgressBar::new(total as u64));
        bar.set_style(style("{elapsed_precise} {bar:30} {pos} of {len} steps, {msg}"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { all, bar }
    }

    fn line(&self, name: &str) -> ProgressBar {
        let line = self.all.add(ProgressBar::new_spinner());
        line.set_style(style("  {elapsed:>5} {wide_msg}"));
        line.set_message(name.to_owned());
        line
    }
}

/// The templates are fixed, so a failure to parse one would show at once; the default style serves then.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Counts {
    fn position(&self) -> usize {
        self.done.load(Ordering::Relaxed) + self.passed_over.load(Ordering::Relaxed)
    }

    /// What is running, how fast it goes, and about how long it takes yet.
    fn words(&self, elapsed: Duration) -> String {
        let mut words = format!("{} running", self.running.load(Ordering::Relaxed));
        let sentences = self.sentences.load(Ordering::Relaxed) as f64;
        if sentences > 0.0 && !elapsed.is_zero() {
            words.push_str(&format!(", {} sentences/s", grouped((sentences / elapsed.as_secs_f64()) as u64)));
        }
        if let Some(left) = self.left(elapsed).filter(|_| self.position() < self.total) {
            let seconds = Duration::from_secs(left.as_secs());
            let left = match seconds.as_secs() {
                few @ ..60 => counted(few, "second", "seconds"),
                _ => HumanDuration(seconds).to_string(),
            };
            words.push_str(&format!(", about {left} to go"));
        }
        words
    }

    /// About how long it takes yet; none if nothing is known of it.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let work = self.total.saturating_sub(self.passed_over.load(Ordering::Relaxed));
        let done = self.done.load(Ordering::Relaxed) as f64 / work.max(1) as f64;
        if done < ENOUGH_DONE {
            return Some(self.expected?.saturating_sub(elapsed));
        }
        Some(elapsed.mul_f64((1.0 - done).max(0.0) / done))
    }
}

/// Something that goes on for a while.
#[derive(Debug)]
pub struct Running<'p> {
    progress: &'p Progress,
    line: Option<ProgressBar>,
    name: String,
}

impl Running<'_> {
    /// A step of it is done, in which so many sentences were learnt from; `what` says how far it is.
    pub fn step(&self, sentences: usize, what: &str) {
        self.progress.step(1, sentences, &self.show(what));
    }

    /// The same of what is no step of the run.
    pub fn tell(&self, sentences: usize, what: &str) {
        self.progress.step(0, sentences, &self.show(what));
    }

    fn show(&self, what: &str) -> String {
        let words = format!("{}, {what}", self.name);
        if let Some(line) = &self.line {
            line.set_message(words.clone());
        }
        words
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.progress.counts.running.fetch_sub(1, Ordering::Relaxed);
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_go_comes_from_earlier_times_and_then_from_the_work() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let progress = Progress::new(200, Some(minutes(30)), true);
        let words = |elapsed| progress.counts.words(elapsed);
        assert_eq!(words(minutes(10)), "0 running, about 20 minutes to go");
        // What was finished before is no work.
        progress.pass_over(100, "old");
        progress.step(4, 600, "new");
        assert_eq!(words(minutes(10)), "0 running, 1 sentences/s, about 20 minutes to go");
        let running = progress.begin("a model");
        (0..21).for_each(|_| running.step(0, "an epoch"));
        assert_eq!(words(minutes(10)), "1 running, 1 sentences/s, about 30 minutes to go");
        drop(running);
        progress.step(75, 0, "the rest");
        assert_eq!(words(minutes(10)), "0 running, 1 sentences/s");
        let progress = Progress::new(10, None, true);
        assert_eq!(progress.counts.words(minutes(1)), "0 running");
    }
}
