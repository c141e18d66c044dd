//! Systems behind the one interface: the trivial baselines, and parsers that run by command line.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::desk::Desk;
use treebound::answer::{Clock, NoClock, Phase, Proof};
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::cell::{Axis, AxisValues, SystemName};
use treebound::decode::bnb::Limits;
use treebound::features::TemplateSet;
use treebound::graph::Word;
use treebound::systems::external::{External, ExternalSystem};
use treebound::systems::{Choice, How, System, Task, Trained, TrainingPart, built_in};
use treebound::treebank::{Punctuation, Sentence, Token, Tree};

fn sentence(words: &[&str], heads: &[usize]) -> Sentence {
    let token = |form: &&str| Token {
        form: form.to_string(),
        coarse: "X".to_owned(),
        fine: "x".to_owned(),
        ..Token::default()
    };
    let gold = Tree::new(heads.iter().map(|&h| Word::new(h)).collect()).expect("a tree");
    Sentence { tokens: words.iter().map(token).collect(), gold: Some(gold), ..Sentence::default() }
}

fn sentences() -> Vec<Sentence> {
    vec![sentence(&["a", "b", "c"], &[2, 0, 2]), sentence(&["d"], &[0]), sentence(&["e", "f"], &[0, 1])]
}

/// How a parser parses that has no pruner and nothing to choose.
fn how(axes: &AxisValues) -> How<'_> {
    How { pruner: None, axes, limits: Limits::default() }
}

fn with_task<T>(run: impl FnOnce(&Task) -> T) -> T {
    let sentences = sentences();
    let train = TrainingPart {
        trees: sentences.iter().filter_map(|s| s.gold.clone()).collect(),
        sentences: sentences.clone(),
        ..TrainingPart::default()
    };
    let punctuation = Punctuation::parse("none").expect("a rule");
    let task = Task {
        train: &train,
        dev: &sentences,
        gold_dev: &sentences,
        punctuation: &punctuation,
        pruned: None,
        baseline: None,
        seed: 7,
    };
    run(&task)
}

fn trained(system: &dyn System) -> Box<dyn Trained> {
    with_task(|task| system.train(task, &mut |_| {})).expect("it learns")
}

/// The heads that a system gives, or what it complains of.
fn heads(trained: &dyn Trained, clock: &mut dyn Clock) -> Result<Vec<Vec<usize>>, String> {
    let sentences = sentences();
    let batch: Vec<&[Token]> = sentences.iter().map(|s| s.tokens.as_slice()).collect();
    let none = AxisValues::default();
    let mut session = trained.session(&how(&none)).map_err(|e| e.to_string())?;
    let answers = session.parse(&batch, clock).map_err(|e| e.to_string())?;
    assert!(answers.iter().all(|a| a.proof == Proof::Heuristic && a.candidates.is_none() && a.score.is_none()));
    let heads = |tree: &Tree| tree.heads().iter().map(|h| h.ix()).collect();
    Ok(answers.iter().map(|a| a.tree.as_ref().map(heads).unwrap_or_default()).collect())
}

const BEFORE: [&[usize]; 3] = [&[0, 1, 2], &[0], &[0, 1]];
const AFTER: [&[usize]; 3] = [&[2, 3, 0], &[0], &[2, 0]];

#[test]
fn chains_hang_words_on_their_neighbours() {
    for (name, expected) in [("chain-before", BEFORE), ("chain-after", AFTER)] {
        let kind = built_in(&SystemName::parse(name).expect("a name")).expect("a system");
        let (axes, templates, learners) = (AxisValues::default(), BTreeMap::new(), BTreeMap::new());
        let labels = TemplateSet::built_in("labels").expect("built in").expect("a set");
        let (templates, learners, label_templates) = (&templates, &learners, &labels);
        let choice = Choice { axes: &axes, templates, learners, choice_limits: Limits::default(), label_templates };
        let system = (kind.make)(&choice).expect("it needs nothing");
        assert_eq!(system.name().as_str(), name);
        let trained = trained(&*system);
        assert_eq!(heads(&*trained, &mut NoClock).expect("trees"), expected);
        let again = system.load(&mut BytesReader::new(&[])).expect("no bytes are needed");
        assert_eq!(heads(&*again, &mut NoClock).expect("trees"), expected);
    }
}

/// A parser by command line: an awk program that writes a head into column 7.
fn external(parse: &[&str]) -> External {
    External {
        name: SystemName::parse("outside").expect("a name"),
        train: None,
        parse: parse.iter().map(ToString::to_string).collect(),
        version: ["echo", "outside 1.2"].map(str::to_owned).to_vec(),
        time_limit_s: 20,
        environment: BTreeMap::new(),
    }
}

