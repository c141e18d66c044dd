//! Error patterns: what is counted of given trees, and the verb on a small treebank.

use crate::desk::Desk;
use treebound::error_analysis::{Parsed, Pattern, Report, View, tally};
use treebound::experiment::error_patterns::{csv, examples};
use treebound::graph::Word;
use treebound::treebank::{Place, Token, Tree};

/// A sentence of `form/TAG:head`, parsed with other heads.
struct Example {
    tokens: Vec<Token>,
    gold: Tree,
    heads: Vec<Word>,
    place: Place,
}

fn example(text: &str, heads: &[u32]) -> Example {
    let words: Vec<_> = text.split_whitespace().map(|w| w.rsplit_once(':').expect("a head")).collect();
    let token = |w: &str| {
        let (form, tag) = w.rsplit_once('/').expect("a tag");
        Token { form: form.into(), coarse: tag.into(), fine: tag.into(), ..Token::default() }
    };
    Example {
        tokens: words.iter().map(|w| token(w.0)).collect(),
        gold: Tree::new(words.iter().map(|w| Word(w.1.parse().expect("a number"))).collect()).expect("a tree"),
        heads: heads.iter().map(|&h| Word(h)).collect(),
        place: Place::default(),
    }
}

fn report(sentences: &[Example]) -> Report {
    let parsed: Vec<_> = sentences.iter().map(parsed).collect();
    tally(&parsed, 1000, 2)
}

fn parsed(e: &Example) -> Parsed<'_> {
    let scored = e.tokens.iter().map(|t| t.coarse != "PUNCT").collect();
    Parsed { place: &e.place, tokens: &e.tokens, gold: &e.gold, heads: &e.heads, scored, relations: [None, None] }
}

/// `cook fish with chips ,`: the phrase belongs to the fish. In two of forty it does not. Words are all different, so that
/// their classes are open; but for prepositions and commas.
fn fish() -> Vec<Example> {
    let text = |i| format!("Cook{i}/VERB:0 fish{i}/NOUN:1 With/ADP:4 chips{i}/NOUN:2 ,/PUNCT:4 ,/PUNCT:1");
    let right = [0, 1, 4, 2, 4, 1];
    let mut all: Vec<_> = (0..40).map(|i| example(&text(i), &right)).collect();
    all[7].heads[3] = Word(1);
    all[9].heads[3] = Word(3);
    // Punctuation is not scored.
    all[3].heads[4] = Word(1);
    all
}

fn find<'a>(report: &'a Report, view: View, class: [&str; 3], instead: &str) -> &'a Pattern {
    let same = |p: &&Pattern| {
        p.view == view && [&p.modifier, &p.head, &p.context].map(String::as_str) == class && p.instead == instead
    };
    report.patterns.iter().find(same).unwrap_or_else(|| panic!("no {class:?}, {instead} in {:#?}", report.patterns))
}

#[test]
fn an_error_is_counted_in_every_view_with_all_words_of_its_class() {
    let report = report(&fish());
    assert_eq!((report.all.words, report.all.wrong), (160, 2));
    for (view, class, instead) in [
        (View::Tags, ["NOUN", "NOUN", "left 2"], "VERB above, left"),
        (View::Tags, ["NOUN", "NOUN", "left 2"], "ADP inside, left"),
        (View::Words, ["NOUN", "NOUN", ""], "VERB above"),
        (View::Words, ["NOUN", "NOUN", ""], "with inside"),
        (View::Marked, ["NOUN(with)", "NOUN", ""], "VERB above"),
    ] {
        let found = find(&report, view, class, instead);
        assert_eq!((found.errors, found.class.words, found.class.wrong), (1, 40, 2), "{found:?}");
        assert_eq!((found.share(report.all), found.rate(), found.lift(report.all)), (50.0, 5.0, 4.0), "{found:?}");
    }
    // From the cue to three words behind it, two are scored; the word before the cue is not among them.
    let with = find(&report, View::Cue, ["", "", "with"], "");
    assert_eq!((with.errors, with.class.words, with.class.wrong), (2, 80, 2));
    // Both commas, each word once.
    let pair = find(&report, View::Pair, ["", "", "with .. ,"], "");
    assert_eq!((pair.errors, pair.class.words, pair.class.wrong), (2, 80, 2));
}

