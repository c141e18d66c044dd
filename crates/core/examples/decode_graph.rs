//! A factor graph made in code, and its best tree.
//!
//! The sentence is *She saw a man with a telescope*. Scores of arcs would hang *with* on *man*. A score of two adjacent
//! modifiers, *man* and *with* on *saw*, is not enough to change that. A factor of three arcs, which no dynamic program of
//! second order can score, is: to see somebody with a telescope.
//!
//! ```sh
//! cargo run --no-default-features --example decode_graph
//! ```

use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoded, Decoder, Scratch};
use treebound_core::graph::{ArcId, ArcSpace, FactorGraph, Factors, LocalScores};
use treebound_core::tree::Word;

/// The words; the first has number 1, since 0 is the root.
const WORDS: [&str; 7] = ["She", "saw", "a", "man", "with", "a", "telescope"];

/// Candidate arcs: head, modifier, score. Scores are whole numbers, so that sums are exact.
const ARCS: [(usize, usize, i64); 10] =
    [(0, 2, 9), (2, 1, 5), (4, 1, 1), (2, 4, 6), (4, 3, 4), (2, 5, 2), (4, 5, 5), (5, 7, 6), (2, 7, 1), (7, 6, 4)];

/// The graph; with the factor, or without.
pub fn graph(with_factor: bool) -> FactorGraph {
    let ends = ARCS.map(|(h, m, _)| (Word::new(h), Word::new(m)));
    // One word alone hangs on the root.
    let space = ArcSpace::new(WORDS.len(), true, &ends).expect("valid arcs, each once");
    let arc = |h: usize, m: usize| -> ArcId { space.find(Word::new(h), Word::new(m)).expect("a candidate arc") };

    // Local scores: of arcs, of adjacent siblings, of outermost grandchildren. All are 0 at first.
    let mut local = LocalScores::filled(&space, 0);
    for (h, m, score) in ARCS {
        local.arc[arc(h, m).ix()] = score;
    }
    local.sibling[space.sibling_part(arc(2, 5), arc(2, 4))] = 1;

    // Factors: sets of arcs, each with one score that counts when the tree has all of them.
    let mut factors = Factors::default();
    if with_factor {
        factors.push(&[arc(2, 4), arc(2, 5), arc(5, 7)], 3);
    }
    FactorGraph { space, local, factors, ..FactorGraph::default() }
}

/// The best tree by branch and bound, without limits and without a prior.
pub fn decode(graph: &FactorGraph) -> Decoded {
    // The memory is worth keeping from graph to graph.
    let mut scratch = Scratch::default();
    let answer = Decoder::Bnb.decode(graph, Backbone::Carreras, None, Limits::default(), &mut scratch);
    answer.expect("only the decoder `dp` refuses graphs")
}

/// The answer in words.
pub fn show(answer: &Decoded) -> String {
    let mut text = String::new();
    let name = |w: Word| if w.is_root() { "root" } else { WORDS[w.ix() - 1] };
    for (word, &head) in WORDS.iter().zip(answer.tree.iter().flat_map(|tree| tree.heads())) {
        text += &format!("{word} <- {}\n", name(head));
    }
    let score = answer.score.map_or_else(|| "none".to_owned(), |score| score.to_string());
    text += &format!("score {score}, {}, DP calls {}\n", answer.status.name(), answer.dp_calls);
    text
}

fn main() {
    for (title, with_factor) in [("Without the factor:", false), ("With it:", true)] {
        println!("{title}\n{}", show(&decode(&graph(with_factor))));
    }
}
