//! Every decoder against brute force over all projective trees.

use crate::common::{Shape, check_trees_with, count_marginals, long_shapes, random_graph, shapes};
use crate::properties::{Tally, cases};
use crate::top::{Top, scores_of};
use proptest::prelude::*;
use treebound::decode::bnb::Limits;
use treebound::decode::bnb::exact::{Exact, Options};
use treebound::decode::bnb::paper::{self, Reading};
use treebound::decode::{
    Backbone, Chart, Decoded, Decoder, Scratch, Status, brute,
    carreras::Carreras,
    first_order,
    grand_sibling::GrandScores,
    semiring::{Semiring, Value, Weights, Wide},
};
use treebound::graph::{ArcId, FactorGraph, LocalScores, TreeArcs, Trees, tree_score};

fn check(graph: &FactorGraph, truth: &Decoded, answer: &Decoded) {
    assert_eq!(answer.status, truth.status);
    assert_eq!(answer.score, truth.score);
    assert_eq!(answer.bound, truth.score);
    if let Some(tree) = &answer.tree {
        let mut arcs = TreeArcs::default();
        assert!(arcs.find(&graph.space, tree.heads()), "an arc that is no candidate");
        assert_eq!(Some(tree_score(graph, &arcs)), truth.score, "the tree does not have the score");
        assert!(tree.is_projective());
        if graph.space.single_root() {
            assert_eq!(tree.roots().count(), 1);
        }
    }
}

fn dp<V: Value>(graph: &FactorGraph) -> Decoded {
    let mut scores = LocalScores::default();
    graph.local.map_into(&mut scores, V::from_score);
    Chart::default().decode(Backbone::Carreras, &graph.space, &scores, &GrandScores::default())
}

#[test]
fn carreras_is_exact() {
    let tally = Tally::default();
    proptest!(cases(3000), |(shape in shapes(7, 0))| {
        let graph = random_graph(&shape);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        check(&graph, &truth, &dp::<f64>(&graph));
        check(&graph, &truth, &dp::<Wide>(&graph));
    });
    tally.has(["optimal", "infeasible"]);
}

/// The marginals of a random weighting, by enumeration of all projective trees with one root modifier.
fn marginals_by_enumeration(words: usize, weights: &[Weights<2>]) -> Vec<[f64; 2]> {
    let w = words + 1;
    let shape = Shape {
        words,
        single_root: true,
        kept_of_8: 8,
        range: 0,
        unit: 1,
        sign: 0,
        factors: 0,
        has_tree: false,
        seed: 0,
    };
    let mut sums = vec![[0.0; 2]; w * w];
    let mut z = [0.0; 2];
    brute::for_each_tree(&random_graph(&shape), |heads| {
        for lane in 0..2 {
            let arcs = || heads.iter().enumerate().map(|(i, h)| h.ix() * w + i + 1);
            let weight: f64 = arcs().map(|a| weights[a].0[lane]).product();
            z[lane] += weight;
            arcs().for_each(|a| sums[a][lane] += weight);
        }
    });
    for sum in &mut sums {
        *sum = [sum[0] / z[0], sum[1] / z[1]];
    }
    sums
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn marginals_are_those_of_all_trees(words in 1usize..=6, seed in any::<u64>()) {
        let mut draw = crate::common::Draw::new(seed);
        let w = words + 1;
        let mut weight = |_| (draw.below(1000) as f64 / 100.0 - 5.0).exp();
        let mut arcs: Vec<Weights<2>> = (0..w * w).map(|_| Weights(std::array::from_fn(&mut weight))).collect();
        let truth = marginals_by_enumeration(words, &arcs);
        first_order::Marginals::<2>::default().apply(words, &mut arcs);
        for (a, t) in arcs.iter().zip(&truth) {
            for lane in 0..2 {
                prop_assert!((a.0[lane] - t[lane]).abs() < 1e-9, "{a:?} {t:?}");
            }
        }
    }
}

