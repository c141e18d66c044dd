//! Graph files. A graph that is read and written stays the same; of small ones all decoders find a best tree.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoder, Scratch, brute};
use treebound::graph::json::{self, GraphFile, Parsed};
use treebound::graph::{Room, TreeArcs, Trees, tree_score};
use treebound_fuzz::{path, seed};

/// Larger graphs are read, but not decoded.
const MOST_WORDS: usize = 6;
const MOST_FACTORS: usize = 40;
const MOST_INCIDENCES: usize = 120;

/// A search that would take longer is stopped; its bound must hold all the same.
const LIMITS: Limits = Limits { dp_calls: Some(400), nodes: None, bytes: None };

thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::default());

const SEEDS: [&str; 5] = [
    r#"{"version": 1, "words": 1, "arcs": [[0, 1, 5]]}"#,
    r#"{"version": 1, "words": 3, "single_root": true,
 "arcs": [[0,1,1],[0,2,9],[0,3,0],[1,2,3],[1,3,4],[2,1,5],[2,3,-2],[3,1,6],[3,2,7]],
 "siblings": [[2,2,1,4],[2,2,3,-1],[1,2,3,6]], "grandchildren": [[0,2,1,3],[0,1,3,8],[1,2,3,2]],
 "factors": [{"arcs": [[0,1],[1,2],[2,3]], "score": 11}, {"arcs": [[0,2],[2,1],[2,3]], "score": -7}],
 "prior": [0.1,0.8,0.1,0.2,0.5,0.7,0.4,0.1,0.2]}"#,
    r#"{"version": 1, "words": 4, "single_root": false,
 "arcs": [[0,1,1],[0,2,-9],[0,4,3],[1,2,3],[2,3,4],[3,4,4],[4,1,5],[2,4,2],[4,3,6],[1,4,1]],
 "grand_siblings": [[0,2,2,4,5],[1,2,3,4,-3],[0,1,2,4,9]], "grandchildren": [[1,2,3,2]],
 "factors": [{"arcs": [[0,1],[0,4]], "score": 3}, {"arcs": [], "score": 2}, {"arcs": [[1,2],[1,4]], "score": 5}]}"#,
    r#"{"version": 1, "words": 4, "trees": "non-projective", "roots": "several",
 "arcs": [[0,1,1],[0,2,-9],[0,4,3],[1,2,3],[1,3,4],[3,4,4],[4,1,5],[2,4,2],[4,2,6],[1,4,1]],
 "siblings": [[0,0,1,4],[0,1,4,-2]], "non_projective": [[1,3,-2],[4,2,3]], "forbidden": [[0,2]], "required": [[1,3]],
 "counts": [{"head": 1, "scores": [0,2,-1]}, {"arcs": [[0,1],[1,4]], "scores": [0,5]}, {"head": 0, "most": 1}]}"#,
    r#"{"version":1,"words":2,"arcs":[[0,1,9223372036854775807],[1,2,-9223372036854775808],[0,2,1]],
 "factors":[{"arcs":[[0,1],[1,2]],"score":9007199254740993}]} {"version":1,"words":1,"arcs":[]}"#,
];

fn check(parsed: &Parsed) {
    let graph = &parsed.graph;
    let written = GraphFile::from_graph(graph, parsed.prior.as_deref());
    let again = written.to_graph(Room::default()).expect("what was written");
    assert_eq!(again.never, 0);
    assert_eq!(GraphFile::from_graph(&again.graph, again.prior.as_deref()), written);
    let small = graph.space.words() <= MOST_WORDS
        && graph.factors.len() <= MOST_FACTORS
        && graph.factors.incidences() <= MOST_INCIDENCES
        && graph.counts.incidences() <= MOST_INCIDENCES;
    if !small {
        return;
    }
    let truth = brute::decode(graph);
    for decoder in [Decoder::Dp, Decoder::Bnb, Decoder::PAPER] {
        for backbone in Backbone::ALL {
            let answer = SCRATCH
                .with_borrow_mut(|scratch| decoder.decode(graph, backbone, parsed.prior.as_deref(), LIMITS, scratch));
            let Ok(answer) = answer else {
                // Others refuse trees that cross and counts, at least where scores are too large.
                assert!(decoder == Decoder::Dp || graph.check_projective().is_err());
                continue;
            };
            let name = format!("{decoder} {backbone}");
            if answer.status.is_proof() {
                assert_eq!(
                    (answer.status, answer.score, answer.bound),
                    (truth.status, truth.score, truth.score),
                    "{name}"
                );
            } else {
                assert!(answer.bound.is_none_or(|bound| truth.score.is_none_or(|best| best <= bound)), "{name}");
            }
            if let Some(tree) = &answer.tree {
                let mut arcs = TreeArcs::default();
                assert!(arcs.find(&graph.space, tree.heads()), "{name}: an arc that is no candidate");
                assert_eq!(Some(tree_score(graph, &arcs)), answer.score, "{name}");
                assert!(graph.allows(&arcs) && (graph.trees == Trees::NonProjective || tree.is_projective()), "{name}");
                assert!(!graph.space.single_root() || tree.roots().count() == 1, "{name}");
            }
        }
    }
}

fuzz_target!(init: seed(SEEDS), |data: &[u8]| {
    let all = json::parse(data, path());
    // A stream has the same graphs, and then the same fault.
    let streamed: Vec<_> = json::each(data, path(), Room::default()).collect();
    assert_eq!(streamed.iter().all(Result::is_ok), all.is_ok());
    if let Ok(all) = all {
        assert_eq!(streamed.len(), all.len());
        all.iter().take(3).for_each(check);
    }
});
