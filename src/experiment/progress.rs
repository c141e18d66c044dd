//! Progress: a bar on a terminal, a line now and then elsewhere. Always on standard error.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run, shared by its threads.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    done: AtomicUsize,
    started: Instant,
    last_line: Mutex<Instant>,
    quiet: bool,
}

impl Progress {
    /// Of `total` steps.
    pub fn new(total: usize, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(total as u64);
            // The template is fixed, so a failure to parse it would show at once; the default style serves then.
            if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let now = Instant::now();
        Self { bar, total, done: AtomicUsize::new(0), started: now, last_line: Mutex::new(now), quiet }
    }

    /// `steps` more are done; `what` says what the last one was.
    pub fn step(&self, steps: usize, what: &str) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        if let Some(bar) = &self.bar {
            bar.inc(steps as u64);
            bar.set_message(what.to_owned());
            return;
        }
        let Ok(mut last) = self.last_line.lock() else { return };
        if !self.quiet && (done == self.total || last.elapsed() >= LINE_EVERY) {
            *last = Instant::now();
            let seconds = self.started.elapsed().as_secs();
            // A lost reader is no reason to stop.
            let _ = writeln!(std::io::stderr(), "[{seconds:>4} s] {done}/{} {what}", self.total);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