/// A sum over trees that is hardly more than 0 has no inverse: heads are then drawn independently.
#[test]
fn marginals_of_hopeless_trees_are_probabilities() {
    for weight in [1e-70, 1e-78, 1e-80, 1e-90] {
        let words = 4;
        let w = words + 1;
        // Each word has its neighbour for a head; the first lane is the one at fault.
        let mut arcs = vec![Weights([0.0; 2]); w * w];
        (1..=words).for_each(|m| arcs[(m - 1) * w + m] = Weights([weight, 0.5]));
        first_order::Marginals::<2>::default().apply(words, &mut arcs);
        for (a, arc) in arcs.iter().enumerate() {
            let is_there = a % w == a / w + 1;
            let truth = if is_there { 1.0 } else { 0.0 };
            assert!(arc.0.iter().all(|p| (p - truth).abs() < 1e-9), "{weight}: {a} {arc:?}");
        }
    }
}

/// Eisner's algorithm against brute force over the same arcs with no other parts.
#[test]
fn eisner_is_exact() {
    let tally = Tally::default();
    proptest!(cases(1000), |(shape in shapes(6, 0))| {
        let mut graph = random_graph(&crate::common::Shape { single_root: true, ..shape });
        graph.local.sibling.fill(0);
        graph.local.grandchild.fill(0);
        let mut arcs = first_order::ArcScores::new(graph.space.words());
        for a in (0..graph.space.arcs()).map(ArcId::new) {
            arcs.set(graph.space.head(a), graph.space.modifier(a), graph.local.arc[a.ix()]);
        }
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        check(&graph, &truth, &Decoded::proven(first_order::decode(&arcs), 1));
    });
    tally.has(["optimal", "infeasible"]);
}

/// The same program as all others: over scores, sums over the trees that have an arc are max-marginals, and over lists of the
/// best they are the lists of trees in order. Carreras's program says what they are.
#[test]
fn eisner_computes_over_other_numbers() {
    let tally = Tally::default();
    proptest!(cases(500), |(shape in long_shapes(0), kept in 1u64..=8)| {
        let mut graph = random_graph(&crate::common::Shape { single_root: true, kept_of_8: kept, ..shape });
        graph.local.sibling.fill(0);
        graph.local.grandchild.fill(0);
        let space = &graph.space;
        let mut local = LocalScores::default();
        graph.local.map_into(&mut local, Wide::from_score);
        let mut carreras = Carreras::default();
        let best = carreras.sum(space, &local);
        let mut truth = Vec::new();
        carreras.sums_with(space, &local, &mut truth);

        let words = space.words();
        let ids = || (0..space.arcs()).map(ArcId::new);
        let at = |a: ArcId| space.head(a).ix() * (words + 1) + space.modifier(a).ix();
        let mut arcs = vec![Wide::NEG_INF; (words + 1) * (words + 1)];
        ids().for_each(|a| arcs[at(a)] = local.arc[a.ix()]);
        let mut chart = first_order::FirstOrder::default();
        prop_assert_eq!(chart.sum(words, true, &arcs), best);
        chart.sums_with(&mut arcs);
        tally.add(if best == Wide::NEG_INF { "infeasible" } else { "optimal" });
        for a in ids() {
            prop_assert_eq!(arcs[at(a)], truth[a.ix()]);
        }

        let mut lists = vec![Top::<7>::NONE; arcs.len()];
        ids().for_each(|a| lists[at(a)] = Top::of(graph.local.arc[a.ix()]));
        let trees = Scratch::default().best_trees(&graph, Backbone::Carreras, 7).expect("no factors");
        prop_assert_eq!(first_order::FirstOrder::default().sum(words, true, &lists).scores(), scores_of(&trees));
    });
    tally.has(["optimal", "infeasible"]);
}

