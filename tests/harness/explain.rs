//! Explanations: what they say of a sentence adds up, and agrees with the parse.

use crate::desk::Desk;
use treebound::answer::NoClock;
use treebound::decode::Decoder;
use treebound::decode::bnb::Limits;
use treebound::model::explain::Explanation;
use treebound::model::explain::contributions;
use treebound::model::{Parser, Scratch, TrainedParser};
use treebound::treebank::conll;

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
    // Where the model cannot be written is said before anything is learnt.
    desk.write("file", "");
    desk.treebound(&["train", "made.toml", "--model", "file/a.model"]).failure(&["--model file/a.model"]);
    assert!(!desk.path("cache").exists());
    desk.treebound(&["train", "made.toml", "--features", "grandchild+sibling", "--model", "a.model"]).success();
    // The corpus of the first grid, if it has one; tags that no grid of the config has.
    let second = CONFIG.replacen("[training]", "[[corpus]]\nname = 'other'\nformat = 'synthetic'\n[training]", 1);
    let grids = "[[grid]]\nname = 'main'\ncorpus = 'made'\n[[grid]]\nname = 'both'\n";
    desk.write("two.toml", second.clone() + grids);
    desk.treebound(&["explain", "two.toml", "--sentence", "1"]).success();
    desk.write("two.toml", second);
    desk.treebound(&["explain", "two.toml", "--sentence", "1"]).failure(&["made, other: choose one with --corpus"]);
    desk.treebound(&["train", "made.toml", "--tags", "predicted", "--model", "b.model"]).success();
    let text = desk.treebound(&["explain", "made.toml", "--sentence", "1", "--tags", "predicted"]).success();
    assert!(text.starts_with("made test sentence 1, "), "{text}");
    let mut verdicts = std::collections::BTreeSet::new();
    for number in 1..=30 {
        let text = desk.treebound(&["explain", "made.toml", "--sentence", &number.to_string()]).success();
        assert!(text.starts_with(&format!("made test sentence {number}, ")), "{text}");
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).map(numbers);
        let trees = ["chosen ", "local parts alone", "gold ", "baseline "].map(line);
        for sums in trees.iter().flatten() {
            assert_eq!(sums[0], sums[1..].iter().sum::<i128>(), "{text}");
        }
        let (Some(chosen), Some(local)) = (&trees[0], &trees[1]) else { panic!("two trees: {text}") };
        assert!(text.contains("search: optimal") && text.contains(&format!("than {}, 0 above", chosen[0])), "{text}");
        assert!(local[0] <= chosen[0] && local[0] - local[5] >= chosen[0] - chosen[5], "{text}");
        // What the baseline chose, as this model sees it.
        let baseline = trees[3].as_ref().expect("a tree of the baseline");
        assert!(baseline[0] <= chosen[0] && text.contains(" local baseline "), "{text}");
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
        .failure(&["it can be bnb, paper, ilp or lp"]);
}

