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
        .map(|w| Token { form: w.into(), coarse: w.to_lowercase(), fine: w.to_uppercase(), ..Token::default() })
        .collect()
}

/// The names of the trees of patterns that a tree has.
fn found(patterns: &Patterns, text: &str, heads: &[u32]) -> Vec<String> {
    let tree = Tree::new(heads.iter().map(|&h| Word(h)).collect()).expect("a tree");
    let mut sites = Sites::default();
    sites.fill(patterns, &tokens(text));
    let mut names = Vec::new();
    Family::Hand.parts_in(&tree, &sites, |part| names.push(patterns.name(part.geometry.code())));
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
fn the_nearest_word_is_the_first_that_fits() {
    let of = |words: &str, text: &str| {
        let pattern = Pattern::new(&wire(words, &[], &["*>A *>B"])).expect("sound");
        found(&Patterns::new(vec![pattern]).expect("one"), text, &[6, 6, 6, 6, 6, 0]).len()
    };
    // Each opening bracket with each closing one; then with the next.
    assert_eq!(of("A=( .. B=)", "( ( ) a ) x"), 4);
    assert_eq!(of("A=( ~ B=)", "( ( ) a ) x"), 2);
    assert_eq!(of("A=( ~ B=)", "( ( a a b x"), 0);
    // There is one search a word: the first `a` decides where the bracket has to stand.
    assert_eq!(of("A=( ~ a B=)", "( a ) a ) x"), 1);
    assert_eq!(of("A=( ~ a B=)", "( a b a ) x"), 0);
}

#[test]
fn features_see_the_first_arc_of_a_tree() {
    let pattern = Pattern::new(&wire("A x ~ B", &[], &["*>B *>A", "B>A B>x"])).expect("sound");
    let patterns = Patterns::new(vec![pattern]).expect("one");
    let rows = |heads: &[u32]| {
        let tree = Tree::new(heads.iter().map(|&h| Word(h)).collect()).expect("a tree");
        let mut sites = Sites::default();
        sites.fill(&patterns, &tokens("a x b c"));
        let mut rows = Vec::new();
        Family::Hand.parts_in(&tree, &sites, |part| rows.push(part.rows));
        rows
    };
    // First and last word, then head and modifier: the free head, then a word of the pattern.
    assert_eq!(rows(&[4, 1, 4, 0]), [[1, 3, 4, 3]]);
    assert_eq!(rows(&[3, 3, 0, 3]), [[1, 3, 3, 1]]);
}

#[test]
fn every_english_tree_can_be_had() {
    for pattern in Patterns::built_in("english").expect("sound") {
        let line = pattern.to_string();
        let mut fields = line.split(" ; ").skip(1);
        let words: Vec<&str> = fields.next().expect("words").split(' ').filter(|w| *w != ".." && *w != "~").collect();
        let name = |w: &str| w.split_once(['=', ':']).map_or(w, |(n, _)| n).to_owned();
        let names: Vec<String> = words.iter().map(|w| name(w)).collect();
        for tree in fields.skip(1) {
            let place = |n: &str| names.iter().position(|m| m == n).map_or(names.len() + 1, |p| p + 1);
            // The free head stands behind all; words without a head hang on the root.
            let mut heads = vec![Word::ROOT; names.len() + 1];
            for arc in tree.split(' ') {
                let (h, m) = arc.split_once('>').expect("an arc");
                heads[place(m) - 1] = Word::new(place(h));
            }
            assert!(Tree::new(heads).is_ok(), "{line}: {tree}");
        }
    }
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
    for words in ["~ A B", "A .. ~ B", "A .. .. B"] {
        assert!(fault(words, &[], &["A>B"]).ends_with("` stands between two words"), "{words}");
    }
    assert_eq!(fault("A B ..", &[], &["A>B"]), "pattern `toy`: a word is missing at the end");
    let one = Pattern::new(&wire("A B C", &[], &["A>B A>C"])).expect("sound");
    assert_eq!(Patterns::new(vec![one.clone(), one]), Err("the pattern `toy` is given twice".to_owned()));
}
