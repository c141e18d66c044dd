//! The best trees in order against enumeration: every number of trees up to all, ties, one root word and several.

use std::collections::BTreeSet;

use crate::common::{Shape, add_grand_siblings, long_shapes, random_graph, shapes};
use crate::properties::{Tally, cases};
use crate::top::{Top, scores_of};
use proptest::prelude::*;
use treebound::decode::brute::for_each_tree;
use treebound::decode::carreras::Carreras;
use treebound::decode::grand_sibling::{GrandScores, GrandSibling};
use treebound::decode::{Backbone, Scratch};
use treebound::graph::{FactorGraph, LocalScores, TreeArcs, tree_score};
use treebound::tree::Tree;

fn score(graph: &FactorGraph, tree: &Tree) -> i128 {
    let mut arcs = TreeArcs::default();
    assert!(arcs.find(&graph.space, tree.heads()), "an arc that is no candidate");
    tree_score(graph, &arcs)
}

/// That the trees are different ones of the graph with the scores that are claimed, best first.
fn check(graph: &FactorGraph, trees: &[(Tree, i128)]) {
    let mut seen = BTreeSet::new();
    for (tree, claimed) in trees {
        assert!(seen.insert(tree.heads().to_vec()), "a tree twice");
        assert_eq!(*claimed, score(graph, tree));
        assert!(tree.is_projective());
        assert!(!graph.space.single_root() || tree.roots().count() == 1);
    }
    assert!(trees.is_sorted_by(|a, b| a.1 >= b.1));
}

#[test]
fn the_best_trees_are_those_of_all() {
    let tally = Tally::default();
    proptest!(cases(1000), |(shape in shapes(6, 0), third in any::<bool>(), most in 0usize..40)| {
        let mut graph = random_graph(&shape);
        if third {
            add_grand_siblings(&mut graph, &shape);
        }
        let mut all: Vec<i128> = Vec::new();
        for_each_tree(&graph, |heads| all.push(score(&graph, &Tree::new(heads.to_vec()).expect("a tree"))));
        all.sort_unstable_by(|a, b| b.cmp(a));
        let mut scratch = Scratch::default();
        for backbone in Backbone::ALL {
            for most in [most, all.len(), all.len() + 3] {
                let trees = scratch.best_trees(&graph, backbone, most).expect("no factors");
                check(&graph, &trees);
                let scores: Vec<i128> = trees.iter().map(|tree| tree.1).collect();
                assert_eq!(scores, all[..most.min(all.len())]);
            }
        }
        tally.add(format!("{} {} {}", all.len() > 1, shape.single_root, graph.grand_siblings.is_empty()));
    });
    tally.has(["true true true", "true true false", "true false true", "true false false", "false true true"]);
}

/// Both programs have the same scores where there are too many trees to be counted.
#[test]
fn programs_agree_on_longer_sentences() {
    proptest!(cases(100), |(shape in long_shapes(0))| {
        let graph = random_graph(&Shape { words: 2 * shape.words, has_tree: true, ..shape });
        let mut scratch = Scratch::default();
        let [carreras, grand] = Backbone::ALL.map(|backbone| scratch.best_trees(&graph, backbone, 30).expect("no factors"));
        check(&graph, &carreras);
        check(&graph, &grand);
        assert!(carreras.iter().map(|tree| tree.1).eq(grand.iter().map(|tree| tree.1)));
        assert!(!carreras.is_empty());
    });
}

/// The lists that are taken lazily from a chart of best scores are those that the recurrence computes over lists.
#[test]
fn lists_are_those_of_the_recurrence_over_lists() {
    let tally = Tally::default();
    proptest!(cases(300), |(shape in long_shapes(0), third in any::<bool>())| {
        let mut graph = random_graph(&shape);
        if third {
            add_grand_siblings(&mut graph, &shape);
        }
        let mut local = LocalScores::default();
        graph.local.map_into(&mut local, Top::<12>::of);
        let mut grand = GrandScores::default();
        graph.grand_siblings.map_into(&mut grand.siblings, Top::of);
        let mut scratch = Scratch::default();
        let of_grand = GrandSibling::default().sum(&graph.space, &local, &grand).scores();
        prop_assert_eq!(&of_grand, &scores_of(&scratch.best_trees(&graph, Backbone::GrandSibling, 12).expect("no factors")));
        if !third {
            prop_assert_eq!(Carreras::default().sum(&graph.space, &local).scores(), &of_grand[..]);
        }
        tally.add(format!("{third} {}", of_grand.len()));
    });
    tally.has(["true 0", "true 12", "false 0", "false 12"]);
}