#[test]
fn structures_and_relations_are_told_apart() {
    // see dogs ( and cats ) in town: the structure between each word and its head.
    let text = "see/VERB:0 dogs/NOUN:1 (/PUNCT:5 and/CCONJ:5 cats/NOUN:2 )/PUNCT:5 in/ADP:8 town/NOUN:1";
    let wrong = example(text, &[5, 0, 5, 2, 1, 5, 2, 5]);
    let report = report(&[wrong]);
    let of = |modifier: &str| -> Vec<_> {
        let of = |p: &&Pattern| p.view == View::Structure && p.modifier == modifier;
        report.patterns.iter().filter(of).map(|p| (p.head.as_str(), p.context.as_str(), p.instead.as_str())).collect()
    };
    assert_eq!(
        of("NOUN"),
        [("NOUN", "coordination+bracket", "VERB above"), ("VERB", "coordination+bracket", "NOUN below")]
    );
    let of = |modifier: &str, context: &str| {
        let of = |p: &&Pattern| p.view == View::Tags && p.modifier == modifier && p.context == context;
        report.patterns.iter().find(of).expect("a pattern").instead.clone()
    };
    assert_eq!(of("VERB", ""), "NOUN inside, right");
    assert_eq!(of("NOUN", "left 1"), "ROOT");
    assert_eq!(of("CCONJ", "right 1"), "NOUN above, left");
    assert_eq!(of("ADP", "right 1"), "NOUN elsewhere, left");
}

#[test]
fn patterns_are_ranked_by_errors_and_cues_by_errors_beyond_the_expected() {
    let mut sentences = fish();
    // Verbs that are coordinated, one of them wrongly.
    let text = "go/VERB:0 and/CCONJ:3 see/VERB:1";
    sentences.extend([example(text, &[0, 3, 1]), example(text, &[3, 3, 0])]);
    // Many more words without an error around a cue with one.
    sentences.extend((0..40).map(|i| example("a/DET:2 b/NOUN:0", if i == 0 { &[0, 1] } else { &[2, 0] })));
    let report = report(&sentences);
    for view in View::ALL {
        let ranks: Vec<_> = report.patterns.iter().filter(|p| p.view == view).map(|p| p.rank).collect();
        assert_eq!(ranks, (1..=ranks.len() as u64).collect::<Vec<_>>(), "{view:?}");
        let beyond = |p: &Pattern| p.class.wrong * report.all.words > p.class.words * report.all.wrong;
        let weights: Vec<_> =
            report.patterns.iter().filter(|p| p.view == view).map(|p| (p.errors, beyond(p))).collect();
        assert!(!weights.is_empty(), "{view:?}");
        if view.says_what_instead() {
            assert!(weights.is_sorted_by(|a, b| a.0 >= b.0), "{view:?}: {weights:?}");
        } else {
            assert!(weights.is_sorted_by(|a, b| a.1 >= b.1), "{view:?}: {weights:?}");
        }
    }
}

#[test]
fn examples_mark_the_word_and_both_heads() {
    let sentences = fish();
    let parsed: Vec<_> = sentences.iter().map(parsed).collect();
    let report = tally(&parsed, 3, 1);
    let text = examples(&report, &parsed);
    assert!(text.contains("marked 1: NOUN(with) on NOUN, not on ADP inside: 1 error\n"), "{text}");
    assert!(text.contains("    Cook9 fish9/G With/P >chips9< , ,\n"), "{text}");
    assert!(text.contains("    Cook7/P fish7/G With >chips7< , ,\n"), "{text}");
    assert!(report.patterns.iter().all(|p| p.examples.len() == 1));
    // Sentences are in one file, counts in the other.
    let csv = String::from_utf8(csv(&report).expect("in memory")).expect("UTF-8");
    assert!(csv.starts_with(
        "view,rank,modifier,head,context,instead,errors,class_wrong,class_words,share_pct,rate_pct,lift\n\
         all,1,,,,,2,2,160,100.00,1.25,1.00\n"
    ));
    assert!(csv.contains("\nmarked,2,NOUN(with),NOUN,,VERB above,1,2,40,50.00,5.00,4.00\n"), "{csv}");
}

const CONFIG: &str = r#"
seeds = [1, 2]
tags = ["gold", "predicted"]

