//! Cross-validation as an evaluation: every sentence of a treebank is answered once, by a parser that has not seen it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::desk::{Desk, Files};
use treebound::cell::{Fold, Split};
use treebound::experiment::config;
use treebound::experiment::rows::{ScoreRow, SentenceRow, SpeedRow, TaggingRow, TrainingRow, csv};
use treebound::experiment::run::ExperimentContext;
use treebound::experiment::store::Store;
use treebound::treebank::Sentence;

/// Sentences of the three parts.
const PARTS: [(&str, usize); 3] = [("train", 24), ("dev", 7), ("test", 9)];
const ALL: usize = 40;
const FOLDS: usize = 4;

const CONFIG: &str = r#"
seeds = [1, 2]
tags = "predicted"

[[corpus]]
name = "made"
format = "conllu"
train = "train.conllu"
dev = "dev.conllu"
test = "test.conllu"

[tagger]
epochs = 2
folds = 3

[pruner]
epochs = 1

[training]
epochs = 2
choose_epoch = "dev"
pruning = "k=4"
dp_calls = 10

[features]
sets = "sibling"

[decoding]
pruning = "k=4"
dp_calls = 40

[evaluation]
folds = 4
rounds = 100

[timing]
repeats = 1

[[grid]]
name = "main"

[[grid]]
name = "parts"
default = false
splits = ["test", "cv"]
seeds = 1
"#;

/// A sentence of a few common words and one that no other sentence has.
fn sentence(number: usize) -> String {
    let own = own_word(number);
    let words = [("the", "DET", 2), (&own, "NOUN", 3), ("barks", "VERB", 0), ("very", "ADV", 5), ("loudly", "ADV", 3)];
    let words = &words[..3 + number % 3];
    let mut text = String::new();
    for (i, (form, tag, head)) in words.iter().enumerate() {
        // What is cut off is nobody's head.
        let head = if *head > words.len() { 3 } else { *head };
        text.push_str(&format!("{}\t{form}\t{form}\t{tag}\t_\t_\t{head}\tdep\t_\t_\n", i + 1));
    }
    text + "\n"
}

fn own_word(number: usize) -> String {
    format!("own{number}")
}

/// The number of the word that only this sentence has.
fn number_of(sentence: &Sentence) -> usize {
    sentence.tokens[1].form.strip_prefix("own").and_then(|number| number.parse().ok()).expect("a word of its own")
}

/// A desk with the treebank, whose sentences are numbered as they stand in its parts.
fn desk() -> Desk {
    let desk = Desk::new();
    let mut number = 0;
    for (part, sentences) in PARTS {
        let text: String = (number..number + sentences).map(sentence).collect();
        desk.write(&format!("{part}.conllu"), text);
        number += sentences;
    }
    desk.write("made.toml", CONFIG);
    desk
}

/// The files of a results folder, but for where they come from.
fn results(desk: &Desk) -> Files {
    let mut files = desk.files("results/made");
    files.retain(|name, _| name.as_os_str() != "provenance.toml");
    files
}

fn rows<R: csv::Record>(desk: &Desk, file: &str) -> Vec<R> {
    csv::read(&desk.path("results/made").join(file)).expect(file)
}

