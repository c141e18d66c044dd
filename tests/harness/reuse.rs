//! Which rows are made again: those that this program would make of something else.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::desk::{Desk, Files};

const CONFIG: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 60
dev = 20
test = 20
vocabulary = 500

[pruner]
epochs = 1

[training]
epochs = 1
pruning = "k=4"
templates = "own.toml"
dp_calls = 10

[decoding]
pruning = "k=4"

[[grid]]
name = "main"
sets = "sibling"

[[grid]]
name = "more"
default = false
baseline = false
sets = "grandchild"
"#;

/// A desk with the config and a template file of its own.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    let templates = desk.treebound(&["features", "templates", "compact"]).success();
    desk.write("own.toml", templates);
    desk
}

/// The template file without some of its templates.
fn edited(desk: &Desk) -> String {
    let templates = desk.read("own.toml");
    let stays = |line: &&str| !line.trim().starts_with("\"h.t m.") && !line.trim().starts_with("\"h.w");
    let fewer: String = templates.lines().filter(stays).map(|line| format!("{line}\n")).collect();
    assert_ne!(fewer, templates);
    fewer
}

/// All results but where they come from.
fn results(desk: &Desk) -> Files {
    let mut files = desk.files("results/tiny");
    files.retain(|name, _| name.as_os_str() != "provenance.toml");
    files
}

/// The keys of the rows of `scores.csv`, by feature set.
fn keys(desk: &Desk) -> BTreeMap<String, String> {
    let scores = desk.read("results/tiny/scores.csv");
    let mut reader = csv::Reader::from_reader(scores.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|column| column == name).expect("the column");
    assert_eq!(place("key"), place("seed") + 1);
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| (row[place("features")].to_owned(), row[place("key")].to_owned())).collect()
}

/// A template file that is edited in place has the same name and makes other rows.
#[test]
fn rows_of_an_edited_template_file_are_stale() {
    let desk = desk();
    let first = desk.read("own.toml");
    let with_sibling = || desk.treebound(&["run", "tiny.toml", "-f", "test.*/sibling/"]);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let (whole, before) = (results(&desk), keys(&desk));
    desk.write("own.toml", edited(&desk));
    let done = with_sibling();
    assert!(done.code == Some(0) && done.err.contains("1 cell in") && done.err.contains("are stale"), "{done:?}");
    let mixed = keys(&desk);
    assert!(mixed["baseline"] == before["baseline"] && mixed["sibling"] != before["sibling"], "{mixed:?}");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let listed = desk.treebound(&["check", "--cells", "tiny.toml", "--keys"]).success();
    let now = keys(&desk);
    assert!(now.iter().all(|(set, key)| before[set] != *key && listed.contains(key)), "{now:?}");
    // Those of the first templates come back as they were, from the finished work or without it.
    desk.write("own.toml", &first);
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!((results(&desk), keys(&desk)), (whole, before.clone()));
    // A file that is written in another way has the same templates.
    desk.write("own.toml", format!("# Mine.\n\n{first}"));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(keys(&desk), before);
}

/// Grids of one experiment are run on different days, and stand in one folder.
#[test]
fn rows_of_a_grid_stay_when_another_is_run() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let main = keys(&desk);
    assert_eq!(main.keys().collect::<Vec<_>>(), ["baseline", "sibling"]);
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "more", "-j", "1"]).success();
    let both = keys(&desk);
    assert!(both.len() == 3 && main.iter().all(|(set, key)| both[set] == *key), "{both:?}");
    let whole = results(&desk);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(results(&desk), whole);
    let log = desk.read("results/tiny/provenance.toml");
    assert!(log.matches("[[run]]").count() == 2 && log.contains("--grid more -j 1"), "{log}");
}

/// A pipe in the place of a file of ours is neither waited for nor written to.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_replaced_or_refused() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let artifacts = desk.artifacts();
    let pipe = |path: &Path| {
        fs::remove_file(path).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
    };
    desk.files("cache").keys().for_each(|name| pipe(&desk.path("cache").join(name)));
    fs::remove_dir_all(desk.path("results")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    fs::remove_file(desk.path("cache/times.csv")).expect("still a pipe");
    assert!(desk.artifacts() == artifacts, "the same work");
    pipe(&desk.path("results/tiny/scores.csv"));
    desk.treebound(&["run", "tiny.toml", "-q"])
        .failure(&["scores.csv: cannot read the file", "it is a pipe or a device"]);
}
