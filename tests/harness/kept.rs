//! What was computed is not lost: not for a filter, a full disk, or a message that nobody can read.

use std::fs::{self, File};
use std::path::Path;

use crate::desk::{Desk, Files, tiny};
use treebound::experiment::config;
use treebound::experiment::earlier::Earlier;
use treebound::experiment::folders::Folders;

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

/// Tables, figures and claims do not show yesterday's config under the name of today's.
#[test]
fn rows_of_another_config_are_told_wherever_they_are_shown() {
    let desk = desk();
    desk.write("tiny.toml", format!("claims = \"paper\"\n{}", config()));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let verbs: [&[&str]; 3] = [&["table", "tiny.toml", "2"], &["figure", "tiny.toml", "5"], &["claims", "tiny.toml"]];
    let said = |verb: &[&str]| {
        let done = desk.treebound(verb);
        assert_eq!(done.code, Some(0), "{done:?}");
        done.err.contains("are not known to be made by this program of this config")
    };
    assert!(verbs.iter().all(|verb| !said(verb)));
    let punctuation = config().replace("format = \"synthetic\"", "format = \"synthetic\"\npunctuation = \"none\"");
    let treebank = config().replace("seed = 3", "seed = 4");
    for other in [other_training(), punctuation, treebank] {
        desk.write("tiny.toml", format!("claims = \"paper\"\n{other}"));
        assert!(verbs.iter().all(|verb| said(verb)), "{other}");
    }
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
        assert!(done.code == Some(0) && !done.err.contains("not known"), "{done:?}");
    }
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "other"]).failure(&["no-such-parser", "cannot be started"]);
    let after = desk.files("results/tiny");
    let same = |name: &str| before[Path::new(name)] == after[Path::new(name)];
    assert!(same("scores.csv") && same("sentences.csv"));
    assert!(desk.read("results/tiny/provenance.toml").contains("other/-/-/-/-/-/seed=0"));
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
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    fs::remove_file(desk.path("results/tiny/sentences.csv")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]).success();
    let mut now = results(&desk);
    let mut wanted = whole.clone();
    let sentences = now.remove(Path::new("sentences.csv")).expect("the file");
    assert!(sentences.len() < wanted.remove(Path::new("sentences.csv")).expect("the file").len());
    assert_eq!(now, wanted);
}

/// What stands in the results as it was made is not made again for other cells, not even where its models are gone.
#[test]
fn cells_that_a_filter_leaves_out_are_not_made_again() {
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
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*/sibling/"]).success();
    assert_eq!((results(&desk) == whole, models().len()), (true, 1));
    // Rows of one file that are not those of another are made again, and with them what came of their training.
    let is_left_out = |line: &str| line.contains(",gold,graph,compact,perceptron,grandchild,");
    for file in ["sentences.csv", "by_length.csv", "training.csv"] {
        let path = format!("results/tiny/{file}");
        let text = desk.read(&path);
        let line = text.lines().find(|line| is_left_out(line)).expect("a line");
        let other = match line.rsplit_once(',') {
            Some((fields, calls)) if file != "training.csv" => {
                format!("{fields},{}\n", calls.parse::<u64>().expect("a count") + 1)
            }
            _ => String::new(),
        };
        let fewer: String = text.lines().filter(|l| !is_left_out(l)).map(|l| format!("{l}\n")).collect();
        let changed = if other.is_empty() { fewer } else { text.replacen(&format!("{line}\n"), &other, 1) };
        desk.write(&path, changed);
        remove();
        desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*/sibling/"]).success();
        assert_eq!((file, models().len(), results(&desk) == whole), (file, 2, true));
    }
}

/// A config whose grid is cut in two has the same cells: what is known of them goes with them.
#[test]
fn cells_of_a_grid_that_was_cut_in_two_are_known() {
    let grid = |name: &str, sets: &str| format!("[[grid]]\nname = \"{name}\"\nbaseline = false\nsets = {sets}\n");
    let desk = Desk::new();
    desk.write("tiny.toml", config() + &grid("main", "[\"sibling\", \"grandchild\"]"));
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["measure", "time", "tiny.toml", "-q"]).success();
    let before = results(&desk);
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.write("tiny.toml", config() + &grid("main", "\"sibling\"") + &grid("rest", "\"grandchild\""));
    for verb in [&["run"][..], &["measure", "time"]] {
        // The other grid's rows may stay, and stay known, also when the next command works on them.
        for wanted in ["/sibling/", "/grandchild/"] {
            desk.treebound(&[verb, &["tiny.toml", "-q", "-f", wanted]].concat()).success();
        }
    }
    let after = results(&desk);
    for name in ["scores.csv", "by_sentence.csv"] {
        assert_eq!(before[Path::new(name)], after[Path::new(name)], "{name}");
    }
    let provenance = desk.read("results/tiny/provenance.toml");
    for table in ["[run.main.cells]", "[run.rest.cells]", "[time.main.cells]", "[time.rest.cells]"] {
        assert!(provenance.contains(table), "{table}: {provenance}");
    }
}

