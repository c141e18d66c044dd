//! All of it against enumeration of all trees.

use super::*;
use crate::decode::brute::for_each_tree;
use crate::graph::{FactorGraph, LocalScores, TreeArcs, Trees, tree_score};
use proptest::prelude::*;

/// A graph of arcs alone: each is kept or not by `kept`, and has a score of `scores`, in turn.
fn graph(words: usize, single_root: bool, kept: &[bool], scores: &[i64]) -> FactorGraph {
    let pairs = (0..=words).flat_map(|h| (1..=words).map(move |m| (Word::new(h), Word::new(m))));
    let all = pairs.filter(|(h, m)| h != m).zip(kept.iter().cycle());
    let arcs: Vec<_> = all.filter(|(_, kept)| **kept).map(|(arc, _)| arc).collect();
    let space = ArcSpace::new(words, single_root, &arcs).expect("valid arcs");
    let mut local = LocalScores::filled(&space, 0);
    local.arc.iter_mut().zip(scores.iter().cycle()).for_each(|(to, &score)| *to = score);
    FactorGraph { space, trees: Trees::NonProjective, local, ..FactorGraph::default() }
}

/// All trees as arcs with their scores, best first.
fn all_trees(graph: &FactorGraph) -> Vec<(i128, Vec<ArcId>)> {
    let (mut all, mut arcs) = (Vec::new(), TreeArcs::default());
    for_each_tree(graph, |heads| {
        assert!(arcs.find(&graph.space, heads));
        all.push((tree_score(graph, &arcs), arcs.arcs().to_vec()));
    });
    all.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    all
}

fn graphs() -> impl Strategy<Value = FactorGraph> {
    let few = prop::sample::select(vec![1i64, 3, 100, 1 << 40]);
    let kept = prop::collection::vec(prop::sample::select(vec![true, true, true, false]), 36);
    (1usize..=5, any::<bool>(), prop::bool::weighted(0.5), kept, prop::collection::vec(-100i64..100, 36), few).prop_map(
        |(words, single_root, is_full, kept, scores, range)| {
            let kept = if is_full { vec![true] } else { kept };
            let scores: Vec<i64> = scores.iter().map(|score| score % range.min(101) * (1 + range / 101)).collect();
            graph(words, single_root, &kept, &scores)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_best_tree_and_what_each_arc_costs(graph in graphs()) {
        let (all, space) = (all_trees(&graph), &graph.space);
        let mut program = Arborescence::<i64>::default();
        let best = program.best(space, graph.local.arc.iter().copied());
        prop_assert_eq!(best.map(i128::from), all.first().map(|first| first.0));
        let mut wide = Arborescence::<i128>::default();
        prop_assert_eq!(wide.best(space, graph.local.arc.iter().map(|&s| s.into())), best.map(i128::from));
        let Some(best) = best else { return Ok(()) };
        let tree = program.arcs().to_vec();
        prop_assert!(all.iter().any(|(score, arcs)| *score == best.into() && *arcs == tree));
        let mut most = vec![0; space.arcs()];
        program.scores_with(space, |a, score| most[a.ix()] = score);
        for a in (0..space.arcs()).map(ArcId::new) {
            prop_assert!(most[a.ix()] <= best && (most[a.ix()] == best || !tree.contains(&a)));
            for (score, _) in all.iter().filter(|(_, arcs)| arcs.contains(&a)) {
                prop_assert!(*score <= i128::from(most[a.ix()]), "{} {} {}", score, best, most[a.ix()]);
            }
        }
    }

    #[test]
    fn trees_in_order(graph in graphs(), most in 1usize..2000) {
        let all = all_trees(&graph);
        let mut listed = Vec::new();
        let mut program = Arborescence::<i64>::default();
        if program.best(&graph.space, graph.local.arc.iter().copied()).is_some() {
            program.each_tree(&graph.space, |arcs, score, _| {
                listed.push((i128::from(score), arcs.to_vec()));
                listed.len() < most
            });
        }
        prop_assert_eq!(listed.len(), most.min(all.len()));
        let scores = |trees: &[(i128, Vec<ArcId>)]| trees.iter().map(|t| t.0).collect::<Vec<_>>();
        prop_assert_eq!(scores(&listed), scores(&all[..listed.len()]));
        let mut distinct: Vec<_> = listed.iter().map(|t| &t.1).collect();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), listed.len());
        prop_assert!(listed.iter().all(|tree| all.contains(tree)));
    }

    #[test]
    fn sums_over_trees(graph in graphs(), spread in prop::sample::select(vec![0.01, 1.0, 300.0])) {
        let largest = graph.local.arc.iter().map(|s| s.abs()).max().unwrap_or(0).max(1) as f64;
        let scores: Vec<f64> = graph.local.arc.iter().map(|&s| s as f64 / largest * spread).collect();
        let mut probabilities = Vec::new();
        let log_z = matrix_tree::sum(&graph.space, &scores, &mut probabilities);
        let trees: Vec<(f64, Vec<ArcId>)> =
            all_trees(&graph).into_iter().map(|(_, t)| (t.iter().map(|a| scores[a.ix()]).sum(), t)).collect();
        let entropy = matrix_tree::entropy(&graph.space, &scores);
        prop_assert_eq!((log_z.is_some(), entropy.is_some()), (!trees.is_empty(), !trees.is_empty()));
        let Some(log_z) = log_z else { return Ok(()) };
        let most = trees.iter().map(|t| t.0).fold(f64::NEG_INFINITY, f64::max);
        let z: f64 = trees.iter().map(|t| (t.0 - most).exp()).sum();
        prop_assert!((z.ln() + most - log_z).abs() < 1e-9 * (1.0 + log_z.abs()), "{} {}", z.ln() + most, log_z);
        let mean: f64 = trees.iter().map(|t| (t.0 - most).exp() / z * (t.0 - most)).sum();
        prop_assert!((z.ln() - mean - entropy.unwrap_or(f64::NAN)).abs() < 1e-9, "{} {:?}", z.ln() - mean, entropy);
        for (a, p) in probabilities.iter().enumerate() {
            let truth: f64 = trees.iter().filter(|t| t.1.contains(&ArcId::new(a))).map(|t| (t.0 - most).exp()).sum();
            prop_assert!((truth / z - p).abs() < 1e-9, "{} {}", truth / z, p);
        }
    }
}
