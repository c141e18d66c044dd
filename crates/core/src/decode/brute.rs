//! Brute force: all trees of a graph, each scored by definition. The specification of every other decoder.

use super::outcome::Decoded;
use crate::graph::{FactorGraph, TreeArcs, Trees, Word, tree_score};
use crate::tree::{Tree, crossing};

/// Visits every tree of `graph` (over its arcs; projective, and with one root modifier, if the graph says so) in
/// lexicographic order of its heads.
pub fn for_each_tree(graph: &FactorGraph, mut visit: impl FnMut(&[Word])) {
    let (mut heads, mut arcs) = (Vec::new(), TreeArcs::default());
    extend(graph, &mut heads, &mut |heads| {
        if graph.counts.is_empty() || arcs.find(&graph.space, heads) && graph.allows(&arcs) {
            visit(heads);
        }
    });
}

/// Gives word `heads.len() + 1` each of its candidate heads, of projective trees those that cross no earlier arc.
fn extend(graph: &FactorGraph, heads: &mut Vec<Word>, visit: &mut impl FnMut(&[Word])) {
    let space = &graph.space;
    if heads.len() == space.words() {
        if Tree::new(heads.clone()).is_ok() {
            visit(heads);
        }
        return;
    }
    let m = Word::new(heads.len() + 1);
    let roots = heads.iter().filter(|h| h.is_root()).count();
    for &a in space.arcs_into(m) {
        let h = space.head(a);
        if h.is_root() && space.single_root() && roots > 0 {
            continue;
        }
        let span = |h: Word, m: usize| (h.ix().min(m), h.ix().max(m));
        let must_not_cross = graph.trees == Trees::Projective;
        if must_not_cross && heads.iter().enumerate().any(|(i, &g)| crossing(span(h, m.ix()), span(g, i + 1))) {
            continue;
        }
        heads.push(h);
        extend(graph, heads, visit);
        heads.pop();
    }
}

/// The best tree of `graph`, the lexicographically smallest of equals. Time exponential in the number of words.
pub fn decode(graph: &FactorGraph) -> Decoded {
    let mut best: Option<(Vec<Word>, i128)> = None;
    let mut arcs = TreeArcs::default();
    for_each_tree(graph, |heads| {
        if arcs.find(&graph.space, heads) {
            let score = tree_score(graph, &arcs);
            if best.as_ref().is_none_or(|(_, s)| score > *s) {
                best = Some((heads.to_vec(), score));
            }
        }
    });
    Decoded::proven(best.map(|(heads, score)| (Tree::from_decoder(heads), score)), 0)
}
