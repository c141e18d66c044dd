//! Sums over trees against enumeration: log Z, the entropy and the marginals of all parts, all factorisations, one root word and several, and
//! scores of every size.

use std::cell::RefCell;

use crate::common::{Shape, add_grand_siblings, random_graph, shapes};
use crate::properties::{Tally, cases};
use proptest::prelude::*;
use treebound::decode::brute::for_each_tree;
use treebound::decode::log_scores::LogScores;
use treebound::decode::mbr::ArcProbabilities;
use treebound::decode::partition::PartSums;
use treebound::decode::partition::Partitions;
use treebound::decode::{Backbone, Scratch, Status};
use treebound::graph::{ArcId, ArcSpace, FactorGraph, LocalScores, TreeArcs, Word, tree_score};

/// The sums of one graph.
#[derive(Debug, PartialEq)]
struct Sums {
    log_z: f64,
    entropy: f64,
    parts: PartSums<f64>,
}

/// The places of a tree's parts, in the order of the fields of [`PartSums`].
fn parts_of(graph: &FactorGraph, tree: &TreeArcs) -> [Vec<usize>; 5] {
    let space = &graph.space;
    let has = |a: &usize| tree.has(ArcId::new(*a));
    let mut parts: [Vec<usize>; 5] = Default::default();
    for &a in tree.arcs() {
        parts[0].push(a.ix());
        let inner = space.inner_siblings(a);
        let right = space.modifier(a) > space.head(a);
        let before = if right { inner.clone().rev().find(has) } else { inner.clone().find(has) };
        let sibling = before.map_or(space.first_modifier_part(a), |b| space.sibling_part(a, ArcId::new(b)));
        parts[1].push(sibling);
        let children: Vec<usize> = space.children(a).filter(has).collect();
        for &b in &children {
            let is_outer = |&c: &usize| {
                let [b, c] = [b, c].map(|x| space.modifier(ArcId::new(x)));
                let h = space.modifier(a);
                (b < h) == (c < h) && (if b < h { c < b } else { c > b })
            };
            let part = space.grandchild_part(a, ArcId::new(b));
            if !children.iter().any(is_outer) {
                parts[2].push(part);
            }
            parts[3].push(part);
        }
    }
    // The sibling part of a grand-sibling is that of its chain's last arc.
    let of_chain = |part: &usize| graph.grand_siblings.places(*part);
    parts[4] =
        parts[3].iter().flat_map(of_chain).filter(|(_, s)| parts[1].contains(s)).map(|(place, _)| place).collect();
    parts
}

/// The sums by their definition, in the order of trees.
fn enumerated(graph: &FactorGraph, backbone: Backbone, scale: f64) -> Option<Sums> {
    let mut trees: Vec<([Vec<usize>; 5], i128)> = Vec::new();
    let mut arcs = TreeArcs::default();
    for_each_tree(graph, |heads| {
        assert!(arcs.find(&graph.space, heads));
        trees.push((parts_of(graph, &arcs), tree_score(graph, &arcs)));
    });
    let best = trees.iter().map(|tree| tree.1).max()?;
    let weight = |score: i128| ((score - best) as f64 / scale).exp();
    let z: f64 = trees.iter().map(|tree| weight(tree.1)).sum();
    let list = |kind: usize, len: usize| {
        let mut sums = vec![0.0; len];
        for (parts, score) in &trees {
            parts[kind].iter().for_each(|&part| sums[part] += weight(*score) / z);
        }
        sums
    };
    let (space, third) = (&graph.space, backbone == Backbone::GrandSibling);
    let parts = PartSums {
        arc: list(0, space.arcs()),
        sibling: list(1, space.sibling_parts()),
        grandchild: list(2, space.grandchild_parts()),
        any: if third { list(3, space.grandchild_parts()) } else { Vec::new() },
        grand_siblings: if third { list(4, graph.grand_siblings.len()) } else { Vec::new() },
    };
    let entropy = trees.iter().map(|tree| weight(tree.1) / z).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum();
    Some(Sums { log_z: best as f64 / scale + z.ln(), entropy, parts })
}

/// The sums by the dynamic program.
fn summed(graph: &FactorGraph, backbone: Backbone, scale: f64, partitions: &mut All) -> Option<Sums> {
    let (scores, mut parts) = (LogScores::from_graph(graph, scale), PartSums::default());
    let log_z = partitions.sum(backbone, &graph.space, &scores, &mut parts)?;
    let mut of_arcs = Vec::new();
    assert_eq!(Partitions::default().sum(backbone, &graph.space, &scores, &mut of_arcs), Some(log_z));
    assert_eq!(of_arcs, parts.arc, "arcs alone are the arcs among parts");
    let entropy = partitions.entropy(backbone, &graph.space, &scores)?;
    Some(Sums { log_z, entropy, parts })
}

type All = Partitions<PartSums<f64>>;