[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 90
dev = 20
test = 1
vocabulary = 500

[pruner]
epochs = 2

[training]
epochs = 2
pruning = "k=4"

[features]
sets = ["sibling"]
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    desk
}

#[test]
fn the_list_is_the_same_on_any_number_of_threads_and_when_artifacts_are_there() {
    let desk = desk();
    let list = |more: &[&str]| {
        let done = desk
            .treebound(&[&["measure", "errors", "tiny.toml", "--folds", "3", "--top", "20"], more].concat())
            .success();
        (done, desk.read("results/tiny/errors.csv"), desk.read("results/tiny/errors-examples.txt"))
    };
    let first = list(&["-j", "1"]);
    assert_eq!(list(&["-j", "2"]), first);
    std::fs::remove_dir_all(desk.path("cache")).expect("removed");
    assert_eq!(list(&["-j", "3"]), first);
    let rows: Vec<Vec<&str>> = first.1.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    // From the end: what a class holds may have commas.
    for row in &rows {
        let [errors, wrong, words] = [6, 5, 4].map(|i| number(row[row.len() - i]));
        assert!(0 < errors && errors <= wrong && wrong <= words, "{row:?}");
    }
    let all = rows.iter().find(|row| row[0] == "all").expect("a line of all words");
    let (wrong, words) = (number(all[7]), number(all[8]));
    // A parser that has seen next to nothing is often wrong, but far better than a guess.
    assert!(words > 500 && wrong * 20 > words && wrong * 2 < words, "{all:?}");
    for view in View::ALL {
        let lines = rows.iter().filter(|row| row[0] == view.name()).count();
        assert!((1..=20).contains(&lines), "{}: {lines}", view.name());
    }
    let provenance = desk.read("results/tiny/provenance.toml");
    assert!(provenance.contains("verb = \"errors\"") && provenance.contains("\ngraph-model = "), "{provenance}");
}

#[test]
fn settings_decide_what_is_learnt() {
    let desk = desk();
    let list = |more: &[&str]| {
        desk.treebound(&[&["measure", "errors", "tiny.toml", "-q", "--examples", "0"], more].concat()).success();
        desk.read("results/tiny/errors.csv")
    };
    desk.write("results/tiny/errors-examples.txt", "of an earlier list");
    let two = list(&["--folds", "2"]);
    assert_ne!(list(&["--folds", "3"]), two);
    assert_ne!(list(&["--folds", "2", "--epochs", "1"]), two);
    assert_eq!(list(&["--folds", "2", "--corpus", "made"]), two);
    assert!(!desk.path("results/tiny/errors-examples.txt").exists());
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = desk();
    let fault = |more: &[&str], wanted: &[&str]| {
        desk.treebound(&[&["measure", "errors", "tiny.toml"], more].concat()).failure(wanted);
    };
    fault(&["--folds", "1"], &["1 folds: at least 2 are needed"]);
    fault(&["--folds", "0"], &["0 folds: at least 2 are needed"]);
    fault(&["--folds", "91"], &["91 folds: the training part has only 90 sentences"]);
    fault(&["--epochs", "0"], &["--epochs 0"]);
    fault(&["--top", "0"], &["--top 0"]);
    fault(&["--corpus", "other"], &["no corpus `other`"]);
    fault(&["-j", "0"], &["-j 0"]);
    desk.treebound(&["measure", "errors", "nowhere.toml"]).failure(&["nowhere.toml"]);
}

#[test]
fn places_of_patterns_are_counted() {
    let desk = desk();
    let text = desk.treebound(&["features", "patterns", "tiny.toml"]).success();
    assert!(text.starts_with("pattern,tree,places,in_gold_trees\nrather-than,"), "{text}");
    // The made treebank has no English, but the construction that the other pattern is for.
    let counts = |line: &str| -> Vec<u64> { line.rsplit(',').take(2).map(|n| n.parse().expect("a number")).collect() };
    let [english @ .., made] = &text.lines().skip(1).collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(english.iter().all(|line| counts(line)[0] <= counts(line)[1]), "{text}");
    assert!(made.starts_with("parallel,A>T T>B,"), "{made}");
    let [gold, places] = counts(made)[..] else { panic!("{made}") };
    assert!(0 < gold && gold <= places, "{made}");
    assert_eq!(desk.treebound(&["features", "sentence", "tiny.toml"]).code, Some(2), "a sentence is needed");
}
