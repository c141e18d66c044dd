//! What was computed is not lost: not for a filter, a full disk, or a message that nobody can read.

use std::fs::{self, File};
use std::path::Path;

use crate::desk::{Desk, Files, tiny};

fn config() -> String {
    tiny(60, 20, 20)
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("tiny.toml", config());
    desk
}

/// The config with another pruning while training.
fn other_training() -> String {
    config().replacen("pruning = \"k=4\"", "pruning = \"k=3\"", 1)
}

/// All results but where they come from.
fn results(desk: &Desk) -> Files {
    let mut files = desk.files("results/tiny");
    files.retain(|name, _| name.as_os_str() != "provenance.toml");
    files
}

/// Rows of a parser that is not on this machine stay, and nothing else is refused because of them.
#[test]
fn rows_of_a_parser_that_is_elsewhere_stay() {
    let external = |version: &str| {
        let grid = "[[grid]]\nname = \"main\"\n[[grid]]\nname = \"other\"\nsystems = [\"other\"]\ndefault = false\n";
        let chain = r#"{ OFS = "\t"; if (NF) { $7 = $1 - 1; $8 = "dep" } print }"#;
        let parse = format!("[[external]]\nname = \"other\"\nparse = [\"awk\", '{chain}', \"{{input}}\"]\n");
        format!("{}{grid}{parse}version = [\"{version}\", \"1\"]\n", config())
    };
    let desk = desk();
    desk.write("tiny.toml", external("echo"));
    for grid in ["main", "other"] {
        desk.treebound(&["run", "tiny.toml", "-q", "--grid", grid]).success();
    }
    let before = desk.files("results/tiny");
    desk.write("tiny.toml", external("no-such-parser"));
    for verb in [&["run", "tiny.toml", "-q", "--grid", "main"][..], &["table", "tiny.toml", "2", "--grid", "other"]] {
        let done = desk.treebound(verb);
        assert!(done.code == Some(0) && !done.err.contains("stale"), "{done:?}");
    }
    // They are as good as current, since nobody can say what they would be.
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "other"]).success();
    let after = desk.files("results/tiny");
    let same = |name: &str| before[Path::new(name)] == after[Path::new(name)];
    assert!(same("scores.csv") && same("sentences.csv"));
}

/// A filter chooses what to do, not what to forget, even where the finished work is gone.
#[test]
fn cells_that_a_filter_leaves_out_stay() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]).success();
    assert_eq!(results(&desk), whole);
    // `sentences.csv` is not committed: the other files stay whole without it.
    fs::remove_file(desk.path("results/tiny/sentences.csv")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]).success();
    let mut now = results(&desk);
    let mut wanted = whole.clone();
    let sentences = now.remove(Path::new("sentences.csv")).expect("the file");
    assert!(sentences.len() < wanted.remove(Path::new("sentences.csv")).expect("the file").len());
    assert_eq!(now, wanted);
}

/// What is in the results as it would be made is not made again, not even where its models are gone.
#[test]
fn current_cells_are_not_made_again() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    let models = || {
        let entries = fs::read_dir(desk.path("cache")).expect("a folder").map(|entry| entry.expect("an entry").path());
        let is_model = |path: &std::path::PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("model-"))
        };
        entries.filter(is_model).collect::<Vec<_>>()
    };
    let remove = || models().iter().for_each(|model| fs::remove_file(model).expect("removed"));
    assert!(models().len() > 1);
    remove();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!((results(&desk) == whole, models().len()), (true, 0));
    // A cell whose rows do not agree is made again where it is asked for, and left as it is elsewhere.
    for file in ["sentences.csv", "by_length.csv", "training.csv"] {
        let path = format!("results/tiny/{file}");
        let text = desk.read(&path);
        let fewer: Vec<&str> =
            text.lines().filter(|line| !line.contains(",gold,graph,compact,perceptron,grandchild,")).collect();
        desk.write(&path, fewer.join("\n") + "\n");
        remove();
        desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*/sibling/"]).success();
        assert_eq!((file, models().len(), desk.read(&path) == text), (file, 0, false));
        desk.treebound(&["run", "tiny.toml", "-q"]).success();
        assert_eq!((file, models().len(), results(&desk) == whole), (file, 1, true));
    }
}

