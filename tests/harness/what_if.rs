//! `treebound try`: another setting in a folder of its own, with the shared cache, held against the results of the config.

use std::fs;

use crate::desk::{Desk, tiny};

/// The folders of tries.
fn tries(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.path("tries")).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn another_setting_is_held_against_the_results() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(60, 10, 30));
    let two = ["try", "tiny.toml", "-q", "--set", "training.epochs=2"];
    // Without results there is nothing to hold it against, and one command makes them.
    let done = desk.treebound(&two);
    assert!(done.err.contains("it is made with: treebound run tiny.toml\n"), "{done:?}");
    assert_eq!(done.success(), "");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let results = desk.files("results");
    let artifacts = desk.artifacts().len();
    let done = desk.treebound(&two);
    assert!(
        done.err.contains("the whole table: treebound table tiny.toml --set training.epochs=2 --out tries/tiny-"),
        "{done:?}"
    );
    let out = done.success();
    assert!(out.contains("learner.perceptron.epochs  1    2"), "{out}");
    let heading = out.lines().find(|line| line.starts_with("features ")).expect("a heading");
    let p = heading.find("p  proven").expect("a column");
    let line = out.lines().find(|line| line.starts_with("sibling ")).expect("a line");
    assert!(line[p - 5..=p].trim().parse::<f64>().is_ok(), "{line}");
    // The same try has the same folder and makes nothing twice; the results stay as they are.
    assert_eq!((tries(&desk).len(), desk.files("results"), desk.artifacts().len()), (1, results, artifacts));
    let table = desk.treebound(&[
        "table",
        "tiny.toml",
        "--set",
        "training.epochs=2",
        "--out",
        &format!("tries/{}", tries(&desk)[0]),
        "2",
    ]);
    assert!(table.success().contains("grandchild"));
    // What is parsed with another rule stands beside what it replaced, and only there.
    let out =
        desk.treebound(&["try", "tiny.toml", "-q", "--set", "decoding.pruning=k=5", "-f", "test/.*sibling"]).success();
    assert!(out.contains("in the place of") && !out.contains("gone"), "{out}");
    assert!(!out.contains("grandchild "), "{out}");
    // So does a file that was edited.
    desk.write("tiny.toml", tiny(60, 10, 30).replace("epochs = 1\npruning", "epochs = 2\npruning"));
    let out = desk.treebound(&["try", "tiny.toml", "-q"]).success();
    assert!(out.contains("learner.perceptron.epochs  1    2"), "{out}");
    assert_eq!(tries(&desk).len(), 3);
}

#[test]
fn the_cache_is_one_for_all_folders_of_results() {
    let desk = Desk::new();
    desk.write("tiny.toml", tiny(20, 5, 10));
    desk.treebound(&["run", "tiny.toml", "-q", "--out", "there"]).success();
    let made = desk.artifacts();
    assert!(!made.is_empty() && !desk.path("there/cache").exists());
    // It is elsewhere where a flag or the environment says so; the flag goes first.
    desk.treebound(&["run", "tiny.toml", "-q", "--out", "flag", "--cache", "kept"]).success();
    let output =
        desk.command(&["run", "tiny.toml", "-q", "--out", "environment"]).env("TREEBOUND_CACHE", "named").output();
    assert!(output.expect("started").status.success());
    for folder in ["kept", "named"] {
        let mut files = desk.files(folder);
        files.remove(std::path::Path::new("times.csv"));
        assert!(files == made, "{folder}");
    }
    for verb in [&["plan", "tiny.toml"][..], &["train", "tiny.toml", "--model", "a.model"]] {
        let done = desk.treebound(&[verb, &["--cache", "kept"]].concat());
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    let plan = desk.treebound(&["plan", "tiny.toml", "--cache", "empty"]).success();
    assert!(plan.contains("artifacts are missing"), "{plan}");
}
