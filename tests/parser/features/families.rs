//! What a family finds in a tree and what it finds among the arcs of a space are the same.

use proptest::prelude::*;
use treebound::decode::brute;
use treebound::features::families::{MOST_COUNTED, Shape as FactorShape};
use treebound::features::hand::{Pattern, PatternWire, Patterns, Sites};
use treebound::features::parts::Part;
use treebound::features::{Family, TemplateSet};
use treebound::graph::{ArcId, ArcSpace, FactorGraph, Trees, Word};
use treebound::treebank::{Token, Tree};

use crate::common::{Draw, Shape, random_graph, random_tree};
use crate::properties::cases;

/// The built-in patterns for English and two that fit nearly everywhere.
fn patterns() -> Patterns {
    let set = TemplateSet::built_in("paper").expect("built in").expect("sound");
    let wire = |name: &str, words: &str, tree: &str| {
        let (name, words) = (name.to_owned(), words.to_owned());
        Pattern::new(&PatternWire { name, words, same: vec!["A B c".to_owned()], trees: vec![tree.to_owned()] })
    };
    let mut all = set.patterns().all().to_vec();
    all.push(wire("pair", "A .. B", "*>A *>B").expect("sound"));
    all.push(wire("triple", "A B .. C", "C>A C>B").expect("sound"));
    Patterns::new(all).expect("few")
}

/// Random words from those that the patterns ask for.
fn words(draw: &mut Draw, n: usize) -> Vec<Token> {
    const WORDS: [(&str, &str); 12] = [
        ("rather", "ADV"),
        ("Than", "ADP"),
        ("on", "ADP"),
        ("as", "ADP"),
        ("good", "ADJ"),
        ("either", "CCONJ"),
        ("or", "CCONJ"),
        ("(", "PUNCT"),
        (")", "PUNCT"),
        ("dogs", "NOUN"),
        ("cats", "NOUN"),
        ("see", "VERB"),
    ];
    let token = |i: u64| {
        let (form, tag) = WORDS[i as usize];
        Token { form: form.into(), coarse: tag.into(), fine: tag.into(), ..Token::default() }
    };
    (0..n).map(|_| token(draw.below(WORDS.len() as u64))).collect()
}

fn parts_in(family: Family, tree: &Tree, sites: &Sites) -> Vec<Part> {
    let mut parts = Vec::new();
    family.parts_in(tree, sites, |part| parts.push(part));
    parts.sort_unstable();
    parts
}

/// The parts of the factors over `space` that `tree` has.
fn of_space(family: Family, space: &ArcSpace, trees: Trees, tree: &Tree, sites: &Sites) -> Vec<Part> {
    let mut parts = Vec::new();
    family.factors(space, trees, sites, |arcs, part| {
        let mut distinct = arcs.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), arcs.len(), "{family}: an arc twice");
        let has = |a: &&ArcId| tree.head(space.modifier(**a)) == space.head(**a);
        let count = arcs.iter().filter(has).count();
        let is_there = match family.shape() {
            FactorShape::All => count == arcs.len(),
            FactorShape::Any => count > 0,
            FactorShape::Number => count.min(MOST_COUNTED) == part.geometry.code(),
            FactorShape::NonProjective => count == 1 && !tree.is_projective_arc(space.modifier(arcs[0])),
        };
        if is_there {
            parts.push(part);
        }
    });
    parts.sort_unstable();
    parts
}

fn check_own_arcs(tree: &Tree, single_root: bool, sites: &Sites) {
    let arcs: Vec<_> = (1..=tree.len()).map(Word::new).map(|m| (tree.head(m), m)).collect();
    let space = ArcSpace::new(tree.len(), single_root, &arcs).expect("arcs of a tree");
    for family in Family::ALL {
        assert_eq!(
            parts_in(family, tree, sites),
            of_space(family, &space, Trees::Projective, tree, sites),
            "{family} {:?}",
            tree.heads()
        );
    }
}

fn sites_of(draw: &mut Draw, n: usize) -> Sites {
    let mut sites = Sites::default();
    sites.fill(&patterns(), &words(draw, n));
    sites
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn the_factors_over_a_trees_own_arcs_are_its_parts(
        n in 1usize..30, single_root in any::<bool>(), seed in any::<u64>(),
    ) {
        let mut draw = Draw::new(seed);
        let sites = sites_of(&mut draw, n);
        let tree = random_tree(&mut draw, n, single_root);
        prop_assert!(tree.is_projective());
        check_own_arcs(&tree, single_root, &sites);
    }

    #[test]
    fn the_factors_that_a_tree_has_are_its_parts(
        words in 1usize..=6, kept_of_8 in 3u64..=8, single_root in any::<bool>(), seed in any::<u64>(),
    ) {
        let shape = Shape { words, single_root, kept_of_8, range: 0, unit: 1, sign: 0, factors: 0, has_tree: false, seed };
        for kind in Trees::ALL {
            let graph = FactorGraph { trees: kind, ..random_graph(&shape) };
            let sites = sites_of(&mut Draw::new(seed), words);
            let mut trees = Vec::new();
            brute::for_each_tree(&graph, |heads| trees.push(Tree::new(heads.to_vec()).expect("a tree")));
            for tree in trees.iter().step_by(trees.len() / 40 + 1) {
                for family in Family::ALL {
                    prop_assert_eq!(
                        parts_in(family, tree, &sites), of_space(family, &graph.space, kind, tree, &sites),
                        "{} {:?}", family, tree.heads()
                    );
                }
            }
        }
    }
}

/// The definitions, on a tree small enough to count: 1 2 3 4 and 6 hang on 5, 7 on 6, 8 on 7, 5 on the root.
#[test]
fn parts_are_as_defined() {
    let tree = Tree::new([5, 5, 5, 5, 0, 5, 6, 7].map(Word).to_vec()).expect("a tree");
    let count = |family: Family| parts_in(family, &tree, &Sites::default()).len();
    assert_eq!(count(Family::Sibling), 10);
    assert_eq!(count(Family::TriSibling), 10);
    assert_eq!(count(Family::Comb), 1);
    assert_eq!(count(Family::Grandchild), 7);
    // 0-5-6-7 and 5-6-7-8.
    assert_eq!(count(Family::GreatGrandchild), 2);
    assert_eq!(count(Family::Hand), 0);
    assert_eq!((count(Family::Valency), count(Family::Nonprojective)), (8, 0));
    // Sites of no sentence make each word a class of its own.
    assert_eq!(count(Family::Or), 8);
    let mut sites = Sites::default();
    let token = Token { form: "word".into(), coarse: "X".into(), fine: "X".into(), ..Default::default() };
    sites.fill(&Patterns::default(), &vec![token; 8]);
    // 5 on both sides, 6, 7 and the root to the right.
    assert_eq!(parts_in(Family::Or, &tree, &sites).len(), 5);
    // 4 -> 1 passes over 3, which hangs on the root.
    let crossing = Tree::new([4, 1, 0, 3].map(Word).to_vec()).expect("a tree");
    assert_eq!(parts_in(Family::Nonprojective, &crossing, &sites).len(), 1);
    assert_eq!(parts_in(Family::Grandchild, &crossing, &sites).len(), 3);
}

#[test]
fn a_run_of_six_modifiers_has_six_combs() {
    let tree = Tree::new([7, 7, 7, 7, 7, 7, 0, 7, 7, 7].map(Word).to_vec()).expect("a tree");
    // Three of four arcs, two of five, one of six; the three words behind the head are too few.
    assert_eq!(parts_in(Family::Comb, &tree, &Sites::default()).len(), 6);
}