#[test]
fn branch_and_bound_of_the_paper_is_exact() {
    let tally = Tally::default();
    proptest!(cases(1500), |(shape in shapes(6, 30))| {
        let graph = random_graph(&shape);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        check(&graph, &truth, &paper::decode(&graph, Backbone::Carreras, Limits::default(), &Reading::USUAL));
    });
    tally.has(["optimal", "infeasible"]);
}

/// The usual reading, those that differ from it in one choice, and some that differ in several.
fn every_reading() -> Vec<Reading> {
    let several = [
        "polyak+give-up=3+best-first+no-first-bound",
        "constant+short-first-step+give-up=1",
        "harmonic+step-goes-on+last-duals+unrounded+give-up=never+own-arcs",
        "fresh-duals+own-tight+precision=1+give-up=never+best-first",
        "own-tight+rounded-precision+local-first-bound+nodes-only",
    ];
    let words = Reading::WORDS.iter().chain(&several);
    let read = |word: &str| Reading::parse(&format!("paper+{word}")).unwrap_or_else(|| panic!("{word}"));
    [Reading::USUAL].into_iter().chain(words.map(|word| read(word))).collect()
}

/// Whatever a reading chooses, its proofs are proofs, over both programs; and where it is stopped it says so, and its
/// bound holds.
#[test]
fn every_reading_of_the_paper_is_exact() {
    let tally = Tally::default();
    let readings = every_reading();
    proptest!(cases(200), |(shape in shapes(6, 40))| {
        let graph = random_graph(&shape);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        for reading in &readings {
            for backbone in Backbone::ALL {
                check(&graph, &truth, &paper::decode(&graph, backbone, Limits::default(), reading));
            }
            let limits = Limits { dp_calls: Some(3), ..Limits::default() };
            let answer = paper::decode(&graph, Backbone::Carreras, limits, reading);
            tally.add(format_args!("{reading}, stopped: {}", answer.status.name()));
            prop_assert!(answer.dp_calls <= 3);
            if answer.status.is_proof() {
                check(&graph, &truth, &answer);
            } else {
                prop_assert!(answer.score <= truth.score);
                prop_assert!(answer.bound.is_none() || answer.bound >= truth.score);
            }
        }
    });
    tally.has(["optimal", "infeasible"]);
    tally.has(readings.iter().map(|reading| format!("{reading}, stopped: dp-call-limit")));
}

/// A choice that changes no search would not be one: on graphs that take long each has other calls than the usual, where
/// nodes are given up as usual or where none is.
#[test]
fn every_reading_searches_in_its_own_way() {
    let readings = every_reading();
    let mut differs = vec![false; readings.len()];
    let limits = Limits { dp_calls: Some(500), ..Limits::default() };
    for seed in 0..40 {
        let graph = random_graph(&Shape {
            words: 8,
            single_root: true,
            kept_of_8: 8,
            range: 100,
            unit: 1,
            sign: 0,
            factors: 200,
            has_tree: true,
            seed,
        });
        let calls = |reading: &Reading| {
            let answer = paper::decode(&graph, Backbone::Carreras, limits, reading);
            (answer.dp_calls, answer.nodes)
        };
        let to_the_end = |reading: &Reading| Reading { give_up: Reading::TO_THE_END.give_up, ..*reading };
        let both = |reading: &Reading| [calls(reading), calls(&to_the_end(reading))];
        let [usual, usual_to_the_end] = both(&Reading::USUAL);
        for (differs, reading) in differs.iter_mut().zip(&readings).skip(1).filter(|(differs, _)| !**differs) {
            let [as_it_is, to_the_end] = both(reading);
            *differs = as_it_is != usual || to_the_end != usual_to_the_end;
        }
    }
    let same: Vec<String> =
        readings.iter().zip(&differs).skip(1).filter(|(_, d)| !**d).map(|(r, _)| r.to_string()).collect();
    assert!(same.is_empty(), "these search as the usual one does: {same:?}");
}