/// The whole way, by verbs.
#[test]
fn every_sentence_is_answered_once() {
    let desk = desk();
    let check = desk.treebound(&["check", "made.toml"]).success();
    let said =
        "  cv        40 sentences in 4 folds of 10; in turn 2 to learn from, 1 to choose epochs by, 1 to parse\n";
    assert!(check.contains(said), "{check}");
    let list = desk.treebound(&["check", "--cells", "made.toml"]).success();
    assert_eq!(list.lines().filter(|line| line.starts_with("made,cv,predicted,graph,")).count(), 4, "{list}");

    desk.treebound(&["run", "made.toml", "-q", "--jobs", "1"]).success();
    let scores: Vec<ScoreRow> = rows(&desk, "scores.csv");
    assert_eq!(scores.len(), 4);
    for row in &scores {
        assert_eq!(row.cell.setting.split, Split::Cv);
        assert_eq!(row.counts.as_ref().expect("no error").sentences, ALL as u64);
    }
    let sentences: Vec<SentenceRow> = rows(&desk, "sentences.csv");
    let mut by_cell: BTreeMap<_, Vec<(u64, u64)>> = BTreeMap::new();
    for row in &sentences {
        by_cell.entry(row.cell.to_string()).or_default().push((row.sentence, row.tokens));
    }
    // Sentences have the numbers that they have in the pool of all parts.
    let expected: Vec<(u64, u64)> = (0..ALL).map(|i| (i as u64 + 1, 3 + i as u64 % 3)).collect();
    assert_eq!(by_cell.len(), 4);
    by_cell.values().for_each(|found| assert_eq!(*found, expected));

    let training: Vec<TrainingRow> = rows(&desk, "training.csv");
    let of_folds: BTreeSet<_> = training.iter().map(|row| (row.fold, row.sentences)).collect();
    assert_eq!(of_folds, Fold::all(FOLDS).map(|fold| (Some(fold), 20)).collect());
    // 2 seeds, 2 sets, 2 epochs.
    assert_eq!(training.len(), FOLDS * 2 * 2 * 2);
    let tagging: Vec<TaggingRow> = rows(&desk, "tagging.csv");
    let [row] = &tagging[..] else { panic!("{tagging:?}") };
    // Each sentence has one word that its tagger has not seen.
    assert_eq!((row.split, row.sentences, row.unknown_tokens), (Split::Cv, ALL as u64, ALL as u64));

    // Rows have the keys that the program would give them now.
    let keys = desk.treebound(&["check", "--cells", "made.toml", "--keys"]).success();
    assert!(scores.iter().all(|row| keys.contains(&row.key.to_string()) && row.key.to_string().len() == 16), "{keys}");

    // What reads results reads these as those of any other split.
    let table = desk.treebound(&["table", "made.toml", "2"]).success();
    assert!(table.contains("cv") && table.contains("sibling"), "{table}");
    desk.treebound(&["measure", "time", "made.toml", "-q"]).success();
    let times: Vec<SpeedRow> = rows(&desk, "speed.csv");
    let timed: BTreeMap<String, u64> = times.iter().fold(BTreeMap::new(), |mut sums, row| {
        *sums.entry(row.cell.to_string()).or_default() += row.sentences;
        sums
    });
    assert_eq!(timed.into_values().collect::<Vec<_>>(), [ALL as u64; 2], "one seed of two sets");
    for arguments in [
        &["table", "made.toml", "3"][..],
        &["figure", "made.toml", "5"],
        &["measure", "search-ablation", "made.toml", "-q"],
    ] {
        desk.treebound(arguments).success();
    }
}

#[test]
fn any_number_of_threads_and_any_interruption_give_the_same_bytes() {
    let (one, two) = (desk(), desk());
    one.treebound(&["run", "made.toml", "-q", "--jobs", "1"]).success();
    two.treebound(&["run", "made.toml", "-q", "--jobs", "2"]).success();
    let whole = results(&one);
    assert_eq!(results(&two), whole);
    let cache = one.artifacts();
    assert_eq!(cache.keys().collect::<Vec<_>>(), two.artifacts().keys().collect::<Vec<_>>());
    // A tagger a fold; a pruner a fold and seed; a model, the rows and the trees of each for two sets. Seeds share the tagger.
    assert_eq!(cache.len(), FOLDS * (1 + 2 * (1 + 2 * 3)));
    // A killed run goes on with what it has: here, without any one kind of artifact of some folds.
    for kind in ["tags-", "pruner-", "model-", "rows-"] {
        let gone = cache.keys().filter(|name| name.to_string_lossy().starts_with(kind)).step_by(2);
        gone.for_each(|name| fs::remove_file(one.path("cache").join(name)).expect("removed"));
        fs::remove_dir_all(one.path("results")).expect("removed");
        one.treebound(&["run", "made.toml", "-q"]).success();
        assert_eq!(results(&one), whole, "{kind}");
        assert!(one.artifacts() == cache, "{kind}");
    }
}

