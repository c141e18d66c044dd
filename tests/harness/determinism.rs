//! The same bytes, whatever the number of threads, the process, and however often a run was interrupted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::desk::{Desk, Files};
use treebound::experiment::config;

/// Small, with every kind of artifact: taggers, pruners, models chosen on the development part, cells of both searches.
const CONFIG: &str = r#"
analysis = "Nothing is to be learnt from this."
seeds = [1, 2]
tags = ["gold", "predicted"]

[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 60
dev = 20
test = 20
vocabulary = 500

[tagger]
epochs = 2
folds = 3

[pruner]
epochs = 2

[training]
epochs = 2
choose_epoch = "dev"
pruning = "k=4"
dp_calls = 10

[features]
sets = ["sibling", "grandchild+sibling", "comb+grandchild+great-grandchild+hand+sibling+tri-sibling"]

[decoding]
pruning = ["k=4", "t=5e-2"]
decoders = ["bnb", "paper"]
backbones = ["carreras", "grand-sibling"]
dp_calls = 40

[evaluation]
splits = ["dev", "test"]
rounds = 100

[timing]
repeats = 1
"#;

/// Everything that a run leaves behind.
struct Left {
    results: Files,
    cache: Files,
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    desk
}

/// Runs the experiment to its end.
fn run(desk: &Desk, more: &[&str]) -> Left {
    desk.treebound(&[&["run", "tiny.toml", "--quiet"], more].concat()).success();
    left(desk)
}

fn left(desk: &Desk) -> Left {
    Left { results: results(desk, "results/tiny"), cache: desk.artifacts() }
}

/// The files of a results folder, but for those that depend on the machine and so stand apart.
fn results(desk: &Desk, folder: &str) -> Files {
    let mut results = desk.files(folder);
    results.retain(|name, _| !["speed", "provenance"].iter().any(|apart| name.to_string_lossy().starts_with(apart)));
    results
}

/// A run that was never interrupted, made once for all tests.
fn truth() -> &'static Left {
    static TRUTH: OnceLock<Left> = OnceLock::new();
    TRUTH.get_or_init(|| {
        let truth = run(&desk(), &[]);
        let names: Vec<String> = truth.results.keys().map(|name| name.display().to_string()).collect();
        let wanted = [
            "by_length.csv",
            "by_sentence.csv",
            "config.resolved.toml",
            "scores.csv",
            "sentences.csv",
            "tagging.csv",
            "training.csv",
        ];
        for name in wanted {
            assert!(names.iter().any(|n| n == name), "{name} is not among {names:?}");
        }
        // 2 tags and 2 seeds; each a pruner, 4 models, and on 2 parts by 2 prunings the baseline and 3 sets by 2 searches; each
        // its rows and its trees, and one tagger. With the third-order program, which has all grandchildren, two of the sets are
        // one.
        assert_eq!(truth.cache.len(), 4 * (1 + 4 + 3 + 4 * 2 * (1 + 3 * 2 + 1 + 2 * 2)) + 1);
        truth
    })
}