/// A run that is stopped has written what was finished beside what stood there: a config may have got a new cell of a model
/// whose training stands there.
#[test]
fn what_a_run_was_learnt_by_stays_beside_a_cell_that_is_not_made_yet() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let more = format!(
        "{}\n[[grid]]\nname = \"main\"\n[[grid]]\nname = \"paper\"\ndefault = false\ndecoders = \"paper\"\n",
        config()
    );
    desk.write("tiny.toml", more);
    let config = config::read(&desk.path("tiny.toml")).expect("a config");
    let folders = Folders::new(&config, Some(&desk.path(".")));
    let mut earlier = Earlier::read(&folders, &config, &[]).expect("results");
    let trained = earlier.training.clone();
    let standing: Vec<_> = earlier.cells().collect();
    earlier.retain(&config, |cell| standing.contains(cell));
    assert!(!trained.is_empty() && earlier.training == trained);
    earlier.retain(&config, |cell| cell.to_string().contains("/baseline/"));
    assert!(!earlier.training.is_empty() && earlier.training.len() < trained.len());
    // A file that is not committed may have cells of an older state, of which nothing else knows.
    let sentences = desk.read("results/tiny/sentences.csv");
    let searched = sentences.lines().filter(|line| line.contains("/bnb,"));
    let older: String = searched.map(|line| format!("{}\n", line.replace("/bnb,", "/paper,"))).collect();
    desk.write("results/tiny/sentences.csv", format!("{sentences}{older}"));
    let mut earlier = Earlier::read(&folders, &config, &[]).expect("results");
    assert!(earlier.cells().count() > standing.len());
    earlier.retain(&config, |cell| standing.contains(cell));
    assert!(earlier.training == trained && earlier.cells().count() == standing.len());
    desk.write("results/tiny/sentences.csv", sentences);
    // Nor does it stand there twice once that cell is made.
    desk.treebound(&["run", "tiny.toml", "-q", "--grid", "paper"]).success();
    let now = Earlier::read(&folders, &config, &[]).expect("results").training;
    assert!(now == trained, "{now:?}");
}

/// Rows of another config or program would stand beside numbers that they do not compare with.
#[test]
fn cells_of_another_experiment_are_neither_mixed_nor_lost() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let whole = results(&desk);
    let refused = || {
        let done = desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]);
        done.failure(&[
            "scores.csv, sentences.csv, by_sentence.csv, by_length.csv, training.csv has rows that are left out now",
            "--out DIR",
        ]);
        assert_eq!(results(&desk), whole);
    };
    desk.write("tiny.toml", other_training());
    refused();
    desk.write("tiny.toml", config());
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    let provenance = desk.read("results/tiny/provenance.toml");
    desk.write("results/tiny/provenance.toml", provenance.replace("= \"rows-", "= \"rows-1"));
    refused();
    desk.write("results/tiny/provenance.toml", provenance);
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]).success();
    assert_eq!(results(&desk), whole);
    // Part of what another config made is enough.
    desk.write("tiny.toml", other_training());
    fs::remove_file(desk.path("results/tiny/scores.csv")).expect("removed");
    let done = desk.treebound(&["run", "tiny.toml", "-q", "-f", "test.*sibling"]);
    done.failure(&["sentences.csv, by_sentence.csv, by_length.csv, training.csv has rows that are left out now"]);
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

/// The verb's own origin counts, not that of the last run.
#[test]
fn searches_of_another_config_are_neither_mixed_nor_lost() {
    let desk = desk();
    // Without a run: parts of one ablation are put together.
    for set in ["grandchild", "sibling"] {
        desk.treebound(&["measure", "ablation", "tiny.toml", "-q", "-f", &format!("test.*/{set}/")]).success();
    }
    let whole = results(&desk);
    let ways = |set: &str| desk.read("results/tiny/search.csv").matches(&format!(",{set},")).count();
    assert!(ways("grandchild") > 5 && ways("grandchild") == ways("sibling"));
    desk.write("tiny.toml", other_training());
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let done = desk.treebound(&["measure", "ablation", "tiny.toml", "-q", "-f", "test.*/sibling/"]);
    done.failure(&["search.csv has rows that are left out now"]);
    assert_eq!(results(&desk)[Path::new("search.csv")], whole[Path::new("search.csv")]);
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let desk = desk();
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk.treebound(&["measure", "ablation", "tiny.toml", "-q"]).success();
    let (before, whole) = (desk.files("results"), results(&desk));
    for verb in [
        &["run", "tiny.toml"][..],
        &["measure", "time", "tiny.toml"],
        &["measure", "ablation", "tiny.toml"],
        &["check", "--cells", "tiny.toml"],
    ] {
        desk.treebound(&[verb, &["-f", "siblnig"]].concat())
            .failure(&["--filter siblnig: no cell of the config matches"]);
    }
    desk.treebound(&["measure", "budget", "tiny.toml", "-f", "baseline"])
        .failure(&["no cell that is asked for has non-local"]);
    assert_eq!(desk.files("results"), before);
    // Part of an ablation leaves the other part.
    desk.treebound(&["measure", "ablation", "tiny.toml", "-q", "-f", "test.*/sibling"]).success();
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
