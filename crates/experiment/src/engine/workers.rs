//! Workers: threads that make artifacts one after another and keep them in the store, beside workers of other processes and hosts
//! that do the same. Each artifact is made by one of them, and all wait for what they need of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use super::attempts::Attempts;
use super::slurm;
use crate::run::ExperimentContext;
use crate::store::Key;
use crate::tasks::Tasks;
use treebound_files::lease::{Lease, Patience, Taken};

/// What workers have done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Artifacts that they made.
    pub made: usize,
    /// Artifacts that were there, or that others made meanwhile.
    pub found: usize,
    /// The names of those that are not there, and why.
    pub failed: Vec<(String, String)>,
}

/// Workers of one process.
#[derive(Debug)]
pub struct Workers<'a> {
    context: &'a ExperimentContext<'a>,
    tasks: &'a Tasks,
    attempts: Attempts,
    /// Where what this process says is written, for who asks later.
    log: Option<&'a str>,
    states: Mutex<BTreeMap<usize, State>>,
    is_stopping: AtomicBool,
}

/// How far a task is.
#[derive(Debug)]
enum State {
    /// Not begun here.
    Open,
    /// Made by a thread of this process, which has the lease.
    Taken { _lease: Lease },
    /// The artifact is there, made by this process or not.
    There { made: bool },
    /// It will not be there.
    Failed(String),
}

/// What a thread does next.
enum Next {
    Make(usize),
    Wait,
    End,
}

impl<'a> Workers<'a> {
    /// Those that make some tasks, by their places.
    pub fn new(context: &'a ExperimentContext<'a>, tasks: &'a Tasks, places: &[usize], log: Option<&'a str>) -> Self {
        let states = places.iter().map(|&place| (place, State::Open)).collect();
        let attempts = Attempts::new(context.builder.store);
        Self { context, tasks, attempts, log, states: Mutex::new(states), is_stopping: AtomicBool::new(false) }
    }

    /// Makes the tasks on the threads of a pool, of which the calling thread is none. A task whose needs are not among them fails if
    /// these are not there.
    pub fn run(&self, pool: &ThreadPool) -> Worked {
        std::thread::scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                scope.spawn(|| self.work(pool));
            }
        });
        let mut worked = Worked::default();
        for (&place, state) in &*self.states() {
            match state {
                State::There { made: true } => worked.made += 1,
                State::There { made: false } => worked.found += 1,
                State::Failed(why) => worked.failed.push((self.tasks.all[place].full_name(), why.clone())),
                State::Open | State::Taken { .. } => {}
            }
        }
        worked
    }

    /// This process is about to end: others may take what it has begun.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.context.builder.end_commands();
        for (&place, state) in &mut *self.states() {
            if let State::Taken { .. } = state {
                let why = "it was stopped, as by who cancelled or displaced it, or when its time was over";
                self.attempts.failed(&self.tasks.all[place].key, why, self.log);
                *state = State::Failed(why.to_owned());
            }
        }
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<usize, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, pool: &ThreadPool) {
        let mut patience = Patience::default();
        loop {
            match self.next() {
                Next::End => return,
                Next::Wait => patience.sleep(),
                Next::Make(place) => {
                    self.make(place, pool);
                    patience = Patience::default();
                }
            }
        }
    }

    /// The first task that can be begun; it is taken.
    fn next(&self) -> Next {
        let mut states = self.states();
        let open: Vec<usize> =
            states.iter().filter(|(_, state)| matches!(state, State::Open)).map(|(&place, _)| place).collect();
        let mut is_open = false;
        for place in open {
            let state = match self.look_at(place, &states) {
                None => {
                    is_open = true;
                    continue;
                }
                Some(state) => state,
            };
            let is_taken = matches!(state, State::Taken { .. });
            states.insert(place, state);
            if is_taken {
                return Next::Make(place);
            }
        }
        if is_open && !self.is_stopping.load(Ordering::SeqCst) { Next::Wait } else { Next::End }
    }

    /// What becomes of an open task now; none if it waits for others.
    fn look_at(&self, place: usize, states: &BTreeMap<usize, State>) -> Option<State> {
        let (task, store) = (&self.tasks.all[place], self.context.builder.store);
        let there = State::There { made: false };
        if store.has_now(&task.key) {
            return Some(there);
        }
        for &need in &task.needs {
            match states.get(&need) {
                Some(State::There { .. }) => {}
                Some(State::Failed(why)) => return Some(State::Failed(why.clone())),
                Some(State::Open | State::Taken { .. }) => return None,
                None if store.has_now(&self.tasks.all[need].key) => {}
                None => return Some(State::Failed(self.missing(need))),
            }
        }
        match self.attempts.take(&task.key, &task.full_name(), self.log) {
            Ok(Taken::By(_)) => None,
            // Whoever had it before may have made it since.
            Ok(Taken::Lease(_)) if store.has_now(&task.key) => Some(there),
            Ok(Taken::Lease(lease)) => Some(State::Taken { _lease: lease }),
            Err(e) => Some(State::Failed(format!("cannot write below {}: {e}", store.folder().display()))),
        }
    }

    /// Why what a task needs is not there.
    fn missing(&self, place: usize) -> String {
        missing(self.tasks, place, self.context, &self.attempts)
    }

    fn make(&self, place: usize, pool: &ThreadPool) {
        let (task, store) = (&self.tasks.all[place], self.context.builder.store);
        let made = pool.install(|| task.make(self.context, &mut |_| {})).map_err(|e| e.to_string());
        let made = made.and_then(|()| if store.has_now(&task.key) { Ok(()) } else { Err(unkept(store.failure())) });
        let mut states = self.states();
        // What is said of commands that were ended is no reason.
        if self.is_stopping.load(Ordering::SeqCst) {
            return;
        }
        let state = match made {
            Ok(()) => {
                self.attempts.made(&task.key);
                State::There { made: true }
            }
            Err(why) => {
                self.attempts.failed(&task.key, &why, self.log);
                State::Failed(why)
            }
        };
        states.insert(place, state);
    }
}

fn unkept(failure: Option<&str>) -> String {
    failure.unwrap_or("what was made is not in the cache").to_owned()
}

/// What is said of a task of which nothing is known.
fn unknown(context: &ExperimentContext, key: &Key) -> String {
    slurm::log(context, key).map_or_else(
        || "nobody has begun to make it".to_owned(),
        |log| format!("it was submitted, and waits, or was cancelled before it began (log: {})", log.display()),
    )
}

/// Why the artifact of a task is not there, by what is known of it or of what it needs.
pub fn missing(tasks: &Tasks, place: usize, context: &ExperimentContext, attempts: &Attempts) -> String {
    let store = context.builder.store;
    for place in tasks.with_needs([place]) {
        let task = &tasks.all[place];
        if !store.has(&task.key) {
            let why = attempts.why(&task.key).unwrap_or_else(|| unknown(context, &task.key));
            return format!("{} {}: {why}", task.stage.one(), task.full_name());
        }
    }
    let key = &tasks.all[place].key;
    format!("{key} is not in the cache")
}
