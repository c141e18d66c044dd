//! A tiny experiment has the scores that it had before, on every machine.

use std::fs;

use crate::desk::Desk;
use crate::expected::{assert_golden, golden, label, numbers, rows, table};

/// The counts that must not change, by their columns in `scores.csv`.
const COUNTS: [&str; 12] = [
    "sentences",
    "tokens",
    "correct",
    "scored_tokens",
    "scored_correct",
    "root_correct",
    "complete",
    "gold_kept",
    "heads_kept",
    "proven",
    "nodes",
    "dp_calls",
];

#[test]
fn the_scores_of_a_tiny_experiment_are_the_expected_ones() {
    let desk = Desk::new();
    desk.write("tiny.toml", fs::read(golden("tiny.toml")).expect("a config"));
    desk.treebound(&["run", "tiny.toml", "--quiet"]).success();
    let found = table(rows(&desk.read("results/tiny/scores.csv"), |row| {
        assert_eq!(row["error"], "", "{row:?}");
        (label(row), numbers(row, &COUNTS))
    }));
    assert_golden(&found, &COUNTS, "scores.csv");
    // The experiment is of use only while it searches, proves, and reaches its limits.
    let sum = |column: &str| -> u64 {
        let at = COUNTS.iter().position(|c| *c == column).expect("a count");
        found.values().map(|counts| counts[at]).sum()
    };
    assert!(sum("proven") > 0 && sum("proven") < sum("sentences"), "{} proven", sum("proven"));
    assert!(sum("dp_calls") > sum("sentences"));
}