#[track_caller]
fn assert_same(what: &str, files: &Files, truth: &Files) {
    assert_eq!(files.keys().collect::<Vec<_>>(), truth.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in files {
        // The bytes are not printed: there are many.
        assert!(*bytes == truth[name], "{what}: {} differs", name.display());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for jobs in ["1", "2", "7"] {
        let left = run(&desk(), &["--jobs", jobs]);
        assert_same(&format!("results of --jobs {jobs}"), &left.results, &truth().results);
        assert_same(&format!("cache of --jobs {jobs}"), &left.cache, &truth().cache);
    }
}

#[test]
fn a_second_run_makes_nothing_and_changes_nothing() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    let oldest = std::fs::metadata(desk.folder().join("cache")).expect("a folder").modified().expect("a time");
    assert_same("results", &run(&desk, &[]).results, &truth().results);
    let newest = std::fs::metadata(desk.folder().join("cache")).expect("a folder").modified().expect("a time");
    assert_eq!(oldest, newest, "something was written to the cache");
}

#[test]
fn lost_and_damaged_artifacts_are_made_again() {
    let desk = desk();
    for (i, (name, bytes)) in truth().cache.iter().enumerate() {
        let name = Path::new("cache").join(name);
        let name = name.to_string_lossy();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 3] ^= 1;
        match i % 6 {
            0 => desk.write(&name, bytes),
            1 => desk.write(&name, &bytes[..bytes.len() / 2]),
            2 => desk.write(&name, b""),
            3 => desk.write(&name, flipped),
            // Rows do without trees, so lost trees stay lost.
            _ if name.contains("trees-") => desk.write(&name, bytes),
            // Lost.
            _ => {}
        }
    }
    desk.write("cache/.tmpleftover", "of a process that was killed");
    let mut left = run(&desk, &["--jobs", "2"]);
    assert_same("results", &left.results, &truth().results);
    left.cache.remove(Path::new(".tmpleftover"));
    assert_same("cache", &left.cache, &truth().cache);
}

#[test]
fn a_process_that_was_killed_is_taken_up() {
    let desk = desk();
    for artifacts in [2, 12, 40] {
        let mut child =
            desk.command(&["run", "tiny.toml"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        let start = Instant::now();
        while desk.artifacts().len() < artifacts && start.elapsed() < Duration::from_secs(120) {
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // It may have come to its end by itself.
        let _ = child.kill();
        child.wait().expect("ended");
    }
    let left = run(&desk, &[]);
    assert_same("results", &left.results, &truth().results);
    for (name, bytes) in &truth().cache {
        assert!(left.cache.get(name) == Some(bytes), "{}", name.display());
    }
}

#[test]
fn timing_leaves_the_results_alone() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    desk.put("results/tiny", &truth().results);
    desk.treebound(&["measure", "time", "tiny.toml", "--quiet", "--filter", "gold/.*seed=1"]).success();
    let after = left(&desk);
    assert_same("results", &after.results, &truth().results);
    assert_same("cache", &after.cache, &truth().cache);
    let speed = desk.read("results/tiny/speed.csv");
    assert!(speed.lines().count() > 1, "{speed}");
    assert!(speed.lines().skip(1).all(|line| line.contains(",gold,")), "{speed}");
    // Unless told otherwise, one seed of the last part is enough.
    std::fs::remove_file(desk.path("results/tiny/speed.csv")).expect("removed");
    desk.treebound(&["measure", "time", "tiny.toml", "--quiet"]).success();
    let speed = desk.read("results/tiny/speed.csv");
    let column = speed.lines().next().and_then(|header| header.split(',').position(|name| name == "seed"));
    let seed = |line: &str| line.split(',').nth(column.expect("a column of seeds")).map(str::to_owned);
    assert!(speed.lines().skip(1).all(|line| line.starts_with("made,test,")), "{speed}");
    assert!(speed.lines().skip(1).all(|line| seed(line).as_deref() == Some("1")), "{speed}");
    assert_same("results", &left(&desk).results, &truth().results);
}

/// A filter chooses what to time; speeds of other cells stay. Those that another program or machine measured do not compare.
#[test]
fn a_filter_keeps_the_speeds_of_other_cells() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    desk.put("results/tiny", &truth().results);
    let timed = |cell: &str| -> Vec<String> {
        desk.read("results/tiny/speed.csv").lines().filter(|line| line.starts_with(cell)).map(str::to_owned).collect()
    };
    let [sibling, both] = ["sibling", "grandchild+sibling"]
        .map(|set| format!("made,test,gold,graph,compact,perceptron,{set},k=4,carreras/bnb,1,"));
    let time = |set: &str| {
        desk.treebound(&[
            "measure",
            "time",
            "tiny.toml",
            "-f",
            &format!("test/gold/graph/compact/perceptron/{set}/k=4/.*/bnb/seed=1"),
        ])
    };
    time("sibling").success();
    let first = timed(&sibling);
    assert!(!first.is_empty() && timed(&both).is_empty());
    time(r"grandchild\+sibling").success();
    assert_eq!(timed(&sibling), first);
    assert!(!timed(&both).is_empty());
    // Another machine.
    let provenance = desk.read("results/tiny/provenance.toml");
    desk.write("results/tiny/provenance.toml", provenance.replace("cpu = \"", "cpu = \"not "));
    let speeds = desk.read("results/tiny/speed.csv");
    time("sibling").failure(&["speed.csv has rows that are left out now", "do not compare"]);
    assert_eq!(desk.read("results/tiny/speed.csv"), speeds);
}

/// A cell is not timed beside results that are not its own.
#[test]
fn what_is_timed_is_what_stands_in_the_results() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    desk.put("results/tiny", &truth().results);
    desk.write("tiny.toml", CONFIG.replace("pruning = \"k=4\"\n", "pruning = \"k=3\"\n"));
    assert_ne!(desk.read("tiny.toml"), CONFIG);
    let done = desk.treebound(&[
        "measure",
        "time",
        "tiny.toml",
        "-f",
        "test/gold/graph/compact/perceptron/sibling/k=4/.*/bnb/seed=1",
    ]);
    done.failure(&["are stale", "first treebound run"]);
    assert!(!desk.path("results/tiny/speed.csv").exists());
}