/// Scores too large for `f64` are left to the paper's search, best node first: as many calls, and nowhere many times those of the
/// usual reading.
#[test]
fn scores_beyond_f64_take_the_calls_of_the_paper() {
    let best_first = Reading { order: paper::Order::BestFirst, ..Reading::USUAL };
    for seed in 0..30 {
        let graph = random_graph(&Shape {
            words: 3 + (seed % 4) as usize,
            single_root: true,
            kept_of_8: 8,
            range: 100,
            unit: 1 << 48,
            sign: 0,
            factors: 12,
            has_tree: true,
            seed,
        });
        let answer = Exact::default().decode(&graph, None, Limits::default(), &Options::default()).expect("scores fit");
        check(&graph, &brute::decode(&graph), &answer);
        let [own, usual] = [best_first, Reading::USUAL]
            .map(|reading| paper::decode(&graph, Backbone::Carreras, Limits::default(), &reading).dp_calls);
        assert_eq!(answer.dp_calls, own);
        assert!(answer.dp_calls <= 3 * usual + 20, "{} calls, and {usual} of the usual reading", answer.dp_calls);
    }
}

/// Max-marginals against the best tree with each arc, by enumeration.
#[test]
fn max_marginals_are_those_of_all_trees() {
    let tally = Tally::default();
    proptest!(cases(1500), |(shape in shapes(6, 0))| {
        let graph = random_graph(&shape);
        let mut best = vec![None; graph.space.arcs()];
        let mut arcs = TreeArcs::default();
        brute::for_each_tree(&graph, |heads| {
            arcs.find(&graph.space, heads);
            let score = tree_score(&graph, &arcs);
            for a in arcs.arcs() {
                best[a.ix()] = best[a.ix()].max(Some(score));
            }
        });
        let mut scores = LocalScores::default();
        graph.local.map_into(&mut scores, Wide::from_score);
        let mut chart = Carreras::default();
        chart.sum(&graph.space, &scores);
        let mut marginals = Vec::new();
        chart.sums_with(&graph.space, &scores, &mut marginals);
        prop_assert_eq!(marginals.iter().map(|m| m.to_score()).collect::<Vec<_>>(), &best[..]);
        count_marginals(&tally, &best);
        check_trees_with(&graph, &best, |a| chart.best_arcs_with(&graph.space, &scores, a).map(<[_]>::to_vec));
    });
    tally.has(["an arc of a tree", "an arc of no tree"]);
}

/// Max-marginals of longer sentences against the best tree of the space without the rivals of each arc.
#[test]
fn max_marginals_are_those_of_forced_arcs() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in long_shapes(0))| {
        let graph = random_graph(&shape);
        let space = &graph.space;
        let mut scores = LocalScores::default();
        graph.local.map_into(&mut scores, f64::from_score);
        let mut chart = Carreras::default();
        chart.sum(space, &scores);
        let mut marginals = Vec::new();
        chart.sums_with(space, &scores, &mut marginals);
        for a in (0..space.arcs()).map(ArcId::new) {
            let mut forced = LocalScores::default();
            scores.map_into(&mut forced, |s| s);
            for &rival in space.arcs_into(space.modifier(a)).iter().filter(|&&b| b != a) {
                forced.arc[rival.ix()] = f64::NEG_INFINITY;
            }
            prop_assert_eq!(marginals[a.ix()], Carreras::default().sum(space, &forced));
        }
        let marginals: Vec<_> = marginals.iter().map(|m| m.to_score()).collect();
        count_marginals(&tally, &marginals);
        check_trees_with(&graph, &marginals, |a| chart.best_arcs_with(space, &scores, a).map(<[_]>::to_vec));
    });
    tally.has(["an arc of a tree", "an arc of no tree"]);
}

