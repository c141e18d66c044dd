//! What points have of graphs.

use proptest::prelude::*;
use treebound_core::decode::brute::for_each_tree;
use treebound_core::graph::{ArcId, CountId, FactorGraph, TreeArcs, tree_score};
use treebound_ilp::{Formulation, Fractions, Program};

use crate::graphs::Shape;
use crate::shapes::shapes;

/// What a point is worth by what it has of arcs, factors and counts, times [`Fractions::WHOLE`].
pub fn worth(graph: &FactorGraph, point: &Fractions) -> i128 {
    let product = |(&score, &part): (&i64, &i32)| i128::from(score) * i128::from(part);
    let arcs = graph.local.arc.iter().zip(&point.arcs).map(product).sum::<i128>();
    let factors = graph.factors.iter().map(|(c, _, score)| product((&score, &point.factors[c.ix()]))).sum::<i128>();
    let crossing = graph.non_projective.iter().zip(&point.non_projective).map(product).sum::<i128>();
    let of_count = |c: CountId| {
        let (scores, numbers) = (graph.counts.scores(c), &point.counts[c.ix()]);
        match numbers.is_empty() {
            // All numbers score the same.
            true => scores.first().map_or(0, |&score| i128::from(score) * i128::from(Fractions::WHOLE)),
            false => scores.iter().zip(numbers).map(product).sum(),
        }
    };
    arcs + factors + crossing + graph.counts.ids().map(of_count).sum::<i128>()
}

/// The sum of all scores without their signs: twice what rounding each part can be off by.
#[cfg(feature = "solver")]
pub fn worth_at_most(graph: &FactorGraph) -> i128 {
    let counts = graph.counts.ids().flat_map(|c| graph.counts.scores(c));
    let scores = graph.local.arc.iter().chain(&graph.non_projective).chain(counts);
    let factors = graph.factors.iter().map(|(_, _, score)| score);
    scores.copied().chain(factors).map(|score| i128::from(score.abs())).sum()
}

/// A graph without local parts of two arcs and more.
pub fn of_arcs(shape: &Shape) -> FactorGraph {
    let mut graph = Shape { scored: 0, ..*shape }.graph();
    graph.grand_siblings.clear();
    graph
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn points_of_trees_have_the_parts_of_the_trees(shape in shapes(5)) {
        let graph = of_arcs(&shape);
        let program = Program::new(&graph, Formulation::usual(graph.trees));
        for_each_tree(&graph, |heads| {
            let mut tree = TreeArcs::default();
            assert!(tree.find(&graph.space, heads));
            let point: Vec<f64> = program.at(&graph, &tree).into_iter().map(|value| value as f64).collect();
            let score = tree_score(&graph, &tree);
            let found = Fractions::new(&graph, &program, &point, (score - program.constant()) as f64);
            let all = i128::from(Fractions::WHOLE);
            assert_eq!(found.value, score);
            assert_eq!(worth(&graph, &found), score * all);
            for a in (0..graph.space.arcs()).map(ArcId::new) {
                assert_eq!(found.arcs[a.ix()] == Fractions::WHOLE, tree.has(a));
            }
            for (c, arcs, score) in graph.factors.iter() {
                assert_eq!(found.factors[c.ix()] == Fractions::WHOLE, score != 0 && tree.has_all(arcs));
            }
        });
    }
}
