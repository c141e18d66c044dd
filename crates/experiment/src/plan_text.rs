//! A plan for people: how long what is missing takes, and from what that is known.

use std::collections::BTreeSet;

use super::plan::{About, Line, Plan};
use super::times::known::KEPT;
use crate::rows::ArtifactTimeRow;
use treebound_records::number::counted;

impl Line {
    /// About how long what is missing takes.
    pub fn duration(&self) -> String {
        about(self.missing, self.about)
    }
}

/// What is said under a plan; so many cells in the results are stale.
pub fn notes(plan: &Plan, kept: &[ArtifactTimeRow], stale: usize) -> Vec<String> {
    let mut notes = vec![
        "Artifacts are counted, by seed and in cross-validation by fold; those that cells share are made once. Finished are \
         those in the cache. Rows of a cell may stand in the results, as this program would make them, without them."
            .to_owned(),
    ];
    if stale > 0 {
        let stale = counted(stale as u64, "cell", "cells");
        notes.push(format!(
            "Stale: {stale} in the results, made by another version of the program, of its config, template files or treebanks."
        ));
    }
    let (missing, all) = plan.missing();
    let known = missing - all.unknown;
    notes.push(match (missing, known) {
        (0, _) => "All is finished.".to_owned(),
        (_, 0) => format!(
            "{missing} artifacts are missing, and no artifact like any of them was timed: nothing is known of the time."
        ),
        _ => {
            let all_of = if all.unknown == 0 { String::new() } else { format!(" for {known} of them") };
            let of = times(known, all.kept, kept);
            format!(
                "{missing} artifacts are missing: about {}{all_of}, from {of}, with as many threads as then.",
                duration(all.seconds)
            )
        }
    });
    if all.unknown > 0 && known > 0 {
        notes.push(format!("?: no artifact like {} of them was timed.", all.unknown));
    }
    if all.rough > 0 {
        notes.push("~: from artifacts of another feature set, pruning or schedule, so a guess.".to_owned());
    }
    notes
}

/// Where the times of the `known` artifacts come from, if those of `from_kept` are kept ones.
fn times(known: usize, from_kept: usize, kept: &[ArtifactTimeRow]) -> String {
    if from_kept == 0 {
        return "the times of artifacts made here".to_owned();
    }
    let machines: BTreeSet<&str> = kept.iter().map(|row| row.machine.as_str()).collect();
    let machines = machines.into_iter().collect::<Vec<_>>().join("; ");
    match known - from_kept {
        0 => format!("the times in {KEPT} ({machines})"),
        here => format!("the times of artifacts made here, for {here}, and in {KEPT} ({machines})"),
    }
}

fn about(missing: usize, About { seconds, unknown, rough, .. }: About) -> String {
    if missing == 0 {
        return String::new();
    }
    if unknown == missing {
        return "?".to_owned();
    }
    let more = if unknown > 0 { " + ?" } else { "" };
    format!("{}{}{more}", if rough > 0 { "~ " } else { "" }, duration(seconds))
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0 => "1 s".to_owned(),
        1..90 => format!("{whole} s"),
        90..5400 => format!("{} min", (whole + 30) / 60),
        _ => {
            let minutes = whole.saturating_add(30) / 60;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded() {
        let said = [0.2, 1.4, 89.0, 100.0, 5399.0, 5400.0, 7199.0, 100_000.0].map(duration);
        assert_eq!(said, ["1 s", "1 s", "89 s", "2 min", "90 min", "1 h 30 min", "2 h 0 min", "27 h 47 min"]);
        // A config may ask for any number of passes.
        assert!(duration(f64::INFINITY).ends_with(" min"));
    }

    #[test]
    fn where_times_come_from_is_said() {
        let row = |machine: &str| ArtifactTimeRow {
            artifact: "tags/made".to_owned(),
            profile: "release".to_owned(),
            machine: machine.to_owned(),
            threads: 1,
            words: 1,
            ms: 1,
        };
        let kept = [row("A, 2 cores"), row("B, 8 cores"), row("A, 2 cores")];
        assert_eq!(times(4, 0, &kept), "the times of artifacts made here");
        assert_eq!(times(4, 4, &kept), "the times in results/times.csv (A, 2 cores; B, 8 cores)");
        let both = "the times of artifacts made here, for 3, and in results/times.csv (A, 2 cores; B, 8 cores)";
        assert_eq!(times(4, 1, &kept), both);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let of = |seconds, unknown, rough| about(3, About { seconds, unknown, rough, kept: 0 });
        assert_eq!([of(9.0, 0, 0), of(9.0, 1, 1), of(0.0, 3, 0)], ["9 s", "~ 9 s + ?", "?"]);
        assert_eq!(about(0, About::default()), "");
    }
}
