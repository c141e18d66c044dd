//! The third-order dynamic program against brute force, and against Carreras's where both can decode.

mod common;

use common::{Shape, add_grand_siblings, long_shapes, random_graph, shapes};
use proptest::prelude::*;
use treebound::decode::carreras::Carreras;
use treebound::decode::grand_sibling::{GrandScores, GrandSibling};
use treebound::decode::value::{Value, Wide};
use treebound::decode::{Decoded, brute};
use treebound::graph::{ArcId, FactorGraph, LocalScores, TreeArcs, tree_score};

/// A graph with random scores of all parts that the program handles: chains of two arcs stand in it as factors.
fn third_order_graph(shape: &Shape) -> (FactorGraph, Vec<i64>) {
    let mut graph = random_graph(&Shape { factors: 0, ..shape.clone() });
    add_grand_siblings(&mut graph, shape);
    let mut draw = common::Draw::new(shape.seed ^ 0x616e);
    let mut any = vec![0; graph.space.grandchild_parts()];
    for a in (0..graph.space.arcs()).map(ArcId::new) {
        for b in graph.space.children(a).map(ArcId::new) {
            if draw.below(2) == 0 {
                let score = draw.score(shape);
                any[graph.space.grandchild_part(a, b)] = score;
                graph.factors.push(&[a.min(b), a.max(b)], score);
            }
        }
    }
    (graph, any)
}

fn scores<V: Value>(graph: &FactorGraph, any: &[i64]) -> (LocalScores<V>, GrandScores<V>) {
    let (mut local, mut grand) = (LocalScores::default(), GrandScores::default());
    graph.local.map_into(&mut local, V::from_score);
    graph.grand_siblings.map_into(&mut grand.siblings, V::from_score);
    grand.any.extend(any.iter().map(|&s| V::from_score(s)));
    (local, grand)
}

fn check(graph: &FactorGraph, truth: &Decoded, answer: &Decoded) {
    assert_eq!((answer.status, answer.score, answer.bound), (truth.status, truth.score, truth.score));
    if let Some(tree) = &answer.tree {
        let mut arcs = TreeArcs::default();
        assert!(arcs.find(&graph.space, tree.heads()), "an arc that is no candidate");
        assert_eq!(Some(tree_score(graph, &arcs)), truth.score, "the tree does not have the score");
        assert!(tree.is_projective());
        assert!(!graph.space.single_root() || tree.roots().count() == 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn the_grand_sibling_program_is_exact(shape in shapes(7, 0)) {
        let (graph, any) = third_order_graph(&shape);
        let truth = brute::decode(&graph);
        let (local, grand) = scores::<f64>(&graph, &any);
        check(&graph, &truth, &GrandSibling::default().decode(&graph.space, &local, &grand));
        let (local, grand) = scores::<Wide>(&graph, &any);
        check(&graph, &truth, &GrandSibling::default().decode(&graph.space, &local, &grand));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Max-marginals against the best tree with each arc, by enumeration.
    #[test]
    fn max_marginals_are_those_of_all_trees(shape in shapes(6, 0)) {
        let (graph, any) = third_order_graph(&shape);
        let mut best = vec![None; graph.space.arcs()];
        let mut arcs = TreeArcs::default();
        brute::for_each_tree(&graph, |heads| {
            arcs.find(&graph.space, heads);
            let score = tree_score(&graph, &arcs);
            for a in arcs.arcs() {
                best[a.ix()] = best[a.ix()].max(Some(score));
            }
        });
        let (local, grand) = scores::<Wide>(&graph, &any);
        let mut chart = GrandSibling::default();
        chart.best_score(&graph.space, &local, &grand);
        let mut marginals = Vec::new();
        chart.max_marginals(&graph.space, &local, &grand, &mut marginals);
        prop_assert_eq!(marginals.iter().map(|m| m.to_score()).collect::<Vec<_>>(), best);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// On sentences too long for brute force, both programs agree on the graphs of both: score and max-marginals.
    #[test]
    fn both_programs_agree_on_longer_sentences(shape in long_shapes(0)) {
        let graph = random_graph(&shape);
        let (local, grand) = scores::<f64>(&graph, &[]);
        let (mut second, mut third) = (Carreras::new(), GrandSibling::default());
        let truth = second.decode(&graph.space, &local);
        check(&graph, &truth, &third.decode(&graph.space, &local, &grand));
        let (mut of_second, mut of_third) = (Vec::new(), Vec::new());
        second.max_marginals(&graph.space, &local, &mut of_second);
        third.max_marginals(&graph.space, &local, &grand, &mut of_third);
        prop_assert_eq!(of_second, of_third);
    }

    /// Max-marginals of longer sentences with third-order scores, against the best tree of the space without the rivals of
    /// each arc.
    #[test]
    fn max_marginals_are_those_of_forced_arcs(shape in long_shapes(0)) {
        let (graph, any) = third_order_graph(&shape);
        let space = &graph.space;
        let (local, grand) = scores::<f64>(&graph, &any);
        let mut chart = GrandSibling::default();
        chart.best_score(space, &local, &grand);
        let mut marginals = Vec::new();
        chart.max_marginals(space, &local, &grand, &mut marginals);
        for a in (0..space.arcs()).map(ArcId::new) {
            let mut forced = local.clone();
            for &rival in space.arcs_into(space.modifier(a)).iter().filter(|&&b| b != a) {
                forced.arc[rival.ix()] = f64::NEG_INFINITY;
            }
            prop_assert_eq!(marginals[a.ix()], GrandSibling::default().best_score(space, &forced, &grand));
        }
    }
}
