//! UD English EWT, where it is there: what the files hold, and a parser trained on some of it held against itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::desk::Desk;
use treebound::answer::{Count, NoClock, Proof};
use treebound::cell::{CellKey, Setting};
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoder, Scratch as DecoderScratch, brute};
use treebound::experiment::rows::{ScoreRow, SentenceRow, csv};
use treebound::graph::{FactorGraph, TreeArcs, tree_score};
use treebound::model::{Parser, Scratch, TrainedParser};
use treebound::pruning::Rule;
use treebound::treebank::conll::Parses;
use treebound::treebank::{Sentence, conll};

/// The treebank's folder.
#[track_caller]
fn english() -> Option<PathBuf> {
    crate::at_hand::treebank("en_ewt")
}

#[test]
fn the_files_hold_the_published_numbers_of_sentences_and_words() {
    let Some(folder) = english() else { return };
    for (part, sentences, tokens) in [("train", 12_544, 204_577), ("dev", 2_001, 25_147), ("test", 2_077, 25_094)] {
        let read = conll::read_gold(&folder.join(format!("{part}.conllu"))).expect("a treebank");
        assert_eq!((read.len(), read.iter().map(Sentence::len).sum::<usize>()), (sentences, tokens), "{part}");
    }
}

#[test]
fn a_file_written_with_its_own_heads_is_the_same_file() {
    let Some(folder) = english() else { return };
    for part in ["dev", "test"] {
        let path = folder.join(format!("{part}.conllu"));
        let text = fs::read_to_string(&path).expect("text");
        let file = conll::read(&path).expect("a treebank");
        let trees: Vec<_> = file.sentences.iter().map(|s| s.gold.clone().expect("a tree")).collect();
        let mut written = Vec::new();
        file.write_parsed(Parses { trees: &trees, ..Parses::default() }, &mut written).expect("written");
        let written = String::from_utf8(written).expect("UTF-8");
        // Relations and enhanced dependencies are not kept; all else is, byte for byte.
        let rest = |line: &str| {
            let columns: Vec<&str> = line.split('\t').collect();
            let is_word = columns.len() == 10 && columns[0].bytes().all(|b| b.is_ascii_digit());
            if is_word { [&columns[..7], &columns[9..]].concat().join("\t") } else { line.to_owned() }
        };
        assert!(text.lines().map(rest).eq(written.lines().map(rest)), "{part}");
        // Through CoNLL-X and back: forms, tags and trees.
        let mut conllx = Vec::new();
        conll::write_conllx(&file.sentences, &mut conllx).expect("written");
        let again = conll::parse_gold(&conllx, Path::new("again.conllx")).expect("a treebank");
        assert_eq!(again.len(), file.sentences.len());
        for (a, b) in again.iter().zip(&file.sentences) {
            let words = |sentence: &Sentence| -> Vec<[String; 3]> {
                sentence.tokens.iter().map(|t| [&t.form, &t.coarse, &t.fine].map(ToString::to_string)).collect()
            };
            assert_eq!((words(a), &a.gold), (words(b), &b.gold), "{}", b.place);
        }
    }
}

const SET: &str = "grandchild+sibling";
const ALL: &str = "comb+grandchild+great-grandchild+hand+sibling+tri-sibling";
const DEV: usize = 150;
const DP_CALLS: u64 = 1000;

const CONFIG: &str = r#"
[[corpus]]
name = "english"
format = "conllu"
train = "train.conllu"
dev = "dev.conllu"
test = "dev.conllu"

[corpus.expected]
train = { sentences = 800 }
dev = { sentences = 150 }

[pruner]
epochs = 2

[training]
epochs = 1
pruning = "k=6"
dp_calls = 50

[features]
sets = ["grandchild+sibling"]

[decoding]
pruning = "k=6"
decoders = ["bnb", "paper"]
dp_calls = 1000

[evaluation]
splits = ["dev"]
"#;

/// The first sentences of a part, as they stand in its file.
fn first(folder: &Path, part: &str, sentences: usize) -> String {
    let text = fs::read_to_string(folder.join(format!("{part}.conllu"))).expect("a treebank");
    text.split_inclusive("\n\n").take(sentences).collect()
}

/// The experiment, run, and a model of it.
fn trained(folder: &Path) -> (Desk, TrainedParser) {
    let desk = Desk::new();
    desk.write("train.conllu", first(folder, "train", 800));
    desk.write("dev.conllu", first(folder, "dev", DEV));
    desk.write("some.toml", CONFIG);
    desk.treebound(&["run", "some.toml", "--quiet"]).success();
    let model = train(&desk, SET, "some.model");
    (desk, model)
}

fn train(desk: &Desk, set: &str, model: &str) -> TrainedParser {
    desk.treebound(&["train", "some.toml", "--features", set, "--model", model]).success();
    TrainedParser::read(&desk.path(model)).expect("a model")
}

fn key(decoder: &str) -> CellKey {
    let decoding = format!("carreras/{decoder}");
    let axes = ["english", "dev", "gold", "graph", "compact", "perceptron", SET, "k=6", &decoding];
    Setting::read(axes).expect("a setting").with_seed(1)
}