/// Graph files hold all that a search has: decoded from them, each sentence takes the calls that it took in the run.
#[test]
fn stored_graphs_are_searched_as_in_the_run() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    desk.treebound(&["data", "graphs", "tiny.toml", "-o", "graphs", "-f", "test/gold/.*/bnb/seed=1"]).success();
    let sentences = String::from_utf8(truth().results[Path::new("sentences.csv")].clone()).expect("UTF-8");
    let mut lines = sentences.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name: &str| header.iter().position(|&n| n == name).expect("a column");
    let outcome = ["score", "status", "nodes", "dp_calls"];
    let mut expected: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in lines {
        let cell = row[..column("seed")].join("_").replace('/', "_") + "_seed=" + row[column("seed")];
        expected.entry(cell).or_default().push(outcome.map(|name| row[column(name)].to_owned()).to_vec());
    }
    let files = desk.files("graphs");
    assert_eq!(files.len(), 2 * (3 + 2));
    let (mut searched, mut iterated) = (0, 0);
    for name in files.keys().map(|name| name.display().to_string()) {
        let backbone = if name.contains("grand-sibling") { "grand-sibling" } else { "carreras" };
        let path = format!("graphs/{name}");
        let answers = desk.treebound(&["decode", "--backbone", backbone, "--dp-calls", "40", &path]).success();
        let expected = &expected[name.trim_end_matches(".jsonl")];
        assert_eq!(answers.lines().count(), expected.len(), "{name}");
        for (answer, expected) in answers.lines().zip(expected) {
            let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
            // Where no tree is left the run adds arcs and searches again.
            if answer["status"] != "infeasible" {
                let found = outcome.map(|name| answer[name].to_string().trim_matches('"').to_owned());
                assert_eq!(found.to_vec(), *expected, "{name}");
                searched += 1;
                iterated += usize::from(answer["dp_calls"].as_u64() > Some(1));
            }
        }
    }
    assert!(searched > 100 && iterated > 20, "{searched} {iterated}");
}

#[test]
fn tables_and_figures_are_drawn_alike() {
    let drawn = || {
        let desk = desk();
        desk.put("results/tiny", &truth().results);
        let mut printed = String::new();
        for arguments in [["table", "tiny.toml", "1"], ["table", "tiny.toml", "2"], ["table", "tiny.toml", "3"]] {
            printed += &desk.treebound(&arguments).success();
        }
        printed += &desk.treebound(&["figure", "tiny.toml", "5"]).success();
        (printed, desk.files("results/tiny"), desk.files("figures/tiny"))
    };
    let (first, second) = (drawn(), drawn());
    assert_eq!(first.0, second.0);
    assert_same("tables", &first.1, &second.1);
    assert_same("figures", &first.2, &second.2);
    let names: Vec<String> = first.2.keys().map(|name| name.display().to_string()).collect();
    assert_eq!(names, ["figure5.csv", "figure5.png", "figure5.svg"]);
    assert!(first.1.contains_key(Path::new("table2.csv")));
    // Tables add files and change none.
    let mut results = first.1;
    results.retain(|name, _| truth().results.contains_key(name));
    assert_same("results", &results, &truth().results);
}