/// On sentences too long for brute force, the decoders agree with each other.
#[test]
fn decoders_agree_on_longer_sentences() {
    let tally = Tally::default();
    proptest!(cases(200), |(shape in long_shapes(200))| {
        let graph = random_graph(&shape);
        let limits = Limits { dp_calls: Some(20), ..Limits::default() };
        let mut answers = vec![paper::decode(&graph, Backbone::Carreras, limits, &Reading::USUAL)];
        answers.extend(every_switch().iter().map(|options| Exact::default().decode(&graph, None, limits, options).expect("scores fit")));
        for (way, answer) in answers.iter().enumerate() {
            tally.add(format_args!("way {way}: {}", answer.status.name()));
        }
        let (proven, others): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status.is_proof());
        if let Some(truth) = proven.first() {
            for answer in &proven {
                check(&graph, truth, answer);
            }
            for answer in others {
                tally.add("stopped beside a proof");
                prop_assert!(answer.score <= truth.score);
                prop_assert!(answer.bound.is_none() || answer.bound >= truth.score);
            }
        }
    });
    // Way 0 is the paper's search.
    tally.has((0..=every_switch().len()).map(|way| format!("way {way}: optimal")));
    tally.has(["stopped beside a proof"]);
}

/// The default options, and those that differ from them in one switch.
fn every_switch() -> Vec<Options> {
    let default = Options::default;
    vec![
        default(),
        Options { fixing: false, ..default() },
        Options { climbing: false, ..default() },
        Options { best_first: false, ..default() },
        Options { iterations: 1, ..default() },
        Options { patience: 1, progress: 0.9, ..default() },
        Options { patience: u64::MAX, ..default() },
        Options { third_order_after: u64::MAX, ..default() },
        Options { third_order_after: 0, ..default() },
        Options { first_fixing: 1, fixing_every: 1, ..default() },
        Options { gather: 0, memory: 1, rounds: 1, ..default() },
        Options { gather: 0, ..default() },
        Options { gather: 2, first_fixing: 1, ..default() },
        Options { memory: 3, rounds: 20, ..default() },
        Options { pairs_by_arc: false, ..default() },
        Options { links: false, ..default() },
        Options { third_order_after: 2, iterations: 6, first_fixing: 1, fixing_every: 2, ..default() },
        Options { step: 0.3, iterations: 5, ..default() },
    ]
}

#[test]
fn branch_and_bound_is_exact() {
    let tally = Tally::default();
    proptest!(cases(2000), |(shape in shapes(6, 60), prior_seed in any::<u64>())| {
        let graph = random_graph(&shape);
        let truth = brute::decode(&graph);
        tally.add(truth.status.name());
        let mut draw = crate::common::Draw::new(prior_seed);
        let prior: Vec<f64> = (0..graph.space.arcs()).map(|_| draw.below(1000) as f64 / 999.0).collect();
        // One search for all, so that what is left of one graph would show in the next.
        let mut search = Exact::default();
        for options in every_switch() {
            for prior in [None, Some(&prior[..])] {
                let answer = search.decode(&graph, prior, Limits::default(), &options).expect("scores fit");
                check(&graph, &truth, &answer);
                // Arcs are dropped from a node once each, and not at all where nothing is fixed.
                let most = if options.fixing { answer.nodes * graph.space.arcs() as u64 } else { 0 };
                prop_assert!(answer.fixed_arcs <= most, "{} of {most}", answer.fixed_arcs);
                tally.add(if answer.fixed_arcs > 0 { "some fixed" } else { "none fixed" });
            }
        }
    });
    tally.has(["optimal", "infeasible", "some fixed", "none fixed"]);
}

