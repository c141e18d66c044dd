//! The sentences of a batch over threads, none of which holds the interpreter.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::batch::Fault;
use crate::{Workspace, refused};

/// Charts of threads that have ended, for the next that begin.
static IDLE: Mutex<Vec<Box<Workspace>>> = Mutex::new(Vec::new());

/// How often the calling thread looks whether the user has interrupted it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A mutex is taken whatever has become of another thread: what it guards is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What `of` makes of each sentence and its part of the output, in order, on so many threads.
///
/// # Errors
/// The fault of the first sentence that has one; an interruption.
pub fn each<O: Send, R: Send>(
    py: Python<'_>,
    threads: usize,
    outputs: Vec<O>,
    of: impl Fn(usize, O, &mut Workspace) -> Result<R, Fault> + Sync,
) -> PyResult<Vec<R>> {
    let sentences = outputs.len();
    // Sentences are taken in order. So when one has a fault, all before it are taken, and the first fault of all is found
    // whoever finds it.
    let queue = Mutex::new(outputs.into_iter().enumerate());
    let is_over = AtomicBool::new(false);
    let work = |is_interrupted: &mut dyn FnMut() -> bool| {
        let mut workspace = lock(&IDLE).pop().unwrap_or_default();
        let mut results = Vec::new();
        while !is_over.load(Ordering::Relaxed) && !is_interrupted() {
            let Some((b, output)) = lock(&queue).next() else { break };
            let result = of(b, output, &mut workspace);
            if result.is_err() {
                is_over.store(true, Ordering::Relaxed);
            }
            results.push((b, result));
        }
        lock(&IDLE).push(workspace);
        results
    };
    let (mut results, interruption) = py.detach(|| {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(sentences)).map(|_| scope.spawn(|| work(&mut || false))).collect();
            let (mut last_look, mut interruption) = (Instant::now(), None);
            let mut results = work(&mut || {
                if last_look.elapsed() > BETWEEN_LOOKS {
                    last_look = Instant::now();
                    interruption = Python::attach(|py| py.check_signals()).err();
                    is_over.fetch_or(interruption.is_some(), Ordering::Relaxed);
                }
                interruption.is_some()
            });
            for other in others {
                match other.join() {
                    Ok(more) => results.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            (results, interruption)
        })
    });
    if let Some(interruption) = interruption {
        return Err(interruption);
    }
    results.sort_by_key(|&(b, _)| b);
    results.into_iter().map(|(_, result)| result.map_err(refused)).collect()
}