#[test]
fn searches_agree_on_real_sentences() {
    let Some(folder) = english() else { return };
    let (desk, trained) = trained(&folder);
    the_searches_of_the_run_agree(&desk);
    other_decoders_agree(&desk, &trained);
    other_decoders_agree(&desk, &train(&desk, ALL, "all.model"));
    parsing_with_the_model_is_what_the_run_did(&desk);
}

/// Every sentence of the development part: the third-order program, branch and bound over both programs and, where it
/// applies, Model 0 of Koo & Collins give one score.
#[test]
fn koo_and_collins_agree_with_branch_and_bound_on_every_sentence() {
    let Some(folder) = english() else { return };
    let desk = Desk::new();
    desk.write("train.conllu", first(&folder, "train", 800));
    desk.write("dev.conllu", first(&folder, "dev", DEV));
    desk.write("some.toml", CONFIG);
    let sentences = conll::read_gold(&folder.join("dev.conllu")).expect("a treebank");
    let mut decoding = DecoderScratch::default();
    let mut best = |decoder: Decoder, backbone: Backbone, graph: &FactorGraph, sentence: &Sentence| {
        let answer = decoder.decode(graph, backbone, None, Limits::default(), &mut decoding);
        let answer = answer.unwrap_or_else(|e| panic!("{}: {e}", sentence.place));
        assert!(answer.status.is_proof(), "{}", sentence.place);
        let tree = answer.tree.expect("a tree");
        let mut arcs = TreeArcs::default();
        assert!(arcs.find(&graph.space, tree.heads()), "{}", sentence.place);
        assert_eq!(Some(tree_score(graph, &arcs)), answer.score, "{}", sentence.place);
        (answer.score, answer.dp_calls)
    };
    for (set, backbone) in [("grandchild", Backbone::Carreras), ("baseline", Backbone::GrandSibling)] {
        desk.treebound(&["train", "some.toml", "--features", set, "--backbone", backbone.name(), "--model", "a.model"])
            .success();
        let trained = TrainedParser::read(&desk.path("a.model")).expect("a model");
        assert_eq!(trained.model.backbone(), backbone);
        let (rule, limits) = (trained.rule, Limits::default());
        let parser = Parser { pruner: &trained.pruner, rule, model: &trained.model, decoder: Decoder::Bnb, limits };
        let mut scratch = Scratch::default();
        let (mut scores, mut calls) = (0, 0);
        for sentence in &sentences {
            let (answer, _) = parser.parse(&sentence.tokens, &mut scratch, &mut NoClock).expect("a parse");
            let graph = scratch.graph();
            let third = best(Decoder::Dp, Backbone::GrandSibling, graph, sentence);
            assert_eq!((third.0, third.1), (answer.score, 1), "{}", sentence.place);
            scores += graph.grand_siblings.len();
            calls += answer.dp_calls;
            let mut graph = graph.clone();
            crate::model_zero::keep_what_it_scores(&mut graph);
            let truth = crate::model_zero::best_score(&graph);
            for (decoder, backbone) in [
                (Decoder::Bnb, Backbone::Carreras),
                (Decoder::Bnb, Backbone::GrandSibling),
                (Decoder::Dp, Backbone::GrandSibling),
            ] {
                assert_eq!(best(decoder, backbone, &graph, sentence).0, truth, "{} {decoder}", sentence.place);
            }
        }
        println!("{set}, {backbone}: {} sentences, {scores} grand-siblings, {calls} DP calls", sentences.len());
        assert_eq!(scores > 0, backbone == Backbone::GrandSibling);
        // The program alone closes what has no other factors.
        assert_eq!(calls == sentences.len() as u64, backbone == Backbone::GrandSibling);
    }
}

/// A claim about a graph's best score: at least, at most, and whether that is proven.
#[derive(Debug)]
struct Claim {
    score: i128,
    bound: Option<i128>,
    proven: bool,
}

/// That claims about one graph can all be true.
#[track_caller]
fn assert_consistent(a: &Claim, b: &Claim, what: &dyn std::fmt::Display) {
    for (a, b) in [(a, b), (b, a)] {
        assert!(a.bound.is_none_or(|bound| bound >= b.score), "{what}: {a:?} against {b:?}");
        if a.proven {
            assert_eq!(a.bound, Some(a.score), "{what}");
            assert!(!b.proven || b.score == a.score, "{what}: {a:?} against {b:?}");
        }
    }
}

