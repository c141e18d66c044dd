//! Hand-crafted patterns: where they are found, and what is wrong with those that cannot be.

use treebound::features::hand::{Pattern, PatternWire, Patterns, Sites};
use treebound::features::{Family, TemplateSet};
use treebound::graph::Word;
use treebound::treebank::{Token, Tree};

fn wire(words: &str, same: &[&str], trees: &[&str]) -> PatternWire {
    let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    PatternWire { name: "toy".into(), words: words.into(), same: owned(same), trees: owned(trees) }
}

fn fault(words: &str, same: &[&str], trees: &[&str]) -> String {
    Pattern::new(&wire(words, same, trees)).expect_err("a fault")
}

fn tokens(text: &str) -> Vec<Token> {
    text.split_whitespace()
        .map(|w| Token { form: w.into(), coarse: w.to_lowercase(), fine: w.to_uppercase() })
        .collect()
}

/// The names of the trees of patterns that a tree has.
fn found(patterns: &Patterns, text: &str, heads: &[u32]) -> Vec<String> {
    let tree = Tree::new(heads.iter().map(|&h| Word(h)).collect()).expect("a tree");
    let mut sites = Sites::default();
    sites.fill(patterns, &tokens(text));
    let mut names = Vec::new();
    Family::Hand.of_tree(&tree, &sites, |part| names.push(patterns.name(part.geometry.code())));
    names
}

#[test]
fn english_has_thirteen_patterns() {
    assert_eq!(Patterns::built_in("english").expect("sound").len(), 13);
    assert!(Patterns::built_in("latin").is_err());
}

#[test]
fn the_papers_example_is_found() {
    let set = TemplateSet::built_in("paper").expect("built in").expect("sound");
    // Figure 3: the first preposition is the head of `than`, `than` of `rather` and of the second one.
    let text = "in tests rather Than in class";
    assert_eq!(found(set.patterns(), text, &[0, 1, 4, 1, 4, 5]), ["rather-than: A>than than>rather than>B"]);
    // Attached to the noun, it is none.
    assert!(found(set.patterns(), text, &[0, 1, 4, 2, 4, 5]).is_empty());
}

#[test]
fn brackets_share_a_head_that_may_stand_anywhere() {
    let set = TemplateSet::built_in("paper").expect("built in").expect("sound");
    assert_eq!(found(set.patterns(), "a ( b ) c", &[0, 3, 1, 3, 1]), ["brackets: *>O *>C"]);
    assert!(found(set.patterns(), "a ( b ) c", &[0, 3, 1, 1, 1]).is_empty());
}

#[test]
fn neighbours_stand_next_to_each_other_unless_words_may_pass() {
    let of = |words: &str| {
        let pattern = Pattern::new(&wire(words, &["A B l"], &["x>A x>B"])).expect("sound");
        found(&Patterns::new(vec![pattern]).expect("one"), "a x b x a A", &[2, 0, 2, 2, 2, 2]).len()
    };
    assert_eq!(of("A x .. B"), 2);
    assert_eq!(of("A x B"), 0);
    assert_eq!(of("x .. A B"), 1);
    assert_eq!(of("x .. A .. B:A"), 1);
    assert_eq!(of("x .. A .. B=b|c"), 0);
}

#[test]
fn patterns_survive_being_written_and_read() {
    let set = TemplateSet::built_in("compact").expect("built in").expect("sound");
    for pattern in set.patterns().all() {
        assert_eq!(Pattern::from_line(&pattern.to_string()).as_ref(), Ok(pattern));
    }
}

#[test]
fn faults_name_the_pattern() {
    assert_eq!(fault("a a", &[], &["a>a"]), "pattern `toy`: two words are named `a`; name them as in `N=a`");
    assert_eq!(fault("A B", &[], &["A>C A>B"]), "pattern `toy`: no word is named `C`");
    assert_eq!(
        fault("A B", &["A B"], &["A>B"]),
        "pattern `toy`: `A B`: expected two words and an attribute, as in `A B l`"
    );
    assert_eq!(fault("A B", &["A B z"], &["A>B"]), "pattern `toy`: `z` is no attribute");
    let tree = "a tree has two arcs or more, one head a word, and `*` twice";
    assert_eq!(fault("A B", &[], &["A>B"]), format!("pattern `toy`: `A>B`: {tree}"));
    assert_eq!(fault("A B C", &[], &["*>B B>C"]), format!("pattern `toy`: `*>B B>C`: {tree}"));
    assert_eq!(fault("A B C", &[], &["A>B C>B"]), format!("pattern `toy`: `A>B C>B`: {tree}"));
    assert_eq!(fault("A B C", &[], &[]), "pattern `toy`: it needs a tree");
    let one = Pattern::new(&wire("A B C", &[], &["A>B A>C"])).expect("sound");
    assert_eq!(Patterns::new(vec![one.clone(), one]), Err("the pattern `toy` is given twice".to_owned()));
}
