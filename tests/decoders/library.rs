//! The example of the library alone does what its account says.

#[allow(dead_code, reason = "a test does not print")]
#[path = "../../crates/core/examples/decode_graph.rs"]
mod decode_graph;

use decode_graph::{decode, graph, show};

#[test]
fn the_factor_moves_the_preposition() {
    let without = decode(&graph(false));
    assert_eq!(
        show(&without),
        "She <- saw\nsaw <- root\na <- man\nman <- saw\nwith <- man\na <- telescope\ntelescope <- with\n\
         score 39, optimal, DP calls 1\n"
    );
    let with = decode(&graph(true));
    assert!(show(&with).contains("with <- saw\n") && show(&with).contains("score 40, optimal"), "{}", show(&with));
}
