//! `treebound decode`: answers against brute force, limits, and files that are no graphs.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{Draw, Shape, add_grand_siblings, random_graph};
use crate::desk::Desk;
use crate::properties::{Tally, cases};
use proptest::prelude::*;
use serde::Deserialize;
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoded, Decoder, Scratch, brute};
use treebound::graph::json::GraphFile;
use treebound::graph::{ArcId, FactorGraph, Factors, Room, TreeArcs, Word, tree_score};

/// A line of output.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    heads: Option<Vec<u32>>,
    score: Option<i128>,
    bound: Option<i128>,
    status: String,
    dp_calls: u64,
    nodes: u64,
}

fn answers(out: &str) -> Vec<Answer> {
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Random graphs of every kind, the same ones every time; some scores are multiplied by `unit`.
fn graphs(count: u64, max_factors: u64, unit: i64) -> Vec<FactorGraph> {
    let mut draw = Draw::new(count + max_factors);
    let mut graphs = Vec::new();
    for seed in 0..count {
        let mut pick = |n: u64| draw.below(n);
        graphs.push(random_graph(&Shape {
            words: 1 + pick(6) as usize,
            single_root: pick(3) > 0,
            kept_of_8: [3, 5, 8, 8][pick(4) as usize],
            range: [1, 3, 100, 1_000_000][pick(4) as usize],
            unit: if pick(5) == 0 { unit } else { 1 },
            sign: [0, 0, 1, -1][pick(4) as usize],
            factors: pick(max_factors + 1) as usize,
            has_tree: false,
            seed,
        }));
    }
    graphs
}

/// One graph a line.
fn lines(graphs: &[FactorGraph]) -> String {
    let line = |graph| serde_json::to_string(&GraphFile::from_graph(graph, None)).expect("JSON") + "\n";
    graphs.iter().map(line).collect()
}

/// That the heads are a projective tree of the graph, with the score that is claimed.
#[track_caller]
fn check_tree(graph: &FactorGraph, answer: &Answer) {
    let Some(heads) = &answer.heads else {
        assert_eq!(answer.score, None);
        return;
    };
    let heads: Vec<Word> = heads.iter().map(|&h| Word(h)).collect();
    let mut arcs = TreeArcs::default();
    assert!(arcs.find(&graph.space, &heads), "{answer:?}");
    assert_eq!(answer.score, Some(tree_score(graph, &arcs)), "{answer:?}");
    let mut found = false;
    brute::for_each_tree(graph, |tree| found |= tree == heads);
    assert!(found, "no projective tree with the roots that the graph allows: {answer:?}");
}

#[track_caller]
fn check(graph: &FactorGraph, truth: &Decoded, answer: &Answer) {
    assert_eq!(answer.status, truth.status.name(), "{answer:?}");
    assert_eq!((answer.score, answer.bound), (truth.score, truth.score), "{answer:?}");
    assert_eq!(answer.heads.is_none(), truth.tree.is_none());
    check_tree(graph, answer);
}

/// Decodes with a decoder and compares with the truth.
#[track_caller]
fn decode_and_check(desk: &Desk, decoder: &str, files: &[&str], graphs: &[FactorGraph], truths: &[Decoded]) {
    let arguments = [&["decode", "--decoder", decoder], files].concat();
    let answers = answers(&desk.treebound(&arguments).success());
    assert_eq!(answers.len(), graphs.len());
    for ((graph, truth), answer) in graphs.iter().zip(truths).zip(&answers) {
        check(graph, truth, answer);
    }
}

#[test]
fn every_decoder_finds_the_best_trees() {
    let desk = Desk::new();
    let graphs = graphs(240, 12, 1 << 40);
    let truths: Vec<Decoded> = graphs.iter().map(brute::decode).collect();
    let infeasible = truths.iter().filter(|t| t.tree.is_none()).count();
    assert!(infeasible > 5 && infeasible < 120, "{infeasible}");
    desk.write("all.json", lines(&graphs));
    for decoder in ["bnb", "paper", "brute"] {
        decode_and_check(&desk, decoder, &["all.json"], &graphs, &truths);
    }
    // Several files give the answers of one, in order; bnb is what is meant if nothing is said.
    desk.write("a.json", lines(&graphs[..100]));
    desk.write("b.json", lines(&graphs[100..]));
    let parts = desk.treebound(&["decode", "a.json", "b.json"]).success();
    assert_eq!(parts, desk.treebound(&["decode", "all.json"]).success());
    let piped = std::fs::File::open(desk.path("all.json")).expect("there");
    let output = desk.command(&["decode", "-"]).stdin(piped).output().expect("started");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), parts);
}

/// An answer of `ilp` or `lp`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramAnswer {
    heads: Option<Vec<u32>>,
    score: Option<i128>,
    bound: Option<i128>,
    status: String,
    integral: Option<bool>,
    nodes: u64,
    iterations: u64,
    columns: usize,
    rows: usize,
    all_rows: usize,
}

