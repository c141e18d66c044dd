//! The third-order dynamic program against brute force, and against Carreras's where both can decode.

use crate::common::{Shape, add_grand_siblings, check_trees_with, count_marginals, long_shapes, random_graph, shapes};
use crate::properties::{Tally, cases};
use proptest::prelude::*;
use treebound::decode::bnb::Limits;
use treebound::decode::bnb::exact::{Exact, Options};
use treebound::decode::bnb::paper::{self, Reading};
use treebound::decode::grand_sibling::{GrandScores, GrandSibling};
use treebound::decode::semiring::{Value, Wide};
use treebound::decode::{Backbone, Chart, Decoded, Decoder, Scratch, brute};
use treebound::graph::{ArcId, FactorGraph, LocalScores, TreeArcs, tree_score};

/// A graph with random scores of all parts that the program handles: chains of two arcs stand in it as factors.
fn third_order_graph(shape: &Shape) -> (FactorGraph, Vec<i64>) {
    let mut graph = random_graph(&Shape { factors: 0, ..shape.clone() });
    add_grand_siblings(&mut graph, shape);
    let mut draw = crate::common::Draw::new(shape.seed ^ 0x616e);
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

#[test]
fn the_grand_sibling_program_is_exact() {
    let tally = Tally::default();
    proptest!(cases(3000), |(shape in shapes(7, 0))| {
        let (graph, any) = third_order_graph(&shape);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        let (local, grand) = scores::<f64>(&graph, &any);
        check(&graph, &truth, &Chart::default().decode(Backbone::GrandSibling, &graph.space, &local, &grand));
        let (local, grand) = scores::<Wide>(&graph, &any);
        check(&graph, &truth, &Chart::default().decode(Backbone::GrandSibling, &graph.space, &local, &grand));
    });
    tally.has(["optimal", "infeasible"]);
}

/// Max-marginals against the best tree with each arc, by enumeration.
#[test]
fn max_marginals_are_those_of_all_trees() {
    let tally = Tally::default();
    proptest!(cases(1500), |(shape in shapes(6, 0))| {
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
        chart.sum(&graph.space, &local, &grand);
        let mut marginals = Vec::new();
        chart.sums_with(&graph.space, &local, &grand, &mut marginals);
        prop_assert_eq!(marginals.iter().map(|m| m.to_score()).collect::<Vec<_>>(), &best[..]);
        count_marginals(&tally, &best);
        check_trees_with(&graph, &best, |a| chart.best_arcs_with(&graph.space, &local, &grand, a).map(<[_]>::to_vec));
    });
    tally.has(["an arc of a tree", "an arc of no tree"]);
}

/// On sentences too long for brute force, both programs agree on the graphs of both: score and max-marginals.
#[test]
fn both_programs_agree_on_longer_sentences() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in long_shapes(0))| {
        let graph = random_graph(&shape);
        let (local, grand) = scores::<f64>(&graph, &[]);
        let mut chart = Chart::default();
        let truth = chart.decode(Backbone::Carreras, &graph.space, &local, &grand);
        tally.add(truth.status.name());
        check(&graph, &truth, &chart.decode(Backbone::GrandSibling, &graph.space, &local, &grand));
        let (mut of_second, mut of_third) = (Vec::new(), Vec::new());
        chart.max_marginals(Backbone::Carreras, &graph.space, &local, &grand, &mut of_second);
        chart.max_marginals(Backbone::GrandSibling, &graph.space, &local, &grand, &mut of_third);
        prop_assert_eq!(chart.calls(), 3, "an inside pass and two outside passes");
        prop_assert_eq!(of_second, of_third);
    });
    tally.has(["optimal", "infeasible"]);
}

/// Max-marginals of longer sentences with third-order scores, against the best tree of the space without the rivals of
/// each arc.
#[test]
fn max_marginals_are_those_of_forced_arcs() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in long_shapes(0))| {
        let (graph, any) = third_order_graph(&shape);
        let space = &graph.space;
        let (local, grand) = scores::<f64>(&graph, &any);
        let mut chart = GrandSibling::default();
        chart.sum(space, &local, &grand);
        let mut marginals = Vec::new();
        chart.sums_with(space, &local, &grand, &mut marginals);
        for a in (0..space.arcs()).map(ArcId::new) {
            let mut forced = local.clone();
            for &rival in space.arcs_into(space.modifier(a)).iter().filter(|&&b| b != a) {
                forced.arc[rival.ix()] = f64::NEG_INFINITY;
            }
            prop_assert_eq!(marginals[a.ix()], GrandSibling::default().sum(space, &forced, &grand));
        }
        let marginals: Vec<_> = marginals.iter().map(|m| m.to_score()).collect();
        count_marginals(&tally, &marginals);
        check_trees_with(&graph, &marginals, |a| chart.best_arcs_with(space, &local, &grand, a).map(<[_]>::to_vec));
    });
    tally.has(["an arc of a tree", "an arc of no tree"]);
}