/// What a long verb has made is there when it ends early, and so is what it has not come to.
#[test]
fn who_stops_a_long_verb_loses_nothing() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["measure", "time", "tiny.toml", "-q"]).success();
    let cells = |set: &str| desk.read("results/tiny/speed.csv").matches(&format!(",{set},k=4,")).count();
    let before = ["baseline", "grandchild", "sibling"].map(cells);
    assert!(before.iter().all(|&rows| rows > 0), "{before:?}");
    // Another program made the last cell.
    let scores = desk.read("results/tiny/scores.csv");
    let line = scores.lines().find(|line| line.contains("test,gold,graph,compact,perceptron,sibling")).expect("a line");
    let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
    let calls = fields.len() - 2;
    fields[calls] = (fields[calls].parse::<u64>().expect("a count") + 1).to_string();
    desk.write("results/tiny/scores.csv", scores.replace(line, &fields.join(",")));
    desk.treebound(&["measure", "time", "tiny.toml", "-q"]).failure(&["sibling/k=4", "run the config first"]);
    assert_eq!(["baseline", "grandchild", "sibling"].map(cells), before);
    // What was not run is not timed, even where nobody could tell the difference.
    desk.write("results/tiny/scores.csv", scores.replace(&format!("{line}\n"), ""));
    desk.treebound(&["measure", "time", "tiny.toml", "-q"])
        .failure(&["scores.csv has no results for", "first treebound run"]);
    assert_eq!(["baseline", "grandchild", "sibling"].map(cells), before);
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["measure", "search-ablation", "tiny.toml", "-q"]).success();
    let (before, whole) = (desk.files("results"), results(&desk));
    for verb in [
        &["run", "tiny.toml"][..],
        &["measure", "time", "tiny.toml"],
        &["measure", "search-ablation", "tiny.toml"],
        &["check", "--cells", "tiny.toml"],
    ] {
        desk.treebound(&[verb, &["-f", "siblnig"]].concat())
            .failure(&["--filter siblnig: no cell of the config matches"]);
    }
    desk.treebound(&["measure", "budget", "tiny.toml", "-f", "baseline"])
        .failure(&["no cell that is asked for has non-local"]);
    assert_eq!(desk.files("results"), before);
    // Part of an ablation leaves the other part.
    desk.treebound(&["measure", "search-ablation", "tiny.toml", "-q", "-f", "test.*/sibling"]).success();
    assert_eq!(results(&desk), whole);
}

/// Work that cannot be kept for later is still in the results.
#[test]
fn a_cache_that_cannot_be_written_costs_no_result() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.write("cache", "in the way");
    fs::remove_dir_all(desk.path("results")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q"]).failure(&[
        "cannot write below cache",
        "this goes on",
        "what was made is whole",
    ]);
    assert_eq!(results(&desk), whole);
}

/// Standard error may be a full disk, or a pipe whose reader is gone.
#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_cost_no_result() {
    let desk = desk();
    let mute = |arguments: &[&str]| {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let status = desk.command(arguments).stdout(full.try_clone().expect("cloned")).stderr(full).status();
        status.expect("started").code()
    };
    assert_eq!(mute(&["run", "tiny.toml"]), Some(0));
    // What is asked for on standard output and cannot be written is another matter.
    assert_eq!(mute(&["measure", "budget", "tiny.toml"]), Some(1));
    assert!(desk.path("results/tiny/budget.csv").is_file());
    let done = results(&desk);
    assert!(done.len() >= 5, "{:?}", done.keys());
    assert_eq!(mute(&["train", "tiny.toml", "--features", "sibling", "--model", "model"]), Some(0));
    assert!(desk.path("model").is_file());
}