#[test]
fn integer_programs_find_the_best_trees() {
    let desk = Desk::new();
    let graphs = graphs(60, 12, 1);
    desk.write("all.json", lines(&graphs));
    if !cfg!(feature = "ilp") {
        for decoder in ["ilp", "lp"] {
            desk.treebound(&["decode", "--decoder", decoder, "all.json"]).failure(&["`--features ilp`", "cmake"]);
        }
        return;
    }
    let lines = |decoder: &str, form: &str| -> Vec<ProgramAnswer> {
        let out = desk.treebound(&["decode", "--decoder", decoder, "--form", form, "all.json"]).success();
        out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    };
    for form in ["flow", "paths", "spans"] {
        let (exact, relaxed) = (lines("ilp", form), lines("lp", form));
        assert_eq!((exact.len(), relaxed.len()), (graphs.len(), graphs.len()));
        for ((graph, exact), relaxed) in graphs.iter().zip(exact).zip(relaxed) {
            let answer = |program: ProgramAnswer| {
                let ProgramAnswer { heads, score, bound, status, nodes, .. } = program;
                Answer { heads, score, bound, status, dp_calls: 0, nodes }
            };
            let truth = brute::decode(graph);
            assert!(
                exact.rows <= exact.all_rows && (exact.columns > 0) == (exact.iterations > 0 || exact.all_rows > 0)
            );
            assert!(relaxed.integral != Some(true) || relaxed.status == "optimal", "{relaxed:?}");
            assert!(relaxed.bound >= truth.score, "{relaxed:?}");
            check(graph, &truth, &answer(exact));
            check_tree(graph, &answer(relaxed));
        }
    }
    desk.treebound(&["decode", "--decoder", "ilp", "--form", "tree", "all.json"]).failure(&["flow, paths, spans"]);
    desk.treebound(&["decode", "--form", "flow", "all.json"]).failure(&["--decoder ilp"]);
}

