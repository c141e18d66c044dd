//! `treebound verify` finds what was changed in results and in finished work, and changes nothing itself.

use std::fs;

use crate::desk::{Desk, Done, tiny};
use treebound::cell::Split;
use treebound::experiment::artifacts::ArtifactBuilder;
use treebound::experiment::cell::{Cell, cells};
use treebound::experiment::config;
use treebound::experiment::parsed::encode_trees;
use treebound::experiment::run::ExperimentContext;
use treebound::experiment::store::Store;
use treebound::graph::Word;

fn config() -> String {
    let grids = r#"
[[grid]]
name = "main"
decoders = ["bnb", "paper"]

[[grid]]
name = "trivial"
systems = ["chain-before"]
"#;
    format!("{}{grids}", tiny(60, 12, 12))
}

/// A folder with results that are whole.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("tiny.toml", config());
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    desk
}

fn verify(desk: &Desk, more: &[&str]) -> Done {
    desk.treebound(&[&["verify", "results/tiny", "-q"], more].concat())
}

/// The name of the cell whose rows are changed.
const CELL: &str = "made/test/gold/graph/compact/perceptron/sibling/k=4/carreras/bnb/seed=1";

/// How its rows begin.
fn begins() -> String {
    CELL.replace("carreras/bnb", "carreras|bnb").replace('/', ",").replace('|', "/").replace("seed=", "")
}

/// Changes a field of the first line of a file that begins so; returns what stood there.
fn change(desk: &Desk, file: &str, begin: &str, column: &str, change: impl Fn(&str) -> String) -> String {
    let text = desk.read(file);
    let at = text.lines().next().expect("a header").split(',').position(|name| name == column).expect(column);
    let line = text.lines().find(|line| line.starts_with(begin)).expect("such a line").to_owned();
    let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
    let changed = change(&fields[at]);
    let stood = std::mem::replace(&mut fields[at], changed);
    desk.write(file, text.replacen(&line, &fields.join(","), 1));
    stood
}

fn more(by: i64) -> impl Fn(&str) -> String {
    move |number| (number.parse::<i64>().expect("a number") + by).to_string()
}