/// Pairs of probabilities, by what they are of.
fn pairs(found: &PartSums<f64>, truth: &PartSums<f64>) -> Vec<(f64, f64)> {
    let lists =
        |p: &PartSums<f64>| [&p.arc, &p.sibling, &p.grandchild, &p.any, &p.grand_siblings].map(|list| list.clone());
    let (found, truth) = (lists(found), lists(truth));
    found.iter().zip(&truth).for_each(|(found, truth)| assert_eq!(found.len(), truth.len()));
    found.into_iter().flatten().zip(truth.into_iter().flatten()).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-10 * a.abs().max(b.abs()).max(1.0)
}

fn check(graph: &FactorGraph, scale: f64, backbone: Backbone, partitions: &mut All) -> bool {
    let found = summed(graph, backbone, scale, partitions);
    let truth = enumerated(graph, backbone, scale);
    let (Some(found), Some(truth)) = (&found, &truth) else {
        assert_eq!(found, truth);
        return false;
    };
    assert!(close(found.log_z, truth.log_z), "{} {}", found.log_z, truth.log_z);
    assert!(close(found.entropy, truth.entropy), "{} {}", found.entropy, truth.entropy);
    for (found, truth) in pairs(&found.parts, &truth.parts) {
        // Relative, down to where the enumeration itself has no digits left.
        assert!((found - truth).abs() <= 1e-10 * truth.max(1e-12), "{found} {truth}");
    }
    true
}

#[test]
fn sums_are_those_of_all_trees() {
    let tally = Tally::default();
    let partitions = RefCell::new(All::default());
    proptest!(cases(2000), |(shape in shapes(6, 0), scale in prop_oneof![Just(1.0), Just(10.0), Just(1e6)], third in any::<bool>())| {
        // Weights of every size within what an enumeration can add up; larger ones below.
        let shape = Shape { unit: 1, range: shape.range.min(if scale > 1e5 { 1_000_000 } else { 3 * scale as i64 }), ..shape };
        let mut graph = random_graph(&shape);
        if third {
            add_grand_siblings(&mut graph, &shape);
        }
        let has_tree = check(&graph, scale, Backbone::GrandSibling, &mut partitions.borrow_mut());
        if graph.grand_siblings.is_empty() {
            check(&graph, scale, Backbone::Carreras, &mut partitions.borrow_mut());
        }
        tally.add(format!("{} {} {}", has_tree, shape.single_root, graph.grand_siblings.is_empty()));
    });
    tally.has(["true true true", "true true false", "true false true", "true false false", "false true true"]);
}

/// However large the scores of trees are, and however much of their parts cancels, nothing loses digits.
#[test]
fn large_scores_do_not_cancel() {
    let tally = Tally::default();
    let partitions = RefCell::new(All::default());
    proptest!(cases(500), |(
        shape in shapes(6, 0),
        third in any::<bool>(),
        large in prop_oneof![Just(1_000_000), Just(1_000_000_000_000), Just(1_000_000_000_000_000_000)],
        sign in prop_oneof![Just(1), Just(-1)],
        of_parts in any::<bool>(),
    )| {
        let shape = Shape { unit: 1, range: shape.range.min(3), ..shape };
        let mut graph = random_graph(&shape);
        if third {
            add_grand_siblings(&mut graph, &shape);
        }
        for m in (1..=graph.space.words()).map(Word::new) {
            for &a in graph.space.arcs_into(m) {
                graph.local.arc[a.ix()] += sign * large + 7 * m.ix() as i64;
                // What most trees have, another part takes off.
                if of_parts {
                    let parts = graph.space.sibling_parts_of(a);
                    graph.local.sibling[parts].iter_mut().for_each(|score| *score -= sign * large);
                    graph.local.sibling[graph.space.first_modifier_part(a)] -= sign * large;
                }
            }
        }
        for backbone in Backbone::ALL.map(|backbone| backbone.for_graph(&graph)) {
            for scale in [1.0, 3.0] {
                tally.add(check(&graph, scale, backbone, &mut partitions.borrow_mut()));
            }
            let truth = enumerated(&graph, backbone, 1.0);
            let found = ArcProbabilities::default().find(&graph, backbone, 1.0).expect("no factors").map(<[f64]>::to_vec);
            prop_assert_eq!(found.is_some(), truth.is_some());
            for (found, truth) in found.into_iter().flatten().zip(truth.into_iter().flat_map(|truth| truth.parts.arc)) {
                prop_assert!((found - truth).abs() <= 1e-10, "{found} {truth}");
            }
        }
    });
    tally.has(["true", "false"]);
}

/// Where plain weights leave the range of numbers, logarithms take over, and nothing is lost.
#[test]
fn weights_of_any_size_are_summed() {
    let partitions = RefCell::new(All::default());
    proptest!(cases(300), |(shape in shapes(6, 0), scale in prop_oneof![Just(1.0), Just(0.01)])| {
        let graph = random_graph(&Shape { unit: 1, range: shape.range.max(100), ..shape });
        for backbone in Backbone::ALL {
            check(&graph, scale, backbone, &mut partitions.borrow_mut());
        }
    });
}