#[test]
fn grand_siblings_and_chains_are_local_to_the_third_order_program() {
    let desk = Desk::new();
    let mut graphs = graphs(120, 8, 1 << 40);
    for (seed, graph) in (0..).zip(&mut graphs) {
        let shape = Shape {
            words: 0,
            single_root: true,
            kept_of_8: 0,
            range: 9,
            unit: 1,
            sign: 0,
            factors: 0,
            has_tree: false,
            seed,
        };
        add_grand_siblings(graph, &shape);
    }
    let truths: Vec<Decoded> = graphs.iter().map(brute::decode).collect();
    desk.write("third.json", lines(&graphs));
    // Whatever backbone is asked for, graphs with grand-siblings are decoded with the one that scores them.
    for decoder in ["bnb", "paper", "brute"] {
        decode_and_check(&desk, decoder, &["third.json"], &graphs, &truths);
        decode_and_check(&desk, decoder, &["--backbone", "grand-sibling", "third.json"], &graphs, &truths);
    }
    // A chain whose lower arc need not be outermost.
    let arcs = r#""arcs": [[0,1,0],[1,2,0],[1,3,0],[3,2,0]], "factors": [{"arcs": [[0,1],[1,2]], "score": 7}]"#;
    desk.write("chain.json", format!(r#"{{"version": 1, "words": 3, {arcs}}}"#));
    desk.treebound(&["decode", "--decoder", "dp", "chain.json"]).failure(&["1 factors", "--backbone"]);
    let out = desk.treebound(&["decode", "--decoder", "dp", "--backbone", "grand-sibling", "chain.json"]).success();
    assert!(out.contains(r#""score": 7"#), "{out}");
    desk.treebound(&["decode", "--backbone", "grand", "chain.json"]).failure(&["carreras, grand-sibling"]);
}

#[test]
fn the_dynamic_program_decodes_what_is_local_to_it() {
    let desk = Desk::new();
    let graphs = graphs(120, 0, 1 << 40);
    let truths: Vec<Decoded> = graphs.iter().map(brute::decode).collect();
    desk.write("local.json", lines(&graphs));
    decode_and_check(&desk, "dp", &["local.json"], &graphs, &truths);
    // A factor on one arc is local; one on two arcs that no local part joins is not, and the fault names the graph.
    let arcs = r#""version": 1, "words": 3, "arcs": [[0,2,0],[2,1,0],[2,3,0],[0,1,0],[0,3,0],[1,2,0],[3,2,0]]"#;
    desk.write("one.json", format!(r#"{{{arcs}, "factors": [{{"arcs": [[2,1]], "score": 7}}]}}"#));
    assert!(desk.treebound(&["decode", "--decoder", "dp", "one.json"]).success().contains(r#""score": 7"#));
    let good = desk.read("one.json");
    desk.write("two.json", format!(r#"{good} {{{arcs}, "factors": [{{"arcs": [[2,1],[2,3]], "score": 7}}]}}"#));
    let done = desk.treebound(&["decode", "--decoder", "dp", "two.json"]);
    done.failure(&["two.json: graph 2", "1 factors that the dynamic program cannot score", "bnb"]);
}

/// The graph with the scores 1 and -1 replaced by the largest and smallest that a file can hold.
fn at_the_ends(graph: &FactorGraph) -> FactorGraph {
    let end = |score: i64| match score {
        1 => i64::MAX,
        -1 => i64::MIN,
        other => other,
    };
    let mut graph = graph.clone();
    let local = &mut graph.local;
    local.arc.iter_mut().chain(&mut local.sibling).chain(&mut local.grandchild).for_each(|s| *s = end(*s));
    let mut factors = Factors::default();
    graph.factors.iter().for_each(|(_, arcs, score)| factors.push(arcs, end(score)));
    FactorGraph { factors, ..graph }
}

#[test]
fn the_largest_and_smallest_scores_are_exact() {
    let desk = Desk::new();
    let shape = |seed| Shape {
        words: 2 + (seed % 4) as usize,
        single_root: seed % 3 > 0,
        kept_of_8: 8,
        range: 1,
        unit: 1,
        sign: [0, 1, -1][(seed / 4 % 3) as usize],
        factors: (seed % 9) as usize,
        has_tree: false,
        seed,
    };
    let graphs: Vec<FactorGraph> = (0..150).map(|seed| at_the_ends(&random_graph(&shape(seed)))).collect();
    let truths: Vec<Decoded> = graphs.iter().map(brute::decode).collect();
    assert!(truths.iter().any(|t| t.score.is_some_and(|s| s > i128::from(i64::MAX))), "sums go beyond 64 bits");
    desk.write("ends.json", lines(&graphs));
    for decoder in ["paper", "bnb", "brute"] {
        decode_and_check(&desk, decoder, &["ends.json"], &graphs, &truths);
    }
}

#[test]
fn a_graph_without_a_tree_is_an_answer() {
    let desk = Desk::new();
    for text in [
        r#"{"version": 1, "words": 1, "arcs": []}"#,
        r#"{"version": 1, "words": 2, "arcs": [[1, 2, 5], [2, 1, 5]]}"#,
        // Two words that only the root can take, and it takes one.
        r#"{"version": 1, "words": 2, "arcs": [[0, 1, 5], [0, 2, 5]]}"#,
        r#"{"version": 1, "words": 2, "arcs": [[0, 1, 5], [0, 2, 5]], "factors": [{"arcs": [[0,1],[0,2]], "score": 9}]}"#,
        // Crossing arcs.
        r#"{"version": 1, "words": 4, "arcs": [[0, 1, 0], [1, 3, 0], [4, 2, 0], [1, 4, 0]], "single_root": false}"#,
        r#"{"version": 1, "words": 40, "arcs": []}"#,
    ] {
        desk.write("none.json", text);
        for decoder in ["bnb", "paper", "dp", "brute"] {
            let answers = answers(&desk.treebound(&["decode", "--decoder", decoder, "none.json"]).success());
            let [answer] = &answers[..] else { panic!("{answers:?}") };
            assert_eq!((&*answer.status, answer.score, answer.bound), ("infeasible", None, None), "{decoder}: {text}");
            assert_eq!(answer.heads, None);
        }
    }
    // With several words on the root allowed there is one.
    desk.write("some.json", r#"{"version": 1, "words": 2, "single_root": false, "arcs": [[0, 1, 5], [0, 2, 5]]}"#);
    let out = desk.treebound(&["decode", "some.json"]).success();
    assert_eq!(
        out,
        "{\"heads\": [0, 0], \"score\": 10, \"bound\": 10, \"status\": \"optimal\", \"dp_calls\": 1, \"nodes\": 1}\n"
    );
}

/// All heads of 30 words are more than a computer looks at in a life.
#[test]
fn brute_force_that_would_not_end_is_refused() {
    let desk = Desk::new();
    let graph = random_graph(&Shape {
        words: 30,
        single_root: true,
        kept_of_8: 8,
        range: 3,
        unit: 1,
        sign: 0,
        factors: 0,
        has_tree: false,
        seed: 1,
    });
    desk.write("long.json", lines(&[graph]));
    desk.treebound(&["decode", "--decoder", "brute", "long.json"])
        .failure(&["long.json: graph 1", "too many for brute force; take bnb"]);
    desk.treebound(&["decode", "long.json"]).success();
}

#[test]
fn a_limit_is_named_and_the_answer_lies_around_the_optimum() {
    let desk = Desk::new();
    // Of moderate size: larger scores are left to the paper's search.
    let graphs = graphs(150, 40, 1 << 10);
    let truths: Vec<Decoded> = graphs.iter().map(brute::decode).collect();
    desk.write("hard.json", lines(&graphs));
    for (flag, limit, status) in
        [("--dp-calls", 1, "dp-call-limit"), ("--dp-calls", 3, "dp-call-limit"), ("--nodes", 1, "node-limit")]
    {
        for decoder in ["bnb", "paper"] {
            let text = limit.to_string();
            let out = desk.treebound(&["decode", "--decoder", decoder, flag, &text, "hard.json"]).success();
            let answers = answers(&out);
            let mut stopped = 0;
            for ((graph, truth), answer) in graphs.iter().zip(&truths).zip(&answers) {
                if answer.status != status {
                    check(graph, truth, answer);
                    continue;
                }
                stopped += 1;
                check_tree(graph, answer);
                assert!(answer.score <= truth.score, "{answer:?}");
                assert!(answer.bound.is_none_or(|bound| Some(bound) >= truth.score), "{answer:?}");
                // A first call has a bound, unless it was spent on a tree to begin with.
                assert!(answer.bound.is_some() || decoder == "paper", "{answer:?}");
                if flag == "--nodes" {
                    assert_eq!(answer.nodes, limit);
                } else {
                    // Fixing follows a call at once, so a limit may be passed by one.
                    assert!((limit..=limit + 1).contains(&answer.dp_calls), "{answer:?}");
                }
            }
            assert!(stopped > 0, "{decoder} {flag} {limit} stopped nowhere");
        }
    }
    // A limit of nothing gives no tree and claims nothing.
    for decoder in ["bnb", "paper"] {
        let out = desk.treebound(&["decode", "--decoder", decoder, "--dp-calls", "0", "hard.json"]).success();
        for (truth, answer) in truths.iter().zip(answers(&out)) {
            assert!(answer.score.is_none() || answer.score <= truth.score, "{answer:?}");
            assert!(answer.bound.is_none() || answer.bound >= truth.score, "{answer:?}");
            assert!(answer.bound.is_none_or(|bound| bound < i128::MAX >> 20), "{answer:?}");
        }
    }
}

#[test]
fn parts_that_no_tree_has_are_legal_and_mentioned() {
    let desk = Desk::new();
    desk.write(
        "never.json",
        r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1], [1, 2, 2]],
            "siblings": [[2, 2, 1, 50], [0, 2, 1, 50]], "grandchildren": [[0, 2, 1, 50]],
            "factors": [{"arcs": [[2, 1], [0, 2]], "score": 50}, {"arcs": [], "score": 4}, {"arcs": [[1, 2], [1, 2]], "score": 3}]}"#,
    );
    for decoder in ["bnb", "paper", "dp", "brute"] {
        let done = desk.treebound(&["decode", "--decoder", decoder, "never.json"]);
        assert!(done.err.contains("never.json: graph 1: 4 parts or factors can occur in no tree"), "{done:?}");
        assert!(done.success().contains(r#""heads": [0, 1], "score": 10, "bound": 10"#));
    }
}

#[test]
fn files_that_are_no_graphs_are_explained() {
    let desk = Desk::new();
    let good = r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1], [1, 2, 2]]}"#;
    let cases: &[(&str, &[&str])] = &[
        ("", &["the file holds no graph"]),
        ("  \n\n", &["the file holds no graph"]),
        (r#"{"version": 1,"#, &["graph 1: EOF", "line 1 column"]),
        ("nonsense", &["graph 1", "line 1 column 2"]),
        ("[1]", &["graph 1", "line 1"]),
        ("17", &["graph 1", "invalid type"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1], [1, 2, 2]]"#, &["graph 1: EOF", "line 1 column"]),
        (r#"{"version": 2, "words": 2, "arcs": []}"#, &["graph 1: version 2 is not supported", "reads version 1"]),
        (r#"{"version": "1", "words": 2, "arcs": []}"#, &["graph 1: invalid type: string", "line 1 column 15"]),
        (r#"[1, 2, true, [[0, 1, 5]], [], [], [], []]"#, &["graph 1: invalid type: sequence", "named fields"]),
        (r#"{"version": 1, "words": 2, "arcs": [], "factors": [[[[0, 1]], 5]]}"#, &["invalid type: sequence"]),
        (r#"{"words": 2, "arcs": []}"#, &["missing field `version`"]),
        (r#"{"version": 1, "arcs": []}"#, &["missing field `words`"]),
        (r#"{"version": 1, "words": 2}"#, &["missing field `arcs`"]),
        (r#"{"version": 1, "words": 2, "words": 2, "arcs": []}"#, &["duplicate field `words`"]),
        ("{\"version\": 1,\n \"words\": 2, \"arc\": []}", &["unknown field `arc`", "line 2 column"]),
        (r#"{"version": 1, "words": 0, "arcs": []}"#, &["a graph needs at least one word"]),
        (r#"{"version": 1, "words": -1, "arcs": []}"#, &["invalid value: integer `-1`"]),
        (r#"{"version": 1, "words": 1.5, "arcs": []}"#, &["invalid type: floating point `1.5`"]),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0.5]]}"#,
            &["invalid type: floating point `0.5`", "scores are whole numbers of 64 bits: multiply fractions"],
        ),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1e3]]}"#, &["invalid type: floating point `1000.0`"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 9223372036854775808]]}"#, &["9223372036854775808", "i64"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, -9223372036854775809]]}"#, &["invalid type: floating point"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1e999]]}"#, &["number out of range"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, "1"]]}"#, &["invalid type: string"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, null]]}"#, &["invalid type: null"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, NaN]]}"#, &["line 1 column"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1]]}"#, &["invalid length 2"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1, 1]]}"#, &["line 1 column"]),
        (r#"{"version": 1, "words": 2, "arcs": [[-1, 1, 1]]}"#, &["invalid value: integer `-1`"]),
        (r#"{"version": 1, "words": 2, "arcs": [[3, 1, 1]]}"#, &["arc [3, 1]: the head must lie between 0 and 2"]),
        (r#"{"version": 1, "words": 2, "arcs": [[1, 3, 1]]}"#, &["arc [1, 3]: the modifier must lie between 1 and 2"]),
        (r#"{"version": 1, "words": 2, "arcs": [[1, 0, 1]]}"#, &["arc [1, 0]: the modifier must lie between 1 and 2"]),
        (r#"{"version": 1, "words": 2, "arcs": [[18446744073709551615, 1, 1]]}"#, &["[18446744073709551615, 1]"]),
        (r#"{"version": 1, "words": 2, "arcs": [[2, 2, 1]]}"#, &["arc [2, 2] goes from a word to itself"]),
        (r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1], [0, 2, 1], [0, 1, 1]]}"#, &["arc [0, 1] is given twice"]),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1]], "siblings": [[0, 0, 3, 1]]}"#,
            &["sibling [0, 0, 3]: word 3 is out of range"],
        ),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1]], "siblings": [[0, 0, 1, 1], [0, 0, 1, 1]]}"#,
            &["sibling [0, 0, 1] is given twice"],
        ),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1]], "grandchildren": [[0, 1, 0, 1]]}"#,
            &["grandchild [0, 1, 0]: word 0 is out of range"],
        ),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1], [1, 2, 1]], "grandchildren": [[0, 1, 2, 1], [0, 1, 2, 1]]}"#,
            &["grandchild [0, 1, 2] is given twice"],
        ),
        (
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 1]], "factors": [{"arcs": [], "score": 1}, {"arcs": [[9, 1]], "score": 1}]}"#,
            &["factor 2: arc [9, 1]: word 9 is out of range"],
        ),
        (
            r#"{"version": 1, "words": 2, "arcs": [], "factors": [{"arcs": [[0, 1]], "weight": 1}]}"#,
            &["unknown field `weight`"],
        ),
        (r#"{"version": 1, "words": 2, "arcs": [], "factors": [{"arcs": [[0, 1]]}]}"#, &["missing field `score`"]),
        // Sentences beyond all reason are refused before memory is asked for.
        (r#"{"version": 1, "words": 1000000, "arcs": []}"#, &["graph 1: 1000000 words are too many"]),
        (r#"{"version": 1, "words": 5000000000, "arcs": [[4999999999, 1, 1]]}"#, &["5000000000 words are too many"]),
        (r#"{"version": 1, "words": 18446744073709551615, "arcs": []}"#, &["18446744073709551615 words are too many"]),
        (r#"{"version": 1, "words": 18446744073709551616, "arcs": []}"#, &["line 1 column"]),
    ];
    for (text, wanted) in cases {
        // The fault is found whether its graph stands first or second; what stands before it is answered.
        desk.write("bad.json", text);
        let done = desk.treebound(&["decode", "bad.json"]);
        done.failure(&[&["treebound: bad.json: "], *wanted].concat());
        assert_eq!(done.out, "", "{text}");
        if wanted[0].starts_with("graph 1: ") {
            desk.write("bad.json", format!("{good}\n{text}"));
            let wanted = wanted[0].replace("graph 1: ", "graph 2: ");
            let done = desk.treebound(&["decode", "bad.json"]);
            done.failure(&["bad.json: ", &wanted]);
            assert_eq!(done.out.lines().count(), 1, "{text}");
        }
    }
    // So are parts that no file lists: a thousand words with all arcs have a thousand million.
    let all = (0..=1000).flat_map(|h| (1..=1000).filter(move |&m| m != h).map(move |m| format!("[{h}, {m}, 1]")));
    let all: Vec<String> = all.collect();
    desk.write("all.json", format!(r#"{{"version": 1, "words": 1000, "arcs": [{}]}}"#, all.join(", ")));
    let wanted = "all.json: graph 1: 1000 words with 1000000 candidate arcs take more than 1024 MiB";
    desk.treebound(&["decode", "all.json"]).failure(&[wanted, "keep fewer heads a word"]);
    desk.write("deep.json", "[".repeat(100_000));
    desk.treebound(&["decode", "deep.json"]).failure(&["deep.json: graph 1"]);
    let deep = format!(r#"{{"version": 1, "words": 1, "arcs": {}"#, "[".repeat(100_000));
    desk.write("deep.json", deep);
    desk.treebound(&["decode", "deep.json"]).failure(&["deep.json: graph 1"]);
    desk.write("latin.json", b"{\"version\": 1, \"words\": 2, \"arcs\": [], \"caf\xe9\": 1}");
    desk.treebound(&["decode", "latin.json"]).failure(&["latin.json: graph 1"]);
    desk.treebound(&["decode", "absent.json"]).failure(&["absent.json: cannot read the file"]);
    desk.treebound(&["decode", "."]).failure(&[".: cannot read the file"]);
    // What was read before is answered before.
    desk.write("good.json", good);
    let done = desk.treebound(&["decode", "good.json", "absent.json"]);
    done.failure(&["absent.json"]);
}

/// A stream is answered while it goes, and one that is no graph is refused at its first word: neither is read to an end
/// that may never come.
#[test]
fn streams_are_answered_as_they_come() {
    let desk = Desk::new();
    let start = || {
        let mut command = desk.command(&["decode", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started")
    };
    let mut child = start();
    let mut input = child.stdin.take().expect("a pipe");
    // More than a buffer, and its end stays open until some answers are there.
    let graphs = format!("{}\n", r#"{"version": 1, "words": 1, "arcs": [[0, 1, 3]]}"#).repeat(5_000);
    let (enough, wait) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        input.write_all(graphs.as_bytes()).expect("written");
        wait.recv().expect("enough");
    });
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for _ in 0..100 {
        let line = output.next().expect("a line").expect("text");
        assert!(line.contains("optimal"), "{line}");
    }
    enough.send(()).expect("it waits");
    assert_eq!(output.count(), 4_900);
    writer.join().expect("written");
    assert!(child.wait().expect("ended").success());

    let mut child = start();
    let mut input = child.stdin.take().expect("a pipe");
    let endless = std::thread::spawn(move || while input.write_all(b"y\n").is_ok() {});
    let done = child.wait_with_output().expect("ended");
    endless.join().expect("it could not go on writing");
    let message = String::from_utf8(done.stderr).expect("text");
    assert!(!done.status.success() && message.contains("standard input: graph 1: expected value"), "{message}");
}

#[test]
fn flags_are_checked() {
    let desk = Desk::new();
    desk.write("good.json", r#"{"version": 1, "words": 1, "arcs": [[0, 1, 3]]}"#);
    let done = desk.treebound(&["decode", "--decoder", "best", "good.json"]);
    done.failure(&["--decoder best: the decoders are dp, bnb, paper, brute"]);
    for arguments in [
        &["decode"][..],
        &["decode", "--dp-calls", "-1", "good.json"],
        &["decode", "--dp-calls", "many", "good.json"],
        &["decode", "--nodes", "1.5", "good.json"],
    ] {
        let done = desk.treebound(arguments);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(!done.err.contains("panicked"), "{done:?}");
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    log_z: Option<f64>,
    entropy: Option<f64>,
    marginals: Vec<(u32, u32, f64)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trees {
    trees: Vec<ScoredTree>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoredTree {
    heads: Vec<u32>,
    score: i128,
}

/// Two words have two trees with one word on the root, and three with one or two.
#[test]
fn sums_and_best_trees_are_printed() {
    let desk = Desk::new();
    let arcs = r#""arcs": [[0, 1, 7], [0, 2, -3], [1, 2, 20], [2, 1, 0]]"#;
    let lines = [
        format!(r#"{{"version": 1, "words": 2, "single_root": true, {arcs}}}"#),
        format!(r#"{{"version": 1, "words": 2, "single_root": false, {arcs}}}"#),
        r#"{"version": 1, "words": 2, "single_root": true, "arcs": [[0, 1, 7]]}"#.to_owned(),
    ];
    desk.write("two.json", lines.join("\n"));
    let out = desk.treebound(&["decode", "--kbest", "5", "two.json"]).success();
    let trees: Vec<Trees> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let listed = |i: usize| trees[i].trees.iter().map(|tree| (&tree.heads[..], tree.score)).collect::<Vec<_>>();
    assert_eq!(listed(0), [(&[0, 1][..], 27), (&[2, 0], -3)]);
    assert_eq!(listed(1), [(&[0, 1][..], 27), (&[0, 0], 4), (&[2, 0], -3)]);
    assert!(listed(2).is_empty());

    let out = desk.treebound(&["decode", "--marginals", "--scale", "10", "two.json"]).success();
    let sums: Vec<Sums> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let weights = [2.7f64, 0.4, -0.3].map(f64::exp);
    let z = weights[0] + weights[2];
    assert!((sums[0].log_z.expect("trees") - z.ln()).abs() < 1e-12);
    let z = weights.iter().sum::<f64>();
    assert!((sums[1].log_z.expect("trees") - z.ln()).abs() < 1e-12);
    let entropy: f64 = weights.iter().map(|weight| weight / z).map(|p| -p * p.ln()).sum();
    assert!((sums[1].entropy.expect("trees") - entropy).abs() < 1e-12);
    let right =
        [(0, 1, 1.0 - weights[2] / z), (0, 2, 1.0 - weights[0] / z), (1, 2, weights[0] / z), (2, 1, weights[2] / z)];
    for (found, right) in sums[1].marginals.iter().zip(right) {
        assert!((found.0, found.1) == (right.0, right.1) && (found.2 - right.2).abs() < 1e-12, "{sums:?}");
    }
    assert!(sums[2].log_z.is_none() && sums[2].entropy.is_none() && sums[2].marginals.is_empty());

    // Nine words have some hundred thousand trees, whose list is too long for a MiB, and the best few of them are not.
    let arcs = (1..10).flat_map(|m| (0..10).filter(move |&h| h != m).map(move |h| format!("[{h}, {m}, {}]", h * m)));
    let arcs = arcs.collect::<Vec<_>>().join(", ");
    desk.write("nine.json", format!(r#"{{"version": 1, "words": 9, "arcs": [{arcs}]}}"#));
    let few = desk.treebound(&["decode", "--kbest", "30", "--memory-mib", "1", "nine.json"]).success();
    assert_eq!(serde_json::from_str::<Trees>(&few).expect("trees").trees.len(), 30);
    let wanted = "trees take more than 1 MiB; ask for fewer trees, or allow more memory";
    let all = ["decode", "--kbest", "1000000", "nine.json"];
    desk.treebound(&[&all[..], &["--memory-mib", "1"]].concat()).failure(&["nine.json: graph 1", wanted]);
    desk.treebound(&all).success();

    let factor = r#"{"version": 1, "words": 1, "arcs": [[0, 1, 3]], "factors": [{"arcs": [[0, 1]], "score": 1}]}"#;
    desk.write("factor.json", factor);
    desk.treebound(&["decode", "--marginals", "factor.json"]).failure(&["factor.json: graph 1", "factors"]);
    let searched = desk.treebound(&["decode", "--kbest", "5", "factor.json"]).success();
    assert!(
        searched.contains(r#"{"trees": [{"heads": [0], "score": 4}], "status": "optimal", "dp_calls""#),
        "{searched}"
    );
    // The tree of least risk is one of these probabilities, so it has their scale.
    let risk = |scale: &str| desk.treebound(&["decode", "--decoder", "mbr", "--scale", scale, "two.json"]).success();
    assert!(risk("10").contains("least-risk"), "{}", risk("10"));
    desk.treebound(&["decode", "--scale", "2", "two.json"]).failure(&["no probabilities are asked for"]);
    for scale in ["0", "-1", "-0.0", "inf", "nan", "1e-400", "1e400", "much"] {
        let done = desk.treebound(&["decode", "--marginals", "--scale", scale, "two.json"]);
        assert!(done.code == Some(2) && done.err.contains("a finite number above 0 is needed"), "{done:?}");
    }
}

/// Sums are numbers with digits, or it is said what they are too large for.
#[test]
fn scores_that_leave_the_range_of_numbers_are_refused() {
    let desk = Desk::new();
    let of =
        |score: i64| format!(r#"{{"version": 1, "words": 2, "arcs": [[0, 1, {score}], [1, 2, -{score}], [0, 2, 1]]}}"#);
    desk.write("large.json", format!("{}\n{}", of(1), of(1 << 40)));
    for flags in [&["--marginals"][..], &["--decoder", "mbr"]] {
        let decode = |scale: &str| desk.treebound(&[&["decode", "large.json", "--scale", scale], flags].concat());
        for scale in ["1", "1e-6", "1e-9"] {
            let lines = decode(scale).success();
            assert!(!lines.contains("NaN") && !lines.contains("inf"), "{lines}");
            lines.lines().for_each(|line| drop(serde_json::from_str::<serde_json::Value>(line).expect(line)));
        }
        for (scale, graph) in [("1e-10", "graph 2"), ("1e-22", "graph 1"), ("1e-310", "graph 1")] {
            let wanted =
                format!("the scale {scale} are too large to be summed: they may add up to 1e22; give a larger");
            decode(scale).failure(&["large.json: ", graph, &wanted]);
        }
    }
}

/// Trees that cross, with scores of crossing arcs, an OR and a constraint: decoders agree, and those of projective trees say no.
#[test]
fn trees_that_cross_are_decoded() {
    let desk = Desk::new();
    let graph = |more: &str| {
        format!(
            r#"{{"version": 1, "words": 3, "trees": "non-projective", "roots": "several",
            "arcs": [[0, 1, 0], [0, 2, 5], [1, 3, 9], [2, 1, -1], [2, 3, 2]]{more}}}"#
        )
    };
    desk.write("arcs.json", graph(""));
    desk.write("full.json", graph(r#", "non_projective": [[1, 3, -8]], "counts": [{"head": 0, "most": 1}]"#));
    let heads = |flags: &[&str], file| desk.treebound(&[&["decode", file], flags].concat()).success();
    for decoder in ["bnb", "brute", "dp"] {
        assert!(
            heads(&["--decoder", decoder], "arcs.json").contains(r#"{"heads": [0, 0, 1], "score": 14"#),
            "{decoder}"
        );
    }
    for decoder in ["bnb", "brute"] {
        assert!(
            heads(&["--decoder", decoder], "full.json").contains(r#"{"heads": [2, 0, 2], "score": 6"#),
            "{decoder}"
        );
    }
    let all = heads(&["--kbest", "9"], "full.json");
    let wanted = r#"[{"heads": [2, 0, 2], "score": 6}, {"heads": [2, 0, 1], "score": 5}], "status": "optimal""#;
    assert!(all.contains(wanted), "{all}");
    assert!(heads(&["--marginals"], "arcs.json").contains(r#""marginals": [[0, 1, 0.731"#));
    desk.treebound(&["decode", "--decoder", "paper", "full.json"]).failure(&["graph 1", "non-projective trees"]);
    desk.treebound(&["decode", "--decoder", "dp", "full.json"]).failure(&["graph 1", "factors"]);
}

/// What does nothing beside another flag is refused.
#[test]
fn sums_and_lists_take_no_flags_of_searches() {
    let desk = Desk::new();
    desk.write("good.json", r#"{"version": 1, "words": 1, "arcs": [[0, 1, 3]]}"#);
    for instead in [&["--marginals"][..], &["--kbest", "2"]] {
        let decode = |flags: &[&str]| desk.treebound(&[&["decode", "good.json"], instead, flags].concat());
        decode(&["--backbone", "grand-sibling"]).success();
        let flags = [["--decoder", "bnb"], ["--dp-calls", "3"], ["--nodes", "3"]];
        // Lists may be searched for.
        for flags in &flags[..if instead[0] == "--kbest" { 1 } else { 3 }] {
            let done = decode(flags);
            assert!(done.code == Some(2) && done.err.contains("cannot be used with"), "{done:?}");
            assert!(done.err.contains(flags[0]) && done.err.contains(instead[0]), "{done:?}");
        }
    }
    let help = desk.treebound(&["decode", "--help"]).success();
    let help: Vec<&str> = help.split_whitespace().collect();
    let wanted = "--decoder, --dp-calls and --nodes do not go with it";
    assert!(help.join(" ").contains(wanted), "{help:?}");
}

/// A file that the program wrote is read as it was, whatever the arcs.
#[test]
fn writing_and_reading_keeps_every_score() {
    for graph in graphs(60, 10, 1 << 40) {
        let text = serde_json::to_string_pretty(&GraphFile::from_graph(&graph, None)).expect("JSON");
        let file: GraphFile = serde_json::from_str(&text).expect("a graph file");
        let again = file.to_graph(Room::default()).expect("a graph");
        assert_eq!(again.never, 0);
        let again = again.graph;
        assert_eq!((&again.local.arc, &again.local.sibling), (&graph.local.arc, &graph.local.sibling));
        assert_eq!(again.local.grandchild, graph.local.grandchild);
        let ends = |g: &FactorGraph| -> Vec<(Word, Word)> {
            (0..g.space.arcs()).map(ArcId::new).map(|a| (g.space.head(a), g.space.modifier(a))).collect()
        };
        assert_eq!(ends(&again), ends(&graph));
        let factors = |g: &FactorGraph| -> Vec<(Vec<ArcId>, i64)> {
            g.factors.iter().map(|(_, arcs, score)| (arcs.to_vec(), score)).collect()
        };
        assert_eq!(factors(&again), factors(&graph));
    }
}

/// Whatever is mistyped, a file is a fault or a graph; and a graph can be decoded.
#[test]
fn slips_never_stop_the_program() {
    let tally = Tally::default();
    proptest!(cases(3000), |(seed in 0u64..50, slips in crate::desk::slips())| {
        let shape = Shape { words: 4, single_root: true, kept_of_8: 6, range: 9, unit: 1, sign: 0, factors: 4, has_tree: false, seed };
        let text = lines(&[random_graph(&shape)]);
        let text = crate::desk::slip(text.as_bytes(), &slips);
        let file = serde_json::from_slice::<GraphFile>(&text).ok();
        let Some(parsed) = file.and_then(|file| file.to_graph(Room::default()).ok()) else {
            tally.add("a fault");
            return Ok(());
        };
        if parsed.graph.space.words() <= 30 {
            let truth = brute::decode(&parsed.graph);
            tally.add(truth.status.name());
            for decoder in [Decoder::Bnb, Decoder::PAPER] {
                let answer = decoder.decode(&parsed.graph, Backbone::Carreras, None, Limits::default(), &mut Scratch::default());
                let answer = answer.expect("any graph");
                prop_assert_eq!((answer.score, answer.status), (truth.score, truth.status));
            }
        }
    });
    tally.has(["optimal", "a fault"]);
}