/// Options that differ in one switch from the default ones of a backbone.
fn switches(backbone: Backbone) -> Vec<Options> {
    let default = || Options { backbone, ..Options::default() };
    vec![
        default(),
        Options { fixing: false, ..default() },
        Options { climbing: false, ..default() },
        Options { pairs_by_arc: false, ..default() },
        Options { links: false, ..default() },
        Options { memory: 1, ..default() },
        Options { gather: 0, ..default() },
        Options { iterations: 1, ..default() },
        Options { first_fixing: 1, fixing_every: 1, ..default() },
    ]
}

/// Searches over the third-order program, on graphs with and without grand-siblings and with factors of all shapes.
#[test]
fn branch_and_bound_is_exact() {
    let tally = Tally::default();
    proptest!(cases(1500), |(shape in shapes(6, 40), with_grand_siblings in any::<bool>())| {
        let mut graph = random_graph(&shape);
        if with_grand_siblings {
            add_grand_siblings(&mut graph, &shape);
        }
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        let limits = Limits::default();
        let mut search = Exact::default();
        for options in Backbone::ALL.into_iter().flat_map(switches) {
            check(&graph, &truth, &search.decode(&graph, None, limits, &options).expect("scores fit"));
        }
        check(&graph, &truth, &paper::decode(&graph, Backbone::GrandSibling, limits, &Reading::USUAL));
        check(&graph, &truth, &paper::decode(&graph, Backbone::Carreras, limits, &Reading::USUAL));
    });
    tally.has(["optimal", "infeasible"]);
}

/// With this backbone `dp` decodes graphs of chains of two arcs and grand-siblings, and needs one call.
#[test]
fn chains_and_grand_siblings_are_local() {
    let tally = Tally::default();
    proptest!(cases(1500), |(shape in shapes(6, 0))| {
        let (graph, _) = third_order_graph(&shape);
        let answer = Decoder::Dp
            .decode(&graph, Backbone::GrandSibling, None, Limits::default(), &mut Scratch::default())
            .expect("all is local");
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        check(&graph, &truth, &answer);
        prop_assert_eq!(answer.dp_calls, u64::from(graph.space.has_all_heads()), "none where a word has no head");
        let searched = Exact::default().decode(&graph, None, Limits::default(), &switches(Backbone::GrandSibling)[0]).expect("scores fit");
        if searched.score.is_some() && shape.unit == 1 {
            tally.add("one call");
            prop_assert_eq!((searched.dp_calls, searched.nodes), (1, 1));
        }
    });
    tally.has(["optimal", "infeasible", "one call"]);
}

/// The searches over both programs on longer sentences, with much time and with little.
#[test]
fn backbones_agree_on_longer_sentences() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in long_shapes(200))| {
        let graph = random_graph(&shape);
        let mut answers = Vec::new();
        for (backbone, most) in Backbone::ALL.into_iter().flat_map(|backbone| [(backbone, 500), (backbone, 2)]) {
            let limits = Limits { dp_calls: Some(most), ..Limits::default() };
            let answer = Exact::default().decode(&graph, None, limits, &Options { backbone, ..Options::default() }).expect("scores fit");
            tally.add(format_args!("{backbone}, {most} calls: {}", answer.status.name()));
            answers.push(answer);
        }
        for proven in answers.iter().filter(|answer| answer.status.is_proof()) {
            for other in &answers {
                if other.status.is_proof() {
                    prop_assert_eq!(proven.status, other.status);
                } else {
                    tally.add("stopped beside a proof");
                }
                prop_assert!(other.score <= proven.score);
                prop_assert!(proven.score.is_none_or(|score| other.bound.unwrap_or(i128::MAX) >= score));
            }
        }
    });
    tally.has(Backbone::ALL.map(|backbone| format!("{backbone}, 500 calls: optimal")));
    tally.has(["stopped beside a proof"]);
}

/// Model 0 of Koo & Collins, written down anew, on graphs of arcs and chains of two arcs.
#[test]
fn model_zero_is_the_same_where_it_applies() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in shapes(7, 0))| {
        let (mut graph, _) = third_order_graph(&Shape { single_root: true, ..shape });
        crate::model_zero::keep_what_it_scores(&mut graph);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        prop_assert_eq!(crate::model_zero::best_score(&graph), truth.score);
        let answer =
            Decoder::Dp.decode(&graph, Backbone::GrandSibling, None, Limits::default(), &mut Scratch::default());
        prop_assert_eq!(answer.expect("all is local").score, truth.score);
    });
    tally.has(["optimal", "infeasible"]);
}
