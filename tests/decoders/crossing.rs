//! Trees that cross, from config to results: learnt from as they are, given, and right by a check of all rows against the models
//! and other decoders.

use crate::common::Draw;
use crate::desk::Desk;
use treebound::graph::Word;
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Sentence, Tree, conll};

/// Another word of the sentence has the head of word `m` from now on, if that is a tree with the same word on the root.
fn cross(sentence: &mut Sentence, draw: &mut Draw) {
    let gold = sentence.gold.as_ref().expect("a tree");
    let mut heads = gold.heads().to_vec();
    let (m, h) = (draw.below(heads.len() as u64) as usize, 1 + draw.below(heads.len() as u64) as usize);
    if !heads[m].is_root() {
        heads[m] = Word::new(h);
    }
    sentence.gold = Some(Tree::new(heads).unwrap_or_else(|_| gold.clone()));
}

/// Writes a treebank of trees of which many cross.
fn write_treebank(desk: &Desk) {
    let made = generate(&Config { train: 90, dev: 20, test: 40, ..Config::default() }).expect("valid settings");
    let mut draw = Draw::new(5);
    let mut crossing = 0;
    for (name, mut part) in [("train", made.train), ("dev", made.dev), ("test", made.test)] {
        part.iter_mut().step_by(2).for_each(|sentence| cross(sentence, &mut draw));
        let is_crossing = |sentence: &&Sentence| !sentence.gold.as_ref().expect("a tree").is_projective();
        crossing += part.iter().filter(is_crossing).count();
        let mut bytes = Vec::new();
        conll::write_conllx(&part, &mut bytes).expect("memory");
        desk.write(&format!("{name}.conllx"), bytes);
    }
    assert!(crossing > 20, "{crossing}");
}

/// A config of that treebank, with further tables.
fn config(trees: &str, tables: &str) -> String {
    format!(
        r#"
[[corpus]]
name = "made"
format = "conllx"
folder = "."
train = "train.conllx"
dev = "dev.conllx"
test = "test.conllx"
punctuation = "unicode"
[pruner]
model = "ranker"
epochs = 1
[training]
templates = "martins"
learner = "mira"
trees = "{trees}"
longest = 25
epochs = 2
{tables}"#
    )
}

#[test]
fn trees_that_cross_are_learnt_from_and_given() {
    let desk = Desk::new();
    write_treebank(&desk);
    let config = |trees| config(trees, TABLES);
    desk.write("made.toml", config("non-projective"));
    desk.treebound(&["run", "made.toml", "-q"]).success();
    let said = desk.treebound(&["verify", "results/made"]).success();
    assert!(!said.contains("WRONG") && !said.contains("not in the cache"), "{said}");
    let scores = desk.read("results/made/scores.csv");
    for cell in [",baseline,k=10,arborescence/dp,", ",arborescence/bnb,", ",carreras/arc-changes,", ",carreras/bnb,"] {
        assert!(scores.contains(cell), "{cell}: {scores}");
    }
    let training = desk.read("results/made/training.csv");
    let at = training.lines().next().expect("a head").split(',').position(|column| column == "projectivized");
    let at = at.expect("a column");
    assert!(training.lines().skip(1).all(|row| row.split(',').nth(at) == Some("0")), "{training}");
    desk.write("made.toml", config("projective"));
    desk.treebound(&["check", "made.toml"]).failure(&["the backbone `arborescence` gives trees that cross"]);
}

const TABLES: &str = r#"
[learner.mira-mp06]
decoder = "arc-changes"
[decoding]
backbones = "arborescence"
dp_calls = 200
[[grid]]
name = "main"
sets = ["grandchild+sibling", "grandchild+nonprojective+or+sibling+valency"]
[[grid]]
name = "mp06"
sets = "baseline"
learners = "mira-mp06"
backbones = "carreras"
decoders = "arc-changes"
[[grid]]
name = "second-order"
sets = "sibling"
baseline = false
backbones = "carreras"
"#;