/// What stood in the way of a file that cannot be written is still there.
#[cfg(target_os = "linux")]
#[test]
fn a_parse_that_fails_leaves_the_old_one() {
    let desk = desk();
    desk.treebound(&["train", "tiny.toml", "--features", "sibling", "--model", "model"]).success();
    desk.treebound(&["data", "synth", "--out", "text", "--train", "5", "--dev", "5", "--test", "5"]).success();
    let input = desk.files("text").into_keys().next().expect("a file");
    let input = format!("text/{}", input.display());
    desk.treebound(&["parse", "--model", "model", &input, "-o", "parsed.conllu"]).success();
    let parsed = desk.read("parsed.conllu");
    assert!(!parsed.is_empty());
    let done = desk.treebound(&["parse", "--model", "model", &input, "-o", "parsed.conllu", "--dp-calls", "0"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    desk.treebound(&["parse", "--model", "absent", &input, "-o", "parsed.conllu"]).failure(&["absent"]);
    assert_eq!(desk.read("parsed.conllu"), parsed);
    desk.treebound(&["parse", "--model", "model", &input, "-o", "/dev/null", "--dp-calls", "none"]).success();
    desk.treebound(&["parse", "--model", "model", &input, "-j", "1000000"]).failure(&["-j 1000000: more than"]);
}

/// Rows of another config stay where they are not asked for, each with its own key; they are said, and go where they are made.
#[test]
fn stale_rows_are_said_and_replaced_by_those_of_now() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    let log = desk.read("results/tiny/provenance.toml");
    // A run that changes nothing leaves nothing to commit.
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!((results(&desk), desk.read("results/tiny/provenance.toml")), (whole.clone(), log.clone()));
    let line = |set: &str| {
        let scores = desk.read("results/tiny/scores.csv");
        scores
            .lines()
            .find(|line| line.contains(&format!(",test,gold,graph,compact,perceptron,{set},")))
            .map(str::to_owned)
    };
    let before = ["baseline", "sibling"].map(line);
    desk.write("tiny.toml", other_training());
    let plan = desk.treebound(&["plan", "tiny.toml"]).success();
    assert!(plan.contains("Stale: 6 cells in the results"), "{plan}");
    let check = desk.treebound(&["check", "tiny.toml"]).success();
    assert!(check.contains("scores.csv: 0 cells as this program makes them, 6 stale"), "{check}");
    // A table is of rows that are there.
    let table = desk.treebound(&["table", "tiny.toml", "2"]);
    assert!(table.code == Some(0) && !table.err.contains("stale"), "{table:?}");
    let done = desk.treebound(&["run", "tiny.toml", "-f", "test.*/sibling/"]);
    assert!(done.err.contains("1 stale cell in") && done.err.contains("5 cells in"), "{done:?}");
    let after = ["baseline", "sibling"].map(line);
    assert!(after[0] == before[0] && after[1] != before[1]);
    assert!(desk.read("results/tiny/provenance.toml").starts_with(&log));
    // Another config makes the same rows again, whatever stood there.
    desk.write("tiny.toml", config());
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let mut again = results(&desk);
    again.retain(|name, _| whole.contains_key(name));
    assert!(again == whole);
    // Cells that the config has no more go.
    desk.write("tiny.toml", config().replacen("sets = [\"sibling\", \"grandchild\"]", "sets = \"sibling\"", 1));
    let done = desk.treebound(&["run", "tiny.toml"]);
    assert!(line("grandchild").is_none() || !done.err.contains("no longer has"), "{done:?}");
}

/// Times of what is no longer in the scores never stand beside the new ones.
#[test]
fn measurements_are_joined_to_scores_by_their_key() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    for verb in ["time", "budget"] {
        desk.treebound(&["measure", verb, "tiny.toml", "-q"]).success();
    }
    let speeds = desk.read("results/tiny/speed.csv");
    assert!(desk.treebound(&["table", "tiny.toml", "2"]).success().contains("words/s"));
    desk.write("tiny.toml", other_training());
    desk.treebound(&["measure", "time", "tiny.toml", "-q"]).failure(&["are stale", "first treebound run tiny.toml"]);
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(desk.read("results/tiny/speed.csv"), speeds, "a run measures nothing");
    let table = desk.treebound(&["table", "tiny.toml", "2"]);
    assert!(table.err.contains("speed.csv") || !table.out.contains("words/s"), "{table:?}");
    desk.treebound(&["figure", "tiny.toml", "budget"]).failure(&["budget.csv has no row of a wanted cell"]);
    // Those of part of the cells replace what is stale.
    desk.treebound(&["measure", "time", "tiny.toml", "-q", "-f", "test.*/sibling/"]).success();
    let now = desk.read("results/tiny/speed.csv");
    assert!(now.contains(",sibling,") && !now.contains(",grandchild,"), "{now}");
}
