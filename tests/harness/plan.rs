//! `treebound plan`: what a run would make, what is finished, and how long the rest takes.

use std::fs;

use crate::desk::Desk;

const CONFIG: &str = r#"
seeds = [1, 2]
tags = "predicted"

[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
train = 40
dev = 10
test = 10
vocabulary = 500

[tagger]
epochs = 1
folds = 2

[pruner]
epochs = 1

[training]
epochs = 1
pruning = "k=4"
dp_calls = 5

[decoding]
pruning = "k=4"
dp_calls = 20

[evaluation]
folds = 3

[[grid]]
name = "main"
sets = "sibling"

[[grid]]
name = "parts"
default = false
sets = "sibling"
splits = "test"
"#;

/// A line of a plan: its words, of which the first names artifacts.
fn line(plan: &str, name: &str) -> Vec<String> {
    let line = plan.lines().find(|line| line.split("  ").next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("no line `{name}`:\n{plan}"));
    line.split("  ").map(str::trim).filter(|word| !word.is_empty()).skip(1).map(str::to_owned).collect()
}

const SIBLING: &str = "made/cv/predicted/graph/compact/perceptron/sibling/k=4/carreras/bnb";

#[test]
fn a_plan_says_what_is_finished_and_how_long_the_rest_takes() {
    let desk = Desk::new();
    desk.write("made.toml", CONFIG);
    let plan = |more: &[&str]| desk.treebound(&[&["plan", "made.toml"], more].concat()).success();
    let before = plan(&[]);
    assert_eq!(line(&before, "made"), ["0", "3", "?"], "taggers");
    assert_eq!(line(&before, "made/predicted/k=4"), ["0", "6", "?"], "pruners");
    assert_eq!(line(&before, "made/predicted/graph/compact/perceptron/sibling/carreras"), ["0", "6", "?"]);
    assert_eq!(line(&before, SIBLING), ["0", "6", "?", "0 of 2"]);
    // 3 taggers, 6 pruners, 2 sets of 6 models and rows.
    assert!(before.contains("33 artifacts are missing, and no artifact like any of them was timed"), "{before}");
    assert!(desk.files("cache").is_empty() && desk.files("results").is_empty(), "a plan makes nothing");

    desk.treebound(&["run", "made.toml", "-q", "--grid", "main", "-f", "seed=1"]).success();
    let half = plan(&[]);
    assert_eq!(line(&half, "made"), ["3", "0"], "seeds share taggers");
    assert_eq!(line(&half, "made/predicted/k=4")[..2], ["3", "3"]);
    let sibling = line(&half, SIBLING);
    assert_eq!((&sibling[..2], sibling[3].as_str()), (&["3".to_owned(), "3".to_owned()][..], "1 of 2"), "{half}");
    assert!(sibling[2].ends_with(" s") && !sibling[2].starts_with('~'), "{half}");
    assert!(half.contains("15 artifacts are missing: about "), "{half}");
    let words = half.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("from the times of artifacts made here"), "{half}");
    assert!(plan(&["-f", "/cv/.*seed=1"]).contains("All is finished."));

    // Other settings: what is known is a guess, or nothing.
    let other = plan(&["--set", "grid.main.sets=comb"]);
    let comb = line(&other, "made/predicted/graph/compact/perceptron/comb/carreras");
    assert!(comb[2].starts_with("~ ") && other.contains("~: from artifacts of another feature set"), "{other}");
    let other = plan(&["--set", "training.templates=paper"]);
    assert_eq!(line(&other, "made/predicted/graph/paper/perceptron/sibling/carreras"), ["0", "6", "?"]);
    assert!(other.contains("?: no artifact like 24 of them was timed."), "{other}");
    let parts = plan(&["--grid", "parts"]);
    assert_eq!(line(&parts, &SIBLING.replace("cv", "test"))[..2], ["0", "2"], "{parts}");

    // Times decide nothing: without them, and with other ones, results are the same, and so is what is kept.
    desk.treebound(&["run", "made.toml", "-q"]).success();
    assert!(plan(&[]).contains("All is finished."));
    let made = || {
        let mut files = desk.files("results");
        files.retain(|name, _| !name.ends_with("provenance.toml"));
        (files, desk.artifacts())
    };
    let (before, artifacts) = (made(), desk.artifacts());
    let times = desk.read("cache/times.csv");
    // Trees are made with their rows.
    let timed = artifacts.keys().filter(|name| !name.to_string_lossy().contains("trees-")).count();
    assert_eq!(times.lines().count(), 1 + timed, "{times}");
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.write("cache/times.csv", "no times\nprofile,threads\n,,,,\n");
    fs::remove_dir_all(desk.path("results")).expect("removed");
    desk.treebound(&["run", "made.toml", "-q"]).success();
    assert!(made() == before);
    // Rows that another config made are not those that would be made.
    assert_eq!(line(&plan(&["--set", "evaluation.folds=4"]), SIBLING)[3], "0 of 2");
    desk.treebound(&["plan", "made.toml", "-f", "nothing"]).failure(&["no cell of the config matches"]);

    // Kept times serve who has no cache. They are of the artifacts that were asked for.
    plan(&["--keep-times", "-f", "/sibling/"]);
    let kept = desk.read("results/times.csv");
    assert!(kept.lines().any(|line| line.starts_with("tags/made,")) && !kept.contains("/dp/"), "{kept}");
    plan(&["--keep-times"]);
    let kept = desk.read("results/times.csv");
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    let elsewhere = plan(&["--keep-times"]);
    let words = elsewhere.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("33 artifacts are missing: about ") && words.contains("the times in results/times.csv ("),
        "{words}"
    );
    assert_eq!(desk.read("results/times.csv"), kept, "nothing was made here that could take their place");
    desk.write("results/times.csv", kept.replace(",2,", ",two,").replace(",1,", ",one,"));
    desk.treebound(&["plan", "made.toml"]).failure(&["results/times.csv:2", "threads"]);
}

/// A cell that failed has a row, and is tried again.
#[test]
fn what_failed_is_not_finished() {
    let desk = Desk::new();
    let external = "[[external]]\nname = \"broken\"\nparse = [\"false\", \"{input}\"]\nversion = [\"echo\", \"1\"]\n";
    let grid = "[[grid]]\nname = \"outside\"\nsystems = \"broken\"\nsplits = \"test\"\n";
    desk.write("made.toml", format!("{CONFIG}\n{external}\n{grid}"));
    desk.treebound(&["run", "made.toml", "-q", "--grid", "outside"]).failure(&["broken"]);
    assert!(desk.read("results/made/scores.csv").contains("broken"));
    let plan = desk.treebound(&["plan", "made.toml", "--grid", "outside"]).success();
    assert_eq!(line(&plan, "made/test/predicted/broken/-/-/-/-/-")[..2], ["0", "1"], "{plan}");
    assert!(plan.contains("0 of 1") && !plan.contains("1 of 1"), "{plan}");
}
