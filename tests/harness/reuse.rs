//! Which rows may stand beside each other: those that this program would make again as they are, and no others.

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

fn forget_work(desk: &Desk) {
    fs::remove_dir_all(desk.path("cache")).expect("removed");
}

fn provenance(desk: &Desk) -> toml::Table {
    desk.read("results/tiny/provenance.toml").parse().expect("TOML")
}

/// The cells that stand in a grid's table of a provenance file, each with the key of its work.
fn cells(provenance: &toml::Table, grid: &str) -> BTreeMap<String, String> {
    let cells = provenance["run"][grid]["cells"].as_table().expect("cells");
    cells.iter().map(|(cell, key)| (cell.clone(), key.as_str().expect("a key").to_owned())).collect()
}

/// The keys that the program would give the cells of a grid.
fn keys(desk: &Desk, grid: &str) -> BTreeMap<String, String> {
    let text = desk.treebound(&["check", "--cells", "tiny.toml", "--keys", "--grid", grid]).success();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| {
        let fields: Vec<String> = row.expect("a row").iter().map(str::to_owned).collect();
        let [axes @ .., seed, _, key] = &fields[..] else { panic!("{fields:?}") };
        (format!("{}/seed={seed}", axes.join("/")), key.clone())
    });
    rows.collect()
}

const LEFT_OUT: &str = "has rows that are left out now, such as made/test/gold/graph/own/perceptron/baseline/";

/// A template file that is edited in place has the same name and makes other rows.
#[test]
fn rows_of_an_edited_template_file_are_not_mixed() {
    let desk = desk();
    let first = desk.read("own.toml");
    let with_sibling = || desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*/sibling/"]);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let (whole, keys_before) = (results(&desk), cells(&provenance(&desk), "main"));
    // With and without what was finished before.
    desk.write("own.toml", edited(&desk));
    for _ in 0..2 {
        with_sibling().failure(&[LEFT_OUT, "scores.csv", "template file", "-f . chooses those of all grids"]);
        assert_eq!(results(&desk), whole);
        assert_eq!(cells(&provenance(&desk), "main"), keys_before);
        forget_work(&desk);
        fs::create_dir_all(desk.path("cache")).expect("made");
    }
    // Without a filter all is made anew.
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let keys_after = cells(&provenance(&desk), "main");
    let sentences = Path::new("sentences.csv");
    assert!(results(&desk)[sentences] != whole[sentences], "other templates make other rows");
    assert!(keys_after.keys().eq(keys_before.keys()) && keys_after.iter().all(|(cell, key)| keys_before[cell] != *key));
    assert_eq!(keys_after, keys(&desk, "main"));
    // Nor do those of the first templates, which are not finished any more, come back among these.
    desk.write("own.toml", &first);
    with_sibling().failure(&[LEFT_OUT]);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(results(&desk), whole);
    // What is finished is as good as made.
    desk.write("own.toml", edited(&desk));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.write("own.toml", &first);
    with_sibling().success();
    assert_eq!((results(&desk), cells(&provenance(&desk), "main")), (whole.clone(), keys_before.clone()));
    // A file that is written in another way has the same templates.
    desk.write("own.toml", format!("# Mine.\n\n{first}"));
    forget_work(&desk);
    with_sibling().success();
    let rows = |mut files: Files| {
        // The resolved config has the file's own checksum.
        files.remove(Path::new("config.resolved.toml")).expect("the file");
        files
    };
    assert_eq!((rows(results(&desk)), cells(&provenance(&desk), "main")), (rows(whole), keys_before));
}

