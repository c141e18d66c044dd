//! `treebound measure growth`: what is counted is always the same, and what was measured before stays.

use std::path::Path;

use crate::desk::Desk;
use treebound::answer::NoClock;
use treebound::cell::FeatureSet;
use treebound::decode::Decoder;
use treebound::experiment::config;
use treebound::experiment::growth::{Axis, Options, Recipe, Text, learn, parse, plan, sizes};
use treebound::experiment::rows::{GrowthRow, csv};
use treebound::experiment::store::Store;
use treebound::features::Family;
use treebound::pruning::Rule;

/// Small, with a corpus of files that are not there: growth needs none.
const CONFIG: &str = r#"
[[corpus]]
name = "files"
format = "conllu"
train = "absent.conllu"
dev = "absent.conllu"
test = "absent.conllu"

[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
train = 40
test = 15
vocabulary = 500

[pruner]
epochs = 1

[training]
pruning = "k=5"
dp_calls = 10

[features]
sets = ["sibling"]

[decoding]
dp_calls = 40

[timing]
repeats = 1
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("small.toml", CONFIG);
    desk
}

fn rows(desk: &Desk) -> Vec<GrowthRow> {
    csv::read(&desk.path("results/small/growth.csv")).expect("rows")
}

/// A row without what depends on the machine.
fn counts(row: &GrowthRow) -> GrowthRow {
    GrowthRow {
        pruner_ns: 0,
        train_ns: 0,
        train_peak_kib: None,
        prune_ns: 0,
        score_ns: 0,
        decode_ns: 0,
        parse_peak_kib: None,
        ..row.clone()
    }
}

#[test]
fn points_cover_the_axes() {
    let config = config::parse(CONFIG, Path::new("small.toml")).expect("a config");
    let options = Options {
        axes: Axis::ALL.to_vec(),
        sets: vec![FeatureSet::baseline()],
        most_words: 30_000,
        sentences: 4,
        epochs: 2,
    };
    let points = plan(&config, &options).expect("points");
    let values = |axis: Axis| -> Vec<Option<u64>> {
        points.iter().filter(|point| point.axis == axis).map(|point| point.value).collect()
    };
    assert_eq!(values(Axis::Length), [10, 20, 40, 80, 120, 160, 200].map(Some));
    assert_eq!(values(Axis::K), [Some(3), Some(5), Some(10), Some(20), None]);
    assert_eq!(values(Axis::Families), (0..=Family::of_paper().len() as u64).map(Some).collect::<Vec<_>>());
    assert_eq!(values(Axis::Size), [Some(20_000), Some(30_000)]);
    let templates = values(Axis::Templates);
    assert!(templates.len() == 5 && templates.is_sorted(), "{templates:?}");
    assert_eq!(values(Axis::Corpus), [10, 25, 50, 100, 200, 400].map(Some));
    // One parser serves all lengths, and the k that the config trains with.
    let recipe = &points[0].recipe;
    assert_eq!(points.iter().filter(|point| point.recipe == *recipe).count(), 7 + 1 + 1 + 1);
    let all = points.iter().find(|p| p.axis == Axis::Families && p.value == Some(6)).expect("all families");
    assert_eq!(all.recipe.set, "comb+grandchild+great-grandchild+hand+sibling+tri-sibling");
}

#[test]
fn sizes_end_where_they_are_told_to() {
    assert_eq!(sizes(1_000_000), [20_000, 50_000, 100_000, 200_000, 400_000, 1_000_000]);
    assert_eq!(sizes(60_000), [20_000, 50_000, 60_000]);
    assert_eq!(sizes(500), [500]);
    assert_eq!(sizes(2_000_000).last(), Some(&2_000_000));
}

#[test]
fn what_is_learnt_and_parsed_is_always_the_same() {
    let config = config::parse(CONFIG, Path::new("small.toml")).expect("a config");
    let options = Options {
        axes: vec![Axis::Length],
        sets: vec![FeatureSet::from_names("sibling").expect("a set")],
        most_words: 1,
        sentences: 2,
        epochs: 2,
    };
    let recipe: Recipe = plan(&config, &options).expect("points")[0].recipe.clone();
    let text = Text::OfLength { words: 90, sentences: 3 };
    let measure = || {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("cache"));
        let (parser, learning) = learn(&config, &recipe, &store, &mut NoClock).expect("learnt");
        let parsing = parse(&config, &recipe, text, &parser, 2, &mut NoClock).expect("parsed");
        (learning, parsing)
    };
    let (learning, parsing) = measure();
    assert_eq!((learning.clone(), parsing.clone()), measure());
    assert_eq!((learning.sentences, parsing.sentences, parsing.words), (40, 3, 270));
    assert!(learning.features > 0 && learning.templates > 0 && learning.words > 40);
    // A pass to warm up is not counted twice, and no clock runs.
    assert_eq!(parsing.passes, [[0; 3]; 2]);
    assert!(parsing.heads_kept <= 5 * parsing.words && parsing.heads_kept > parsing.words);
    assert!(parsing.dp_calls >= 3 && parsing.decoder == "bnb");
}