#[test]
fn a_filter_chooses_what_to_do_and_forgets_nothing() {
    let desk = desk();
    let lines = |left: &Left| -> BTreeSet<String> {
        let text = String::from_utf8(left.results[Path::new("scores.csv")].clone()).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    };
    let all = lines(truth());
    let cells = |lines: &BTreeSet<String>| lines.len() - 1;
    assert_eq!(cells(&all), 4 * 4 * (1 + 3 * 2 + 1 + 2 * 2));
    let first = lines(&run(&desk, &["--filter", "gold/.*/bnb/seed=1"]));
    assert_eq!(cells(&first), 4 * (3 + 2));
    assert!(first.is_subset(&all));
    let second = lines(&run(&desk, &["--filter", "^made/test/gold/graph/compact/perceptron/baseline/.*seed=2"]));
    assert_eq!(cells(&second), 4 * (3 + 2) + 2 * 2);
    assert!(first.is_subset(&second) && second.is_subset(&all));
    // A filter that matches nothing is a slip, and leaves what is there.
    desk.treebound(&["run", "tiny.toml", "--filter", "nothing"]).failure(&["--filter nothing: no cell"]);
    assert_eq!(lines(&left(&desk)), second);
    assert_same("results", &run(&desk, &[]).results, &truth().results);
}

/// Corpora with the same sentences share their artifacts, but a filter on one says nothing of the other.
#[test]
fn what_was_not_asked_for_does_not_appear_on_the_way() {
    let desk = Desk::new();
    let corpus = CONFIG.split("[[corpus]]").nth(1).and_then(|rest| rest.split("[tagger]").next()).expect("a corpus");
    let twin = format!("[[corpus]]{}[tagger]", corpus.replace("\"made\"", "\"twin\""));
    desk.write("tiny.toml", CONFIG.replace("[tagger]", &twin).replace(", \"predicted\"", ""));
    for jobs in ["1", "7"] {
        let out = format!("out{jobs}");
        let filter = "^made/.*baseline/k=4";
        let cache = format!("{out}/cache");
        let places = ["--out", &out, "--cache", &cache];
        desk.treebound(&[&["run", "tiny.toml", "-q", "-j", jobs, "--filter", filter], &places[..]].concat()).success();
        let scores = desk.read(&format!("{out}/results/tiny/scores.csv"));
        assert_eq!(scores.lines().filter(|line| line.starts_with("made,")).count(), 2 * 2 * 2);
        assert_eq!(scores.lines().filter(|line| line.starts_with("twin,")).count(), 0, "--jobs {jobs}");
    }
}

#[test]
fn the_resolved_config_is_the_experiment() {
    let desk = desk();
    desk.put("cache", &truth().cache);
    let text = String::from_utf8(truth().results[Path::new("config.resolved.toml")].clone()).expect("UTF-8");
    desk.write("again.toml", &text);
    desk.treebound(&["run", "again.toml", "--quiet"]).success();
    let mut again = results(&desk, "results/again");
    let resolved = again.insert("config.resolved.toml".into(), text.clone().into_bytes()).expect("a file");
    // All but where the values stand: those of the first file stand in it or nowhere, those of the second all in it.
    let body = |text: &str| {
        let lines = text.lines().skip(1).map(|line| line.split("  # ").next().expect("a beginning").to_owned());
        lines.collect::<Vec<_>>()
    };
    assert!(
        text.contains("splits = [\"dev\", \"test\"]  # tiny.toml:") && text.contains("\nfolds = 3  # tiny.toml:"),
        "{text}"
    );
    assert!(text.contains("\nrate = 0.02\n"), "{text}");
    assert_eq!(body(&String::from_utf8(resolved).expect("UTF-8")), body(&text));
    assert_same("results", &again, &truth().results);
    assert_same("cache", &desk.artifacts(), &truth().cache);
}