/// Beside other splits, and left out by a filter.
#[test]
fn folds_stand_beside_the_parts() {
    let desk = desk();
    desk.treebound(&["run", "made.toml", "-q"]).success();
    let (folds, training) = (rows::<ScoreRow>(&desk, "scores.csv"), rows::<TrainingRow>(&desk, "training.csv"));
    desk.treebound(&["run", "made.toml", "-q", "--grid", "parts", "-f", "/test/.*seed=1"]).success();
    let has = |scores: Vec<ScoreRow>, split| scores.iter().filter(|row| row.cell.setting.split == split).count();
    assert_eq!([Split::Test, Split::Cv].map(|split| has(rows(&desk, "scores.csv"), split)), [2, 4]);
    let both: Vec<TrainingRow> = rows(&desk, "training.csv");
    assert_eq!(both.iter().filter(|row| row.fold.is_some()).cloned().collect::<Vec<_>>(), training);
    assert_eq!(both.iter().filter(|row| row.fold.is_none()).count(), 4);
    let splits = |desk: &Desk| rows::<TaggingRow>(desk, "tagging.csv").iter().map(|row| row.split).collect::<Vec<_>>();
    assert_eq!(splits(&desk), [Split::Train, Split::Dev, Split::Test, Split::Cv]);
    // The finished work may be gone: what the filter leaves out stays.
    let whole = results(&desk);
    fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.treebound(&["run", "made.toml", "-q", "-f", "/test/.*seed=1"]).success();
    assert_eq!(results(&desk), whole);
    desk.treebound(&["run", "made.toml", "-q", "-f", "/cv/.*seed=1"]).success();
    assert_eq!(results(&desk), whole);
    assert_eq!(rows::<ScoreRow>(&desk, "scores.csv").iter().filter(|row| folds.contains(row)).count(), 4);
    // With other folds these rows are others; those that are not asked for are stale.
    let other = ["run", "made.toml", "-f", "/cv/.*seed=1", "--set", "evaluation.folds=5"];
    let done = desk.treebound(&other);
    assert!(done.code == Some(0) && done.err.contains("2 cells in") && done.err.contains("are stale"), "{done:?}");
    assert_eq!(rows::<ScoreRow>(&desk, "scores.csv").iter().filter(|row| folds.contains(row)).count(), 2);
    let training: Vec<TrainingRow> = rows(&desk, "training.csv");
    let counts: BTreeSet<_> = training.iter().filter_map(|row| Some((row.seed, row.fold?.count()))).collect();
    assert_eq!(counts, [(1, 5), (2, 4)].into());
}

/// What the artifacts of a fold are made from.
#[test]
fn nothing_that_a_fold_learns_from_is_tested() {
    let desk = desk();
    let path = desk.path("made.toml");
    let config = config::read(&path).expect("a config");
    let store = Store::new(desk.path("cache"));
    let context = ExperimentContext::open_for(&config, &store, |_, _| false).expect("an experiment context");
    let run = &treebound::experiment::cell::training_runs(&config)[0];
    let mut tested = Vec::new();
    for fold in config.folds() {
        let folded = context.folded(run, fold).expect("a fold");
        let dataset = folded.dataset();
        let numbers = |sentences: &[Sentence]| sentences.iter().map(number_of).collect::<Vec<_>>();
        let (seen, gold) = dataset.part(Split::Cv);
        assert_eq!(numbers(seen), numbers(gold));
        let parts = [
            numbers(&dataset.prepared.train.sentences),
            numbers(&dataset.prepared.dev),
            numbers(dataset.prepared.gold_dev()),
            numbers(&dataset.treebank.train.sentences),
        ];
        assert_eq!(parts.each_ref().map(Vec::len), [20, 10, 10, 20]);
        assert!(parts.iter().flatten().all(|number| !numbers(seen).contains(number)), "{fold}");
        assert!(parts[0].iter().all(|number| !parts[1].contains(number)), "{fold}");
        tested.extend(numbers(seen));
    }
    assert_eq!(tested, (0..ALL).collect::<Vec<_>>());
}