/// Grids of one experiment are run on different days, and stand in one folder.
#[test]
fn rows_of_a_grid_stay_when_another_is_run() {
    let desk = desk();
    let rows = |set: &str| {
        let scores = desk.read("results/tiny/scores.csv");
        scores.lines().filter(|line| line.contains(&format!(",{set},"))).map(str::to_owned).collect::<Vec<_>>()
    };
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let main = ["baseline", "sibling"].map(rows);
    let before = provenance(&desk);
    assert!(main.iter().all(|rows| rows.len() == 1) && rows("grandchild").is_empty());
    assert!(before["run"].get("more").is_none());
    forget_work(&desk);
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "more", "-j", "1"]).success();
    assert_eq!((["baseline", "sibling"].map(rows), rows("grandchild").len()), (main.clone(), 1));
    let after = provenance(&desk);
    for grid in ["main", "more"] {
        assert_eq!(cells(&after, grid), keys(&desk, grid), "{grid}");
    }
    // What was not touched comes from where it came from.
    assert_eq!(after["run"]["main"], before["run"]["main"]);
    assert!(after["run"]["more"]["command"].as_str().is_some_and(|command| command.ends_with("--grid more -j 1")));
    // The other way round: the grid that is run where it is named stays, too.
    forget_work(&desk);
    let whole = results(&desk);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(results(&desk), whole);
    // Rows of the one grid cannot stay where the other has new templates.
    desk.write("own.toml", edited(&desk));
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "more"]).failure(&[LEFT_OUT, "--out DIR"]);
    assert_eq!(results(&desk), whole);
}

/// What decides rows is their key: settings, data and versions. A commit does not.
#[test]
fn rows_of_another_commit_are_the_same_work() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    let with_sibling = || {
        forget_work(&desk);
        desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*/sibling/"])
    };
    let change = |change: &dyn Fn(&mut toml::Table)| {
        let mut all = provenance(&desk);
        change(all["run"]["main"].as_table_mut().expect("a table"));
        desk.write("results/tiny/provenance.toml", toml::to_string(&all).expect("TOML"));
    };
    change(&|main| {
        main["source"]["commit"] = "0123456789abcdef0123456789abcdef01234567".into();
        main["program"]["version"] = "0.0.1".into();
        main["machine"]["cpu"] = "another".into();
    });
    // Nor does who made them before: a clone in which they are made again has nothing to commit.
    let committed = desk.read("results/tiny/provenance.toml");
    with_sibling().success();
    assert_eq!((results(&desk), desk.read("results/tiny/provenance.toml")), (whole.clone(), committed.clone()));
    forget_work(&desk);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!((results(&desk), desk.read("results/tiny/provenance.toml")), (whole.clone(), committed.clone()));
    // Rows that stood there otherwise come from who makes them now.
    let scores = desk.read("results/tiny/scores.csv");
    desk.write("results/tiny/scores.csv", scores.lines().take(2).collect::<Vec<_>>().join("\n") + "\n");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(results(&desk), whole);
    assert_ne!(desk.read("results/tiny/provenance.toml"), committed);
    // Another key is another origin, and so is none.
    let keyed = |key: Option<&str>| {
        change(&|main| {
            let cells = main["cells"].as_table_mut().expect("cells");
            let cell = cells.keys().find(|cell| cell.contains("/baseline/")).expect("a cell").clone();
            match key {
                Some(key) => cells.insert(cell, key.into()),
                None => cells.remove(&cell),
            };
        });
        with_sibling().failure(&[LEFT_OUT, "version of the program"]);
        assert_eq!(results(&desk), whole);
    };
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    keyed(Some("rows-0123456789abcdef0123456789abcdef"));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    keyed(None);
}

/// A pipe in the place of a file of ours is neither waited for nor written to.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_replaced_or_refused() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let pieces = desk.pieces();
    let pipe = |path: &Path| {
        fs::remove_file(path).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
    };
    desk.files("cache").keys().for_each(|name| pipe(&desk.path("cache").join(name)));
    fs::remove_dir_all(desk.path("results")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    fs::remove_file(desk.path("cache/times.csv")).expect("still a pipe");
    assert!(desk.pieces() == pieces, "the same work");
    pipe(&desk.path("results/tiny/scores.csv"));
    desk.treebound(&["run", "tiny.toml", "-q"]).failure(&["scores.csv: cannot read the file", "this is no file"]);
}