/// Every setting there is, none at its default.
const EVERYTHING: &str = r#"
analysis = "Several\nlines, and \"quotes\"."
seeds = [7, 3]
claims = "paper"
tags = ["predicted", "gold"]
[[corpus]]
name = "brackets"
format = "penn"
rules = "rules.txt"
encoding = "gb18030"
folder = ["here", "there"]
train = ["wsj_{0001..0020}.mrg", "more_*.mrg"]
dev = "dev.mrg"
test = "test.mrg"
punctuation = { column = "coarse", tags = ["PUNCT", "\"", "'"] }
nonprojective = "drop"
published = "PTB"
[corpus.expected]
train = { sentences = 3, tokens = 4 }
dev = { tokens = 5 }
test = {}
[[corpus]]
name = "made"
format = "synthetic"
[corpus.synthetic]
train = 11
phenomena = { concord = 3 }
[tagger]
epochs = 3
folds = 4
seed = 5
[pruner]
templates = "my.templates"
epochs = 6
rate = 0.0625
[training]
templates = ["paper", "my.templates"]
learner = ["mira", "perceptron"]
aggressiveness = 0.0625
epochs = 2
average_from = 2
choose_epoch = "dev"
pruning = "t=1e-3"
decoder = "paper"
dp_calls = "none"
nodes = 77
[learner.mira-long]
epochs = 9
average_from = 3
aggressiveness = 0.5
choose_epoch = "last"
pruning = 7
decoder = "bnb"
dp_calls = 3
nodes = "none"
[features]
sets = ["sibling", "grandchild+sibling"]
[decoding]
pruning = ["none", 20, 3, "t=1e-2"]
decoders = ["paper", "bnb"]
backbones = ["carreras"]
dp_calls = 100
nodes = "none"
[[grid]]
name = "usual"
[[grid]]
name = "third-order"
backbones = "grand-sibling"
sets = "baseline"
[[grid]]
name = "more"
default = false
corpus = "made"
tags = "gold"
systems = ["chain-after", "graph", "other"]
templates = "compact"
learners = ["mira-long", "perceptron"]
sets = ["paper", "grandchild+sibling"]
baseline = false
pruning = [2, "t=1e-1"]
decoders = "bnb"
backbones = ["grand-sibling", "carreras"]
seeds = [1, 2]
splits = "dev"
dp_calls = "none"
nodes = 8
[[external]]
name = "other"
train = ["learn", "--on", "{train}", "{model}"]
parse = ["parse", "{model}", "{input}"]
version = "parse --version"
time_limit_s = 60
environment = { LANG = "C", A = "b c" }
[evaluation]
splits = ["test", "dev"]
rounds = 12
seed = 9
[timing]
repeats = 2
[engine]
partition = "long"
account = "parsing"
threads = 3
options = ["--qos=low", "--exclusive"]
[[claim]]
name = "mine"
text = "Siblings help."
source = "me"
kind = "difference"
a = { set = "sibling" }
others = [{ set = "baseline", pruning = "k=3", tags = "gold" }]
level = 0.01
"#;

#[test]
fn a_resolved_config_resolves_to_itself() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut all = vec![("everything.toml".into(), EVERYTHING.to_owned()), ("tiny.toml".into(), CONFIG.to_owned())];
    for entry in std::fs::read_dir(configs).expect("configs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = std::fs::read_to_string(&path).expect("a config");
            all.push((path, text));
        }
    }
    assert!(all.len() >= 4);
    for (path, text) in &all {
        let config = config::parse(text, path).expect("a valid config");
        let written = config::resolved(&config);
        let again = config::parse(&written, path).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(again, config, "{written}");
        assert_eq!(config::settings(&again), config::settings(&config));
    }
}