#[test]
fn rows_of_other_axes_stay() {
    let desk = desk();
    let quick = ["--epochs", "1", "--sentences", "2", "--most-words", "300", "--quiet"];
    let measure = |axis: &str| {
        let arguments = [&["measure", "growth", "small.toml", "--axis", axis], &quick[..]].concat();
        desk.treebound(&arguments).success()
    };
    let printed = measure("length,size");
    assert!(printed.contains("words/s") && printed.contains("baseline"), "{printed}");
    let first = rows(&desk);
    // Seven lengths for the baseline and the config's set, and one size.
    assert_eq!(first.len(), 2 * 7 + 1);
    for row in &first {
        assert!(row.proven <= row.sentences && row.train_words >= 300 && row.parse_repeats == 1, "{row:?}");
        if cfg!(target_os = "linux") {
            assert!(row.train_peak_kib > Some(0) && row.parse_peak_kib > Some(0), "{row:?}");
        }
    }
    let lengths = first.iter().filter(|row| row.axis == "length");
    assert!(lengths.clone().all(|row| row.words == 2 * row.value.unwrap_or(0).unsigned_abs()));
    assert!(lengths.filter(|row| row.features.is_baseline()).all(|row| row.dp_calls == row.sentences));
    let names: Vec<String> =
        desk.files("figures/small").keys().map(|path| path.to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["growth.csv", "growth.png", "growth.svg"]);
    // Nothing stays of models and caches.
    assert!(desk.files("cache").is_empty());
    let provenance = desk.read("results/small/provenance.toml");
    assert!(provenance.contains("verb = \"growth\"") && provenance.contains("rows = 15"), "{provenance}");
    // A later program can tell that it would learn other models.
    assert_eq!(provenance.matches("\ngraph-model = ").count(), 1, "{provenance}");

    let printed = measure("size");
    assert!(!printed.contains("length"), "{printed}");
    let second = rows(&desk);
    assert_eq!(second.iter().map(counts).collect::<Vec<_>>(), first.iter().map(counts).collect::<Vec<_>>());
    let lengths = |rows: &[GrowthRow]| rows.iter().filter(|row| row.axis == "length").cloned().collect::<Vec<_>>();
    assert_eq!(lengths(&second), lengths(&first), "times too");
}

#[test]
fn shares_of_the_corpus_are_learnt_from() {
    let desk = desk();
    let growth = ["measure", "growth", "own.toml", "--axis", "corpus", "--epochs", "1", "--quiet"];
    // The files of the first corpus are not there.
    desk.write("own.toml", CONFIG);
    desk.treebound(&growth).failure(&["absent.conllu"]);
    let (_, made) = CONFIG.split_at(CONFIG.rfind("[[corpus]]").expect("two corpora"));
    desk.write("own.toml", made);
    let printed = desk.treebound(&growth).success();
    assert!(printed.contains("corpus"), "{printed}");
    let rows: Vec<GrowthRow> = csv::read(&desk.path("results/own/growth.csv")).expect("rows");
    let learnt: Vec<_> = rows.iter().map(|row| (row.value, row.train_sentences)).collect();
    let percent = [(10, 4), (25, 10), (50, 20), (100, 40), (200, 80), (400, 160)];
    assert_eq!(learnt, percent.map(|(percent, sentences)| (Some(percent), sentences)));
    assert!(rows.iter().all(|row| row.sentences == 15 && row.features.is_baseline()));
    assert!(rows[3].train_words * 2 == rows[4].train_words && rows[0].train_words < rows[1].train_words);
    let provenance = desk.read("results/own/provenance.toml");
    assert!(provenance.contains("25 hundredths of made"), "{provenance}");
    // A tenth of nine sentences is none.
    desk.write("own.toml", made.replace("train = 40", "train = 9"));
    desk.treebound(&growth).failure(&["too small"]);
}

#[test]
fn figures_are_drawn_again_from_the_rows() {
    let desk = desk();
    desk.treebound(&["figure", "small.toml", "growth"])
        .failure(&["make them with: treebound measure growth small.toml"]);
    let row = |axis: &str, value: i64| GrowthRow {
        axis: axis.to_owned(),
        value: Some(value),
        key: Default::default(),
        features: FeatureSet::baseline(),
        template_set: "compact".to_owned(),
        pruning: Rule::Best(5),
        decoder: Decoder::Dp,
        sentences: 10,
        words: 100,
        decode_ns: 1_000_000 * value.unsigned_abs(),
        train_sentences: 0,
        epochs: 0,
        learnt_features: 0,
        train_dp_calls: 0,
        train_unproven: 0,
        heads_kept: 0,
        nodes: 0,
        train_repeats: 0,
        parse_repeats: 0,
        templates: 0,
        train_words: 0,
        proven: 0,
        dp_calls: 0,
        pruner_ns: 0,
        train_ns: 0,
        train_peak_kib: None,
        prune_ns: 0,
        score_ns: 0,
        parse_peak_kib: None,
    };
    let path = desk.path("results/small/growth.csv");
    csv::write(&path, &[row("k", 3), row("k", 10), row("length", 10)]).expect("written");
    let printed = desk.treebound(&["figure", "small.toml", "growth"]).success();
    assert_eq!(printed, "wrote figures/small/growth.svg, .png and .csv\n");
    assert_eq!(desk.read("figures/small/growth.csv").lines().count(), 1 + 3);
    let done = desk.treebound(&["figure", "small.toml", "growth", "--filter", "sibling"]);
    done.failure(&["belong to no cell"]);
}

#[test]
fn faults_are_named() {
    let desk = desk();
    desk.treebound(&["measure", "growth", "small.toml", "--features", "nothing"])
        .failure(&["--features nothing: `nothing` is not known: write baseline"]);
    desk.treebound(&["measure", "growth", "absent.toml"]).failure(&["absent.toml"]);
    let done = desk.treebound(&["measure", "growth", "small.toml", "--axis", "width"]);
    assert!(done.code == Some(2) && done.err.contains("length, k, templates, families, size, corpus"), "{done:?}");
    desk.treebound(&["measure", "step", "{"])
        .failure(&["this verb is for treebound measure growth and treebound measure learning alone"]);
}