#[test]
fn results_as_they_were_made_hold_and_stay_as_they_are() {
    let desk = desk();
    desk.treebound(&["table", "tiny.toml", "2"]).success();
    let before = (desk.files("results"), desk.files("cache"));
    let said = verify(&desk, &["--sample", "5"]).success();
    // Two parts of 12 sentences: baseline, two sets with two decoders each, and the trivial parser.
    for line in [
        "holds    12 cells: this program keeps the work",
        "holds    144 sentences: every field of sentences.csv is that of the finished work",
        "holds    144 sentences: counts go together",
        "holds    8 pairs of cells of one model",
        "holds    144 sentences: by_sentence.csv has the counts",
        "holds    12 cells: the counts of scores.csv",
        "holds    144 kept trees: the counts of the row",
        "holds    120 trees: one root",
        "holds    50 sampled sentences: parsed again",
        "holds    50 sampled sentences: another exact decoder",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(said.contains("lines of tables") && !said.contains("WRONG") && !said.contains("open"), "{said}");
    assert_eq!((desk.files("results"), desk.files("cache")), before);
    // The sample is that of its seed.
    let records = verify(&desk, &["--records"]).success();
    assert!(records.lines().count() < said.lines().count() && said.contains(records.lines().next().expect("a line")));
}

/// One number after the other is changed, and put back.
#[test]
fn changed_numbers_are_found_with_their_place() {
    let desk = desk();
    desk.treebound(&["table", "tiny.toml", "2"]).success();
    let (begin, setting) = (begins(), CELL.replace("/seed=1", ""));
    let table = setting.replace("carreras/bnb", "carreras|bnb").replace('/', ",").replace('|', "/");
    let sentence = format!("{CELL}, sentence 1: ");
    let found = |file: &str, begin: &str, column: &str, by: i64, wanted: &dyn Fn(i64, i64) -> Vec<String>| {
        let file = format!("results/tiny/{file}");
        let whole = desk.read(&file);
        let stood: i64 = change(&desk, &file, begin, column, more(by)).parse().expect("a number");
        let done = verify(&desk, &["--records"]);
        let wanted = wanted(stood, stood + by);
        done.failure(&wanted.iter().map(String::as_str).collect::<Vec<_>>());
        desk.write(&file, whole);
    };
    found("sentences.csv", &begin, "score", -1, &|was, now| {
        vec![
            format!("results/tiny/sentences.csv: {sentence}score {now}, but {was} in the cache"),
            format!("{sentence}score {now} is proven, but bound {was}"),
        ]
    });
    found("sentences.csv", &begin, "bound", 1, &|was, now| {
        vec![
            format!("{sentence}bound {now}, but {was} in the cache"),
            format!("score {was} is proven, but bound {now}"),
        ]
    });
    found("sentences.csv", &begin, "dp_calls", 1, &|was, now| {
        vec![
            format!("{sentence}dp_calls {now}, but {was} in the cache"),
            format!("results/tiny/scores.csv: {CELL}: dp_calls "),
            format!("results/tiny/by_length.csv: {CELL}, length "),
        ]
    });
    // The file has all sentences of a cell in one field.
    let (file, whole) = ("results/tiny/by_sentence.csv", desk.read("results/tiny/by_sentence.csv"));
    change(&desk, file, &begin, "dp_calls", |calls| {
        assert_ne!(&calls[..1], "9", "another digit");
        format!("9{}", &calls[1..])
    });
    verify(&desk, &["--records"]).failure(&[&format!("{file}: {sentence}dp_calls 9, but "), " in sentences.csv"]);
    desk.write(file, whole);
    found("scores.csv", &begin, "scored_correct", -1, &|was, now| {
        vec![format!("results/tiny/scores.csv: {CELL}: scored_correct {now}, but {was} over sentences")]
    });
    found("by_length.csv", &begin, "correct", -1, &|was, now| vec![format!("correct {now}, but {was} over sentences")]);
    found("table2.csv", &table, "proven", -1, &|was, now| {
        vec![format!("results/tiny/table2.csv: {setting}: proven {now}, but {was} by scores.csv")]
    });
    let whole = desk.read("results/tiny/table2.csv");
    let was = change(&desk, "results/tiny/table2.csv", &table, "uas_pct", |_| "12.34".to_owned());
    verify(&desk, &["--records"]).failure(&[&format!("uas_pct 12.34, but {was} by scores.csv")]);
    desk.write("results/tiny/table2.csv", whole);
    verify(&desk, &["--records"]).success();
}

/// Numbers that agree with each other but not with the model.
#[test]
fn a_score_that_only_the_model_knows_is_found() {
    let desk = desk();
    let (begin, file) = (begins(), "results/tiny/sentences.csv");
    let was = change(&desk, file, &begin, "score", more(-1));
    change(&desk, file, &begin, "bound", more(-1));
    for (name, _) in desk.artifacts().iter().filter(|(name, _)| name.to_string_lossy().starts_with("rows-")) {
        fs::remove_file(desk.path("cache").join(name)).expect("removed");
    }
    let now = was.parse::<i64>().expect("a score") - 1;
    let done = verify(&desk, &["--sample", "100", "-f", "test.*/sibling/"]);
    done.failure(&[
        &format!("{CELL}, sentence 1: score {now}, but the weights of its parts sum to {was}"),
        &format!("score {now}, but {was} where it is parsed again"),
        &format!("score {now}, but the best is {was} by "),
        // The other decoder has the same model.
        &format!("score {was}, but {CELL} proves that none is above {now}"),
    ]);
    assert!(done.out.contains("open     24 sentences: every field"), "{}", done.out);
    // Trees are enough, whatever is drawn.
    verify(&desk, &["--sample", "1", "-f", CELL]).failure(&["the weights of its parts sum to"]);
}

/// Trees of whole artifacts, with a right checksum.
#[test]
fn heads_that_are_not_the_parsers_are_found() {
    let desk = desk();
    let config = config::read(&desk.path("tiny.toml")).expect("a config");
    let store = Store::new(desk.path("cache"));
    let context = ExperimentContext::open(&config, &store).expect("a treebank");
    let named = |cell: &Cell| cell.key(&config).to_string() == CELL;
    let cell = cells(&config).into_iter().find(named).expect("the cell");
    let rows = context.cell_key(&cell).expect("a key");
    let whole = context.builder.stored_trees(&rows).expect("trees");
    let treebank = context.treebanks.first().expect("a treebank");
    let gold = &treebank.part(Split::Test).sentences;
    // A sentence of some length whose tree is wrong somewhere.
    let is_wrong =
        |i: &usize| gold[*i].len() > 5 && gold[*i].gold.as_ref().is_some_and(|gold| gold.heads() != whole[*i]);
    let at = (0..gold.len()).find(is_wrong).expect("a wrong tree");
    let with = |heads: Vec<Word>, wanted: &[&str]| {
        let mut trees = whole.clone();
        trees[at] = heads;
        store.put(&ArtifactBuilder::trees_key(&rows), &encode_trees(&trees));
        let done = verify(&desk, &["--sample", "100", "-f", CELL]);
        let place = format!("results/tiny/sentences.csv: {CELL}, sentence {}: ", at + 1);
        done.failure(&[&[place.as_str()], wanted].concat());
    };
    let right = gold[at].gold.as_ref().expect("a gold tree").heads().to_vec();
    let n = right.len();
    with(right.clone(), &["by its heads", "where it is parsed again"]);
    with((0..n).map(Word::new).collect(), &["has head"]);
    with(vec![Word::ROOT; n], &[&format!("{n} words are on the root")]);
    let mut cycle = vec![Word::new(n); n];
    (cycle[0], cycle[1], cycle[n - 1]) = (Word::new(2), Word::new(1), Word::ROOT);
    with(cycle, &["form a cycle", "word 1 does not reach the root"]);
    with(right[1..].to_vec(), &[&format!("{} heads for {n} words", n - 1)]);
    // An artifact that was changed and keeps its checksum.
    let path = store.path(&ArtifactBuilder::trees_key(&rows));
    let mut bytes = fs::read(&path).expect("an artifact");
    bytes[20] ^= 1;
    fs::write(&path, &bytes).expect("written");
    let damaged =
        format!("{}: {CELL}: its artifact is damaged", path.strip_prefix(desk.folder()).expect("below").display());
    verify(&desk, &["--records"]).failure(&[&damaged]);
    // The next run makes it again, as it was.
    fs::remove_dir_all(desk.path("results")).expect("removed");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    assert_eq!(context.builder.stored_trees(&rows), Some(whole));
    verify(&desk, &[]).success();
}

/// What made the rows is known, and is what would make them now.
#[test]
fn rows_of_another_origin_are_found() {
    let desk = desk();
    let (file, whole) = ("results/tiny/scores.csv", desk.read("results/tiny/scores.csv"));
    let key = change(&desk, file, &begins(), "key", |_| "0123456789abcdef".to_owned());
    verify(&desk, &["--records"])
        .failure(&[&format!("{CELL}: it was made as 0123456789abcdef, but would be {key} now")]);
    desk.write(file, whole);
    desk.write("tiny.toml", config().replacen("seed = 3", "seed = 4", 1));
    verify(&desk, &["--records"])
        .failure(&["by another version of the program, of its config, template files or treebanks"]);
}

/// What is not there is said, and is no fault.
#[test]
fn what_cannot_be_looked_at_is_said() {
    let desk = desk();
    fs::rename(desk.path("cache"), desk.path("elsewhere")).expect("moved");
    let said = verify(&desk, &[]).success();
    assert!(
        said.contains("open     144 sentences: every field") && said.contains("their cells are not in the cache"),
        "{said}"
    );
    assert!(
        said.contains("their pruner is not in the cache") && said.contains("holds    12 cells: the counts of scores"),
        "{said}"
    );
    assert!(!desk.path("cache").exists());
    verify(&desk, &["--cache", "elsewhere", "-f", "chain-before"]).success();
    // Without sentences those of the cache are looked at; without both, none.
    fs::remove_file(desk.path("results/tiny/sentences.csv")).expect("removed");
    let said = verify(&desk, &["--cache", "elsewhere", "--records"]).success();
    assert!(
        said.contains("holds    12 cells: the counts of scores.csv") && said.contains("so those of the cache are"),
        "{said}"
    );
    // What is committed of sentences is held against the scores; without it nothing is.
    let said = verify(&desk, &["--records"]).success();
    assert!(said.contains("holds    12 cells: the counts of scores.csv"), "{said}");
    let by_sentence = desk.read("results/tiny/by_sentence.csv");
    fs::remove_file(desk.path("results/tiny/by_sentence.csv")).expect("removed");
    let done = verify(&desk, &["--records"]);
    done.failure(&["results/tiny/by_sentence.csv: it is not there, but provenance.toml has it"]);
    assert!(done.out.contains("open     12 cells: the counts of scores.csv"), "{done:?}");
    desk.write("results/tiny/by_sentence.csv", by_sentence);
    fs::rename(desk.path("tiny.toml"), desk.path("other.toml")).expect("moved");
    let said = verify(&desk, &["--records"]).success();
    assert!(said.contains("the config tiny.toml is not here: name it with --config"), "{said}");
    verify(&desk, &["-f", "nothing"]).failure(&["scores.csv has no cell that is asked for"]);
    desk.treebound(&["verify", "cache"]).failure(&["cache: there is no scores.csv", "such as results/ewt"]);
    desk.write("results/tiny/scores.csv", "corpus\n");
    verify(&desk, &[]).failure(&["results/tiny/scores.csv:1: "]);
}
