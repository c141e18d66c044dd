//! Factors of every kind, over projective trees and over all, against enumeration.

use super::*;
use crate::decode::brute;
use crate::graph::{ArcId, ArcSpace, LocalScores, TreeArcs, Trees, Word, tree_score};
use proptest::prelude::*;

/// SplitMix64: numbers from a seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn score(&mut self, range: i64) -> i64 {
        (self.next() % (2 * range as u64 + 1)) as i64 - range
    }
}

/// What a graph has beside arcs.
#[derive(Clone, Copy, Debug)]
struct Kinds {
    factors: usize,
    siblings: bool,
    grandchildren: bool,
    grand_siblings: bool,
    counts: usize,
    valency: bool,
    most: bool,
    non_projective: bool,
}

fn kinds() -> impl Strategy<Value = Kinds> {
    let some = || prop::sample::select(vec![0usize, 0, 3, 20]);
    (some(), any::<[bool; 6]>(), some()).prop_map(|(factors, kinds, counts)| {
        let [siblings, grandchildren, grand_siblings, valency, most, non_projective] = kinds;
        Kinds { factors, siblings, grandchildren, grand_siblings, counts, valency, most, non_projective }
    })
}

fn random_graph(
    words: usize,
    trees: Trees,
    single_root: bool,
    kept: usize,
    range: i64,
    of: Kinds,
    seed: u64,
) -> FactorGraph {
    let mut draw = Draw(seed);
    let pairs = (0..=words).flat_map(|h| (1..=words).map(move |m| (Word::new(h), Word::new(m))));
    let arcs: Vec<_> = pairs.filter(|(h, m)| h != m).filter(|_| draw.below(8) < kept).collect();
    let space = ArcSpace::new(words, single_root, &arcs).expect("valid arcs");
    let mut local = LocalScores::filled(&space, 0);
    local.arc.iter_mut().for_each(|score| *score = draw.score(range));
    if of.siblings {
        local.sibling.iter_mut().for_each(|score| *score = draw.score(range));
    }
    if of.grandchildren {
        local.grandchild.iter_mut().for_each(|score| *score = draw.score(range));
    }
    let mut graph = FactorGraph { trees, local, ..FactorGraph::default() };
    if of.grand_siblings {
        for a in (0..space.arcs()).map(ArcId::new) {
            for b in space.children(a).map(ArcId::new) {
                let parts = space.first_modifier_part(b)..space.sibling_parts_of(b).end;
                for part in parts {
                    if draw.below(2) == 0 {
                        graph.grand_siblings.push(space.grandchild_part(a, b), part, draw.score(range));
                    }
                }
            }
        }
    }
    if space.arcs() > 0 {
        let some = |draw: &mut Draw, most: usize| {
            let mut arcs: Vec<_> = (0..draw.below(most + 1)).map(|_| ArcId::new(draw.below(space.arcs()))).collect();
            arcs.sort_unstable();
            arcs.dedup();
            arcs
        };
        for _ in 0..of.factors {
            let arcs = some(&mut draw, 3);
            graph.factors.push(&arcs, draw.score(range));
        }
        for _ in 0..of.counts {
            let arcs = some(&mut draw, 6);
            let scores: Vec<i64> = (0..draw.below(5)).map(|_| draw.score(range)).collect();
            let most = (of.most && draw.below(2) == 0).then(|| draw.below(4) as u32);
            graph.counts.push(&arcs, &scores, most);
        }
    }
    if of.valency {
        for h in (0..=words).map(Word::new) {
            let arcs: Vec<_> = space.arcs_of(h).map(ArcId::new).collect();
            let scores: Vec<i64> = (0..4).map(|_| draw.score(range)).collect();
            graph.counts.push(&arcs, &scores, None);
        }
    }
    if of.non_projective && trees == Trees::NonProjective {
        graph.non_projective = (0..space.arcs()).map(|_| draw.score(range)).collect();
    }
    graph.space = space;
    graph
}

fn graphs(most_words: usize) -> impl Strategy<Value = FactorGraph> {
    let trees = prop::sample::select(Trees::ALL.to_vec());
    let ranges = prop::sample::select(vec![1i64, 10, 1000]);
    (1..=most_words, trees, any::<bool>(), 4usize..=8, ranges, kinds(), any::<u64>()).prop_map(
        |(words, trees, single_root, kept, range, kinds, seed)| {
            random_graph(words, trees, single_root, kept, range, kinds, seed)
        },
    )
}

fn all_scores(graph: &FactorGraph) -> Vec<i128> {
    let (mut all, mut arcs) = (Vec::new(), TreeArcs::default());
    brute::for_each_tree(graph, |heads| {
        assert!(arcs.find(&graph.space, heads));
        all.push(tree_score(graph, &arcs));
    });
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

/// That each tree of a list has its score, is one of the graph's, and is there once.
fn check_trees(graph: &FactorGraph, trees: &[(Tree, i128)]) -> Result<(), TestCaseError> {
    let mut arcs = TreeArcs::default();
    for (i, (tree, score)) in trees.iter().enumerate() {
        prop_assert!(arcs.find(&graph.space, tree.heads()), "an arc that is no candidate");
        prop_assert_eq!(tree_score(graph, &arcs), *score);
        prop_assert!(graph.allows(&arcs));
        prop_assert!(graph.trees == Trees::NonProjective || tree.is_projective());
        prop_assert!(!graph.space.single_root() || tree.roots().count() == 1);
        prop_assert!(trees[..i].iter().all(|(other, _)| other != tree), "a tree is listed twice");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_best_tree_of_graphs_of_every_kind(graph in graphs(6)) {
        let truth = brute::decode(&graph);
        let answer = Exact::default().decode(&graph, None, Limits::default(), &Options::default()).expect("scores fit");
        prop_assert_eq!((answer.status, answer.score, answer.bound), (truth.status, truth.score, truth.score));
        let best: Vec<_> = answer.tree.into_iter().zip(answer.score).collect();
        check_trees(&graph, &best)?;
    }

    #[test]
    fn the_best_trees_of_graphs_of_every_kind(graph in graphs(5), most in 1usize..40) {
        let truth = all_scores(&graph);
        let options = Options::default();
        let answer = Exact::default().best_trees(&graph, most, None, Limits::default(), &options).expect("scores fit");
        let scores: Vec<_> = answer.trees.iter().map(|tree| tree.1).collect();
        prop_assert_eq!(&scores[..], &truth[..most.min(truth.len())]);
        prop_assert!(answer.decoded.status.is_proof());
        check_trees(&graph, &answer.trees)?;
    }

    /// A search over trees that cross may begin with those that do not: by their program, whichever it was asked for.
    #[test]
    fn trees_that_cross_have_one_search_whatever_the_backbone(graph in graphs(6)) {
        let graph = FactorGraph { trees: Trees::NonProjective, ..graph };
        let counts = [Backbone::Carreras, Backbone::Arborescence].map(|backbone| {
            let options = Options { backbone, ..Options::default() };
            let answer = Exact::default().decode(&graph, None, Limits::default(), &options).expect("scores fit");
            (answer.score, answer.dp_calls, answer.nodes)
        });
        prop_assert_eq!(counts[0], counts[1]);
    }
}