fn system(settings: External) -> Arc<ExternalSystem> {
    Arc::new(ExternalSystem::new(settings, Path::new("")))
}

fn complaint(parse: &[&str]) -> String {
    let system = system(external(parse));
    heads(&*trained(&system), &mut NoClock).expect_err("a complaint")
}

const CHAIN: &str = r#"BEGIN { FS = OFS = "\t" } NF == 10 { $7 = $1 - 1; $8 = "dep" } { print }"#;

#[test]
fn an_external_parser_reads_and_writes_conll() {
    let to_stdout = system(external(&["awk", CHAIN, "{input}"]));
    assert_eq!(to_stdout.version_line().expect("a line"), "outside 1.2");
    assert_eq!(heads(&*trained(&to_stdout), &mut NoClock).expect("trees"), BEFORE);
    let to_file = system(external(&["sh", "-c", r#"awk "$1" "$2" > "$3""#, "sh", CHAIN, "{input}", "{output}"]));
    let trained = trained(&to_file);
    // Twice: what the first batch left is not taken for the second's.
    assert_eq!(heads(&*trained, &mut NoClock).expect("trees"), BEFORE);
    assert_eq!(heads(&*trained, &mut NoClock).expect("trees"), BEFORE);
}

#[test]
fn an_external_parser_learns_a_model_that_is_kept() {
    let script =
        r#"test -s "$1" && test -s "$2" && mkdir "$3" && printf '%s %s' "$4" "$(grep -c . "$1")" > "$3/weights""#;
    let words = ["sh", "-c", script, "sh", "{train}", "{dev}", "{model}", "{seed}"];
    // The heads that it gives tell what it learnt from: seed 7 and six words.
    let parse = r#"test "$(cat "$1/weights")" = "7 6" && awk "$2" "$3""#;
    let system = system(External {
        train: Some(words.map(str::to_owned).to_vec()),
        ..external(&["sh", "-c", parse, "sh", "{model}", CHAIN, "{input}"])
    });
    let first = trained(&system);
    assert_eq!(heads(&*first, &mut NoClock).expect("trees"), BEFORE);
    let mut out = BytesWriter::default();
    first.save(&mut out);
    let bytes = out.into_bytes();
    let mut from = BytesReader::new(&bytes);
    let again = system.load(&mut from).expect("a model");
    from.end().expect("all bytes are read");
    assert_eq!(heads(&*again, &mut NoClock).expect("trees"), BEFORE);
}

#[test]
fn an_external_parser_that_fails_says_how() {
    let nothing = complaint(&["cat", "{input}"]);
    assert_eq!(nothing, "outside: sentence 1: its words have no heads");
    let dead = complaint(&["sh", "-c", "echo out of luck >&2; exit 4"]);
    assert_eq!(dead, "outside: parse (`sh`) ended with exit status: 4; it said: out of luck");
    let few = complaint(&["awk", "-v", "RS=", &format!("{CHAIN} NR == 2 {{ exit }}"), "{input}"]);
    assert!(few.contains("what it wrote") || few.contains("sentences where 3 were given"), "{few}");
    let first = complaint(&["awk", r#"BEGIN { FS = OFS = "\t" } NF < 10 { exit } { $7 = $1 - 1; print }"#, "{input}"]);
    assert_eq!(first, "outside: it wrote 1 sentences where 3 were given");
    let other =
        complaint(&["awk", r#"BEGIN { FS = OFS = "\t" } NF == 10 { $7 = $1 - 1; $2 = "w" } { print }"#, "{input}"]);
    assert_eq!(other, "outside: sentence 1: word 1 is `w` where `a` was given");
    let cycle = complaint(&["awk", r#"BEGIN { FS = OFS = "\t" } NF == 10 { $7 = $1 % 2 + 1 } { print }"#, "{input}"]);
    assert!(cycle.starts_with("outside: what it wrote cannot be read: its output:1: sentence 1: "), "{cycle}");
    let silent = complaint(&["true"]);
    assert_eq!(silent, "outside: it wrote 0 sentences where 3 were given");
    let absent = complaint(&["a-parser-that-is-not-there"]);
    assert!(absent.starts_with("outside: parse (`a-parser-that-is-not-there`) cannot be started: "), "{absent}");
    let hanging = system(External { time_limit_s: 1, ..external(&["sleep", "60"]) });
    let hanging = heads(&*trained(&hanging), &mut NoClock).expect_err("a complaint");
    assert_eq!(hanging, "outside: parse (`sleep`) was still running after 1 s (time_limit_s) and was ended");
    let unlearnt = system(External { train: Some(vec!["true".to_owned()]), ..external(&["true"]) });
    let unlearnt = with_task(|task| unlearnt.train(task, &mut |_| {})).err().map(|e| e.to_string());
    let expected = "outside: train ended well but made no model; its command must write to {model}";
    assert_eq!(unlearnt.as_deref(), Some(expected));
}

#[test]
fn a_script_that_is_edited_in_place_makes_another_parser() {
    let folder = tempfile::tempdir().expect("a folder");
    let facts = || {
        let system = Arc::new(ExternalSystem::new(external(&["awk", "-f", "{config}/chain.awk"]), folder.path()));
        system.facts().expect("facts")
    };
    std::fs::write(folder.path().join("chain.awk"), CHAIN).expect("written");
    let before = facts();
    assert_eq!(facts(), before);
    std::fs::write(folder.path().join("chain.awk"), format!("{CHAIN}\n")).expect("written");
    assert_ne!(facts(), before);
}

/// A clock that goes on by one whenever it is looked at.
struct Ticks(u64);

impl Clock for Ticks {
    fn now_ns(&mut self) -> u64 {
        self.0 += 1;
        self.0 * self.0
    }
}

#[test]
fn a_start_is_reported_apart() {
    let system = system(external(&["awk", CHAIN, "{input}"]));
    let trained = trained(&system);
    let sentences = sentences();
    let batch: Vec<&[Token]> = sentences.iter().map(|s| s.tokens.as_slice()).collect();
    let none = AxisValues::default();
    let mut session = trained.session(&how(&none)).expect("a session");
    let answers = session.parse(&batch, &mut Ticks(0)).expect("trees");
    // The first sentence alone from 1 to 4, all of them from 9 to 16.
    let phases = |i: usize| [Phase::Start, Phase::Decode].map(|phase| answers[i].phases.get(phase));
    assert_eq!(phases(0), [Some(3), Some(4)]);
    assert_eq!((phases(1), answers[0].phases.total_ns()), ([None, None], 4));
}

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
dp_calls = 10

[timing]
repeats = 2

[[external]]
name = "outside"
version = ["echo", "outside 1.2"]
parse = ["awk", 'BEGIN { FS = OFS = "\t" } NF == 10 { $7 = $1 - 1; $8 = "dep" } { print }', "{input}"]

[[external]]
name = "dying"
version = ["echo", "dying 0.1"]
parse = ["sh", "-c", "echo out of luck >&2; exit 4", "sh", "{input}"]

[[grid]]
name = "main"
systems = ["graph", "chain-before", "chain-after", "outside", "dying"]
sets = "sibling"
pruning = ["k=4", "k=3"]
"#;

/// The rows of a table whose first line names its columns.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().expect("columns").clone();
    let row = |row: csv::StringRecord| columns.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// What a system does not count is empty and never 0, in files and tables, and one that fails is a row with its error.
#[test]
fn systems_stand_in_one_experiment() {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    const FAULT: &str = "dying: parse (`sh`) ended with exit status: 4; it said: out of luck";
    let run = desk.treebound(&["run", "tiny.toml", "-q"]);
    run.failure(&["made/test/gold/dying/-/-/-/-/-/seed=0: ", FAULT]);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);

    let scores = rows(&desk.read("results/tiny/scores.csv"));
    let of = |rows: &[BTreeMap<String, String>], system: &str| {
        rows.iter().filter(|row| row["system"] == system).cloned().collect::<Vec<_>>()
    };
    assert_eq!((scores.len(), of(&scores, "graph").len()), (8, 4));
    for row in of(&scores, "graph") {
        assert!(
            ["gold_kept", "heads_kept", "proven", "nodes", "dp_calls"].iter().all(|c| !row[*c].is_empty()),
            "{row:?}"
        );
    }
    let one = |rows: &[BTreeMap<String, String>], system: &str| match &of(rows, system)[..] {
        [row] => row.clone(),
        rows => panic!("{system}: {rows:?}"),
    };
    for system in ["chain-before", "chain-after", "outside", "dying"] {
        let row = one(&scores, system);
        for absent in ["templates", "learner", "features", "pruning", "decoding"] {
            assert_eq!(row[absent], "-", "{absent}: {row:?}");
        }
        for empty in ["gold_kept", "heads_kept", "proven", "nodes", "dp_calls"] {
            assert_eq!(row[empty], "", "{empty}: {row:?}");
        }
        let is_dead = system == "dying";
        assert_eq!(row["error"], if is_dead { FAULT } else { "" });
        let sentences = row["sentences"].parse::<u64>().ok();
        assert_eq!(sentences, (!is_dead).then_some(20), "{row:?}");
    }
    // The parser of somebody else does what the built-in one does, on the same words.
    let counts = |system: &str| {
        ["tokens", "correct", "scored_tokens", "scored_correct", "root_correct", "complete"]
            .map(|column| one(&scores, system)[column].clone())
    };
    assert_eq!(counts("outside"), counts("chain-before"));
    assert_ne!(counts("chain-after"), counts("chain-before"));
    let sentences = rows(&desk.read("results/tiny/sentences.csv"));
    for system in ["chain-before", "chain-after", "outside"] {
        let of_system = of(&sentences, system);
        assert_eq!(of_system.len(), 20);
        for row in of_system {
            assert_eq!(row["status"], "heuristic");
            assert!(["score", "bound", "nodes", "dp_calls"].iter().all(|column| row[*column].is_empty()), "{row:?}");
        }
    }
    assert!(of(&sentences, "dying").is_empty());

    // What failed is not timed; all else is.
    desk.treebound(&["measure", "time", "tiny.toml", "-q"])
        .failure(&["made/test/gold/dying/-/-/-/-/-/seed=0: not timed, since it failed when it was run"]);
    let speeds = rows(&desk.read("results/tiny/speed.csv"));
    let counted = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<u64>().ok();
    for (system, phases) in [
        ("graph", [false, true, true, true]),
        ("chain-before", [false, false, false, true]),
        ("chain-after", [false, false, false, true]),
        ("outside", [true, false, false, true]),
    ] {
        let of_system = of(&speeds, system);
        assert!(!of_system.is_empty(), "{system}");
        for row in &of_system {
            let found = ["start_ns", "prune_ns", "score_ns", "decode_ns"].map(|column| counted(row, column).is_some());
            assert_eq!(found, phases, "{row:?}");
            // A start costs time, and no length has it to itself.
            assert_eq!(counted(row, "start_ns").is_some_and(|ns| ns > 0), system == "outside");
            assert_eq!(row["length"].is_empty(), system == "outside", "{row:?}");
        }
        let passes = of_system.iter().filter_map(|row| counted(row, "sentences")).sum::<u64>();
        assert_eq!(passes, 20 * 2 * if system == "graph" { 4 } else { 1 });
    }
    assert!(of(&speeds, "dying").is_empty());

    for table in ["2", "3"] {
        let shown = desk.treebound(&["table", "tiny.toml", table]);
        shown.failure(&["1 of 8 cells failed", "the table is not complete"]);
        let line = |start: &str| {
            let lines: Vec<&str> = shown.out.lines().filter(|line| line.trim_start().starts_with(start)).collect();
            assert_eq!(lines.len(), 1, "{start}: {}", shown.out);
            lines[0].to_owned()
        };
        assert!(line("chain-before ").contains("heuristic") && line("chain-after ").contains("heuristic"));
        assert!(line("outside (external) ").contains("heuristic"), "{}", shown.out);
        assert!(
            shown.out.contains(&format!("Failed: made/test/gold/dying/-/-/-/-/-/seed=0: {FAULT}")),
            "{}",
            shown.out
        );
        assert!(shown.out.contains("external: a parser of somebody else"), "{}", shown.out);
    }
}

/// A parser of somebody else that is not here is a fault where a run would need it, and told where it would not.
#[test]
fn check_says_which_parsers_of_somebody_else_can_run() {
    let desk = Desk::new();
    let absent = CONFIG.replace(r#"["echo", "dying 0.1"]"#, r#"["no-such-parser", "--version"]"#);
    desk.write("tiny.toml", &absent);
    let check = desk.treebound(&["check", "tiny.toml"]);
    check.failure(&["treebound: dying: version (`no-such-parser`) cannot be started"]);
    assert!(check.out.contains("\nexternal outside: outside 1.2\n"), "{}", check.out);

    let named =
        absent.replace(r#", "dying"]"#, "]") + "\n[[grid]]\nname = 'later'\ndefault = false\nsystems = 'dying'\n";
    desk.write("tiny.toml", &named);
    let told = desk.treebound(&["check", "tiny.toml"]).success();
    assert!(told.contains("\nexternal dying: version (`no-such-parser`) cannot be started"), "{told}");
}
