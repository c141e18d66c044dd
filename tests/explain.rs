//! Explanations: what they say of a sentence adds up, and agrees with the parse.

mod desk;

use desk::Desk;

const CONFIG: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"
[corpus.synthetic]
train = 120
dev = 10
test = 30
vocabulary = 500
[training]
epochs = 2
pruning = "k=4"
[pruner]
epochs = 1
[features]
sets = ["sibling", "grandchild+sibling"]
"#;

/// The whole numbers of a line.
fn numbers(line: &str) -> Vec<i128> {
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn an_explanation_adds_up_and_is_of_the_tree_that_is_parsed() {
    let desk = Desk::new();
    desk.write("made.toml", CONFIG);
    desk.treebound(&["train", "made.toml", "--features", "grandchild+sibling", "--model", "a.model"]).success();
    let mut verdicts = std::collections::BTreeSet::new();
    for number in 1..=30 {
        let text = desk.treebound(&["explain", "made.toml", "--sentence", &number.to_string()]).success();
        assert!(text.starts_with(&format!("made test sentence {number}, ")), "{text}");
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).map(numbers);
        let trees = ["chosen ", "local parts alone", "gold "].map(line);
        for sums in trees.iter().flatten() {
            assert_eq!(sums[0], sums[1..].iter().sum::<i128>(), "{text}");
        }
        let (Some(chosen), Some(local)) = (&trees[0], &trees[1]) else { panic!("two trees: {text}") };
        assert!(text.contains("search: optimal") && text.contains(&format!("than {}, 0 above", chosen[0])), "{text}");
        assert!(local[0] <= chosen[0] && local[0] - local[5] >= chosen[0] - chosen[5], "{text}");
        // What one tree has beyond the other makes up the difference.
        if let Some(gold) = &trees[2]
            && let Some(begin) = text.find("parts of the chosen tree that gold lacks:")
        {
            let parts =
                |from: &str| from.lines().skip(1).map_while(|line| numbers(line).first().copied()).sum::<i128>();
            let rest = &text[begin..];
            let gold_begin = rest.find("parts of gold that the chosen tree lacks:").expect("the other way");
            assert_eq!(parts(rest) - parts(&rest[gold_begin..]), chosen[0] - gold[0], "{text}");
        }
        let said = ["the chosen tree is the gold one", "was pruned away", "model error", "search error"];
        let verdict = said.into_iter().find(|said| text.contains(said)).expect("a verdict");
        assert_ne!(verdict, "search error", "it is proven: {text}");
        verdicts.insert(verdict);
    }
    assert!(verdicts.len() >= 2, "{verdicts:?}");
    let svg = ["explain", "made.toml", "--sentence", "1", "--svg", "trees.svg", "--features", "baseline"];
    desk.treebound(&svg).success();
    assert!(desk.read("trees.svg").starts_with("<svg "));
    desk.treebound(&["explain", "made.toml", "--sentence", "31"]).failure(&["the test part has sentences 1 to 30"]);
    desk.treebound(&["explain", "made.toml", "--sentence", "1", "--split", "some"]).failure(&["train, dev or test"]);
    desk.treebound(&["explain", "made.toml", "--sentence", "1", "--decoder", "dp"])
        .failure(&["it can be bnb or paper"]);
}
