//! How much time and memory a task is to have.

use crate::times::known::Most;

/// What a task is to have. Tasks that are to have as much are one array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// Minutes; as the cluster has it if nothing is known.
    pub minutes: Option<u64>,
    /// Memory; as the cluster has it if nothing is known.
    pub mib: Option<u64>,
}

/// How many times the longest time of like artifacts: nodes differ, and a task that is stopped at its end is lost.
const TIMES: f64 = 3.0;
/// The shortest time that is asked for. Longer ones are this, doubled so often, so that there are few arrays.
const SHORTEST_MINUTES: u64 = 10;
/// Memory is asked for in such steps, and a step more than half as much again as like artifacts had.
const STEP_MIB: u64 = 256;
/// Longest time that is asked for: what takes longer is no estimate.
const LONGEST_MINUTES: u64 = 1 << 40;

impl Ask {
    /// For a task whose like took so much, and which was tried so often and is not done: each time it has twice as much.
    pub fn of(Most { seconds, mib }: Most, tries: u32) -> Self {
        let doubled = |amount: u64| amount.saturating_mul(1 << tries.min(20));
        let minutes = |seconds: f64| {
            let wanted = (seconds * TIMES / 60.0).ceil() as u64;
            let mut minutes = SHORTEST_MINUTES;
            while minutes < wanted && minutes < LONGEST_MINUTES {
                minutes *= 2;
            }
            doubled(minutes)
        };
        let memory = |mib: u64| doubled((mib + mib / 2 + STEP_MIB).next_multiple_of(STEP_MIB));
        Self { minutes: seconds.map(minutes), mib: mib.map(memory) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_asked_for_than_was_needed() {
        let of = |seconds, mib, tries| {
            let Ask { minutes, mib } = Ask::of(Most { seconds: Some(seconds), mib: Some(mib) }, tries);
            (minutes.expect("a time"), mib.expect("memory"))
        };
        assert_eq!(of(0.1, 1, 0), (10, 512));
        assert_eq!(of(300.0, 1000, 0), (20, 1792));
        assert_eq!(of(300.0, 1000, 2), (80, 7168));
        assert!(of(f64::INFINITY, 1, 0).0 >= LONGEST_MINUTES);
        assert_eq!(Ask::of(Most::default(), 3), Ask::default());
    }
}