const RELAXED: &str = r#"
[learner.mira-relaxed]
decoder = "lp"
[decoding]
backbones = "arborescence"
dp_calls = 200
[[grid]]
name = "main"
sets = "nonprojective+or+sibling"
baseline = false
learners = ["mira", "mira-relaxed"]
decoders = ["bnb", "lp", "ilp"]
"#;

/// Programs and searches of one model bound each other's trees, which `verify` checks; threads change nothing.
#[test]
fn relaxations_are_learnt_from_and_parsed_by() {
    let desk = Desk::new();
    write_treebank(&desk);
    desk.write("made.toml", config("non-projective", RELAXED));
    desk.treebound(&["check", "made.toml"]).success();
    if !cfg!(feature = "ilp") {
        let said = ["mira/nonprojective+or+sibling", "arborescence/lp", "`--features ilp`", "cmake"];
        desk.treebound(&["run", "made.toml", "-q", "-f", "/mira/.*/lp/"]).failure(&said);
        desk.treebound(&["run", "made.toml", "-q", "-f", "mira-relaxed/.*/bnb/"]).failure(&["`--features ilp`"]);
        return;
    }
    desk.treebound(&["run", "made.toml", "-q", "-j", "1"]).success();
    let said = desk.treebound(&["verify", "results/made"]).success();
    assert!(!said.contains("WRONG") && !said.contains("not in the cache"), "{said}");
    let files = ["scores.csv", "training.csv", "by_sentence.csv"].map(|name| format!("results/made/{name}"));
    let read = || files.each_ref().map(|file| desk.read(file));
    let one = read();
    let column = |text: &str, name: &str| {
        let at = text.lines().next().expect("a head").split(',').position(|column| column == name).expect(name);
        let number = |row: &str| row.split(',').nth(at).expect("a field").parse::<u64>().ok();
        text.lines().skip(1).map(number).collect::<Vec<_>>()
    };
    // Of each learner: branch and bound, the program, its relaxation.
    let [whole, iterations, proven, sentences] =
        ["integral", "simplex_iterations", "proven", "sentences"].map(|name| column(&one[0], name));
    for (row, line) in one[0].lines().skip(1).enumerate() {
        let (is_program, is_exact) = (!line.contains("/bnb,"), line.contains("/ilp,"));
        assert_eq!((whole[row].is_some(), iterations[row] > Some(0)), (is_program, is_program), "{line}");
        assert!(!is_exact || proven[row] == sentences[row], "{line}");
        assert!(!line.contains("/lp,") || proven[row] >= whole[row], "{line}");
    }
    assert!(whole.iter().flatten().sum::<u64>() > 0, "{}", one[0]);
    // Relaxations that were not whole.
    assert!(one[1].contains("mira-relaxed") && column(&one[1], "unproven").iter().all(|&unproven| unproven > Some(0)));
    desk.treebound(&["run", "made.toml", "-q", "-j", "3", "--cache", "other", "--out", "other"]).success();
    let three =
        ["scores.csv", "training.csv", "by_sentence.csv"].map(|name| desk.read(&format!("other/results/made/{name}")));
    assert!(one == three, "threads change results");
    for table in ["2", "calls"] {
        let said = desk.treebound(&["table", "made.toml", table]).success();
        assert!(table != "2" || said.contains("whole"), "{said}");
    }
    desk.write("made.toml", config("non-projective", RELAXED).replace("\"arborescence\"", "\"carreras\""));
    desk.treebound(&["check", "made.toml"]).failure(&["`mira-relaxed` learns from relaxations", "arborescence"]);
    desk.write("made.toml", config("non-projective", RELAXED).replace("learner.mira", "learner.perceptron"));
    desk.treebound(&["check", "made.toml"]).failure(&["learns by `perceptron`", "`mira`"]);
}
