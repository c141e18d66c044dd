//! Trees that are chosen among the best ones: rows, tables, and what is refused.

use std::collections::BTreeMap;

use crate::desk::Desk;

const CONFIG: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 60
dev = 80
test = 60
vocabulary = 500

[pruner]
epochs = 1

[training]
epochs = 2
pruning = "k=4"
templates = "compact"
dp_calls = 10

[decoding]
pruning = "k=4"

[[grid]]
name = "main"
sets = "sibling"
reranking = ["none", "best=1", "best=5"]
"#;

/// The rows of `scores.csv`, by what stands under `reranking` and `features`: their values by column.
fn rows(desk: &Desk) -> BTreeMap<(String, String), BTreeMap<String, String>> {
    let scores = desk.read("results/c/scores.csv");
    let mut reader = csv::Reader::from_reader(scores.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |row: Result<csv::StringRecord, _>| {
        let row = row.expect("a row");
        let values: BTreeMap<String, String> =
            header.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect();
        ((values["reranking"].clone(), values["features"].clone()), values)
    };
    reader.records().map(row).collect()
}

#[test]
fn trees_are_chosen_among_the_best_and_of_one_it_is_the_parsers() {
    let desk = Desk::new();
    desk.write("configs/c.toml", CONFIG);
    desk.treebound(&["run", "configs/c.toml", "-j", "1"]).success();
    let first = desk.read("results/c/scores.csv");
    let rows = rows(&desk);
    let row = |trees: &str| &rows[&(trees.to_owned(), "sibling".to_owned())];
    assert_eq!(rows.len(), 4, "the baseline is not reranked: {first}");
    let count = |trees: &str, column: &str| row(trees)[column].parse::<u64>().expect("a count");
    // One tree leaves no choice.
    for column in ["correct", "scored_correct", "complete", "gold_kept", "dp_calls", "nodes"] {
        assert_eq!(row("best=1")[column], row("-")[column], "{column}");
    }
    assert_eq!(row("best=1")["scored_oracle"], row("-")["scored_correct"]);
    assert!(row("-")["scored_oracle"].is_empty() && row("best=5")["proven"].is_empty(), "{first}");
    assert!(count("best=5", "scored_oracle") > count("-", "scored_correct"), "{first}");
    assert!(count("best=5", "scored_oracle") >= count("best=5", "scored_correct"), "{first}");
    let table = desk.treebound(&["table", "configs/c.toml", "2"]).success();
    assert!(table.contains("bnb best=5") && table.contains("oracle"), "{table}");
    desk.treebound(&["verify", "results/c"]).success();
    std::fs::remove_dir_all(desk.path("cache")).expect("removed");
    desk.treebound(&["run", "configs/c.toml", "-j", "3"]).success();
    assert_eq!(desk.read("results/c/scores.csv"), first);
    // A plan names what chooses.
    let plan = desk.treebound(&["plan", "configs/c.toml"]).success();
    assert!(plan.contains("rerankers"), "{plan}");
}

#[test]
fn what_is_learnt_from_is_not_parsed_and_lists_need_a_search_that_makes_them() {
    let desk = Desk::new();
    for (more, said) in [
        ("splits = ['dev', 'test']\n", "learns from the development part"),
        ("decoders = 'paper'\n", "the decoder `bnb` lists the best trees"),
    ] {
        desk.write("configs/c.toml", format!("{CONFIG}{more}"));
        desk.treebound(&["check", "configs/c.toml"]).failure(&[said]);
    }
    desk.write("configs/c.toml", CONFIG.replace("best=5", "best=0"));
    desk.treebound(&["check", "configs/c.toml"]).failure(&["`none`, or a number of trees"]);
}
