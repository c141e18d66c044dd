//! Where the time of a parse went, and what tells the time.

/// What tells the time, in nanoseconds from any origin; a test can bring its own.
pub trait Clock {
    /// Now.
    fn now_ns(&mut self) -> u64;

    /// How long this process has had a processor so far, in all its threads; none where that is not counted.
    fn processor_ns(&mut self) -> Option<u64> {
        None
    }

    /// Whether it is worth measuring by it.
    fn is_running(&self) -> bool {
        true
    }
}

/// A clock that stands still: for passes that are not timed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now_ns(&mut self) -> u64 {
        0
    }

    fn is_running(&self) -> bool {
        false
    }
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(std::time::Instant);

impl Default for WallClock {
    fn default() -> Self {
        Self(std::time::Instant::now())
    }
}

impl Clock for WallClock {
    fn now_ns(&mut self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn processor_ns(&mut self) -> Option<u64> {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let [seconds, rest] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).ok());
        seconds?.checked_mul(1_000_000_000)?.checked_add(rest?)
    }
}

/// A stretch of a parse that is timed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Starting a process and loading its model: reported apart, no part of the time from tokens to tree.
    Start,
    /// Choosing candidate heads.
    Prune,
    /// Features and the scores of parts and factors.
    Score,
    /// Search.
    Decode,
}

impl Phase {
    /// All phases, in the order of their columns.
    pub const ALL: [Self; 4] = [Self::Start, Self::Prune, Self::Score, Self::Decode];

    /// Its column: nanoseconds.
    pub fn column(self) -> &'static str {
        match self {
            Self::Start => "start_ns",
            Self::Prune => "prune_ns",
            Self::Score => "score_ns",
            Self::Decode => "decode_ns",
        }
    }
}

/// Where the time of a parse, or of several, went, in nanoseconds: each phase, if the system has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phases([Option<u64>; Phase::ALL.len()]);

impl Phases {
    /// A phase's time; none if the system does not have it.
    pub fn get(&self, phase: Phase) -> Option<u64> {
        self.0[phase as usize]
    }

    /// Sets a phase's time.
    pub fn set(&mut self, phase: Phase, ns: Option<u64>) {
        self.0[phase as usize] = ns;
    }

    /// These phases with another one's time.
    pub fn with(mut self, phase: Phase, ns: u64) -> Self {
        self.set(phase, Some(ns));
        self
    }

    /// Adds another parse's: a phase that only some have takes its time there only.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(other.0) {
            if let Some(value) = value {
                *sum = Some(sum.unwrap_or(0).saturating_add(value));
            }
        }
    }

    /// Time from tokens to trees: all phases but the start.
    pub fn total_ns(&self) -> u64 {
        let timed = Phase::ALL.into_iter().filter(|&phase| phase != Phase::Start);
        timed.filter_map(|phase| self.get(phase)).fold(0, u64::saturating_add)
    }
}