/// A model with templates that share look-ups (`paper`), and one without.
#[test]
fn features_add_up_to_the_difference_of_two_trees() {
    let desk = Desk::new();
    desk.write("made.toml", CONFIG);
    desk.treebound(&["data", "synth", "--config", "made.toml", "--out", "synth"]).success();
    let test = std::fs::read(desk.path("synth/test.conllu")).expect("a treebank");
    let sentences = conll::parse_gold(&test, "test.conllu".as_ref()).expect("sentences");
    for templates in ["compact", "paper"] {
        let set = ["--set", &format!("training.templates={templates:?}")];
        let train = ["train", "made.toml", "--features", "comb+hand+sibling", "--model", "a.model"];
        desk.treebound(&[&train[..], &set].concat()).success();
        let TrainedParser { pruner, rule, model, .. } = TrainedParser::read(&desk.path("a.model")).expect("a model");
        let limits = Limits { dp_calls: Some(1000), ..Limits::default() };
        let parser = Parser { pruner: &pruner, rule, model: &model, decoder: Decoder::Bnb, limits };
        let (mut compared, mut folded, mut stopped_early) = (0, 0, 0);
        for sentence in &sentences {
            let gold = sentence.gold.as_ref();
            let found =
                Explanation::new(&parser, &sentence.tokens, gold, None, &mut Scratch::default()).expect("parsed");
            let (Some(chosen), Some(gold)) = (&found.chosen, &found.gold) else { continue };
            let features = contributions(&model, &sentence.tokens, &chosen.tree, &gold.tree);
            let sum: i128 = features.iter().map(|feature| feature.score()).sum();
            assert_eq!(sum, chosen.score() - gold.score(), "{}", sentence.place);
            assert!(features.is_sorted_by_key(|feature| std::cmp::Reverse(feature.score().unsigned_abs())));
            compared += usize::from(!features.is_empty());
            folded += features.iter().filter(|feature| feature.template.contains(".l")).count();
            // The last line is the search as it ended, and bounds and trees only get better.
            let (last, decoded) = (found.trace.last().expect("an end"), &found.decoded);
            assert_eq!((last.dp_calls, last.bound, last.score), (decoded.dp_calls, decoded.bound, decoded.score));
            assert_eq!(last.fixed_arcs, decoded.fixed_arcs);
            assert!(found.trace.is_sorted_by_key(|stopped| stopped.fixed_arcs), "{:?}", found.trace);
            assert!(found.trace.is_sorted_by_key(|stopped| (stopped.dp_calls, stopped.score)), "{:?}", found.trace);
            // Each line is the parser's own search, stopped.
            for stopped in &found.trace {
                let limits = Limits { dp_calls: Some(stopped.dp_calls), ..limits };
                let parser = Parser { limits, ..parser };
                let (early, _) = parser.parse(&sentence.tokens, &mut Scratch::default(), &mut NoClock).expect("parsed");
                assert_eq!((early.score, early.bound), (stopped.score, stopped.bound), "{}", sentence.place);
                stopped_early += usize::from(!early.status.is_proof());
            }
        }
        assert!(compared > 5 && folded > 0, "{templates}: {compared} sentences, {folded} features in lower case");
        assert!(stopped_early > 3, "{templates}: {stopped_early} searches");
    }
    // The same from a model, and of a sentence by its name.
    let text = desk.treebound(&["parse", "--model", "a.model", "synth/test.conllu", "--explain", "1"]).success();
    assert!(text.starts_with("synth/test.conllu:") && text.contains("search: optimal"), "{text}");
    desk.treebound(&["parse", "--model", "a.model", "synth/test.conllu", "--explain", "0"])
        .failure(&["--explain 0: synth/test.conllu has sentences 1 to 30"]);
}

#[test]
fn a_sentence_is_found_by_its_name() {
    let desk = Desk::new();
    let sentence = |id: &str, words: &[(&str, usize)]| {
        let line =
            |(i, (form, head)): (usize, &(&str, usize))| format!("{}\t{form}\t_\tN\tN\t_\t{head}\t_\t_\t_\n", i + 1);
        format!("# sent_id = {id}\n# text = x\n{}\n", words.iter().enumerate().map(line).collect::<String>())
    };
    let crossing = sentence("b-1", &[("five", 3), ("six", 4), ("seven", 0), ("eight", 3)]);
    let file = sentence("a-1", &[("one", 0), ("two", 1)]) + &sentence("a-10", &[("three", 2), ("four", 0)]);
    desk.write("t/all.conllu", file + &crossing);
    desk.write(
        "real.toml",
        "[[corpus]]\nname = 'toy'\nformat = 'conllu'\nfolder = 't'\ntrain = 'all.conllu'\ndev = 'all.conllu'\ntest = 'all.conllu'\n\
         punctuation = 'none'\n[training]\nepochs = 1\npruning = 'k=2'\n[pruner]\nepochs = 1\n[features]\nsets = 'sibling'\n",
    );
    let text = desk.treebound(&["explain", "real.toml", "--id", "a-10"]).success();
    assert!(text.starts_with("toy test sentence 2, ") && text.contains("three"), "{text}");
    desk.treebound(&["explain", "real.toml", "--id", "a-2"]).failure(&["--id a-2", "# sent_id = a-2"]);
    // Arcs that cross are nobody's fault, whatever is pruned.
    for pruning in ["none", "k=1"] {
        let text = desk.treebound(&["explain", "real.toml", "--id", "b-1", "--pruning", pruning]).success();
        assert!(text.contains("there is no gold tree that a projective parser could give"), "{text}");
    }
}