/// A search whose waiting nodes take too much stops with the best tree so far and a bound on all trees, and says why.
#[test]
fn a_limit_on_memory_stops_a_search_honestly() {
    let tally = Tally::default();
    proptest!(cases(300), |((words, factors, seed) in (6usize..=8, 40usize..=100, any::<u64>()), limit in 0u64..40_000)| {
        let shape = Shape { words, single_root: true, kept_of_8: 7, range: 100, unit: 1, sign: 0, factors, has_tree: false, seed };
        let graph = random_graph(&shape);
        let truth = brute::decode(&graph);
        let limits = Limits { bytes: Some(limit), ..Limits::default() };
        // The paper's search has few nodes that wait, and small ones.
        let small = Limits { bytes: Some(limit / 100), ..Limits::default() };
        // Without what closes most nodes, so that there are some to wait.
        let options = Options { iterations: 1, third_order_after: 100, fixing: false, ..Options::default() };
        let mut exact = Exact::default();
        let answers = [
            ("bnb", exact.decode(&graph, None, limits, &options).expect("scores fit")),
            ("paper", paper::decode(&graph, Backbone::Carreras, small, &Reading::USUAL)),
        ];
        for (decoder, answer) in answers {
            tally.add(format!("{decoder} {}", answer.status.name()));
            if answer.status != Status::MemoryLimit {
                check(&graph, &truth, &answer);
                continue;
            }
            assert!(answer.score <= truth.score && answer.bound >= truth.score, "{answer:?}");
            assert_eq!(answer.tree.is_some(), answer.score.is_some());
        }
        // What waited in one graph does not count in the next.
        check(&graph, &truth, &exact.decode(&graph, None, Limits::default(), &options).expect("scores fit"));
    });
    tally.has(["bnb optimal", "bnb memory-limit", "paper optimal", "paper memory-limit"]);
}

/// A row of `budget.csv` says what so many calls buy: no search of it makes more.
#[test]
fn budgets_are_kept() {
    let tally = Tally::default();
    proptest!(cases(300), |((words, factors, seed) in (6usize..=10, 40usize..=160, any::<u64>()))| {
        let shape = Shape { words, single_root: true, kept_of_8: 7, range: 100, unit: 1, sign: 0, factors, has_tree: false, seed };
        let graph = random_graph(&shape);
        let mut exact = Exact::default();
        for way in treebound::experiment::search::budgets(Limits { dp_calls: Some(200), ..Limits::default() }) {
            let answer = way.decode(&graph, Backbone::Carreras, None, &mut exact).expect("scores fit");
            let most = way.name.parse().unwrap_or(200);
            tally.add(answer.status.name());
            assert!(answer.dp_calls <= most, "{} calls where {most} are allowed", answer.dp_calls);
        }
    });
    // Searches that come to their end and searches that are stopped.
    tally.has(["optimal", "dp-call-limit"]);
}

/// The answer is a tree of the graph wherever there is one, and none that differs from it in one head is better.
#[test]
fn no_change_of_one_arc_is_better_after_arc_changes() {
    let tally = Tally::default();
    proptest!(cases(400), |(shape in shapes(6, 4), crosses in any::<bool>())| {
        let trees = if crosses { Trees::NonProjective } else { Trees::Projective };
        let graph = FactorGraph { trees, ..random_graph(&shape) };
        let truth = brute::decode(&graph);
        let answer = Decoder::ArcChanges.decode(&graph, Backbone::Carreras, None, Limits::default(), &mut Scratch::default());
        let answer = answer.expect("a decoder of all graphs");
        prop_assert_eq!(answer.tree.is_some(), truth.tree.is_some());
        let Some(tree) = answer.tree else { return Ok(()) };
        let mut arcs = TreeArcs::default();
        prop_assert!(arcs.find(&graph.space, tree.heads()));
        prop_assert_eq!(answer.score, Some(tree_score(&graph, &arcs)));
        prop_assert_eq!((answer.status, answer.bound), (Status::LocalOptimum, None));
        prop_assert!(crosses || tree.is_projective());
        brute::for_each_tree(&graph, |heads| {
            if heads.iter().zip(tree.heads()).filter(|(a, b)| a != b).count() == 1 {
                arcs.find(&graph.space, heads);
                assert!(Some(tree_score(&graph, &arcs)) <= answer.score, "{:?} to {heads:?}", tree.heads());
            }
        });
        tally.add(if answer.score == truth.score { "best" } else { "worse" });
        tally.add(if tree.is_projective() { "projective" } else { "crossing" });
    });
    tally.has(["best", "worse", "projective", "crossing"]);
}
