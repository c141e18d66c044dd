//! Results that stand in `tests/golden`, and those that a test found held against them.
//!
//! Where a change is meant, `TREEBOUND_GOLDEN=write cargo test --test golden --test timing` writes the files again;
//! what has changed is then seen in the commit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of results: its fields by their columns.
pub type Row<'a> = BTreeMap<&'a str, &'a str>;

/// Rows by their names, each with its numbers.
pub type Table = BTreeMap<String, Vec<u64>>;

/// The name that a row's cell has here, which outlives the columns of its key. Where these get other names or
/// spellings, only this changes.
pub fn label(row: &Row) -> String {
    let key = ["split", "tags", "learner", "features", "pruning", "decoding", "seed"];
    key.map(|column| row[column].replace('/', " ")).join(" ")
}

/// The numbers of a row in the order of their columns.
pub fn numbers(row: &Row, columns: &[&str]) -> Vec<u64> {
    let number = |column: &&str| row[column].parse().unwrap_or_else(|_| panic!("{column} is no number: {row:?}"));
    columns.iter().map(number).collect()
}

/// The rows of a table whose first line names its columns, each read by `each`.
pub fn rows<T>(csv: &str, each: impl Fn(&Row) -> T) -> Vec<T> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().expect("columns").clone();
    reader.records().map(|row| each(&columns.iter().zip(row.expect("a row").iter()).collect())).collect()
}

pub fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// Rows that must have names of their own.
pub fn table(rows: Vec<(String, Vec<u64>)>) -> Table {
    let number = rows.len();
    let table: Table = rows.into_iter().collect();
    assert_eq!(table.len(), number, "two rows have one name");
    table
}

/// That a table is the one in a file; or writes the file, if that is asked for.
#[track_caller]
pub fn assert_golden(found: &Table, columns: &[&str], file: &str) {
    let path = golden(file);
    if std::env::var("TREEBOUND_GOLDEN").as_deref() == Ok("write") {
        let line = |(label, numbers): (&String, &Vec<u64>)| {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            format!("{label},{}\n", numbers.join(","))
        };
        let lines: String = found.iter().map(line).collect();
        fs::write(&path, format!("row,{}\n{lines}", columns.join(","))).expect("written");
    }
    let text = fs::read_to_string(path).expect("what is expected");
    let expected = table(rows(&text, |row| (row["row"].to_owned(), numbers(row, columns))));
    // Each difference by itself: whole tables side by side tell nothing.
    let mut differences = Vec::new();
    for label in found.keys().chain(expected.keys().filter(|label| !found.contains_key(*label))) {
        match (expected.get(label), found.get(label)) {
            (Some(expected), Some(found)) => {
                for ((column, expected), found) in columns.iter().zip(expected).zip(found) {
                    if expected != found {
                        differences.push(format!("{label}: {column} is {found}, expected {expected}"));
                    }
                }
            }
            (None, _) => differences.push(format!("{label}: not expected")),
            (_, None) => differences.push(format!("{label}: missing")),
        }
    }
    assert!(differences.is_empty(), "{file}: {} differences:\n{}", differences.len(), differences.join("\n"));
}