/// On longer sentences both programs agree, and the probabilities of a word's heads add up to 1.
#[test]
fn programs_agree_on_longer_sentences() {
    let partitions = RefCell::new(All::default());
    proptest!(cases(200), |(shape in crate::common::long_shapes(0), scale in prop_oneof![Just(30.0), Just(0.1)])| {
        let graph = random_graph(&Shape { words: 2 * shape.words, ..shape });
        let [carreras, grand] =
            Backbone::ALL.map(|backbone| summed(&graph, backbone, scale, &mut partitions.borrow_mut()));
        assert_eq!(carreras.is_some(), grand.is_some());
        let (Some(carreras), Some(grand)) = (carreras, grand) else { return Ok(()) };
        assert!(close(carreras.log_z, grand.log_z));
        for m in (1..=graph.space.words()).map(Word::new) {
            let sum: f64 = graph.space.arcs_into(m).iter().map(|a| carreras.parts.arc[a.ix()]).sum();
            assert!((sum - 1.0).abs() < 1e-10, "{sum}");
        }
        let PartSums { any, grand_siblings, .. } = grand.parts.clone();
        for (a, b) in pairs(&PartSums { any, grand_siblings, ..carreras.parts }, &grand.parts) {
            assert!((a - b).abs() < 1e-10);
        }
    });
}

/// Long sentences have more trees than a number can say, whatever their scores.
#[test]
fn more_trees_than_a_number_holds_are_summed() {
    let words = 600;
    let near = |&(h, m): &(usize, usize)| h != m && h.abs_diff(m) <= 6;
    let pairs = (0..=words).flat_map(|h| (1..=words).map(move |m| (h, m)));
    let ends: Vec<_> = pairs.filter(near).map(|(h, m)| (Word::new(h), Word::new(m))).collect();
    let space = ArcSpace::new(words, false, &ends).expect("valid arcs");
    let mut partitions = All::default();
    for backbone in Backbone::ALL {
        let graph =
            FactorGraph { local: LocalScores::filled(&space, 0), space: space.clone(), ..FactorGraph::default() };
        let sums = summed(&graph, backbone, 1.0, &mut partitions).expect("trees");
        assert!(sums.log_z > f64::MAX.ln() && sums.log_z.is_finite(), "{}", sums.log_z);
        assert!(close(sums.log_z, sums.entropy), "all trees are as likely");
        for m in (1..=words).map(Word::new) {
            let sum: f64 = space.arcs_into(m).iter().map(|a| sums.parts.arc[a.ix()]).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        }
    }
}

/// No tree has more expected right heads, also where some factors are scored by the program itself.
#[test]
fn the_least_risk_is_least() {
    let tally = Tally::default();
    proptest!(cases(600), |(shape in shapes(6, 3), third in any::<bool>())| {
        let mut graph = random_graph(&shape);
        if third {
            add_grand_siblings(&mut graph, &shape);
        }
        let scale = (shape.unit * shape.range.max(1)) as f64 / 3.0;
        for backbone in Backbone::ALL {
            let backbone = backbone.for_graph(&graph);
            let mut scratch = Scratch::default();
            let Ok(found) = scratch.least_risk(&graph, backbone, scale) else {
                assert!(ArcProbabilities::default().find(&graph, backbone, scale).is_err() && !graph.factors.is_empty());
                tally.add("factors".to_owned());
                continue;
            };
            let mut trees: Vec<(TreeArcs, i128)> = Vec::new();
            for_each_tree(&graph, |heads| {
                let mut arcs = TreeArcs::default();
                assert!(arcs.find(&graph.space, heads));
                let score = tree_score(&graph, &arcs);
                trees.push((arcs, score));
            });
            let Some(best) = trees.iter().map(|tree| tree.1).max() else {
                assert!(found.tree.is_none());
                continue;
            };
            let weight = |score: i128| ((score - best) as f64 / scale).exp();
            let z: f64 = trees.iter().map(|tree| weight(tree.1)).sum();
            let mut of_arcs = vec![0.0; graph.space.arcs()];
            for (tree, score) in &trees {
                tree.arcs().iter().for_each(|a| of_arcs[a.ix()] += weight(*score) / z);
            }
            let mut probabilities = ArcProbabilities::default();
            let found_of_arcs = probabilities.find(&graph, backbone, scale).expect("no factors").expect("trees");
            for (found, truth) in found_of_arcs.iter().zip(&of_arcs) {
                assert!((found - truth).abs() < 1e-10, "{found} {truth}");
            }
            let right = |arcs: &TreeArcs| arcs.arcs().iter().map(|a| of_arcs[a.ix()]).sum::<f64>();
            let mut arcs = TreeArcs::default();
            assert!(arcs.find(&graph.space, found.tree.expect("a tree").heads()));
            assert_eq!((found.score, found.status), (Some(tree_score(&graph, &arcs)), Status::LeastRisk));
            let most = trees.iter().map(|tree| right(&tree.0)).fold(0.0, f64::max);
            assert!((right(&arcs) - most).abs() < 1e-9, "{} {most}", right(&arcs));
            tally.add(format!("{} {}", trees.len() > 1, graph.factors.is_empty()));
        }
    });
    tally.has(["factors", "true true", "true false"]);
}
