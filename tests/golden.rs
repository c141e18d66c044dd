//! The scores of a tiny experiment are the same on every machine and after every change that is not meant to change
//! them.
//!
//! What is expected stands in `tests/golden/scores.csv`. Where a change is meant, `TREEBOUND_GOLDEN=write cargo test
//! --test golden` writes the file again; what has changed is then seen in the commit.

mod desk;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use desk::Desk;

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

/// A row of `scores.csv`: its fields by their columns.
type Row<'a> = BTreeMap<&'a str, &'a str>;

/// The name of a row here, which outlives the columns of its key, and its counts in the order of [`COUNTS`]. Where the
/// columns of results get other names or spellings, only this changes.
fn label_and_counts(row: &Row) -> (String, Vec<u64>) {
    let key = ["split", "tags", "trainer", "features", "prune", "backbone", "decoder", "seed"];
    assert_eq!(row["error"], "", "{row:?}");
    let counts = COUNTS.map(|column| row[column].parse().unwrap_or_else(|_| panic!("{column} is no count: {row:?}")));
    (key.map(|column| row[column]).join(" "), counts.to_vec())
}

/// The rows of a table whose first line names its columns, each read by `each`.
fn rows<T>(csv: &str, each: impl Fn(&Row) -> T) -> Vec<T> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().expect("columns").clone();
    reader.records().map(|row| each(&columns.iter().zip(row.expect("a row").iter()).collect())).collect()
}

#[test]
fn the_scores_of_a_tiny_experiment_are_the_expected_ones() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let desk = Desk::new();
    desk.write("tiny.toml", fs::read(golden.join("tiny.toml")).expect("a config"));
    desk.treebound(&["run", "tiny.toml", "--quiet"]).success();
    let made = rows(&desk.read("results/tiny/scores.csv"), label_and_counts);
    let found: BTreeMap<String, Vec<u64>> = made.iter().cloned().collect();
    assert_eq!(found.len(), made.len(), "two rows have one label");

    let expected = golden.join("scores.csv");
    if std::env::var("TREEBOUND_GOLDEN").as_deref() == Ok("write") {
        let line = |(label, counts): (&String, &Vec<u64>)| {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            format!("{label},{}\n", counts.join(","))
        };
        let lines: String = found.iter().map(line).collect();
        fs::write(&expected, format!("row,{}\n{lines}", COUNTS.join(","))).expect("written");
    }
    let expected: BTreeMap<String, Vec<u64>> =
        rows(&fs::read_to_string(expected).expect("the expected scores"), |row| {
            (row["row"].to_owned(), COUNTS.map(|column| row[column].parse().expect("a count")).to_vec())
        })
        .into_iter()
        .collect();

    // Each difference by itself: whole tables side by side tell nothing.
    let mut differences = Vec::new();
    for label in found.keys().chain(expected.keys().filter(|label| !found.contains_key(*label))) {
        match (expected.get(label), found.get(label)) {
            (Some(expected), Some(found)) => {
                for ((column, expected), found) in COUNTS.iter().zip(expected).zip(found) {
                    if expected != found {
                        differences.push(format!("{label}: {column} is {found}, expected {expected}"));
                    }
                }
            }
            (None, _) => differences.push(format!("{label}: not expected")),
            (_, None) => differences.push(format!("{label}: missing")),
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));

    // The experiment is of use only while it searches, proves, and reaches its limits.
    let sum = |column: &str| -> u64 {
        let at = COUNTS.iter().position(|c| *c == column).expect("a count");
        found.values().map(|counts| counts[at]).sum()
    };
    assert!(sum("proven") > 0 && sum("proven") < sum("sentences"), "{} proven", sum("proven"));
    assert!(sum("dp_calls") > sum("sentences"));
}
