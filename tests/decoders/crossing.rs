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

#[test]
fn trees_that_cross_are_learnt_from_and_given() {
    let desk = Desk::new();
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
    let config = |trees: &str| {
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
"#
        )
    };
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