/// A parser that ends if it is given a sentence to parse that it has learnt from, or been given to choose by.
#[test]
fn no_parser_is_tested_on_what_it_was_given() {
    let desk = desk();
    let same = r#"BEGIN { FS = OFS = "\t" }
        NR == FNR { seen[$2]; next }
        $2 ~ /^own/ && $2 in seen { exit 3 }
        NF == 10 { $7 = $1 - 1; $8 = "dep" } { print }"#;
    desk.write("same.awk", same);
    let external = |learnt: &str| {
        format!(
            "{CONFIG}systems = \"outside\"\n[[external]]\nname = \"outside\"\nversion = [\"echo\", \"1\"]\n\
             train = [\"sh\", \"-c\", \"cat {learnt} > $3\", \"sh\", \"{{train}}\", \"{{dev}}\", \"{{model}}\"]\n\
             parse = [\"awk\", \"-f\", \"{{config}}/same.awk\", \"{{model}}\", \"{{input}}\"]\n"
        )
        .replace("name = \"main\"\n", "name = \"main\"\nsystems = \"outside\"\n")
    };
    desk.write("made.toml", external("$1 $2"));
    desk.treebound(&["run", "made.toml", "-q"]).success();
    let scores: Vec<ScoreRow> = rows(&desk, "scores.csv");
    let counts: Vec<u64> = scores.iter().map(|row| row.counts.as_ref().expect("no error").sentences).collect();
    assert_eq!(counts, [ALL as u64; 2]);
    // One that has all of the treebank is found out, and its rows are an error that names the fold.
    let all = desk.path("").join("*.conllu");
    desk.write("made.toml", external(&all.to_string_lossy()));
    desk.treebound(&["run", "made.toml", "-q"]).failure(&["made/cv/predicted/outside/", "fold 1/4: "]);
    assert!(rows::<ScoreRow>(&desk, "scores.csv").iter().all(|row| row.counts.is_err()));
}

#[test]
fn folds_that_cannot_be_are_refused() {
    let desk = desk();
    let with = |set: &'static str| desk.treebound(&["check", "made.toml", "--set", set]);
    with("evaluation.folds=2").failure(&["folds = 2: a whole number from 3 is needed"]);
    with("evaluation.folds=41").failure(&["corpus `made`: 41 folds of 40 sentences"]);
    let parts = CONFIG.replace("name = \"main\"\n", "name = \"main\"\nsplits = \"test\"\n").replace(", \"cv\"", "");
    desk.write("made.toml", parts.clone());
    desk.treebound(&["check", "made.toml"]).failure(&["folds = 4: no grid is cross-validated; add \"cv\" to splits"]);
    // Who names the split and no number has ten.
    desk.write("made.toml", parts.replace("folds = 4\n", "").replace("\"test\"", "\"cv\""));
    let resolved = desk.treebound(&["check", "made.toml", "--resolved"]).success();
    assert!(resolved.contains("folds = 10"), "{resolved}");
    // Configs that have none are as they were.
    desk.write("made.toml", parts.replace("[evaluation]\nfolds = 4\n", "[evaluation]\n"));
    let resolved = desk.treebound(&["check", "made.toml", "--resolved"]).success();
    assert_eq!(resolved.matches("folds = ").count(), 1, "the tagger's alone: {resolved}");
    assert!(desk.files("results").is_empty());
}