fn the_searches_of_the_run_agree(desk: &Desk) {
    let rows: Vec<SentenceRow> = csv::read(&desk.path("results/some/sentences.csv")).expect("rows");
    let of = |decoder: &str| -> Vec<&SentenceRow> { rows.iter().filter(|r| *r.cell == key(decoder)).collect() };
    let (bnb, paper) = (of("bnb"), of("paper"));
    assert_eq!((bnb.len(), paper.len()), (DEV, DEV));
    let claim = |row: &SentenceRow| Claim {
        score: row.score.expect("a tree").into(),
        bound: row.bound.map(Into::into),
        proven: row.status == Proof::Optimal,
    };
    for (b, p) in bnb.iter().zip(&paper) {
        assert_consistent(&claim(b), &claim(p), &format_args!("sentence {}", b.sentence));
    }
    let proven = |rows: &[&SentenceRow]| rows.iter().filter(|r| r.status == Proof::Optimal).count();
    let calls = |rows: &[&SentenceRow]| rows.iter().filter_map(|r| r.effort.get(Count::DpCalls)).sum::<u64>();
    println!("bnb: {} of {DEV} proven with {} DP calls", proven(&bnb), calls(&bnb));
    println!("paper: {} of {DEV} proven with {} DP calls", proven(&paper), calls(&paper));
    assert!(proven(&bnb) * 100 >= 95 * DEV);
    assert!(calls(&bnb) < calls(&paper));
}

/// On the graphs of the model: branch and bound without the pruner's probabilities, and on short sentences all trees.
fn other_decoders_agree(desk: &Desk, trained: &TrainedParser) {
    let sentences = conll::read_gold(&desk.path("dev.conllu")).expect("a treebank");
    let limits = Limits { dp_calls: Some(DP_CALLS), ..Limits::default() };
    let (mut scratch, mut decoding) = (Scratch::default(), DecoderScratch::default());
    let mut short = 0;
    for rule in [trained.rule, Rule::None] {
        let parser = Parser { pruner: &trained.pruner, rule, model: &trained.model, decoder: Decoder::Bnb, limits };
        for sentence in &sentences {
            let is_short = sentence.len() <= 7;
            if rule == Rule::None && !is_short {
                continue;
            }
            let (answer, _) = parser.parse(&sentence.tokens, &mut scratch, &mut NoClock).expect("a parse");
            let graph = scratch.graph();
            let claim = |answer: &treebound::decode::Decoded| Claim {
                score: answer.score.expect("a tree"),
                bound: answer.bound,
                proven: answer.status.is_proof(),
            };
            let tree = answer.tree.as_ref().expect("a tree");
            let mut arcs = TreeArcs::default();
            assert!(arcs.find(&graph.space, tree.heads()) && tree.is_projective(), "{}", sentence.place);
            assert_eq!(Some(tree_score(graph, &arcs)), answer.score, "{}", sentence.place);
            let without =
                Decoder::Bnb.decode(graph, Backbone::Carreras, None, limits, &mut decoding).expect("an answer");
            assert_consistent(&claim(&answer), &claim(&without), &sentence.place);
            if is_short {
                short += 1;
                let truth = brute::decode(graph);
                assert_eq!((answer.score, without.score), (truth.score, truth.score), "{}", sentence.place);
                assert!(answer.status.is_proof() && without.status.is_proof(), "{}", sentence.place);
            }
        }
    }
    assert!(short >= 40, "{short} short sentences");
}

fn parsing_with_the_model_is_what_the_run_did(desk: &Desk) {
    let calls = DP_CALLS.to_string();
    let arguments = ["parse", "--model", "some.model", "dev.conllu", "--dp-calls", &calls];
    let parsed = desk.treebound(&arguments).success();
    assert_eq!(parsed, desk.treebound(&[&arguments[..], &["--jobs", "1"]].concat()).success());
    desk.treebound(&[&arguments[..], &["-o", "parsed.conllu"]].concat()).success();
    assert_eq!(desk.read("parsed.conllu"), parsed);
    // What comes out is a treebank of the same sentences.
    let read = conll::parse_gold(parsed.as_bytes(), Path::new("parsed.conllu")).expect("valid CoNLL");
    let gold = conll::read_gold(&desk.path("dev.conllu")).expect("a treebank");
    assert!(read.iter().zip(&gold).all(|(a, b)| a.tokens == b.tokens));
    assert!(read.iter().all(|s| s.gold.as_ref().is_some_and(|t| t.is_projective() && t.roots().count() == 1)));
    assert_eq!(read.len(), gold.len());
    // And it is counted as in the run.
    let scores: Vec<ScoreRow> = csv::read(&desk.path("results/some/scores.csv")).expect("rows");
    let row = scores.iter().find(|row| row.cell == Arc::new(key("bnb"))).expect("the cell");
    let counts = row.counts.as_ref().expect("counts");
    let out = desk.treebound(&["eval", "dev.conllu", "parsed.conllu"]).success();
    for (name, part, of) in [
        ("UAS, all tokens", counts.correct, counts.tokens),
        ("UAS, without punctuation", counts.scored_correct, counts.scored_tokens),
        ("root accuracy", counts.root_correct, counts.sentences),
        ("complete match", counts.complete, counts.sentences),
    ] {
        let line = out.lines().find(|line| line.starts_with(name)).expect(name);
        assert!(line.ends_with(&format!(" {part} / {of}")), "{line}: {part} / {of}");
    }
    // Too little to learn from for a good parser, but far from chance.
    assert!(counts.scored_correct * 100 > counts.scored_tokens * 65, "{out}");
}
